using System.Text.RegularExpressions;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Tests;

public partial class GeneratorTests
{
    private static readonly Ground Some = new("eq_1", [new Setting("sql_mode", ["''", "'ANSI_QUOTES'"])], IsMariaDb: true, ForPeers: false);

    public static TheoryData<bool> Providers => [false, true];

    [Theory]
    [MemberData(nameof(Providers))]
    public void A_seed_is_always_the_same_program(bool isPostgreSql)
    {
        string Printed(EquivalenceProgram program) => Pair.All(isPostgreSql)[0].AsCSharp(program, new(isPostgreSql, "", "eq_1", []));
        var generator = Generator.For(Some, isPostgreSql);
        for (var seed = 1; seed <= 50; seed++)
        {
            var program = generator.Create(seed);
            Assert.Equal(Printed(program), Printed(Generator.For(Some, isPostgreSql).Create(seed)));
        }
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public void Every_step_belongs_to_a_lease_and_every_lease_ends(bool isPostgreSql)
    {
        foreach (var program in Programs(isPostgreSql, 300))
        {
            var open = new HashSet<int>();
            foreach (var step in program.Steps)
            {
                Assert.True(step switch
                {
                    OpenStep => open.Add(step.User),
                    CloseStep => open.Remove(step.User),
                    OutsideStep or LookStep or PoolKilledStep => true,
                    _ => open.Contains(step.User),
                });
                Assert.True(open.Count <= program.PoolSize);
            }

            Assert.Empty(open);
        }
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public void While_one_user_holds_a_transaction_no_other_changes_a_table(bool isPostgreSql)
    {
        foreach (var program in Programs(isPostgreSql, 300))
        {
            var holder = -1;
            foreach (var step in program.Steps)
            {
                // An isolation write meets a transaction that has only read; a branch that is ended has left its transaction.
                if (holder >= 0 && step.User != holder)
                    Assert.False(
                        step is BatchStep or BulkStep or OutsideStep { Kind: not ("isolation write" or "branch ended" or "outside notify") }
                            || step.Kind.StartsWith("ddl", StringComparison.Ordinal)
                            || step.Kind is "insert" or "update" or "delete",
                        step.Kind);
                if (step is TransactionStep { Verb: TransactionVerb.Begin })
                    holder = step.User;
                else if (step is CloseStep && step.User == holder)
                    holder = -1;
            }
        }
    }

    // The next lease may get another session. The idle one would keep the lock until its own next lease.
    [Theory]
    [MemberData(nameof(Providers))]
    public void No_lease_is_closed_while_the_lock_that_it_takes_is_read(bool isPostgreSql)
    {
        var locks = Programs(isPostgreSql, 5000).SelectMany(static program => program.Steps).OfType<CommandStep>()
            .Where(static step => step.Kind == "lock").ToList();
        Assert.True(locks.Count > 200, $"{locks.Count} locks");
        Assert.DoesNotContain(locks, static step => step.Read.Leaves == Leaving.ConnectionClosed);
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public void What_ends_a_lock_is_never_prepared_because_the_server_may_refuse_to(bool isPostgreSql)
    {
        var ends = Programs(isPostgreSql, 3000).SelectMany(static program => program.Steps).OfType<CommandStep>()
            .Where(static step => step.Kind == "let go").ToList();
        Assert.NotEmpty(ends);
        Assert.DoesNotContain(ends, static step => step.Prepares);
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public void A_session_that_is_killed_in_a_transaction_is_still_in_it(bool isPostgreSql)
    {
        var killed = 0;
        foreach (var program in Programs(isPostgreSql, 3000))
        {
            var transactions = new HashSet<int>();
            foreach (var step in program.Steps)
            {
                if (step is TransactionStep { Verb: TransactionVerb.Begin })
                    transactions.Add(step.User);
                else if (step is CloseStep or TransactionStep { Verb: TransactionVerb.Commit or TransactionVerb.Rollback or TransactionVerb.Dispose })
                    transactions.Remove(step.User);
                if (!transactions.Contains(step.User))
                    continue;
                killed += step is LeaseKilledStep ? 1 : 0;
                Assert.False(step is CommandStep { Read.Leaves: Leaving.ConnectionClosed }, step.Kind);
            }
        }

        Assert.NotEqual(0, killed);
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public void A_lease_whose_end_timing_decides_is_used_by_nobody_else(bool isPostgreSql)
    {
        foreach (var program in Programs(isPostgreSql, 25000))
        {
            var disturbed = new HashSet<int>();
            foreach (var step in program.Steps)
            {
                if (step is EnlistStep enlist)
                    Assert.False(disturbed.Contains(enlist.User) || disturbed.Contains(enlist.Other), $"seed {program.Seed}");
                if (step is StoppedStep or LeaseKilledStep)
                    disturbed.Add(step.User);
                else if (step is CloseStep)
                    disturbed.Remove(step.User);
            }
        }
    }

    [Theory]
    [InlineData(false, 58)]
    [InlineData(true, 50)]
    public void Programs_hold_many_kinds_of_steps_in_many_orders(bool isPostgreSql, int kinds)
    {
        var coverage = new Coverage();
        foreach (var program in Programs(isPostgreSql, 500))
            coverage.Add(program);
        Assert.True(coverage.Kinds >= kinds, coverage.ToString());
        Assert.True(coverage.Neighbours >= kinds * 15, coverage.ToString());
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public void Programs_call_only_what_the_set_up_defines_and_reach_every_trigger(bool isPostgreSql)
    {
        // Neither needs a server to say what it defines.
        World world = isPostgreSql ? new PgWorld(null!, 1) : new MySqlWorld(null!, 1);
        var called = new HashSet<string>();
        var texts = new HashSet<string>();
        foreach (var program in Programs(isPostgreSql, 3000))
        {
            texts.UnionWith(program.Texts);
            called.UnionWith(program.Texts.SelectMany(static text => Routine().Matches(text).Select(static match => match.Value)));
        }

        Assert.True(called.Count >= 7, string.Join(", ", called));
        foreach (var name in called)
            Assert.True(Regex.IsMatch(world.SetUp, $@"(PROCEDURE|FUNCTION) {name}\("), name);
        // Each does something for one word only.
        foreach (var (table, word) in isPostgreSql ? (ReadOnlySpan<(string, string)>)[("t2", "'tr'")] : [("t2", "'tr'"), ("m1", "'set'")])
        {
            Assert.Contains(texts, text => text.StartsWith($"INSERT INTO {table}", StringComparison.Ordinal) && text.Contains(word, StringComparison.Ordinal));
            Assert.Contains($"BEFORE INSERT ON {table} ", world.SetUp);
            Assert.Contains($" = {word}", world.SetUp);
        }
    }

    [GeneratedRegex(@"\b[fp]_\w+\b")]
    private static partial Regex Routine();

    [Fact]
    public void Programs_for_a_peer_use_only_what_both_have()
    {
        var generator = Generator.For(Some with { ForPeers = true }, isPostgreSql: false);
        for (var seed = 1; seed <= 200; seed++)
            Assert.DoesNotContain(
                generator.Create(seed).Steps, static step => step is BulkStep or LookStep or StoppedStep or PoolKilledStep or LeaseKilledStep or EnlistStep);
    }

    // MySqlConnector's look-up of a procedure clears them, which a CALL need not do.
    [Fact]
    public void Programs_for_a_peer_clear_warnings_before_they_call_a_procedure()
    {
        var generator = Generator.For(Some with { ForPeers = true }, isPostgreSql: false);
        var calls = 0;
        for (var seed = 1; seed <= 1000; seed++)
        {
            var steps = generator.Create(seed).Steps;
            for (var i = 0; i < steps.Length; i++)
            {
                if (steps[i] is not CommandStep { IsProcedure: true } call)
                    continue;
                calls++;
                Assert.Equal((MySqlGenerator.ClearsWarnings, call.User), (steps[i - 1].Kind, steps[i - 1].User));
            }
        }

        Assert.True(calls > 50, $"{calls} calls");
        Assert.DoesNotContain(
            Programs(isPostgreSql: false, 1000).SelectMany(static program => program.Steps),
            static step => step.Kind == MySqlGenerator.ClearsWarnings);
    }

    // In a failed transaction, the server refuses what loads them. Npgsql knows no types after that.
    [Fact]
    public void Programs_for_a_peer_load_types_outside_of_transactions_only()
    {
        Assert.Equal(0, LoadsInTransactions(Some with { ForPeers = true }, out var loads));
        Assert.True(loads > 50, $"{loads} loads");
        Assert.InRange(LoadsInTransactions(Some, out _), 10, int.MaxValue);
    }

    private static int LoadsInTransactions(Ground ground, out int loads)
    {
        var generator = Generator.For(ground, isPostgreSql: true);
        var inside = loads = 0;
        for (var seed = 1; seed <= 5000; seed++)
        {
            var holders = new HashSet<int>();
            foreach (var step in generator.Create(seed).Steps)
            {
                if (step is TransactionStep { Verb: TransactionVerb.Begin })
                    holders.Add(step.User);
                else if (step is CloseStep or TransactionStep { Verb: TransactionVerb.Commit or TransactionVerb.Rollback or TransactionVerb.Dispose })
                    holders.Remove(step.User);
                if (step is not ReloadTypesStep)
                    continue;
                loads++;
                if (holders.Contains(step.User))
                    inside++;
            }
        }

        return inside;
    }

    private static IEnumerable<EquivalenceProgram> Programs(bool isPostgreSql, int count)
    {
        var generator = Generator.For(Some, isPostgreSql);
        return Enumerable.Range(1, count).Select(seed => generator.Create(seed));
    }
}
