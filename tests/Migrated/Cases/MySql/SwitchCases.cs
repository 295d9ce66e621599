using System.Data;

namespace Slipstream.Migrated;

/// <summary>What else an application would see that has another assembly under the name MySqlConnector.</summary>
public static class SwitchCases
{
    public static void The_level_of_a_transaction_is_the_session_s(Trial t)
    {
        var level = t.IsMariaDb ? "@@session.tx_isolation" : "@@session.transaction_isolation";
        const string Row = "`BeginTransaction`: the isolation level";
        foreach (var isolation in new[] { IsolationLevel.ReadCommitted, IsolationLevel.Serializable, IsolationLevel.ReadUncommitted })
        {
            using var c = t.Open();
            using (var transaction = c.BeginTransaction(isolation))
            {
                using var command = new MySqlCommand($"SELECT {level}", c, transaction);
                t.Differs("inside", command.ExecuteScalar(), Row, "the level is the transaction's");
                transaction.Commit();
            }

            t.Differs("afterwards", c.Scalar($"SELECT {level}"), Row, "the level is the transaction's");
            using (var transaction = c.BeginTransaction())
            {
                using var command = new MySqlCommand($"SELECT {level}", c, transaction);
                t.Say("in the next", command.ExecuteScalar());
            }

            c.Do("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
            using (var transaction = c.BeginTransaction())
            {
                using var command = new MySqlCommand($"SELECT {level}", c, transaction);
                t.Differs("after the session's own", command.ExecuteScalar(), Row, "the level is the transaction's");
            }

            c.Close();
            c.Open();
            t.Say("of the pool's next", c.Scalar($"SELECT {level}"));
        }
    }

    public static async Task After_a_deadlock(Trial t)
    {
        using var a = t.Open();
        using var b = t.Open();
        a.Do("CREATE TABLE locks (id INT PRIMARY KEY, v INT) ENGINE = InnoDB; INSERT INTO locks VALUES (1, 0), (2, 0)");
        using var first = a.BeginTransaction();
        using var second = b.BeginTransaction();
        Run(a, first, "UPDATE locks SET v = 1 WHERE id = 1");
        // More changes: the server chooses the other transaction as the victim.
        Run(b, second, "UPDATE locks SET v = 2 WHERE id = 2");
        Run(b, second, "INSERT INTO locks VALUES (10, 2), (11, 2), (12, 2), (13, 2)");
        var waiting = Task.Run(() => Run(b, second, "UPDATE locks SET v = 2 WHERE id = 1"));
        await Task.Delay(300);
        t.Try("the victim", () => Run(a, first, "UPDATE locks SET v = 1 WHERE id = 2"));
        await waiting;
        second.Commit();
        const string Row = "a transaction that the server has rolled back whole (deadlock 1213, 1206, MariaDB's 1020)";
        t.Differs("its next command", Short(() => Run(a, first, "INSERT INTO locks VALUES (50, 1)")), Row, "nothing is committed by itself");
        t.Differs("committed", Short(() =>
        {
            first.Commit();
            return "done";
        }), Row, "nothing is committed by itself");
        t.Differs("rows", b.All("SELECT * FROM locks ORDER BY id"), Row, "nothing is committed by itself");

        static object Run(MySqlConnection connection, MySqlTransaction transaction, string sql)
        {
            using var command = new MySqlCommand(sql, connection, transaction);
            return command.ExecuteNonQuery();
        }
    }

    public static void Preparing_a_bad_text(Trial t)
    {
        using var c = t.Open();
        const string Row = "`Prepare()`";
        foreach (var sql in new[] { "SELEC 1", "SELECT * FROM nothing", "SELECT nothing" })
        {
            using var command = c.Command(sql);
            t.Differs(sql, Number(command.Prepare), Row, "no round trip: the execution throws");
            t.Differs("async", Number(() => command.PrepareAsync().GetAwaiter().GetResult()), Row, "no round trip: the execution throws");
            t.Try("executed", () => command.ExecuteScalar());
        }

        using (var reader = c.Command("SELECT 1").ExecuteReader())
        {
            using var busy = c.Command("SELECT 2");
            t.Differs("busy", Trial.Outcome(() =>
            {
                busy.Prepare();
                return "done";
            }), Row, "no round trip: nothing is sent");
        }

        using var good = c.Command("SELECT @p, @q", ("p", 5), ("q", "text"));
        good.Prepare();
        using (var reader = good.ExecuteReader())
            t.Say("good", Trial.Rows(reader));
        using var transaction = c.BeginTransaction();
        using var inside = c.Command("SELECT @p + 1", ("p", 5));
        t.Try("inside a transaction", inside.Prepare);
        inside.Transaction = transaction;
        t.Try("executed inside", () => inside.ExecuteScalar());

        static object Number(Action action) => Trial.Outcome(() =>
        {
            action();
            return "done";
        }) is MySqlException e ? e.Number : "done";
    }

    public static void A_text_that_another_command_has_prepared(Trial t)
    {
        using var c = t.Open();
        using var first = c.Command("SELECT @p", ("p", 0.1));
        first.Prepare();
        t.Say("first", first.ExecuteScalar());
        using var second = c.Command("SELECT @p", ("p", 0.1));
        t.Differs("second is prepared", second.IsPrepared, "`IsPrepared`", "it did not ask to be prepared");
        t.Say("second", second.ExecuteScalar());
        c.Close();
        c.Open();
        t.Differs("later", first.IsPrepared, "`IsPrepared`", "the next session prepares it again");
    }

    public static void Large_values_in_any_order(Trial t)
    {
        using var c = t.Open();
        using var command = c.Command("SELECT 1, REPEAT('x', 200000), CAST(REPEAT('y', 100000) AS BINARY), 4");
        using var reader = command.ExecuteReader(CommandBehavior.SequentialAccess);
        reader.Read();
        t.Differs("order", Trial.Outcome(() =>
        {
            var buffer = new byte[2];
            return $"{reader.GetInt32(3)} {reader.GetBytes(2, 50, buffer, 0, 2)} {reader.GetBytes(2, 0, buffer, 0, 2)} {reader.GetString(1).Length} "
                + $"{reader.GetString(1).Length} {reader.GetValue(0)}";
        }), "`CommandBehavior.SequentialAccess`", "values of any size without the memory for them");
    }

    public static void SchemaOnly_executes_what_is_not_a_query(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE described (a INT)");
        using var command = c.Command("INSERT INTO described VALUES (1)");
        command.ExecuteReader(CommandBehavior.SchemaOnly).Close();
        t.Differs("rows", c.Scalar("SELECT COUNT(*) FROM described"), "`CommandBehavior.SchemaOnly`", "nothing is executed");
        command.CommandText = "SELECT a FROM described";
        using var reader = command.ExecuteReader(CommandBehavior.SchemaOnly);
        t.Say("query", $"{reader.FieldCount} {reader.GetName(0)} {reader.Read()}");
    }

    public static void Expressions_can_be_edited(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE edited (id INT PRIMARY KEY, tt TINYTEXT, lt LONGTEXT, bl LONGBLOB, d DOUBLE(7, 2), n DECIMAL(8, 3), t DATETIME(3))");
        c.Do("INSERT INTO edited (id) VALUES (1)");
        const string Row = "metadata of expressions and of large types";
        using (var reader = c.Command("SELECT id, id + 1 AS next, 'x' AS x FROM edited").ExecuteReader())
        {
            var table = new DataTable();
            table.Load(reader);
            t.Differs("read-only", table.Columns.Cast<DataColumn>().Select(static column => column.ReadOnly).ToList(), Row, "an expression cannot be updated");
            t.Differs("edited", Trial.Outcome(() => table.Rows[0]["x"] = "y"), Row, "an expression cannot be updated");
        }

        using (var reader = c.Command("SELECT e.*, 1 + 1 AS two FROM edited AS e").ExecuteReader())
        {
            var schema = reader.GetSchemaTable()!;
            foreach (var name in new[] { "ProviderType", "NumericPrecision", "NumericScale", "BaseColumnName", "BaseTableName", "BaseSchemaName" })
                t.Differs(name, schema.Rows.Cast<DataRow>().Select(row => row[name]).ToList(), Row, "more of it is filled");
            t.Differs("TableName", reader.GetColumnSchema().Select(static column => ((MySqlDbColumn)column).TableName).ToList(), Row, "the table's own name");
        }
    }

    public static void A_lost_connection(Trial t)
    {
        using var admin = t.Open();
        using var c = t.Open("Pooling=false");
        admin.Do($"KILL {c.ServerThread}");
        Thread.Sleep(300);
        var lost = (MySqlException)Trial.Outcome(() => c.Scalar("SELECT 1"))!;
        t.Say("number", lost.Number);
        t.Differs("inside", lost.InnerException is EndOfStreamException, "`InnerException` of a lost connection", "the kind of failure");
        t.Differs("transient", lost.IsTransient, "transient errors", "another connection may work");
    }

    public static void Names_of_servers(Trial t)
    {
        using var c = new MySqlConnection("Server=a,b;User ID=u");
        t.Differs("several", c.DataSource, "… `DataSource` of a connection", "one name");
        using var one = new MySqlConnection("Server=a;User ID=u");
        t.Say("one", one.DataSource);
        t.Differs("protocol", new MySqlConnectionStringBuilder { ConnectionProtocol = MySqlConnectionProtocol.Tcp, Server = "a" }.ConnectionString,
            "… its values", "the first names of MySql.Data");
        t.Differs("long", new MySqlCommand { CommandTimeout = int.MaxValue }.CommandTimeout, "command time-outs beyond 2,147,483 seconds", "what was set");
    }

    public static void A_file_by_its_name(Trial t)
    {
        using var c = t.Open("Allow Load Local Infile=true");
        c.Do("CREATE TABLE loaded (id INT, s VARCHAR(10))");
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, "1,one\n2,two\n");
            var loader = new MySqlBulkLoader(c) { FileName = file, TableName = "loaded", FieldTerminator = ",", Local = true };
            t.Differs("rows", Trial.Outcome(() => loader.Load()), "`MySqlBulkLoader` with a file", "the directory is named");
            // Without a verified certificate.
            t.Say("in a text", Trial.Outcome(() => c.Do($"LOAD DATA LOCAL INFILE '{file}' INTO TABLE loaded FIELDS TERMINATED BY ','")) is MySqlException);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static object? Short(Func<object?> action) => Trial.Outcome(action) is var outcome && outcome is MySqlException e ? e.Number : outcome;

    public static void Types_of_the_schema(Trial t)
    {
        using var c = t.Open();
        var types = c.GetSchema("DataTypes");
        t.Differs("rows", types.Rows.Cast<DataRow>().Select(static row => string.Join("|", row.ItemArray.Take(6))).ToList(), "… details", "no row twice");
    }
}
