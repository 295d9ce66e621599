namespace Slipstream.Architecture.Written;

/// <summary>Checks the maximum length of a line of code from .editorconfig, which no tool of the build enforces.</summary>
public class LinesFitTheirColumns
{
    private const int Columns = 160;

    private static readonly string Root = Path.GetDirectoryName(SourceFile.Root)!;

    // Hidden folders and build output are not sources.
    private static readonly string[] Folders =
    [
        .. Directory.EnumerateDirectories(Root).Where(static path => Path.GetFileName(path) is var name && name != "artifacts" && !name.StartsWith('.')),
    ];

    [Fact]
    public void No_line_of_code_is_longer_than_160_columns() =>
        Report.Empty(
            from folder in Folders
            from path in Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            let name = Path.GetRelativePath(Root, path).Replace('\\', '/')
            where !name.Contains("/obj/", StringComparison.Ordinal) && !name.Contains("/bin/", StringComparison.Ordinal)
            from line in TooLong(File.ReadLines(path))
            select $"{name}:{line} is longer than {Columns} columns");

    [Fact]
    public void A_raw_string_literal_has_its_own_lines() =>
        Assert.Equal(
            [2, 6], TooLong(["short", new string('x', 161), "var text = \"\"\"", new string('x', 161), "\"\"\";", new string('x', 161), new string('x', 160)]));

    // A line break inside of a raw string literal would change its value.
    private static IEnumerable<int> TooLong(IEnumerable<string> lines)
    {
        var isRaw = false;
        foreach (var (index, line) in lines.Index())
        {
            if (line.Length > Columns && !isRaw)
                yield return index + 1;
            isRaw ^= line.Split("\"\"\"").Length % 2 == 0;
        }
    }
}
