namespace Slipstream.Architecture;

/// <summary>
/// The current violations of a rule, one finding per line, in tests/Architecture/WorkLists. A list contains exactly the current findings: the test fails for a
/// new finding, and for a finding that no longer exists until its line is deleted.
/// </summary>
internal static class WorkList
{
    private const string UpdateVariable = "SLIPSTREAM_UPDATE_DOCS";

    private static readonly string Folder = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "tests", "Architecture", "WorkLists");

    /// <summary>
    /// Compares the list of this name with the findings. If the variable is set, writes the list again unless it would become longer: for files that have moved
    /// and findings that no longer exist.
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
