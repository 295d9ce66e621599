using System.Data;
using Dapper;

namespace Slipstream.Migrated;

public static class PgSessionCases
{
    public static void Committed_and_rolled_back(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE a (i int PRIMARY KEY)");
        using (var transaction = c.BeginTransaction())
        {
            c.Do("INSERT INTO a VALUES (1)");
            transaction.Commit();
            t.Try("committed again", () => transaction.Commit());
        }

        using (var transaction = c.BeginTransaction(IsolationLevel.Serializable))
        {
            t.Say("level", transaction.IsolationLevel);
            t.Say("shown", c.Scalar("SHOW transaction_isolation"));
            c.Do("INSERT INTO a VALUES (2)");
            transaction.Rollback();
        }

        using (c.BeginTransaction())
            c.Do("INSERT INTO a VALUES (3)");
        t.Say("rows", c.All("SELECT * FROM a"));
        using (var transaction = c.BeginTransaction())
        {
            t.Try("a second", () => c.BeginTransaction());
            t.Try("fails", () => c.Do("INSERT INTO a VALUES (1)"));
            t.Try("is aborted", () => c.Scalar("SELECT 1"));
            t.Differs("commit", Trial.Outcome(() => Committed(transaction)), "`Commit` of a failed transaction", "nobody may believe that it was committed");
        }

        t.Say("usual level", c.BeginTransaction().IsolationLevel);

        static object Committed(System.Data.Common.DbTransaction transaction)
        {
            transaction.Commit();
            return "done";
        }
    }

    public static void Savepoints(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE s (i int PRIMARY KEY)");
        using (var transaction = c.BeginTransaction())
        {
            c.Do("INSERT INTO s VALUES (1)");
            transaction.Save("one");
            t.Try("duplicate", () => c.Do("INSERT INTO s VALUES (1)"));
            transaction.Rollback("one");
            c.Do("INSERT INTO s VALUES (2)");
            transaction.Release("one");
            t.Try("none", () => transaction.Rollback("nowhere"));
            t.Say("can", transaction.SupportsSavepoints);
            transaction.Rollback();
        }

        t.Say("rows", c.All("SELECT * FROM s"));
    }

    public static async Task Asynchronous(Trial t)
    {
        await using var c = new PgConnection(t.ConnectionString);
        await c.OpenAsync();
        await using (var command = new PgCommand("CREATE TABLE a (i int); INSERT INTO a SELECT generate_series(1, 5)", c))
            t.Say("made", await command.ExecuteNonQueryAsync());
        await using (var transaction = await c.BeginTransactionAsync())
        {
            await using var command = new PgCommand("DELETE FROM a", c, transaction);
            t.Say("deleted", await command.ExecuteNonQueryAsync());
            await transaction.RollbackAsync();
        }

        var seen = new List<int>();
        await using (var command = new PgCommand("SELECT i FROM a ORDER BY i", c))
        await using (var reader = await command.ExecuteReaderAsync())
        {
            while (await reader.ReadAsync())
                seen.Add(await reader.GetFieldValueAsync<int>(0));
        }

        t.Say("seen", seen);
        await t.TryAsync("cancelled before", async () =>
        {
            await using var command = new PgCommand("SELECT 1", c);
            return await command.ExecuteScalarAsync(new CancellationToken(true));
        });
        t.Say("open", c.State);
    }

    public static void Errors_of_the_server(Trial t)
    {
        using var c = t.Open("Include Error Detail=true");
        c.Do("CREATE TABLE dad (id int PRIMARY KEY, s varchar(3) NOT NULL)");
        c.Do("CREATE TABLE kid (dad int CONSTRAINT to_dad REFERENCES dad)");
        c.Do("INSERT INTO dad VALUES (1, 'a')");
        foreach (var sql in new[]
        {
            "INSERT INTO dad VALUES (1, 'b')", "INSERT INTO kid VALUES (2)", "INSERT INTO dad VALUES (2, 'long')", "INSERT INTO dad VALUES (2, NULL)",
            "SELEC 1", "SELECT * FROM nowhere", "SELECT 1/0",
            "SELECT 'a'::int", "DO $$BEGIN RAISE EXCEPTION 'as said' USING ERRCODE = 'P9999', HINT = 'none'; END$$",
        })
        {
            try
            {
                c.Do(sql);
            }
            catch (PgException e)
            {
                t.Say(
                    sql, $"{e.SqlState} {e.Severity} {e.MessageText} {e.Detail} {e.Hint} {e.TableName} {e.ColumnName} {e.ConstraintName} {e.SchemaName} "
                        + $"{e.Position} {e.IsTransient} {e.Routine}");
            }
        }

        t.Say("works", c.Scalar("SELECT 1"));
    }

