namespace Slipstream.Architecture;

/// <summary>
/// What breaks a rule today, one finding a line, in tests/Architecture/WorkLists. A list holds exactly what is found: a new finding fails, and so does one that
/// is gone, until its line is deleted.
/// </summary>
internal static class WorkList
{
    private const string UpdateVariable = "SLIPSTREAM_UPDATE_DOCS";

    private static readonly string Folder = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "tests", "Architecture", "WorkLists");

    /// <summary>
    /// Holds the list of this name against the findings. With the variable set, writes it anew if that makes it no longer: files that have moved, findings that
    /// are gone.
    /// </summary>
    public static void Check(string name, IEnumerable<string> findings, string why)
    {
        var path = Path.Combine(Folder, name);
        var found = findings.Distinct().Order(StringComparer.Ordinal).ToList();
        var listed = File.Exists(path) ? [.. File.ReadLines(path)] : new List<string>();
        if (Environment.GetEnvironmentVariable(UpdateVariable) is { Length: > 0 } && listed.Count > 0 && found.Count <= listed.Count)
        {
            if (found.Count > 0)
                File.WriteAllLines(path, found);
            else
                File.Delete(path);
            return;
        }

        var (added, gone) = (found.Except(listed).ToList(), listed.Except(found).ToList());
        List<string> report = [];
        if (added.Count > 0)
            report.AddRange([$"Not in tests/Architecture/WorkLists/{name}, which only gets shorter: {why}:", .. added]);
        if (gone.Count > 0)
            report.AddRange([$"Gone: delete these lines from tests/Architecture/WorkLists/{name} (or run this test once with {UpdateVariable}=1):", .. gone]);
        if (!listed.SequenceEqual(listed.Distinct().Order(StringComparer.Ordinal)))
            report.Add($"tests/Architecture/WorkLists/{name} is not sorted, or has a line twice.");
        Report.Empty(report);
    }
}
