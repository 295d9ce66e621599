using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Gateways;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Tests;

// One class for each server: they run at the same time.

public class MySqlProgramTests
{
    [Fact]
    public Task Two_hundred_programs_show_no_difference() => Programs.Run(ServerKind.MySql, 81);

    [Fact]
    public Task Sixty_programs_answer_as_the_peer_does() => Programs.RunAgainstPeer(ServerKind.MySql, 81);

    [Fact]
    public Task Forty_programs_do_on_a_cluster_that_refuses_what_they_do_on_one_server() => Programs.RunRefused(ServerKind.MySql, 81);
}

public class MariaDbProgramTests
{
    [Fact]
    public Task Two_hundred_programs_show_no_difference() => Programs.Run(ServerKind.MariaDb, 81);

    [Fact]
    public Task Sixty_programs_answer_as_the_peer_does() => Programs.RunAgainstPeer(ServerKind.MariaDb, 81);

    [Fact]
    public Task Forty_programs_do_on_a_cluster_that_refuses_what_they_do_on_one_server() => Programs.RunRefused(ServerKind.MariaDb, 81);
}

public class MariaDb11ProgramTests
{
    [Fact]
    public Task Two_hundred_programs_show_no_difference() => Programs.Run(ServerKind.MariaDb11, 81);

    [Fact]
    public Task Sixty_programs_answer_as_the_peer_does() => Programs.RunAgainstPeer(ServerKind.MariaDb11, 81);

    [Fact]
    public Task Forty_programs_do_on_a_cluster_that_refuses_what_they_do_on_one_server() => Programs.RunRefused(ServerKind.MariaDb11, 81);
}

public class PostgreSqlProgramTests
{
    [Fact]
    public Task Two_hundred_programs_show_no_difference() => Programs.Run(ServerKind.PostgreSql, 81);

    [Fact]
    public Task Sixty_programs_answer_as_the_peer_does() => Programs.RunAgainstPeer(ServerKind.PostgreSql, 81);

    [Fact]
    public Task Forty_programs_do_on_a_cluster_that_refuses_what_they_do_on_one_server() => Programs.RunRefused(ServerKind.PostgreSql, 81);
}

public class PostgreSql18ProgramTests
{
    [Fact]
    public Task Two_hundred_programs_show_no_difference() => Programs.Run(ServerKind.PostgreSql18, 81);

    [Fact]
    public Task Sixty_programs_answer_as_the_peer_does() => Programs.RunAgainstPeer(ServerKind.PostgreSql18, 81);

    [Fact]
    public Task Forty_programs_do_on_a_cluster_that_refuses_what_they_do_on_one_server() => Programs.RunRefused(ServerKind.PostgreSql18, 81);
}

internal static class Programs
{
    public static Task Run(ServerKind kind, int firstWorld) =>
        Run(kind, firstWorld, 200, Pair.All(kind.IsPostgreSql()).Where(static pair => !pair.IsPeer && !pair.Refuses), 2000);

    public static Task RunAgainstPeer(ServerKind kind, int firstWorld) =>
        Run(kind, firstWorld, 60, Pair.All(kind.IsPostgreSql()).Where(static pair => pair.IsPeer), 500);

    public static async Task RunRefused(ServerKind kind, int firstWorld)
    {
        var refusals = await Run(kind, firstWorld, 40, Pair.All(kind.IsPostgreSql()).Where(static pair => pair.Refuses), 500);
        Assert.True(refusals is { Again: > 5, Reported: > 20 }, refusals.ToString());
    }

    private static async Task<RefusalCounts> Run(ServerKind kind, int firstWorld, int programs, IEnumerable<Pair> pairs, int steps)
    {
        var server = await LiveServers.GetAsync(kind);
        var told = new List<string>();
        var run = new EquivalenceRun(
            new EquivalenceOptions(kind, programs, null, 1, [.. pairs.Select(static pair => pair.Name)]) { FirstWorld = firstWorld }, server, told.Add);

        await run.RunAsync(TestContext.Current.CancellationToken);

        Assert.True(run.Findings.Count == 0, string.Join('\n', told));
        Assert.True(run.Coverage.Steps > steps, run.Coverage.ToString());
        return run.Refusals;
    }
}

