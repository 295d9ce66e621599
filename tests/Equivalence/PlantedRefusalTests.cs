using Slipstream.Core.Errors;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Gateways;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Tests;

/// <summary>Refusals on a cluster: the programs have them, and a driver that reports something else than the tables show is found.</summary>
public class PlantedRefusalTests
{
    [Theory]
    [InlineData(ServerKind.MySql, RetrySafety.RolledBack)]
    [InlineData(ServerKind.MySql, RetrySafety.Unknown)]
    [InlineData(ServerKind.PostgreSql, RetrySafety.NotSent)]
    [InlineData(ServerKind.PostgreSql, RetrySafety.NotApplicable)]
    public async Task A_wrong_report_is_found(ServerKind kind, RetrySafety reported)
    {
        Driver faulty = kind.IsPostgreSql() ? new LyingPostgreSql(reported) : new LyingMySql(reported);
        var pair = Pair.All(kind.IsPostgreSql()).Single(static pair => pair.Refuses);
        pair = pair with { Second = pair.Second with { Driver = faulty } };
        await using var world = await World.CreateAsync(await LiveServers.GetAsync(kind), 98);
        var generator = Generator.For(new(world.Database, world.Settings, IsMariaDb: false, ForPeers: false), kind.IsPostgreSql());
        for (var seed = 1; seed <= 40; seed++)
            if (await EquivalenceRun.DifferenceOf(world, pair, Refusing.Plant(generator.Create(seed), kind.IsPostgreSql())) is { First: "" })
                return;
        Assert.Fail("40 programs did not show it");
    }

    [Theory, InlineData(false), InlineData(true)]
    public void Each_seed_has_the_same_refusals_and_many_programs_have_some(bool isPostgreSql)
    {
        var generator = Generator.For(new("eq_1", [], IsMariaDb: false, ForPeers: false), isPostgreSql);
        var (programs, refused) = (0, 0);
        for (var seed = 1; seed <= 100; seed++)
        {
            var program = Refusing.Plant(generator.Create(seed), isPostgreSql);
            var again = Refusing.Plant(generator.Create(seed), isPostgreSql);
            Assert.Equal(
                program.Steps.Select(static step => (step.Kind, step.User, step.IsRefused)),
                again.Steps.Select(static step => (step.Kind, step.User, step.IsRefused)));
            programs += program.Steps.Any(static step => step.IsRefused) ? 1 : 0;
            refused += program.Steps.Count(static step => step.IsRefused);
        }

        Assert.InRange(programs, 80, 100);
        Assert.InRange(refused, 150, 800);
    }

    [Theory]
    [InlineData("INSERT INTO t VALUES (1)", 0)]
    [InlineData("  /* a ; INSERT */ update t SET a = 1", 19)]
    [InlineData("SELECT 1; DELETE FROM t", 10)]
    [InlineData("SELECT 'a; INSERT', \"b\\\"; UPDATE\", `c; CALL`; CALL p()", 46)]
    [InlineData("SELECT 1", -1)]
    [InlineData("SET @a = 1; SELECT 'INSERT'", -1)]
    [InlineData("SELECT 'not ended; INSERT", -1)]
    public void The_first_statement_that_writes_is_found(string text, int at) => Assert.Equal(at, Writes.Find(text));

    private sealed class LyingPostgreSql(RetrySafety reported) : Driver.SlipstreamPostgreSql
    {
        public override RetrySafety? RefusalOf(Exception exception) => base.RefusalOf(exception) is null ? null : reported;
    }

    private sealed class LyingMySql(RetrySafety reported) : Driver.SlipstreamMySql
    {
        public override RetrySafety? RefusalOf(Exception exception) => base.RefusalOf(exception) is null ? null : reported;
    }
}
