using System.Reflection;
using System.Xml.Linq;

namespace Slipstream.Architecture.Written;

/// <summary>
/// Checks that every public member has a summary, which editors show. The compiler rejects a public member without a comment (CS1591), but accepts a comment
/// that contains only parameters. This test reads the shipped documentation.
/// </summary>
public class PublicMembersHaveSummaries
{
    [Fact]
    public void Each_comment_of_a_public_member_has_a_summary_or_inherits_it() =>
        Report.Empty(
            from path in Directory.EnumerateFiles(AppContext.BaseDirectory, "Slipstream.*.xml")
            let types = ExportedNames(Path.GetFileNameWithoutExtension(path))
            from member in XDocument.Load(path).Descendants("member")
            let name = (string)member.Attribute("name")!
            where types.Contains(TypeOf(name))
            where member.Element("inheritdoc") is null && member.Element("summary")?.Nodes().Any() != true
            select $"{name} has a comment without a summary");

    [Fact]
    public void Each_package_has_its_documentation() =>
        Assert.Equal(
            ShippedPackages.Names,
            Directory.EnumerateFiles(AppContext.BaseDirectory, "Slipstream.*.xml").Select(static path => Path.GetFileNameWithoutExtension(path))
                .Order(StringComparer.Ordinal));

    private static HashSet<string> ExportedNames(string assembly) =>
        [.. Assembly.Load(assembly).GetExportedTypes().Select(static type => type.FullName!.Replace('+', '.'))];

    // "M:Namespace.Type.Member(Arguments)", "T:Namespace.Type"
    private static string TypeOf(string name)
    {
        var path = name[2..].Split('(')[0];
        return name[0] == 'T' ? path : path[..path.LastIndexOf('.')];
    }
}
