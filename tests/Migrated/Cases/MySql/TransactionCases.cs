using System.Data;
using System.Transactions;
using IsolationLevel = System.Data.IsolationLevel;

namespace Slipstream.Migrated;

public static class TransactionCases
{
    // Unlike in PostgreSQL, statements such as CREATE TABLE commit implicitly, and programs continue to use the object.
    public static void A_statement_that_ends_the_transaction(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE ended (i INT)");
        foreach (var end in new[] { "COMMIT", "ROLLBACK", "CREATE TABLE IF NOT EXISTS passing (i INT)" })
        {
            using (var transaction = c.BeginTransaction())
            {
                t.Try("inserted", () => Do("INSERT INTO ended VALUES (1)"));
                t.Try(end, () => Do(end));
                t.Try("a row more", () => Do("INSERT INTO ended VALUES (2)"));
                t.Try("rolled back", transaction.Rollback);
                t.Try("committed", transaction.Commit);

                int Do(string sql)
                {
                    using var command = new MySqlCommand(sql, c, transaction);
                    return command.ExecuteNonQuery();
                }
            }

            t.Say("rows", c.All("SELECT i FROM ended ORDER BY i"));
            c.Do("DELETE FROM ended");
        }
    }

    public static void Committed_and_rolled_back(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE account (id INT PRIMARY KEY, amount DECIMAL(10,2))");
        using (var transaction = c.BeginTransaction())
        {
            using var command = new MySqlCommand("INSERT INTO account VALUES (1, 10), (2, 20)", c, transaction);
            t.Say("inserted", command.ExecuteNonQuery());
            transaction.Commit();
            t.Say("connection of a finished one", transaction.Connection is null);
        }

        using (var transaction = c.BeginTransaction())
        {
            using var command = new MySqlCommand("UPDATE account SET amount = amount - 5", c, transaction);
            t.Say("updated", command.ExecuteNonQuery());
            transaction.Rollback();
        }

        using (var transaction = c.BeginTransaction())
        {
            using var command = new MySqlCommand("DELETE FROM account", c, transaction);
            t.Say("deleted", command.ExecuteNonQuery());
        }

        t.Say("rows", c.All("SELECT * FROM account ORDER BY id"));
    }

    public static void Savepoints(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE s (i INT)");
        using var transaction = c.BeginTransaction();
        Insert(1);
        transaction.Save("one");
        Insert(2);
        transaction.Save("two");
        Insert(3);
        transaction.Rollback("two");
        Insert(4);
        transaction.Release("two");
        t.Try("released already", () => transaction.Rollback("two"));
        transaction.Rollback("one");
        Insert(5);
        t.Try("null", () => transaction.Save(null!));
        t.Try("no name", () => transaction.Save(""));
        t.Try("none", () => transaction.Release("nowhere"));
        t.Differs("can", transaction.SupportsSavepoints, "`SupportsSavepoints`", "they are");
        transaction.Commit();
        t.Say("rows", c.All("SELECT i FROM s ORDER BY i"));

        void Insert(int i)
        {
            using var command = new MySqlCommand("INSERT INTO s VALUES (@i)", c, transaction);
            command.Parameters.AddWithValue("@i", i);
            command.ExecuteNonQuery();
        }
    }

    public static void Isolation_levels(Trial t)
    {
        using var c = t.Open();
        foreach (var level in new[] { IsolationLevel.ReadUncommitted, IsolationLevel.ReadCommitted, IsolationLevel.RepeatableRead,
            IsolationLevel.Serializable, IsolationLevel.Snapshot })
        {
            using var transaction = c.BeginTransaction(level);
            t.Say($"{level}", transaction.IsolationLevel);
            transaction.Rollback();
        }

        t.Try("chaos", () => c.BeginTransaction(IsolationLevel.Chaos));
        t.Try("read only", () =>
        {
            using var transaction = c.BeginTransaction(IsolationLevel.RepeatableRead, isReadOnly: true);
            using var command = new MySqlCommand("CREATE TABLE never (i INT)", c, transaction);
            return command.ExecuteNonQuery();
        });
    }

    public static void Two_at_once(Trial t)
    {
        using var c = t.Open();
        using var other = t.Open();
        using var transaction = c.BeginTransaction();
        t.Try("a second", () => c.BeginTransaction());
        t.Try("a command without it", () => c.Scalar("SELECT 1"));
        using var foreign = new MySqlCommand("SELECT 1", other, transaction);
        t.Try("another connection's", () => foreign.ExecuteScalar());
        transaction.Commit();
        t.Try("committed again", () => transaction.Commit());
        t.Try("rolled back then", () => transaction.Rollback());
        using var late = new MySqlCommand("SELECT 1", c, transaction);
        t.Try("a command of a finished one", () => late.ExecuteScalar());
        using var lenient = t.Open("Ignore Command Transaction=true");
        using var open = lenient.BeginTransaction();
        t.Try("ignored", () => lenient.Scalar("SELECT 1"));
    }