    // A busy server may take a while to stop a statement.
    private const string Patient = "Cancellation Timeout=60000";

    public static void By_its_time_limit(Trial t)
    {
        using var c = t.Open(Patient);
        using var command = new PgCommand("SELECT pg_sleep(20)", c) { CommandTimeout = 1 };
        try
        {
            command.ExecuteScalar();
        }
        catch (System.Data.Common.DbException e)
        {
            t.Say("ended with", e.InnerException is TimeoutException);
        }

        t.Say("works", c.Scalar("SELECT 1"));
    }

    public static async Task By_a_token(Trial t)
    {
        await using var c = t.Open(Patient);
        using var source = new CancellationTokenSource();
        await using var command = new PgCommand("SELECT pg_sleep(20)", c);
        var running = command.ExecuteScalarAsync(source.Token);
        Await(t, c);
        source.Cancel();
        await t.TryAsync("ended with", async () => await running);
        t.Say("works", c.Scalar("SELECT 1"));
    }

    public static async Task By_hand(Trial t)
    {
        await using var c = t.Open(Patient);
        await using var command = new PgCommand("SELECT pg_sleep(20)", c);
        var running = Task.Run(() => command.ExecuteScalar());
        Await(t, c);
        command.Cancel();
        await t.TryAsync("ended with", async () => await running);
        t.Say("works", c.Scalar("SELECT 1"));
    }

    // The statement runs on the server, so a cancellation after this stops this statement and no other.
    private static void Await(Trial t, PgConnection connection)
    {
        using var watcher = t.Open();
        const string Running = "SELECT 1 FROM pg_stat_activity WHERE pid = @id AND state = 'active' AND query LIKE '%pg_sleep%'";
        while (watcher.Scalar(Running, ("id", connection.ProcessID)) is null)
            Thread.Yield();
    }

    public static void Notices(Trial t)
    {
        using var c = t.Open();
        var told = new List<string>();
        c.Notice += (_, e) => told.Add($"{e.Notice.Severity} {e.Notice.SqlState} {e.Notice.MessageText}");
        c.Do("DO $$BEGIN RAISE NOTICE 'hello'; RAISE WARNING 'careful'; END$$");
        c.Do("DROP TABLE IF EXISTS nowhere");
        t.Say("told", told);
    }

    public static void States_are_told(Trial t)
    {
        using var c = new PgConnection(t.ConnectionString);
        var told = new List<string>();
        c.StateChange += (_, e) => told.Add($"{e.OriginalState}->{e.CurrentState}");
        t.Say("new", $"{c.State} {c.Database}");
        t.Try("version", () => c.ServerVersion);
        c.Open();
        t.Say("open", $"{c.State} {c.Database} {c.ServerVersion.Length > 0} {c.PostgreSqlVersion.Major > 9}");
        t.Try("again", () => c.Open());
        c.Close();
        c.Close();
        c.Open();
        c.Dispose();
        t.Say("told", told);
        t.Try("disposed", () => c.Open());
        t.Try("no string", () => new PgConnection().Open());
    }

