using System.Text.RegularExpressions;

namespace Slipstream.Architecture.Written;

/// <summary>Checks docs/decisions: all pages have the same form, and each number has one page or is a gap that page 0001 lists.</summary>
public partial class Decisions
{
    private static readonly string Folder = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "docs", "decisions");

    private static readonly string[] Sections = ["Context", "Decision", "Evidence", "Consequences", "What would reverse it"];

    private static readonly List<string> Pages =
    [
        .. Directory.EnumerateFiles(Folder, "*.md").Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal),
    ];

    [Fact]
    public void Each_page_is_numbered_and_its_heading_says_the_same_number() =>
        Report.Empty(
            from page in Pages
            let name = FileName().Match(page)
            where !name.Success || !File.ReadLines(Path.Combine(Folder, page)).First().StartsWith($"# {name.Groups[1].Value}: ", StringComparison.Ordinal)
            select $"docs/decisions/{page}: a page has a name such as 0007-short-name.md, and begins with '# 0007: '");

    [Fact]
    public void Numbers_have_no_gaps_that_are_not_stated()
    {
        var numbers = Pages.Select(static page => int.Parse(page.AsSpan(0, 4), null)).Concat(Stated()).ToList();
        Report.Empty(
            from number in Enumerable.Range(1, numbers.Max())
            let count = numbers.Count(other => other == number)
            where count != 1
            select $"{number:0000} {(count == 0 ? "has no page, and 0001 does not state it among the numbers without a page" : $"is there {count} times")}");
    }

    [Fact]
    public void Each_page_has_a_status() =>
        Report.Empty(
            from page in Pages
            let status = File.ReadLines(Path.Combine(Folder, page)).ElementAtOrDefault(2) ?? ""
            where !Status().IsMatch(status) || !Superseding().Matches(status).All(static link => Pages.Contains(link.Groups[1].Value))
            select $"docs/decisions/{page}: its third line should be '**Status.** Accepted.', 'Withdrawn …' or 'Superseded by [NNNN](NNNN-….md) …'");

    [Fact]
    public void Each_page_has_the_five_sections_in_their_order() =>
        Report.Empty(
            from page in Pages
            let headings =
                from line in File.ReadLines(Path.Combine(Folder, page))
                where line.StartsWith("## ", StringComparison.Ordinal)
                select line[3..]
            where !headings.SequenceEqual(Sections)
            select $"docs/decisions/{page}: its sections should be {string.Join(", ", Sections)}");

    private static IEnumerable<int> Stated() =>
        from line in File.ReadLines(Path.Combine(Folder, Pages[0]))
        where line.StartsWith("**Numbers without a page.** ", StringComparison.Ordinal)
        from Match number in Number().Matches(line[..line.IndexOf(" were ", StringComparison.Ordinal)])
        select int.Parse(number.ValueSpan, null);

    [GeneratedRegex(@"^(\d{4})-[a-z0-9-]+\.md$")]
    private static partial Regex FileName();

    [GeneratedRegex(@"^\*\*Status\.\*\* (Accepted|Withdrawn|Superseded by \[\d{4}\]\(\d{4}-)")]
    private static partial Regex Status();

    [GeneratedRegex(@"^\*\*Status\.\*\* Superseded by \[\d{4}\]\(([^)]+)\)")]
    private static partial Regex Superseding();

    [GeneratedRegex(@"\d{4}")]
    private static partial Regex Number();
}