    public static void On_a_closed_connection(Trial t)
    {
        using var c = new MySqlConnection(t.ConnectionString);
        t.Try("begin", () => c.BeginTransaction());
        c.Open();
        c.Do("CREATE TABLE k (i INT)");
        var transaction = c.BeginTransaction();
        using (var command = new MySqlCommand("INSERT INTO k VALUES (1)", c, transaction))
            command.ExecuteNonQuery();
        c.Close();
        t.Try("commit", () => transaction.Commit());
        t.Try("dispose", () => transaction.Dispose());
        c.Open();
        t.Say("rows", c.Scalar("SELECT COUNT(*) FROM k"));
    }

    public static async Task Asynchronous(Trial t)
    {
        await using var c = new MySqlConnection(t.ConnectionString);
        await c.OpenAsync();
        c.Do("CREATE TABLE a (i INT)");
        await using (var transaction = await c.BeginTransactionAsync())
        {
            await using var command = new MySqlCommand("INSERT INTO a VALUES (1)", c, transaction);
            await command.ExecuteNonQueryAsync();
            await transaction.SaveAsync("p");
            await command.ExecuteNonQueryAsync();
            await transaction.RollbackAsync("p");
            await transaction.CommitAsync();
        }

        await using (var transaction = await c.BeginTransactionAsync(IsolationLevel.ReadCommitted))
        {
            await using var command = new MySqlCommand("INSERT INTO a VALUES (2)", c, transaction);
            await command.ExecuteNonQueryAsync();
            await transaction.RollbackAsync();
        }

        t.Say("rows", c.All("SELECT * FROM a"));
        object? outcome;
        try
        {
            outcome = await c.BeginTransactionAsync(new CancellationToken(true));
        }
        catch (OperationCanceledException e)
        {
            outcome = e;
        }

        t.Differs("with a cancelled token", outcome, "a token that is already cancelled", "nothing is begun");
    }

    public static void Scopes(Trial t)
    {
        using var watcher = t.Open();
        watcher.Do("CREATE TABLE scoped (i INT)");
        using (var scope = new TransactionScope())
        {
            using (var c = t.Open())
                c.Do("INSERT INTO scoped VALUES (1)");
            using (var again = t.Open())
                t.Say("seen inside", again.Scalar("SELECT COUNT(*) FROM scoped"));
            scope.Complete();
        }

        t.Say("completed", watcher.All("SELECT * FROM scoped"));
        using (new TransactionScope())
        {
            using var c = t.Open();
            c.Do("INSERT INTO scoped VALUES (2)");
        }

        t.Say("not completed", watcher.All("SELECT * FROM scoped"));
        using (new TransactionScope())
        {
            using var c = t.Open("Auto Enlist=false");
            c.Do("INSERT INTO scoped VALUES (3)");
        }

        t.Say("not enlisted", watcher.All("SELECT * FROM scoped ORDER BY i"));
        using (new TransactionScope())
        {
            using var suppressed = new TransactionScope(TransactionScopeOption.Suppress);
            using var c = t.Open();
            c.Do("INSERT INTO scoped VALUES (4)");
        }

        t.Say("suppressed", watcher.All("SELECT * FROM scoped ORDER BY i"));
        using (var scope = new TransactionScope())
        {
            using var c = t.Open();
            t.Try("a transaction of its own", () => c.BeginTransaction());
            scope.Complete();
        }
    }

    public static async Task Scopes_of_two_connections(Trial t)
    {
        using var watcher = t.Open();
        watcher.Do("CREATE TABLE pair (i INT)");
        using (var scope = new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
        {
            await using var first = new MySqlConnection(t.ConnectionString);
            await using var second = new MySqlConnection(t.ConnectionString);
            await first.OpenAsync();
            await second.OpenAsync();
            await using (var insert = new MySqlCommand("INSERT INTO pair VALUES (1)", first))
                await insert.ExecuteNonQueryAsync();
            await using (var insert = new MySqlCommand("INSERT INTO pair VALUES (2)", second))
                await insert.ExecuteNonQueryAsync();
            scope.Complete();
        }

        t.Say("both", watcher.All("SELECT * FROM pair ORDER BY i"));
        using (new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
        {
            await using var c = new MySqlConnection(t.ConnectionString);
            await c.OpenAsync();
            await using var insert = new MySqlCommand("INSERT INTO pair VALUES (3)", c);
            await insert.ExecuteNonQueryAsync();
        }

        t.Say("neither", watcher.All("SELECT * FROM pair ORDER BY i"));
    }

    public static void Enlisted_by_hand(Trial t)
    {
        using var c = t.Open("Use Xa Transactions=false");
        c.Do("CREATE TABLE hand (i INT)");
        using (var transaction = new CommittableTransaction())
        {
            c.EnlistTransaction(transaction);
            c.Do("INSERT INTO hand VALUES (1)");
            transaction.Rollback();
        }

        using (var transaction = new CommittableTransaction())
        {
            c.EnlistTransaction(transaction);
            c.Do("INSERT INTO hand VALUES (2)");
            transaction.Commit();
        }

        t.Say("rows", c.All("SELECT * FROM hand"));
    }
}
