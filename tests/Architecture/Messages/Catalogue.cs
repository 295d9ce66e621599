namespace Slipstream.Architecture.Messages;

/// <summary>One cause, its remedy, and all its messages.</summary>
internal sealed record Entry(string Title, string File)
{
    /// <summary>The entry's address on the documentation site, <c>errors/Id/</c>. It stays the same when the title changes.</summary>
    public string Id { get; set; } = "";

    public string Cause { get; set; } = "";

    public string Advice { get; set; } = "";

    /// <summary>
    /// The exception, in the terms of the sources (WireException Refused NotSent), for texts whose place in the sources does not show it.
    /// </summary>
    public string Thrown { get; set; } = "";

    public List<string> Messages { get; } = [];
}

/// <summary>Entries of one kind: a file of the catalogue.</summary>
internal sealed record Chapter(string Title, string File)
{
    public string Introduction { get; set; } = "";

    public List<Entry> Entries { get; } = [];
}

/// <summary>
/// The folder <c>docs/messages</c>, which explains every message and its remedy. A file is a chapter. Its title follows '# '. Entries follow '## ' with the
/// lines 'id:', 'cause:', 'do:' and optionally 'thrown:', then the messages after '- ', with names in braces for the variable parts.
/// </summary>
internal static class Catalogue
{
    public const string Folder = "docs/messages";

    private static readonly string _folder = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "docs", "messages");

    public static List<Chapter> Chapters { get; } =
        [.. Directory.EnumerateFiles(_folder, "*.txt").Where(file => char.IsDigit(Path.GetFileName(file)[0])).Order(StringComparer.Ordinal).Select(Read)];

    public static IEnumerable<Entry> Entries => Chapters.SelectMany(chapter => chapter.Entries);

    /// <summary>
    /// Every address that an entry has had (<c>addresses.txt</c>), and its current target: itself, or the entry that replaced it.
    /// </summary>
    public static List<KeyValuePair<string, string>> Addresses { get; } =
    [
        .. File.ReadLines(Path.Combine(_folder, "addresses.txt")).Where(line => line.Length > 0 && line[0] != '#')
            .Select(line => line.Split(" -> ")).Select(line => KeyValuePair.Create(line[0], line[^1])),
    ];

    /// <summary>
    /// Texts that no exception shows: names of threads, SQL statements, tables of words. 'file: ' precedes a source file that contains only such texts.
    /// </summary>
    public static List<string> NotMessages { get; } =
        [.. File.ReadLines(Path.Combine(_folder, "not-messages.txt")).Where(line => line.Length > 0 && line[0] != '#')];

    private static Chapter Read(string file)
    {
        var name = Path.GetFileName(file);
        var chapter = new Chapter(File.ReadLines(file).First()[2..], name);
        foreach (var line in File.ReadLines(file).Skip(1).Where(line => line.Length > 0))
        {
            if (line.StartsWith("## ", StringComparison.Ordinal))
                chapter.Entries.Add(new Entry(line[3..], name));
            else if (chapter.Entries.Count == 0)
                chapter.Introduction += line;
            else
                Add(chapter.Entries[^1], line);
        }

        return chapter;
    }

    private static void Add(Entry entry, string line)
    {
        if (line.StartsWith("- ", StringComparison.Ordinal))
            entry.Messages.Add(line[2..]);
        else if (line.StartsWith("id: ", StringComparison.Ordinal))
            entry.Id = line[4..];
        else if (line.StartsWith("cause: ", StringComparison.Ordinal))
            entry.Cause = line[7..];
        else if (line.StartsWith("do: ", StringComparison.Ordinal))
            entry.Advice = line[4..];
        else if (line.StartsWith("thrown: ", StringComparison.Ordinal))
            entry.Thrown = line[8..];
        else
            throw new FormatException(
                $"{Folder}/{entry.File}, entry '{entry.Title}': a line begins with '- ', 'id: ', 'cause: ', 'do: ' or 'thrown: ', not as '{line}' does.");
    }
}
