using System.Text.RegularExpressions;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.PostgreSql.Tests.Api;

/// <summary>
/// Compares the public types with the signatures of Npgsql 10.0.3: code that compiled with <c>Npgsql…</c> compiles with <c>Pg…</c>. docs/migrating.md lists
/// each deliberate omission with its reason.
/// </summary>
public sealed partial class PublicApiTests(ITestOutputHelper output)
{
    // The heading above the table of docs/migrating.md that this test reads.
    private const string Heading = "### Left out of Npgsql on purpose";

    private static readonly PublicSurface Ours = new(typeof(PgConnection).Assembly, "Slipstream.PostgreSql");

    [Fact]
    public void All_of_Npgsqls_API_is_there_but_the_omissions_of_the_page()
    {
        var lines = Lines();
        var excused = LeftOut();
        var missing = lines.Where(static line => !Ours.Has(line)).ToArray();
        var there = lines.Length - missing.Length;
        var share = 100.0 * there / lines.Length;
        output.WriteLine($"{there} of {lines.Length} lines of Npgsql's API are there: {share:0.0} %");
        foreach (var line in missing)
            output.WriteLine($"{(excused.Any(one => Covers(one.Pattern, line)) ? "left out" : "missing")}: {line}\n    here: {Ours.Nearest(line)}");
        var unexplained = missing.Where(line => !excused.Any(one => Covers(one.Pattern, line))).ToArray();
        Assert.True(unexplained.Length == 0, $"docs/migrating.md has no row under '{Heading}' for:\n{string.Join('\n', unexplained)}");
    }

    [Fact]
    public void Each_omission_has_its_reason_and_is_really_missing()
    {
        var lines = Lines();
        var excused = LeftOut();
        Assert.NotEmpty(excused);
        Assert.All(excused, one => Assert.True(one.Reason.Length >= 10, $"'{one.Pattern}' has no reason"));
        Assert.All(
            excused, one => Assert.True(lines.Any(line => Covers(one.Pattern, line) && !Ours.Has(line)), $"'{one.Pattern}' excuses nothing that is missing"));
    }

    [Fact]
    public void A_member_that_does_not_exist_is_noticed()
    {
        Assert.True(Ours.Has("PgConnection.UnprepareAll() : void"));
        Assert.True(Ours.Has("PgBatchCommand.AppendErrorBarrier : bool? { get set }"));
        Assert.True(Ours.Has("PgParameter<T>.TypedValue : T { get set }"));
        Assert.True(Ours.Has("PgTransaction.Save(string name) : void override"));
        Assert.False(Ours.Has("PgTransaction.Save(string name) : void"));
        Assert.False(Ours.Has("PgTransaction.Save(int name) : void override"));
        Assert.False(Ours.Has("PgConnection.UnprepareAll(int times) : void"));
        Assert.False(Ours.Has("PgBatchCommand.AppendErrorBarrier : bool { get set }"));
        Assert.False(Ours.Has("PgConnection.DefaultPort : const int = 5433"));
        Assert.False(Ours.Has("PgNothing  sealed class"));
        Assert.False(Ours.Has("PgCommand  class : DbCommand, IDbConnection"));
    }

    [Theory]
    [InlineData("Npgsql.NpgsqlException  class : DbException", "PgException  class : DbException")]
    [InlineData("Npgsql.PostgresException  sealed class : NpgsqlException", "PgException  sealed class")]
    [InlineData("Npgsql.Schema.NpgsqlDbColumn.TypeOID : uint { get }", "PgDbColumn.TypeOID : uint { get }")]
    [InlineData("NpgsqlTypes.NpgsqlDbType.Xml = 28", "PgDbType.Xml = 28")]
    [InlineData("Npgsql.NpgsqlConnection.Notice : event NoticeEventHandler", "PgConnection.Notice : event PgNoticeEventHandler")]
    [InlineData("Npgsql.NpgsqlParameter<T>.ctor(string parameterName, NpgsqlDbType npgsqlDbType)",
        "PgParameter<T>.ctor(string parameterName, PgDbType pgDbType)")]
    public void Names_of_Npgsql_are_translated(string theirs, string ours) => Assert.Equal(ours, Translate(theirs));

    // Members that only derived classes can call are not compared: the classes here are sealed, or derive from base classes of the core.
    private static string[] Lines() =>
        [.. File.ReadLines(Path.Combine(Root(), "tests", "PostgreSql.Tests", "Api", "npgsql.txt"))
            .Where(static line => line.Length > 0 && !Protected().IsMatch(line)).Select(Translate)];

    private static string Translate(string line)
    {
        line = Namespaces().Replace(line, "");
        line = Types().Replace(line, "Pg").Replace("System.ComponentModel.", "", StringComparison.Ordinal);
        line = line.Replace("INpgsql", "IPg", StringComparison.Ordinal).Replace("Npgsql", "Pg", StringComparison.Ordinal)
            .Replace("npgsql", "pg", StringComparison.Ordinal);
        // Npgsql's two exceptions are one here.
        return line.Replace("PgException  sealed class : PgException", "PgException  sealed class", StringComparison.Ordinal);
    }

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
                return cells[0].Split(',').Select(name => (Translate(name.Trim().Trim('`')), cells[1].Trim()));
            })];
    }

    internal static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("the test does not run below the repository");
        return folder.FullName;
    }

    [GeneratedRegex(@"\b(NpgsqlTypes|Npgsql|Schema|TypeMapping|PostgresTypes)\.")]
    private static partial Regex Namespaces();

    [GeneratedRegex(@"\bPostgres(?=Exception|Notice|ErrorCodes)|\b(?=NoticeEventHandler|NotificationEventHandler)")]
    private static partial Regex Types();

    [GeneratedRegex(@" protected( \[Obsolete\])?$")]
    private static partial Regex Protected();
}
