using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>Checks that each limit is at the place in the code that docs/limits.md names.</summary>
public sealed partial class LimitsPage
{
    [Fact]
    public void Each_limit_is_where_the_page_says()
    {
        var root = Path.GetDirectoryName(SourceFile.Root)!;
        var places = Places().Matches(File.ReadAllText(Path.Combine(root, "docs", "limits.md")));
        Assert.InRange(places.Count, 40, int.MaxValue);
        Report.Empty(
            from place in places
            let path = Path.Combine(root, place.Groups["file"].Value)
            where !File.Exists(path) || !Regex.IsMatch(File.ReadAllText(path), $@"(?<![\w.]){Regex.Escape(place.Groups["name"].Value)}\b")
            select $"{place.Groups["file"].Value}: there is no {place.Groups["name"].Value}");
    }

    [GeneratedRegex("`(?<file>src/[^`]+\\.cs)` `(?<name>[^`]+)`")]
    private static partial Regex Places();
}
