using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Api;

/// <summary>
/// Compares the public types with the signatures of MySqlConnector 2.6.1: code that compiled with its namespace compiles with ours. docs/migrating.md lists
/// each deliberate omission with its reason.
/// </summary>
public sealed class PublicApiTests
{
    private const string TheirNamespace = "MySqlConnector.";

    // The heading above the table of docs/migrating.md that this test reads.
    private const string Heading = "### Left out";

    private static readonly PublicSurface Ours = new(typeof(MySqlConnection).Assembly, "Slipstream.MySql");

    [Fact]
    public void Every_line_of_the_list_is_there_or_left_out_with_a_reason()
    {
        var excused = LeftOut();
        var missing = Lines().Where(line => !Ours.Has(line) && !excused.Any(one => Covers(one.Pattern, line)))
            .Select(line => $"{line}\n    here: {Ours.Nearest(line)}").ToArray();
        Assert.True(missing.Length == 0, $"{missing.Length} lines are missing:\n{string.Join('\n', missing)}");
    }

    [Fact]
    public void What_is_left_out_is_at_most_2_percent_and_each_has_its_reason_and_is_really_missing()
    {
        var lines = Lines();
        var excused = LeftOut();
        Assert.All(excused, one => Assert.True(one.Reason.Length >= 10, $"'{one.Pattern}' has no reason"));
        Assert.All(
            excused, one => Assert.True(lines.Any(line => Covers(one.Pattern, line) && !Ours.Has(line)), $"'{one.Pattern}' excuses nothing that is missing"));
        var left = lines.Count(line => excused.Any(one => Covers(one.Pattern, line)));
        Assert.True(left * 50 <= lines.Length, $"{left} of {lines.Length} lines are left out: more than 2 %");
    }

    [Fact]
    public void A_member_that_does_not_exist_is_noticed()
    {
        Assert.True(Ours.Has("MySqlConnection.Ping() : bool"));
        Assert.False(Ours.Has("MySqlConnection.Ping(int times) : bool"));
        Assert.False(Ours.Has("MySqlConnection.Ping() : int"));
        Assert.False(Ours.Has("MySqlConnection.CloneWith(string other) : MySqlConnection"));
        Assert.False(Ours.Has("MySqlConnection.ServerThread : int { get set }"));
        Assert.False(Ours.Has("MySqlErrorCode.No = 1003"));
        Assert.False(Ours.Has("MySqlNothing  sealed class"));
        Assert.False(Ours.Has("MySqlCommand  sealed class : DbCommand, IDbConnection"));
    }

    private static string[] Lines() =>
        [.. File.ReadLines(Path.Combine(Root(), "tests", "MySql.Tests", "Api", "mysqlconnector.txt"))
            .Where(static line => line.Length > 0)
            .Select(
                static line =>
                    line.StartsWith(TheirNamespace, StringComparison.Ordinal) ? line[TheirNamespace.Length..] : throw new InvalidDataException(line))];

    // "Type" covers the type and its members, "Type.Member" the member with all its overloads.
    private static bool Covers(string pattern, string line) =>
        line.StartsWith(pattern, StringComparison.Ordinal) && (line.Length == pattern.Length || line[pattern.Length] is '.' or ' ' or '(' or '[' or '<');

    private static (string Pattern, string Reason)[] LeftOut()
    {
        var page = File.ReadAllLines(Path.Combine(Root(), "docs", "migrating.md"));
        var from = Array.IndexOf(page, Heading);
        Assert.True(from >= 0, $"docs/migrating.md has no heading '{Heading}'");
        return [.. page.Skip(from + 1).TakeWhile(static line => !line.StartsWith('#')).Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
            .SelectMany(static row =>
            {
                var cells = row.Trim('|').Split('|');
                return cells[0].Split(',').Select(name => (name.Trim().Trim('`'), cells[1].Trim()));
            })];
    }

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("the test does not run below the repository");
        return folder.FullName;
    }
}
