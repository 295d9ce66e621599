namespace Slipstream.Tool.Migrate;

/// <summary>The findings and edits of one file.</summary>
internal sealed class FileChanges(TextFile file, string relative)
{
    private readonly List<Edit> _edits = [];
    private readonly List<(Finding Finding, int Offset)> _findings = [];

    public TextFile File { get; } = file;

    public IEnumerable<Finding> Findings => _findings.Select(static one => one.Finding);

    public bool HasEdits => _edits.Count > 0;

    /// <summary>Adds a change that <c>--apply</c> makes.</summary>
    public void Automatic(Edit edit, string rule, string what, string? docs, int? at = null)
    {
        _edits.Add(edit);
        Add(at ?? edit.Start, FindingKind.Automatic, rule, what, docs);
    }

    /// <summary>Adds an edit that belongs to a finding that is already there.</summary>
    public void Silently(Edit edit) => _edits.Add(edit);

    public void Add(int offset, FindingKind kind, string rule, string what, string? docs)
    {
        var (line, column) = File.PlaceOf(offset);
        var finding = new Finding(relative, line, column, kind, rule, what, docs);
        // The same difference at two places of a line is one thing to look at.
        if (!_findings.Any(one => one.Finding.Line == line && one.Finding.Rule == rule && one.Finding.What == what))
            _findings.Add((finding, offset));
    }

    /// <summary>Returns the findings with the places that they have after the edits: what is left to do must be found in the changed file.</summary>
    public IEnumerable<Finding> FindingsAfter()
    {
        var changed = Changed();
        return _findings.Select(one =>
        {
            var (line, column) = TextFile.PlaceIn(changed, TextFile.Moved(one.Offset, _edits));
            return one.Finding with { Line = line, Column = column, Applied = one.Finding.Kind == FindingKind.Automatic };
        });
    }

    /// <summary>Returns the text as it is after the edits.</summary>
    public string Changed() => File.With(_edits);
}
