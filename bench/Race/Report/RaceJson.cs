using System.Text.Json;

namespace Slipstream.Race.Report;

/// <summary>Writes the figures to a file: an array of rows.</summary>
internal static class RaceJson
{
    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web) { WriteIndented = true };
    private static readonly JsonSerializerOptions Compact = new(JsonSerializerDefaults.Web);

    public static void Write(string path, IReadOnlyList<ReportRow> rows)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, JsonSerializer.Serialize(rows, Options));
    }

    /// <summary>
    /// Returns the figures on one line, for the page. The text is safe inside a script element, because the serializer escapes every &lt; and &amp;.
    /// </summary>
    public static string Text(IReadOnlyList<ReportRow> rows) => JsonSerializer.Serialize(rows, Compact);
}
