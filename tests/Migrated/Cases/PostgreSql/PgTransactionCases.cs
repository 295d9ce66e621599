using System.Data.Common;

namespace Slipstream.Migrated;

/// <summary>The state of a transaction object after the server has ended the transaction: by a refused COMMIT, or by the user's own statement.</summary>
public static class PgTransactionCases
{
    private const string Refused = "`Rollback` after a `Commit` that the server refused";

    public static async Task A_commit_that_was_refused_commits_nothing_when_repeated(Trial t)
    {
        await using var c = t.Open();
        c.Do("CREATE TABLE dad (i int PRIMARY KEY); CREATE TABLE kid (i int REFERENCES dad DEFERRABLE INITIALLY DEFERRED)");
        var transaction = c.BeginTransaction();
        c.Do("INSERT INTO kid VALUES (1)");
        t.Try("refused", transaction.Commit);
        t.Try("again", transaction.Commit);
        t.Try("once more, asynchronously", () => transaction.CommitAsync().GetAwaiter().GetResult());
        t.Try("a savepoint", () => transaction.Save("one"));
        t.Try("disposed", transaction.Dispose);

        transaction = await c.BeginTransactionAsync();
        c.Do("INSERT INTO kid VALUES (2)");
        await t.TryAsync("refused", async () => await Done(transaction.CommitAsync()));
        t.Differs("rolled back", Trial.Outcome(() => Done(transaction.RollbackAsync()).GetAwaiter().GetResult()), Refused, "it hides no error behind another");
        t.Try("rolled back twice", transaction.Rollback);
        await t.TryAsync("committed after all", async () => await Done(transaction.CommitAsync()));
        await transaction.DisposeAsync();
        t.Say("rows", c.All("SELECT * FROM kid"));
        using (var next = c.BeginTransaction())
        {
            c.Do("INSERT INTO dad VALUES (1)");
            next.Commit();
        }

        t.Say("a later one", c.All("SELECT * FROM dad"));
    }

    public static async Task A_failed_transaction_is_not_committed_at_the_second_try(Trial t)
    {
        await using var c = t.Open();
        c.Do("CREATE TABLE a (i int PRIMARY KEY)");
        foreach (var isAsynchronous in new[] { false, true })
        {
            var transaction = c.BeginTransaction();
            c.Do("INSERT INTO a VALUES (1)");
            t.Try("fails", () => c.Do("SELECT 1 / 0"));
            t.Differs("committed", await OutcomeAsync(Commit), "`Commit` of a failed transaction", "nobody may believe that it was committed");
            t.Say("again", await OutcomeAsync(Commit));
            t.Try("disposed", transaction.Dispose);
            t.Say("rows", c.All("SELECT * FROM a"));

            Task Commit()
            {
                if (isAsynchronous)
                    return transaction.CommitAsync();
                transaction.Commit();
                return Task.CompletedTask;
            }
        }
    }

    public static async Task A_statement_that_ends_the_transaction(Trial t)
    {
        await using var c = t.Open();
        c.Do("CREATE TABLE a (i int)");
        var branch = $"'{t.Database}'";
        // The last statement is refused because its name is too long, but it has still ended the transaction.
        foreach (var end in new[]
        {
            "COMMIT",
            "ROLLBACK",
            "COMMIT; SELECT 1",
            "ROLLBACK; SELECT 1",
            "END",
            "ABORT",
            "PREPARE TRANSACTION " + branch,
            $"PREPARE TRANSACTION '{new string('n', 201)}'"
        })
        {
            var transaction = c.BeginTransaction();
            Do("INSERT INTO a VALUES (1)");
            t.Try(end.Replace(branch, "branch", StringComparison.Ordinal), () => Do(end));
            t.Try("a row more", () => Do("INSERT INTO a VALUES (2)"));
            await t.TryAsync("asynchronously", async () => await Named("INSERT INTO a VALUES (3)").ExecuteNonQueryAsync());
            await t.TryAsync("read", async () => await Named("SELECT i FROM a").ExecuteReaderAsync());
            t.Try("in a batch", () =>
            {
                using var batch = new PgBatch(c, transaction);
                batch.BatchCommands.Add(new PgBatchCommand("INSERT INTO a VALUES (4)"));
                return batch.ExecuteNonQuery();
            });
            t.Try("without it", () => c.Do("INSERT INTO a VALUES (5)"));
            t.Try("a savepoint", () => transaction.Save("one"));
            t.Try("to it", () => transaction.Rollback("one"));
            t.Try("released", () => transaction.Release("one"));
            t.Try("rolled back", transaction.Rollback);
            t.Try("committed", transaction.Commit);
            await t.TryAsync("rolled back asynchronously", async () => await Done(transaction.RollbackAsync()));
            using (c.BeginTransaction())
                c.Do("INSERT INTO a VALUES (6)");
            t.Try("disposed", transaction.Dispose);
            t.Say("rows", c.All("SELECT i FROM a ORDER BY i"));
            t.Try("the branch rolled back", () => c.Do("ROLLBACK PREPARED " + branch));
            c.Do("DELETE FROM a");

            int Do(string sql)
            {
                using var command = Named(sql);
                return command.ExecuteNonQuery();
            }

            PgCommand Named(string sql) => new(sql, c, transaction);
        }
    }

    public static void A_statement_that_goes_on_in_another_one(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE a (i int)");
        foreach (var end in new[] { "COMMIT AND CHAIN", "ROLLBACK AND CHAIN", "COMMIT; BEGIN" })
        {
            using var transaction = c.BeginTransaction();
            c.Do("INSERT INTO a VALUES (1)");
            using var ending = new PgCommand(end, c, transaction);
            t.Try(end, () => ending.ExecuteNonQuery());
            using var more = new PgCommand("INSERT INTO a VALUES (2)", c, transaction);
            t.Try("a row more", () => more.ExecuteNonQuery());
            t.Try("rolled back", transaction.Rollback);
            t.Say("rows", c.All("SELECT i FROM a"));
        }
    }

    public static void A_transaction_begun_by_a_statement(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE a (i int)");
        c.Do("BEGIN");
        c.Do("INSERT INTO a VALUES (1)");
        t.Try("another", () => c.BeginTransaction());
        t.Try("asynchronously", () => c.BeginTransactionAsync().AsTask().GetAwaiter().GetResult());
        c.Do("COMMIT");
        t.Say("rows", c.All("SELECT i FROM a"));
        using var then = c.BeginTransaction();
        t.Say("then", then.IsolationLevel);
    }

    public static void A_command_that_names_what_is_over(Trial t)
    {
        using var c = t.Open();
        using var command = new PgCommand("SELECT 1", c);
        var transaction = c.BeginTransaction();
        transaction.Commit();
        t.Try("named afterwards", () =>
        {
            command.Transaction = transaction;
            return command.ExecuteScalar();
        });
        using var another = new PgCommand("SELECT 1", c, c.BeginTransaction());
        c.Do("COMMIT");
        t.Differs(
            "named before", Trial.Outcome(() => another.ExecuteScalar()), "a command whose `Transaction` has ended since it was set",
            "it would commit by itself");
        another.Transaction = null;
        t.Try("no more", () => another.ExecuteScalar());
    }

    private static async Task<object?> Done(Task task)
    {
        await task;
        return "done";
    }

    private static async Task<object?> OutcomeAsync(Func<Task> action)
    {
        try
        {
            await action();
            return "done";
        }
        catch (Exception e) when (e is DbException or InvalidOperationException)
        {
            return e;
        }
    }
}