public class PlantedDifferenceTests
{
    [Theory]
    [InlineData(ServerKind.MySql, "Treat Tiny As Boolean=false")]
    [InlineData(ServerKind.MySql, "Use Affected Rows=true")]
    [InlineData(ServerKind.MySql, "Reset Mode=Never")]
    [InlineData(ServerKind.PostgreSql, "Timezone=Asia/Tokyo")]
    [InlineData(ServerKind.PostgreSql, "No Reset On Close=true")]
    public async Task A_planted_difference_is_found_and_made_small(ServerKind kind, string planted)
    {
        var server = await LiveServers.GetAsync(kind);
        var isPostgreSql = kind.IsPostgreSql();
        var driver = isPostgreSql ? Driver.PostgreSql : Driver.MySql;
        var pair = new Pair("planted", new("as it is", driver, ""), new("planted", driver, planted));
        await using var world = await World.CreateAsync(server, 91);
        var generator = Generator.For(new(world.Database, world.Settings, IsMariaDb: false, ForPeers: false), isPostgreSql);

        for (var seed = 1; seed <= 300; seed++)
        {
            var program = generator.Create(seed);
            if (await EquivalenceRun.DifferenceOf(world, pair, program) is null)
                continue;
            var smaller =
                await new Shrinker(async candidate => await EquivalenceRun.DifferenceOf(world, pair, candidate) is not null, 150).ShrinkAsync(program);
            Assert.InRange(smaller.Steps.Length, 1, 8);
            return;
        }

        Assert.Fail("300 programs did not show it");
    }
}

public class SharedPoolTests
{
    [Theory]
    [InlineData(ServerKind.MySql, "Reset Mode=Never", "SET @a = 1", "SELECT @a")]
    [InlineData(ServerKind.PostgreSql, "No Reset On Close=true", "SET application_name = 'left'", "SHOW application_name")]
    public async Task A_program_is_told_what_an_earlier_one_of_its_pool_has_left(ServerKind kind, string planted, string leave, string ask)
    {
        var server = await LiveServers.GetAsync(kind);
        var driver = kind.IsPostgreSql() ? Driver.PostgreSql : Driver.MySql;
        var pair = new Pair("planted", new("as it is", driver, ""), new("planted", driver, planted));
        await using var world = await World.CreateAsync(server, 95);
        await using var pools = new SharedPools(world, pair);
        static EquivalenceProgram Of(string sql) => new(1, 1, [new OpenStep(0), new CommandStep(0, "set", Text.Of(sql), Verb.Scalar), new CloseStep(0)]);

        Assert.Null(await pools.DifferenceOf(Of(leave), TimeSpan.FromMinutes(5)));
        Assert.NotNull(await pools.DifferenceOf(Of(ask), TimeSpan.FromMinutes(5)));
        Assert.Null(await EquivalenceRun.DifferenceOf(world, pair, Of(ask)));
        // By itself it shows nothing; behind the other one it does.
        Assert.NotNull(await EquivalenceRun.DifferenceOf(world, pair, EquivalenceRun.Behind(Of(ask), [Of(leave)])));
    }

    [Fact]
    public void A_program_behind_others_has_time_for_their_tables()
    {
        var one = new EquivalenceProgram(1, 1, [new OpenStep(0), new CloseStep(0)]);

        Assert.Equal(TimeSpan.FromSeconds(20), EquivalenceRun.LongestOf(EquivalenceRun.Behind(one, [one, one])) - EquivalenceRun.LongestOf(one));
    }
}

public class KeysOfProgramsTests
{
    private const string Burns = "INSERT INTO t1(n) VALUES (10)";
    private const string BurnsNone = "INSERT INTO t1(id, n) VALUES (99, 10)";

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task A_number_that_only_one_side_has_skipped_is_no_difference_but_another_row_is(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var world = await World.CreateAsync(server, 96);
        var side = Pair.All(kind.IsPostgreSql())[0].First;
        async Task<Trace> Run(string refused, int parent, Manner manner)
        {
            string[] texts =
            [
                refused, "INSERT INTO t1(n) VALUES (101)", "INSERT INTO t1(n) VALUES (102)", $"INSERT INTO t2(parent) SELECT id FROM t1 WHERE n = {parent}",
                "SELECT id, n FROM t1 ORDER BY id",
            ];
            Step[] steps =
                [
                    new OpenStep(0),
                    .. texts.Select(static sql => new CommandStep(0, "insert", Text.Of(sql), sql.StartsWith('S') ? Verb.Reader : Verb.NonQuery)),
                    new CloseStep(0)
                ];
            return await new Execution(new(1, 1, [.. steps]), side, world, manner: manner).RunAsync();
        }

        var pair = Pair.All(kind.IsPostgreSql())[0];
        foreach (var manner in (Manner[])[default, new(InDetail: true)])
        {
            var first = await Run(Burns, 101, manner);
            // All of them begin where they did.
            Assert.Null(Difference.Between(first, await Run(Burns, 101, manner), pair));
            var skipped = await Run(BurnsNone, 101, manner);
            Assert.Contains(skipped.Observations, static observation => observation.Text.Contains("700000001", StringComparison.Ordinal));
            Assert.DoesNotContain(first.Observations, static observation => observation.Text.Contains("700000001", StringComparison.Ordinal));
            Assert.Null(Difference.Between(first, skipped, pair));
            var other = Difference.Between(first, await Run(BurnsNone, 102, manner), pair);
            Assert.NotNull(other);
            Assert.StartsWith("table t2: ", other.First);
        }
    }
}
