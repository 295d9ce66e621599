using System.Text.RegularExpressions;

namespace Slipstream.Architecture.Written;

/// <summary>docs/decisions: numbered without gaps, and each page says whether it still holds.</summary>
public partial class Decisions
{
    private static readonly string Folder = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "docs", "decisions");

    private static readonly List<string> Pages =
    [
        .. Directory.EnumerateFiles(Folder, "*.md").Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal),
    ];

    [Fact]
    public void Each_page_is_numbered_and_its_heading_says_the_same_number() =>
        Report.Empty(
            from page in Pages
            let name = FileName().Match(page)
            let heading = Heading().Match(File.ReadLines(Path.Combine(Folder, page)).First())
            where !name.Success || !heading.Success || int.Parse(heading.Groups[1].ValueSpan, null) != int.Parse(name.Groups[1].ValueSpan, null)
            select $"docs/decisions/{page}: its name or heading has no number, or they differ");

    [Fact]
    public void Numbers_have_no_gaps_and_pages_have_a_status() =>
        WorkList.Check(
            "decisions.txt",
            Numbering().Concat(Pages.Where(static page => !HasStatus(page)).Select(static page => $"{page} has no status")),
            "each number is there once, and a line '**Status.** …' says Accepted, Withdrawn or Superseded by which page");

    private static IEnumerable<string> Numbering()
    {
        var numbers = Pages.Select(static page => int.Parse(page.AsSpan(0, 4), null)).ToList();
        return Enumerable.Range(1, numbers.Max()).Select(number => (Number: number, Count: numbers.Count(other => other == number)))
            .Where(static number => number.Count != 1)
            .Select(static number => $"{number.Number:0000} {(number.Count == 0 ? "is missing" : $"is there {number.Count} times")}");
    }

    private static bool HasStatus(string page) => File.ReadLines(Path.Combine(Folder, page)).Any(static line => Status().IsMatch(line));

    [GeneratedRegex(@"^(\d{4})-[a-z0-9-]+\.md$")]
    private static partial Regex FileName();

    [GeneratedRegex(@"^# (\d+)\b")]
    private static partial Regex Heading();

    [GeneratedRegex(@"^\**Status[.:]\**:? +(Accepted|Withdrawn|Superseded by \[?\d{4})", RegexOptions.IgnoreCase)]
    private static partial Regex Status();
}