    public static void Clean_out_of_the_pool(Trial t)
    {
        using (var c = t.Open("Maximum Pool Size=1"))
        {
            c.Do("SET application_name = 'mine'; SET search_path TO pg_catalog");
            c.Do("CREATE TEMP TABLE mine (i int)");
            c.Do("SELECT pg_advisory_lock(5)");
            c.Do("BEGIN");
        }

        using (var c = t.Open("Maximum Pool Size=1"))
        {
            t.Say("name", Equals(c.Scalar("SHOW application_name"), "mine"));
            t.Say("path", c.Scalar("SHOW search_path"));
            t.Try("table", () => c.Scalar("SELECT count(*) FROM mine"));
            t.Say("locks", c.Scalar("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"));
        }
    }

    public static void A_builder(Trial t)
    {
        var builder = new PgConnectionStringBuilder { Host = "db.example.com", Port = 5433, Username = "me", Password = "p;w'", Database = "shop",
            Timeout = 3, CommandTimeout = 9, MaxPoolSize = 7 };
        var again = new PgConnectionStringBuilder(builder.ConnectionString);
        t.Say("same", again.EquivalentTo(builder));
        t.Say("read", $"{again.Host} {again.Port} {again.Username} {again.Password} {again.Database} {again.Timeout} {again.CommandTimeout} "
            + $"{again.MaxPoolSize}");
        foreach (var name in new[] { "Server", "User ID", "UID", "PWD", "DB", "Maximum Pool Size", "Command Timeout" })
            t.Try(name, () => again[name]);
        t.Try("unknown", () => new PgConnectionStringBuilder("Nothing=1"));
        t.Try("bad number", () => new PgConnectionStringBuilder("Port=abc").Port);
        var defaults = new PgConnectionStringBuilder();
        t.Say("defaults", $"{defaults.Port} {defaults.Timeout} {defaults.CommandTimeout} {defaults.Pooling} {defaults.MinPoolSize} {defaults.MaxPoolSize} "
            + $"{defaults.Enlist} {defaults.IncludeErrorDetail}");
    }

    public static void Logging_in(Trial t)
    {
        foreach (var (what, options) in new[] { ("no database", "Database=no_such_database"), ("a wrong password", "Password=wrong"), ("nobody",
            "Username=nobody_at_all;Password=x") })
        {
            using var c = new PgConnection($"{t.ConnectionString};{options}");
            try
            {
                c.Open();
            }
            catch (PgException e)
            {
                t.Say(what, $"{e.SqlState} {e.IsTransient} {c.State}");
            }
        }
    }

    public static async Task A_data_source(Trial t)
    {
        await using var source = PgDataSource.Create(t.ConnectionString);
        await using (var c = await source.OpenConnectionAsync())
            t.Say("opened", c.Scalar("SELECT 1"));
        await using (var command = source.CreateCommand("SELECT 42"))
            t.Say("command", await command.ExecuteScalarAsync());
        using (var c = source.CreateConnection())
            t.Say("closed", c.State);
    }

    public static void By_the_factory(Trial t)
    {
        var factory = PgFactory.Instance;
        using var c = factory.CreateConnection()!;
        c.ConnectionString = t.ConnectionString;
        c.Open();
        using var command = factory.CreateCommand()!;
        command.Connection = c;
        command.CommandText = "SELECT @a + 1";
        var parameter = factory.CreateParameter()!;
        parameter.ParameterName = "@a";
        parameter.Value = 1;
        command.Parameters.Add(parameter);
        t.Say("value", command.ExecuteScalar());
    }

    public static void Another_database(Trial t)
    {
        using var c = t.Open();
        c.ChangeDatabase("postgres");
        t.Say("changed", $"{c.Database} {c.Scalar("SELECT current_database()")}");
    }

