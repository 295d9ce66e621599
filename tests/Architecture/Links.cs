using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>Checks the pages: links have a target, and the protocol pages list every message.</summary>
public partial class Links
{
    private static readonly string Root = Path.GetDirectoryName(SourceFile.Root)!;

    [Fact]
    public void Every_link_between_pages_leads_to_a_file()
    {
        var wrong =
            from page in Pages()
            from Match link in Link().Matches(File.ReadAllText(page))
            let target = link.Groups[1].Value.Split('#')[0]
            where target.Length > 0 && !target.Contains("://", StringComparison.Ordinal)
            where !Path.Exists(Path.Combine(Path.GetDirectoryName(page)!, target))
            select $"{Path.GetRelativePath(Root, page)}: {target}";
        Report.Empty(wrong);
    }

    // The tables of this page are the sidebar of the documentation site (tools/Site/pages.mjs). Decisions have their own list there.
    [Fact]
    public void The_index_of_the_documentation_lists_every_page()
    {
        var docs = Path.Combine(Root, "docs");
        var index = File.ReadLines(Path.Combine(docs, "README.md")).Where(line => line.StartsWith('|'))
            .SelectMany(line => Link().Matches(line))
            .Select(link => Path.GetFullPath(link.Groups[1].Value, docs)).ToHashSet();
        Report.Empty(Directory.EnumerateFiles(docs, "*.md", SearchOption.AllDirectories)
            .Where(page => !index.Contains(page) && page != Path.Combine(docs, "README.md") && Path.GetFileName(Path.GetDirectoryName(page)) != "decisions")
            .Select(page => $"docs/README.md: no table has {Path.GetRelativePath(docs, page)}"));
    }

    [Theory]
    [InlineData("MySql", "mysql.md")]
    [InlineData("PostgreSql", "postgresql.md")]
    public void The_protocol_pages_list_every_message(string provider, string page)
    {
        var text = File.ReadAllText(Path.Combine(Root, "docs", "protocol", page));
        Report.Empty(SourceFile.All
            .Where(
                file =>
                    file.Path.StartsWith($"/{provider}/Protocol/", StringComparison.Ordinal)
                        && !text.Contains($"(../../src{file.Path})", StringComparison.Ordinal))
            .Select(file => $"docs/protocol/{page} does not list src{file.Path}"));
    }

    // The files that ARCHITECTURE.md names by a path (such as Core/…/Name.cs) must exist.
    [Fact]
    public void Every_file_of_the_architecture_page_exists()
    {
        var text = File.ReadAllText(Path.Combine(Root, "ARCHITECTURE.md"));
        Report.Empty(
            from Match file in SourcePath().Matches(text)
            where !file.Value.Contains('*', StringComparison.Ordinal) && !File.Exists(Path.Combine(SourceFile.Root, file.Value))
            select $"ARCHITECTURE.md names {file.Value}");
    }

    private static IEnumerable<string> Pages() =>
        ((string[])["docs", "eng", "tools", "bench", "tests", "src"])
            .SelectMany(static folder => Directory.EnumerateFiles(Path.Combine(Root, folder), "*.md", SearchOption.AllDirectories))
            .Concat(Directory.EnumerateFiles(Root, "*.md"));

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"\b(?:Core|MySql|PostgreSql)/[\w/*]+\.cs")]
    private static partial Regex SourcePath();
}
