using Slipstream.Fuzzing.Engine;
using Slipstream.Recorder.Replay;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The bytes of real servers, from the recordings of the transcript tests.</summary>
internal static class RecordedPackets
{
    /// <summary>Returns the payloads of at most <paramref name="most"/> bytes of all packets of MySQL and MariaDB, in order and by conversation.</summary>
    public static IEnumerable<List<byte[]>> MySql(int most = 4096)
    {
        foreach (var server in (string[])["mysql", "mariadb"])
        {
            foreach (var recording in Load(server))
            {
                var packets = new List<byte[]>();
                var bytes = recording.ServerBytes();
                for (var at = 0; at + 4 <= bytes.Length;)
                {
                    var length = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16;
                    if (length <= most && at + 4 + length <= bytes.Length)
                        packets.Add(bytes[(at + 4)..(at + 4 + length)]);
                    at += 4 + length;
                }

                yield return packets;
            }
        }
    }

    /// <summary>
    /// Returns result sets: the number of columns, then as many packets with headers, from the first definition on, as fit into <paramref name="most"/> bytes.
    /// </summary>
    public static IEnumerable<(byte Columns, byte[] Packets)> MySqlResults(int most)
    {
        foreach (var packets in MySql())
        {
            for (var i = 0; i + 1 < packets.Count; i++)
            {
                // A packet of one byte with the number of columns, followed by a packet that begins with the catalog's name.
                if (packets[i] is not [> 0 and < 32 and var columns]
                    || packets[i + 1] is not [3, (byte)'d', (byte)'e', (byte)'f', ..]
                    || i + columns >= packets.Count)
                    continue;
                var result = new List<byte>();
                for (var next = i + 1; next < packets.Count && result.Count + 4 + packets[next].Length <= most; next++)
                {
                    var length = packets[next].Length;
                    result.AddRange([(byte)length, (byte)(length >> 8), (byte)(length >> 16), (byte)(next - i - 1 + 2)]);
                    result.AddRange(packets[next]);
                }

                yield return (columns, [.. result]);
            }
        }
    }

    /// <summary>Returns the recordings with a server; none if the repository's folder is not found.</summary>
    public static IEnumerable<Recording> Load(string server)
    {
        var folder = Path.Combine(FindingStore.Root, "tests", "Transcripts", "recordings", server);
        return Directory.Exists(folder) ? Directory.EnumerateFiles(folder, "*.txt").Order(StringComparer.Ordinal).Select(RecordingText.Load) : [];
    }
}
