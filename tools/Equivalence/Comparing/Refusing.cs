using System.Collections.Immutable;
using Slipstream.Equivalence.Gateways;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Comparing;

/// <summary>
/// Programs whose steps a server refuses because it is no longer the primary. Such a program runs before the gateways first. Then one server executes the
/// reference: the same program, with an error of the server in place of each command whose refusal the driver has reported. Everything else must be equal.
/// </summary>
internal static class Refusing
{
    // The error only has to do what the refusal does: nothing, or end the transaction.
    private const string PgError = "DO 'BEGIN RAISE EXCEPTION ''refused''; END'";

    // Their outcome depends on timing, they outlive their session, or they would change what the gateways change.
    private static readonly string[] LeftOut =
    [
        "stopped by", "pool killed", "lease killed", "enlist", "xa", "prepare transaction", "notifications", "outside ddl", "outside flush", "reload types",
        "ddl type", "refused value", "large", "lock",
    ];

    private static readonly string[] WordsLeftOut = ["READ ONLY", "READ_ONLY", "READ WRITE", "XA ", "PREPARE TRANSACTION", "LISTEN", "LOCK TABLE"];
    private static readonly string[] Transactions = ["BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK", "SAVEPOINT", "AUTOCOMMIT"];

    /// <summary>Returns the program with steps that a server refuses.</summary>
    public static EquivalenceProgram Plant(EquivalenceProgram program, bool isPostgreSql)
    {
        var random = new Random(unchecked((int)(program.Seed * 40503 + 7)));
        var steps = ImmutableArray.CreateBuilder<Step>();
        foreach (var step in program.Steps)
        {
            if (!IsKept(step))
                continue;
            if (step is CloseStep)
                steps.AddRange(Ending(step.User, isPostgreSql));
            steps.Add(WithoutReopening(step) with { IsRefused = MayBeRefused(step) && random.Next(100) < 40 });
            if (step is OpenStep && random.Next(100) < 70)
                steps.AddRange(Beginning(step.User, random, isPostgreSql));
        }

        return program with { Steps = steps.ToImmutable() };
    }

    /// <summary>Returns the program that has the effects which the driver has reported.</summary>
    public static EquivalenceProgram Reference(EquivalenceProgram program, Trace refused, bool isPostgreSql) => program with
    {
        Steps =
        [
            .. program.Steps.Select((step, number) => refused.Refusals.TryGetValue(number, out var refusal)
                ? new RefusedStep(step.User, step.Kind, Instead(step, refusal, isPostgreSql), Rest(step)) { Async = step.Async }
                : step),
        ],
    };

    private static Step Instead(Step step, Refusal refusal, bool isPostgreSql) => step switch
    {
        // The copy has undone its work, and its transaction goes on.
        BulkStep when isPostgreSql => new CommandStep(step.User, "refused", Text.Of("SELECT 1"), Verb.NonQuery),
        // What undoes it clears the warnings and ROW_COUNT(), as a savepoint does.
        BulkStep => new CommandStep(step.User, "refused", Text.Of("SAVEPOINT eq_undone"), Verb.NonQuery),
        // A COMMIT that is refused, because it checks a constraint, ends the transaction.
        TransactionStep { Verb: TransactionVerb.Commit } commit when isPostgreSql => commit with { Verb = TransactionVerb.Rollback },
        _ when isPostgreSql => new CommandStep(step.User, "refused", Text.Of(PgError), Verb.NonQuery),
        BatchStep batch => batch with
        {
            Commands = [.. batch.Commands.Take(Math.Max(refusal.Command, 0)), Text.Of(MySqlGatewaySession.Refusal)], Prepares = false, Verb = Verb.NonQuery,
        },
        _ => new CommandStep(
            step.User, "refused", Text.Of(refusal.Executed.Length > 0 ? refusal.Executed : MySqlGatewaySession.Refusal), Verb.NonQuery),
    };

    // Only the first execution is refused.
    private static CommandStep? Rest(Step step) => step is CommandStep { Times: > 1 } command ? command with { Times = command.Times - 1 } : null;

    private static bool IsKept(Step step) => !LeftOut.Any(kind => step.Kind.StartsWith(kind, StringComparison.Ordinal))
        && !Texts(step).Any(static text => WordsLeftOut.Any(word => text.Contains(word, StringComparison.OrdinalIgnoreCase)));

