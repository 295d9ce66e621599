namespace Slipstream.Architecture.Written;

/// <summary>Checks the sizes of folders and classes. The partial files of a class count together.</summary>
public class SizesAreBounded
{
    private const int Lines = 800;
    private const int Files = 25;

    private static readonly string Page = File.ReadAllText(Path.Combine(SourceFile.Root, "..", "ARCHITECTURE.md"));

    [Fact]
    public void A_class_has_at_most_800_lines_or_ARCHITECTURE_justifies_its_size() =>
        Report.Empty(
            from file in SourceFile.All
            where !file.Path.EndsWith(".g.cs", StringComparison.Ordinal)
            group file.Code.Count(static character => character == '\n') by file.Path[..file.Path.IndexOf('.', StringComparison.Ordinal)] into type
            let name = Path.GetFileName(type.Key)
            where type.Sum() > Lines && !Page.Contains($"`{name}` is larger", StringComparison.Ordinal)
            select $"{type.Key} has {type.Sum()} lines: give it collaborators, or justify its size in ARCHITECTURE.md, \"Sizes\"");

    [Fact]
    public void ARCHITECTURE_justifies_only_sizes_of_large_classes() =>
        Report.Empty(
            from line in Page.Split('\n')
            where line.Contains("` is larger", StringComparison.Ordinal)
            let name = line.Split('`')[1]
            let lines = SourceFile.All.Where(file => Path.GetFileName(file.Path).Split('.')[0] == name)
                .Sum(static file => file.Code.Count(static character => character == '\n'))
            where lines <= Lines
            select $"{name} has {lines} lines: remove it from \"Sizes\"");

    [Fact]
    public void A_folder_has_at_most_25_files() =>
        Report.Empty(
            from file in SourceFile.All
            where !file.Path.EndsWith(".g.cs", StringComparison.Ordinal)
            group file by Path.GetDirectoryName(file.Path) into folder
            where folder.Count() > Files
            select $"{folder.Key} has {folder.Count()} files: divide it by subject");
}
