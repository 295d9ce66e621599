using Slipstream.Core.Data;
using Slipstream.Equivalence.Comparing;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Tests;

public class LeverTests
{
    public static TheoryData<string, bool> Levers
    {
        get
        {
            var levers = new TheoryData<string, bool>();
            foreach (var lever in Lever.All)
            {
                levers.Add(lever.Name, false);
                levers.Add(lever.Name, true);
            }

            return levers;
        }
    }

    [Theory]
    [MemberData(nameof(Levers))]
    public void Each_lever_has_one_switch_on_each_provider_or_a_reason_for_none(string name, bool isPostgreSql)
    {
        var lever = Lever.All.Single(lever => lever.Name == name);
        if (lever.Off(isPostgreSql) is not { } off)
        {
            Assert.True(isPostgreSql, "MySQL and MariaDB have every lever");
            Assert.NotEmpty(lever.WhyNot);
            return;
        }

        OptionConnectionStringBuilder Builder(string text) => isPostgreSql ? new PgConnectionStringBuilder(text) : new MySqlConnectionStringBuilder(text);
        Assert.Equal(1, off.Count(static letter => letter == '='));
        // Said, it is another connection than when nothing is said.
        Assert.NotEqual(Builder("").ConnectionString, Builder(off).ConnectionString);
    }

    [Theory]
    [MemberData(nameof(Levers))]
    public void Each_lever_is_a_pair_of_the_check(string name, bool isPostgreSql)
    {
        var lever = Lever.All.Single(lever => lever.Name == name);
        var pairs = Pair.All(isPostgreSql);
        if (lever.Off(isPostgreSql) is not { } off)
        {
            Assert.DoesNotContain(pairs, pair => pair.Name == name);
            return;
        }

        Assert.Equal(off, pairs.Single(pair => pair.Name == name).Second.Options);
        Assert.Equal(!lever.IsOffByDefault, pairs.Single(static pair => pair.Name == "off").Second.Options.Split(';').Contains(off));
    }

    [Fact]
    public void Each_section_of_the_page_on_performance_is_a_levers_or_says_why_not()
    {
        var headings = File.ReadLines(Path.Combine(Root(), "docs", "performance.md"))
            .Where(static line => line.StartsWith("## ", StringComparison.Ordinal) || line.StartsWith("### ", StringComparison.Ordinal))
            .Select(static line => line.TrimStart('#', ' '))
            .ToList();
        Assert.NotEmpty(headings);
        foreach (var heading in headings)
            Assert.True(
                Lever.NoLevers.ContainsKey(heading) || Lever.All.Any(lever => lever.Headings.Contains(heading)),
                $"docs/performance.md has the section '{heading}': add the lever with its switch to tools/Equivalence/Lever.cs, or say there why it is none");
        Assert.Empty(Lever.All.SelectMany(static lever => lever.Headings).Concat(Lever.NoLevers.Keys).Except(headings));
    }

    private static string Root()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Slipstream.slnx")))
            folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("the repository's root was not found");
        return folder;
    }
}
