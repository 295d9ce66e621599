using System.Text;

namespace Slipstream.Testing;

/// <summary>
/// The bytes on one or more connections of a scenario, and the caller's results. It was recorded from a real server and is stored as text.
/// Lines begin with <c>O</c> (a connection opens), <c>S</c> (the server's bytes), <c>C</c> (the client's bytes) or <c>R</c> (a result).
/// </summary>
internal sealed class Transcript
{
    /// <summary>The connections, in the order in which they were opened.</summary>
    public List<List<Turn>> Connections { get; } = [];

    /// <summary>The results that the caller recorded.</summary>
    public List<string> Results { get; } = [];

    public static Transcript Load(string path)
    {
        var transcript = new Transcript();
        foreach (var line in File.ReadLines(path, Encoding.UTF8))
        {
            var text = line.Length > 2 ? line[2..] : "";
            switch (line.Length > 0 ? line[0] : '#')
            {
                case 'O': transcript.Connections.Add([]); break;
                case 'S': transcript.Connections[^1].Add(new(true, Convert.FromHexString(text))); break;
                case 'C': transcript.Connections[^1].Add(new(false, Convert.FromHexString(text))); break;
                case 'R': transcript.Results.Add(text); break;
                default: break;
            }
        }

        return transcript;
    }

    public void Save(string path, string title)
    {
        var text = new StringBuilder().Append("# ").Append(title).Append('\n');
        foreach (var connection in Connections)
        {
            text.Append("O\n");
            foreach (var turn in connection)
                text.Append(turn.FromServer ? "S " : "C ").Append(Convert.ToHexStringLower(turn.Bytes)).Append('\n');
        }

        foreach (var result in Results)
            text.Append("R ").Append(result).Append('\n');
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text.ToString());
    }

    /// <summary>Bytes that were sent in one direction before any were sent in the other.</summary>
    public sealed record Turn(bool FromServer, byte[] Bytes);
}
