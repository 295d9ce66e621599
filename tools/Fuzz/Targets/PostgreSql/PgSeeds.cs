using System.Buffers.Binary;
using Slipstream.Fuzzing.Engine;
using Slipstream.PostgreSql.Protocol;
using Slipstream.Recorder.Replay;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>The servers' bytes in the recordings.</summary>
internal static class PgSeeds
{
    private const int Longest = 4096;
    private const int Most = 200;

    private static readonly Lazy<IReadOnlyList<byte[]>> Recordings = new(static () =>
        [.. Paths().Order(StringComparer.Ordinal).Select(static path => RecordingText.Load(path).ServerBytes())]);

    /// <summary>Returns the different bodies of messages of one type.</summary>
    public static IReadOnlyList<byte[]> Bodies(BackendMessage type) =>
        [.. Recordings.Value.SelectMany(Messages).Where(message => message[0] == (byte)type && message.Length <= Longest)
            .Select(static message => message[Frame.HeaderLength..]).DistinctBy(Convert.ToHexString).Take(Most)];

    /// <summary>Returns the server's bytes of each recording, cut at a maximum length.</summary>
    public static IReadOnlyList<byte[]> Streams() => [.. Recordings.Value.Select(static bytes => bytes.Length > Longest ? bytes[..Longest] : bytes)];

    private static IEnumerable<string> Paths() =>
        Directory.EnumerateFiles(Path.Combine(FindingStore.Root, "tools", "Fuzz", "Seeds", "postgresql"), "*.txt")
            .Concat(Directory.EnumerateFiles(Path.Combine(FindingStore.Root, "tests", "Transcripts", "recordings", "postgresql"), "*.txt"))
            // TLS begins with one byte that is not a message.
            .Where(static path => !path.Contains("tls", StringComparison.Ordinal));

    private static IEnumerable<byte[]> Messages(byte[] stream)
    {
        for (var at = 0; at + Frame.HeaderLength <= stream.Length;)
        {
            var length = 1 + BinaryPrimitives.ReadInt32BigEndian(stream.AsSpan(at + 1));
            yield return stream[at..(at + length)];
            at += length;
        }
    }
}
