using System.Buffers.Binary;
using System.Xml.Linq;

namespace Slipstream.Architecture;

/// <summary>
/// Checks that each package has its own readme, description and tags, and the icon. tests/Packages checks the packages themselves.
/// </summary>
public class PackagePages
{
    private static readonly string Root = Path.GetDirectoryName(SourceFile.Root)!;

    private static readonly List<string> Projects =
    [
        .. Directory.EnumerateFiles(SourceFile.Root, "*.csproj", SearchOption.AllDirectories).Order(StringComparer.Ordinal),
    ];

    [Fact]
    public void Each_package_has_a_readme_that_begins_with_its_name() =>
        Report.Empty(
            from project in Projects
            let readme = Path.Combine(Path.GetDirectoryName(project)!, "README.md")
            where !File.Exists(readme) || File.ReadLines(readme).First() != $"# {Path.GetFileNameWithoutExtension(project)}"
            select $"{Path.GetRelativePath(Root, readme)}: its first line should be '# {Path.GetFileNameWithoutExtension(project)}'");

    [Fact]
    public void Each_package_has_a_description_and_tags_that_no_other_has() =>
        Report.Empty(
            from element in (string[])["Description", "PackageWords"]
            let values = Projects.Select(project => (Project: project, Value: XDocument.Load(project).Descendants(element).SingleOrDefault()?.Value)).ToList()
            from one in values
            where string.IsNullOrWhiteSpace(one.Value) || values.Count(other => other.Value == one.Value) > 1
            select $"{Path.GetRelativePath(Root, one.Project)}: {element} is missing or that of another package");

    // NuGet requires 128 by 128 pixels: https://learn.microsoft.com/nuget/reference/nuspec#icon
    [Fact]
    public void The_icon_is_a_PNG_of_128_by_128()
    {
        var bytes = File.ReadAllBytes(Path.Combine(Root, "eng", "icon.png"));
        Assert.Equal("PNG"u8, bytes.AsSpan(1, 3));
        Assert.Equal((128, 128), (BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(16)), BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(20))));
    }

    [Fact]
    public void The_links_of_a_readme_can_be_made_absolute() =>
        Report.Empty(
            from project in Projects
            let readme = Path.Combine(Path.GetDirectoryName(project)!, "README.md")
            from link in File.ReadAllText(readme).Split("](").Skip(1)
            where !link.StartsWith("../../", StringComparison.Ordinal)
            let target = link[..link.IndexOf(')', StringComparison.Ordinal)]
            select $"{Path.GetRelativePath(Root, readme)}: write links to files of the repository from '../../' on: {target}");
}
