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
        WorkList.Check(
            "long-lines.txt",
            from folder in Folders
            from path in Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            let name = Path.GetRelativePath(Root, Path.GetDirectoryName(path)!).Replace('\\', '/')
            where !$"{name}/".Contains("/obj/", StringComparison.Ordinal) && !$"{name}/".Contains("/bin/", StringComparison.Ordinal)
            group File.ReadLines(path).Count(static line => line.Length > Columns) by name into counts
            where counts.Sum() > 0
            select $"{counts.Key}: {counts.Sum()}",
            $"the number of lines in this folder that are longer than {Columns} columns");
}