    // The error of a statement whose result is not read is not reported.
    private static bool IsReadWhole(ReadPlan plan) => plan is { Rows: -1, Results: -1, Leaves: Leaving.Dispose or Leaving.Close };

    private static bool MayBeRefused(Step step) => step switch
    {
        CommandStep { Verb: Verb.Reader } command when !IsReadWhole(command.Read) => false,
        BatchStep { Verb: Verb.Reader } batch when !IsReadWhole(batch.Read) => false,
        CommandStep command => command.Kind is "query" or "insert" or "update" or "delete" or "several results" or "procedure" && HasNoTransaction(step)
            && !command.Text.Args.Any(static arg => arg.IsReadOnce),
        BatchStep { HasBarriers: false, BarrierAfter: < 0 } => HasNoTransaction(step),
        BulkStep bulk => bulk.BreaksAt < 0,
        _ => false,
    };

    private static bool HasNoTransaction(Step step) =>
        !Texts(step).Any(static text => Transactions.Any(word => text.Contains(word, StringComparison.OrdinalIgnoreCase)));

    private static IEnumerable<string> Texts(Step step) => new EquivalenceProgram(0, 1, [step]).Texts;

    // The next lease may get a session of the other gateway, and would wait for what this one has left.
    private static IEnumerable<Step> Ending(int user, bool isPostgreSql)
    {
        string[] statements = isPostgreSql ? ["ROLLBACK", "SELECT pg_advisory_unlock_all()"] : ["ROLLBACK", "UNLOCK TABLES", "DO RELEASE_ALL_LOCKS()"];
        return statements.Select(sql => new CommandStep(user, "let go", Text.Of(sql), Verb.NonQuery));
    }

    private static Step WithoutReopening(Step step) => step switch
    {
        CommandStep { Read.Leaves: Leaving.ConnectionClosed } command => command with { Read = command.Read with { Leaves = Leaving.Close } },
        BatchStep { Read.Leaves: Leaving.ConnectionClosed } batch => batch with { Read = batch.Read with { Leaves = Leaving.Close } },
        _ => step,
    };

    // What a lease often begins with. Executing an addition twice, or only half of a pair, shows.
    private static IEnumerable<Step> Beginning(int user, Random random, bool isPostgreSql)
    {
        string[] additions =
        [
            "UPDATE k1 SET x = x + 1 WHERE k = 1", "UPDATE k1 SET x = x + 10 WHERE k = 3", "INSERT INTO t1(n, s) VALUES (@p0, 'first')",
            "DELETE FROM t1 WHERE n = @p0",
        ];
        Text Addition() => additions[random.Next(additions.Length)] is var sql && sql.Contains("@p0", StringComparison.Ordinal)
            ? Text.Of(sql, Arg.Int(900 + random.Next(5)))
            : Text.Of(sql);
        Step Refused(Step step) => step with { Async = random.Next(2) == 0, IsRefused = random.Next(100) < 80 };
        CommandStep Single() => new(user, "update", Addition(), (Verb)random.Next(3)) { Times = random.Next(4) == 0 ? 3 : 1 };
        switch (random.Next(7))
        {
            case 0:
                yield return Refused(new CommandStep(user, "several results", Text.Of(additions[0] + "; " + additions[1]), Verb.NonQuery));
                break;
            case 1:
                yield return Refused(new CommandStep(user, "several results", Text.Of("SELECT 1; " + additions[1]), (Verb)random.Next(3)));
                break;
            case 2:
                yield return Refused(new BatchStep(user, "batch", [Addition(), Addition(), Text.Of("SELECT 1")], (Verb)random.Next(3)));
                break;
            case 3:
                yield return new TransactionStep(user, TransactionVerb.Begin) { Async = random.Next(2) == 0 };
                if (random.Next(2) == 0)
                    yield return Single() with { Async = random.Next(2) == 0 };
                yield return Refused(Single());
                yield return new TransactionStep(user, random.Next(3) == 0 ? TransactionVerb.Rollback : TransactionVerb.Commit);
                break;
            case 4:
                yield return new CommandStep(user, "set", Text.Of(isPostgreSql ? "SET TimeZone = 'Asia/Tokyo'" : "SET time_zone = '+05:00'"), Verb.NonQuery);
                yield return Refused(Single());
                break;
            default:
                yield return Refused(Single());
                break;
        }
    }
}