    // The effects of automatic preparation must be invisible.
    public static void Another_schema_in_a_transaction(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE SCHEMA one; CREATE SCHEMA two; CREATE TABLE one.q AS SELECT 1 AS i; CREATE TABLE two.q AS SELECT 'two' AS i");
        foreach (var move in new[]
        {
            "SET LOCAL search_path = one",
            "SET search_path TO one",
            "SET SCHEMA 'one'",
            "SELECT set_config('search_path', 'one', true)"
        })
        {
            c.Do("SET search_path = two");
            for (var i = 0; i < 4; i++)
                t.Say("two", c.Scalar("SELECT i FROM q"));
            using (c.BeginTransaction())
            {
                c.Do(move);
                for (var i = 0; i < 4; i++)
                    t.Try(move, () => c.Scalar("SELECT i FROM q"));
                c.Do("SAVEPOINT s; SET search_path = two");
                for (var i = 0; i < 4; i++)
                    t.Try("two", () => c.Scalar("SELECT i FROM q"));
                c.Do("ROLLBACK TO SAVEPOINT s");
                t.Try("back", () => c.Scalar("SELECT i FROM q"));
            }

            using (c.BeginTransaction())
                t.Try("two again", () => c.Scalar("SELECT i FROM q"));
            using (var transaction = c.BeginTransaction())
            {
                using var batch = new PgBatch(c, transaction) { BatchCommands = { new PgBatchCommand(move), new PgBatchCommand("SELECT i FROM q") } };
                t.Try("in a batch", () =>
                {
                    using var reader = batch.ExecuteReader();
                    if (reader.GetName(0) != "i")
                        reader.NextResult();
                    return Trial.Rows(reader);
                });
            }

            c.Close();
            c.Open();
            using (c.BeginTransaction())
            {
                c.Do("CREATE TEMPORARY TABLE q AS SELECT 2.5 AS i");
                t.Try("a new lease", () => c.Scalar("SELECT i FROM q"));
            }
        }
    }

    public static void Scopes(Trial t)
    {
        using var watcher = t.Open();
        watcher.Do("CREATE TABLE scoped (i int)");
        using (var scope = new System.Transactions.TransactionScope())
        {
            using (var c = t.Open())
                c.Do("INSERT INTO scoped VALUES (1)");
            using (var again = t.Open())
                t.Say("inside", again.Scalar("SELECT count(*) FROM scoped"));
            scope.Complete();
        }

        t.Say("completed", watcher.All("SELECT * FROM scoped"));
        using (new System.Transactions.TransactionScope())
        {
            using var c = t.Open();
            c.Do("INSERT INTO scoped VALUES (2)");
        }

        t.Say("not completed", watcher.All("SELECT * FROM scoped"));
    }

    public static void Dapper_objects(Trial t)
    {
        using var c = t.Open();
        c.Execute("CREATE TABLE person (id serial PRIMARY KEY, name text, born timestamp, size numeric(8,2), key uuid)");
        t.Say("inserted", c.Execute("INSERT INTO person (name, born, size, key) VALUES (@Name, @Born, @Size, @Key)", new[]
        {
            new { Name = (string?)"Ann", Born = (DateTime?)new DateTime(2001, 2, 3), Size = 1.75m, Key = Guid.Empty }, new { Name = (string?)null,
            Born = (DateTime?)null, Size = 0m, Key = Guid.Empty },
        }));
        t.Say("names", c.Query<string>("SELECT name FROM person ORDER BY id").Select(static name => name ?? "-"));
        t.Say("tuples", c.Query<(int, decimal)>("SELECT id, size FROM person ORDER BY id").Select(static pair => $"{pair}"));
        using var many = c.QueryMultiple("SELECT count(*) FROM person; SELECT name FROM person WHERE id = @id", new { id = 1 });
        t.Say("first", many.ReadSingle<long>());
        t.Say("second", many.ReadSingle<string>());
    }

    public static async Task Dapper_asynchronously(Trial t)
    {
        await using var c = new PgConnection(t.ConnectionString);
        t.Say("value", await c.QuerySingleAsync<string>("SELECT @a", new { a = new DbString { Value = "text", Length = 50 } }));
        t.Say("closed", c.State);
        t.Say("date", await c.QuerySingleAsync<DateTime>("SELECT @d", new { d = new DateTime(2024, 2, 29, 1, 2, 3) }));
        t.Say("key", await c.ExecuteScalarAsync<int>("SELECT @i", new { i = (int?)5 }));
        t.Say("a long text", await c.ExecuteScalarAsync<int>("SELECT length(@s)", new { s = new string('x', 10_000) }));
    }
}
