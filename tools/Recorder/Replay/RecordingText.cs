using System.Globalization;
using System.Text;
using Slipstream.Core.Wires;

namespace Slipstream.Recorder.Replay;

/// <summary>
/// Reads and writes a recording as text: <c>word: value</c> lines, the bytes as a hex dump with the sender at the start of each line, then the scenario's
/// results:
/// <code>
/// server: MariaDB 10.11.19
///
/// S: 0000  5a 00 00 00 0a 35 2e 35  2e 35 2d 31 30 2e 31 31  |Z....5.5.5-10.11|
/// C: 0000  09 00 00 00 03 53 45 4c  45 43 54 20 31           |.....SELECT 1|
/// S: 0000  61 x 70000                                        (a run of equal bytes)
/// T:                                                         (TLS from here on; the rest was recorded decrypted)
///
/// = Int32 42
/// </code>
/// </summary>
internal static class RecordingText
{
    private const int Width = 16;

    // Otherwise a row with a large value would fill thousands of lines with one letter.
    private const int ShortestRun = 64;

    public static void Save(Recording recording, string path)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"server: {recording.Server}\noptions: {recording.Options}\ntrust: {recording.Trust}\ntls: {recording.UpgradedTrust}\n");
        foreach (var (speaker, bytes) in recording.Passages)
        {
            text.Append('\n');
            if (speaker == Speaker.Upgrade)
                text.Append("T:\n");
            else
                Dump(text, speaker == Speaker.Client ? 'C' : 'S', bytes);
        }

        text.Append('\n');
        foreach (var line in recording.Account)
            text.Append("= ").Append(line.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal)).Append('\n');
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text.ToString());
    }

    /// <exception cref="InvalidDataException">A line is not valid in a recording.</exception>
    public static Recording Load(string path)
    {
        var recording = new Recording();
        var number = 0;
        List<byte> bytes = [];
        Speaker? speaker = null;
        foreach (var line in File.ReadLines(path))
        {
            number++;
            var sides = line.Split(": ", 2);
            switch (sides[0])
            {
                case "":
                    End();
                    break;
                case "server": recording.Server = sides[1]; break;
                case "options": recording.Options = sides[1]; break;
                case "trust": recording.Trust = Enum.Parse<PeerTrust>(sides[1]); break;
                case "tls": recording.UpgradedTrust = Enum.Parse<PeerTrust>(sides[1]); break;
                case "T:":
                    recording.Add(Speaker.Upgrade, []);
                    break;
                case "C":
                case "S":
                    speaker = sides[0] == "C" ? Speaker.Client : Speaker.Server;
                    ReadLine(sides[1], bytes, path, number);
                    break;
                default:
                    if (!line.StartsWith("= ", StringComparison.Ordinal))
                        throw new InvalidDataException($"{path}, line {number}: '{line}' is no line of a recording.");
                    recording.Account.Add(
                        string.Join('\\', line[2..].Split("\\\\").Select(static part => part.Replace("\\n", "\n", StringComparison.Ordinal))));
                    break;
            }
        }

        End();
        return recording;

        void End()
        {
            if (speaker is { } spoke)
                recording.Add(spoke, bytes.ToArray());
            bytes.Clear();
            speaker = null;
        }
    }

    private static void Dump(StringBuilder text, char margin, byte[] bytes)
    {
        for (var at = 0; at < bytes.Length;)
        {
            var run = RunLength(bytes, at);
            text.Append(CultureInfo.InvariantCulture, $"{margin}: {at:x4}  ");
            if (run >= ShortestRun)
            {
                text.Append(CultureInfo.InvariantCulture, $"{bytes[at]:x2} x {run}\n");
                at += run;
                continue;
            }

            var end = Math.Min(at + Width, bytes.Length);
            for (var i = at + 1; i < end; i++)
            {
                // A line ends where a run of equal bytes begins.
                if (RunLength(bytes, i) >= ShortestRun)
                    end = i;
            }

            for (var i = 0; i < Width; i++)
            {
                text.Append(at + i < end ? bytes[at + i].ToString("x2", CultureInfo.InvariantCulture) : "  ").Append(' ');
                if (i == Width / 2 - 1)
                    text.Append(' ');
            }

            text.Append(" |");
            foreach (var one in bytes.AsSpan(at..end))
                text.Append(one is >= 0x20 and < 0x7F ? (char)one : '.');
            text.Append("|\n");
            at = end;
        }
    }

    private static int RunLength(byte[] bytes, int at)
    {
        var length = bytes.AsSpan(at).IndexOfAnyExcept(bytes[at]);
        return length < 0 ? bytes.Length - at : length;
    }

    // offset  hex… |text|, or offset  hex x count
    private static void ReadLine(string line, List<byte> bytes, string path, int number)
    {
        try
        {
            var words = line.Split('|')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words is [_, var one, "x", var count])
            {
                bytes.AddRange(Enumerable.Repeat(Convert.ToByte(one, 16), int.Parse(count, CultureInfo.InvariantCulture)));
                return;
            }

            foreach (var word in words.AsSpan(1))
                bytes.Add(Convert.ToByte(word, 16));
        }
        catch (FormatException exception)
        {
            throw new InvalidDataException($"{path}, line {number}: no hex dump.", exception);
        }
    }
}
