using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>
/// A prepared statement, whether the caller or the driver prepared it, never shows another statement, another database, or another state of a table than its
/// text would.
/// </summary>
public sealed class PreparedStatementTests
{
    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_a_text_refuses_as_its_limit_is_refused_when_the_text_has_prepared_itself(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        await used.RunAsync($"CREATE TEMPORARY TABLE {used.Name} (id int)");
        await used.RunAsync($"INSERT INTO {used.Name} VALUES (1), (2), (3)");
        for (var round = 0; round < 5; round++)
        {
            foreach (var refused in new object[] { DBNull.Value, -1, -1L, "2", 1.5m })
            {
                for (var time = 0; time < 4; time++)
                    Assert.Equal(2, Rows(2));
                Assert.True(used.Prepared > 0);
                Assert.Equal(1064, Assert.Throws<MySqlException>(() => Rows(refused)).Number);
            }
        }

        int Rows(object limit)
        {
            using var command = new MySqlCommand($"SELECT id FROM {used.Name} WHERE id < @most LIMIT @limit", used.Connection);
            command.Parameters.AddWithValue("@most", 1000);
            command.Parameters.AddWithValue("@limit", limit);
            using var reader = command.ExecuteReader();
            var rows = 0;
            while (reader.Read())
                rows++;
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task NULL_has_the_type_that_it_has_when_it_comes_first(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        await using var other = await Used.OpenAsync(kind);
        var first = TypeOf(Prepared(other.Connection), DBNull.Value);
        var command = Prepared(used.Connection);
        TypeOf(command, 5);
        TypeOf(command, 5);
        // MySQL keeps the type of the first value, MariaDB uses the type of each execution.
        if (kind != ServerKind.MySql)
            Assert.Equal(first, TypeOf(command, DBNull.Value));
        TypeOf(command, 5);
        Assert.Equal(5L, Convert.ToInt64(command.ExecuteScalar()));

        static MySqlCommand Prepared(MySqlConnection connection)
        {
            var command = new MySqlCommand("SELECT @p AS v", connection) { Parameters = { new MySqlParameter("p", 5) } };
            command.Prepare();
            return command;
        }

        static string TypeOf(MySqlCommand command, object value)
        {
            command.Parameters[0].Value = value;
            using var reader = command.ExecuteReader();
            return reader.GetDataTypeName(0) + " " + reader.GetFieldType(0);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_same_text_reads_the_database_that_is_in_use(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        var (a, b) = (used.Name + "_a", used.Name + "_b");
        try
        {
            foreach (var database in new[] { a, b })
            {
                await used.RunAsync($"CREATE DATABASE {database}");
                await used.RunAsync($"CREATE TABLE {database}.who (name varchar(80))");
                await used.RunAsync($"INSERT INTO {database}.who VALUES ('{database}')");
            }

            foreach (var prepare in new[] { false, true })
            {
                for (var i = 0; i < 6; i++)
                {
                    var database = i % 2 == 0 ? a : b;
                    if (i < 3)
                        await used.RunAsync($"USE {database}");
                    else if (i == 3)
                        await used.Connection.ChangeDatabaseAsync(database);
                    else
                        used.Connection.ChangeDatabase(database);
                    for (var time = 0; time < 5; time++)
                        Assert.Equal(database, await used.ScalarAsync("SELECT name FROM who", prepare));
                    Assert.True(used.Prepared > 0);
                }
            }
        }
        finally
        {
            await used.RunAsync($"DROP DATABASE IF EXISTS {a}");
            await used.RunAsync($"DROP DATABASE IF EXISTS {b}");
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_same_text_is_read_by_the_rules_that_are_set(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        var initial = await used.ScalarAsync("SELECT @@sql_mode");
        await used.RunAsync("CREATE TEMPORARY TABLE rules (a varchar(10), b varchar(10))");
        await used.RunAsync("INSERT INTO rules VALUES ('a', 'A')");
        string[] texts =
            ["SELECT a || b FROM rules", "SELECT a = b FROM rules", "SELECT COUNT(*) FROM rules WHERE 'a' = 'A'", "SELECT 5 - CAST(1 AS UNSIGNED) FROM rules"];
        string[] settings =
        [
            "SET sql_mode = 'PIPES_AS_CONCAT'", "SET NAMES utf8mb4 COLLATE utf8mb4_bin", $"SET sql_mode = '{initial}'",
            "SET collation_connection = utf8mb4_general_ci", "SET sql_mode = 'PIPES_AS_CONCAT', no_such_variable = 1",
            "SET character_set_connection = latin1", "SET @@session.sql_mode = ''", "SET sql_mode = 'ANSI', sql_mode = 'bogus'",
        ];
        for (var i = 0; i < settings.Length; i++)
        {
            try
            {
                await used.RunAsync(settings[i]);
            }
            catch (MySqlException)
            {
                // A statement that fails half-way may still have changed something.
            }

            foreach (var text in texts)
            {
                var expected = await used.ScalarAsync($"{text} /*!99999 {i} */");
                for (var time = 0; time < 4; time++)
                    Assert.Equal(expected, await used.ScalarAsync(text));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_statement_that_somebody_else_prepared_is_never_executed(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        var procedure = used.Name + "_p";
        await used.RunAsync("CREATE TEMPORARY TABLE victim (id int)");
        await used.RunAsync("INSERT INTO victim VALUES (1), (2), (3)");
        await used.RunAsync(
            $"CREATE PROCEDURE {procedure}(n int) BEGIN WHILE n > 0 DO PREPARE inside FROM 'DELETE FROM victim'; SET n = n - 1; END WHILE; END");
        try
        {
            for (var i = 0; i < 60; i++)
            {
                Assert.Equal((long)i, Convert.ToInt64(await used.ScalarAsync($"SELECT {i} FROM victim LIMIT 1", prepare: true)));
                switch (i % 12)
                {
                    case 1:
                        await used.RunAsync("PREPARE outside FROM 'DELETE FROM victim'");
                        break;
                    case 2:
                        await used.RunAsync($"CALL {procedure}(3)");
                        break;
                    case 3:
                        await used.RunAsync($"CALL {procedure}({i})", prepare: true);
                        break;
                    case 4:
                        await Assert.ThrowsAsync<MySqlException>(() => used.ScalarAsync($"SELECT nonsense FROM {i}", prepare: true));
                        break;
                    case 5:
                        await used.RunAsync("SELECT 1; PREPARE outside FROM 'DELETE FROM victim'; PREPARE outside FROM 'DELETE FROM victim WHERE 1'");
                        break;
                    case 6:
                        await used.Connection.ResetConnectionAsync();
                        await used.RunAsync("CREATE TEMPORARY TABLE victim (id int)");
                        await used.RunAsync("INSERT INTO victim VALUES (1), (2), (3)");
                        break;
                    case 7:
                        await used.RunAsync("DEALLOCATE PREPARE outside", mayFail: true);
                        break;
                    case 8:
                        await used.RunAsync("CREATE TEMPORARY TABLE IF NOT EXISTS other (id int)", prepare: true);
                        await used.RunAsync("CREATE TEMPORARY TABLE IF NOT EXISTS other (id int)", prepare: true);
                        break;
                    case 9:
                        await used.RunAsync($"ALTER TABLE victim ADD c{i} int");
                        break;
                    case 10:
                        await used.RunAsync("PREPARE broken FROM 'nonsense'", mayFail: true);
                        break;
                    case 11:
                        await Assert.ThrowsAsync<MySqlException>(() => used.RunAsync($"CALL {procedure}_is_not_there()", prepare: true));
                        break;
                }
            }

            Assert.Equal(3L, Convert.ToInt64(await used.ScalarAsync("SELECT COUNT(*) FROM victim")));
            Assert.Equal(System.Data.ConnectionState.Open, used.Connection.State);
        }
        finally
        {
            await used.RunAsync($"DROP PROCEDURE IF EXISTS {procedure}");
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task PREPARE_and_the_first_execution_are_one_round_trip(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source =
            new MySqlDataSource($"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database}");
        await using var connection = await source.OpenConnectionAsync();
        await PreparedAsync(connection, 0);
        proxy.Counters.Reset();
        for (var i = 1; i <= 10; i++)
            await PreparedAsync(connection, i);
        Assert.Equal(10, proxy.Counters.RoundTrips);
        Assert.Equal(10, proxy.Counters.SegmentsSent);
    }

    [Theory]
    [InlineData(ServerKind.MySql, "Connection Reset=false")]
    [InlineData(ServerKind.MariaDb, "Connection Reset=false")]
    [InlineData(ServerKind.MariaDb11, "Connection Reset=false")]
    [InlineData(ServerKind.MySql, "Connection Reset=true")]
    [InlineData(ServerKind.MariaDb, "Connection Reset=true")]
    [InlineData(ServerKind.MariaDb11, "Connection Reset=true")]
    public async Task Open_prepare_execute_close_is_one_round_trip(ServerKind kind, string options)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source =
            new MySqlDataSource($"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database};{options}");
        for (var i = 0; i < 13; i++)
        {
            if (i == 3)
                proxy.Counters.Reset();
            await using var connection = await source.OpenConnectionAsync();
            await PreparedAsync(connection, 42);
        }

        Assert.Equal(10, proxy.Counters.RoundTrips);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Preparing_itself_costs_no_round_trip_and_a_hint_makes_it_early(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source =
            new MySqlDataSource($"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database}");
        await using var connection = await source.OpenConnectionAsync();
        await PreparedAsync(connection, 0);
        source.Prepare("SELECT 2 AS hinted");
        proxy.Counters.Reset();
        foreach (var (text, at) in new[] { ("SELECT 1 AS often", 3), ("SELECT 2 AS hinted", 1), ("SELECT 1e0 AS floating", 2) })
        {
            var before = connection.MySqlSession.Prepared.Count;
            for (var time = 1; time <= 5; time++)
            {
                await using var command = new MySqlCommand(text, connection);
                await command.ExecuteScalarAsync();
                Assert.Equal(time < at ? before : before + 1, connection.MySqlSession.Prepared.Count);
            }
        }

        Assert.Equal(15, proxy.Counters.RoundTrips);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_server_without_room_is_not_asked_again_and_again(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind, "--max-prepared-stmt-count=3");
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Pooling=false"));
        await using var connection = await source.OpenConnectionAsync();
        for (var time = 0; time < 5; time++)
        {
            for (var i = 0; i < 8; i++)
            {
                await using var command = new MySqlCommand($"SELECT {i} AS n", connection);
                Assert.Equal((long)i, Convert.ToInt64(await command.ExecuteScalarAsync()));
                command.Prepare();
                Assert.Equal((long)i, Convert.ToInt64(await command.ExecuteScalarAsync()));
            }
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, 0)]
    [InlineData(ServerKind.MySql, 4)]
    [InlineData(ServerKind.MariaDb, 0)]
    [InlineData(ServerKind.MariaDb11, 0)]
    [InlineData(ServerKind.MariaDb, 4)]
    [InlineData(ServerKind.MariaDb11, 4)]
    public async Task A_budget_is_kept(ServerKind kind, int most)
    {
        var used = await Used.OpenAsync(kind, $"Max Auto Prepare={most}");
        var auto = used.Connection.MySqlSession.AutoPrepare;
        for (var time = 0; time < 4; time++)
            for (var i = 0; i < 10; i++)
                await used.ScalarAsync($"SELECT {i} AS n");
        Assert.Equal(most, used.Prepared);
        Assert.Equal(most, auto.Prepared);
        await used.DisposeAsync();
        Assert.Equal(0, auto.Prepared);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_table_that_changes_between_executions_is_never_misread(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        await using var other = await Used.OpenAsync(kind);
        var table = used.Name + "_t";
        string[] forms =
            [
                "id int, a int, b varchar(20)", "id int, b varchar(20), a int", "a bigint, id int", "id int, a varchar(20), b int",
                "id int, x double, a datetime, b int", "b text, a decimal(10,2), id int"
            ];
        await used.RunAsync($"CREATE TABLE {table} (id int)");
        try
        {
            var random = new Random(17);
            var changing = Task.Run(async () =>
            {
                for (var i = 0; i < 60; i++)
                {
                    await other.RunAsync($"CREATE OR REPLACE VIEW {table}_v AS SELECT 1 AS id", mayFail: true);
                    await other.RunAsync($"DROP TABLE IF EXISTS {table}_new");
                    await other.RunAsync($"CREATE TABLE {table}_new ({forms[random.Next(forms.Length)]})");
                    // Each column of a row contains its own name, in the column's type.
                    await other.RunAsync($"INSERT INTO {table}_new (id) VALUES (7)");
                    await other.RunAsync($"RENAME TABLE {table} TO {table}_old, {table}_new TO {table}");
                    await other.RunAsync($"DROP TABLE {table}_old");
                    await other.RunAsync($"ALTER TABLE {table} ADD extra{i} bigint DEFAULT 12345678901 FIRST");
                }
            });
            var seen = 0;
            while (!changing.IsCompleted || seen < 100)
            {
                await using var command = new MySqlCommand($"SELECT * FROM {table} WHERE id > @id", used.Connection);
                command.Parameters.AddWithValue("@id", 0);
                if (seen % 3 == 0)
                    command.Prepare();
                try
                {
                    await using var reader = await command.ExecuteReaderAsync();
                    while (await reader.ReadAsync())
                    {
                        for (var i = 0; i < reader.FieldCount; i++)
                        {
                            var value = reader.GetValue(i);
                            Assert.Equal(
                                reader.GetName(i) == "id" ? 7 : reader.GetName(i).StartsWith("extra", StringComparison.Ordinal) ? 12345678901L : DBNull.Value,
                                value);
                        }

                        seen++;
                    }
                }
                catch (MySqlException exception) when (exception.Number is 1146 or 1054 or 1412 or 1615 or 1032 or 1243 or 1684)
                {
                    // The table did not exist for a moment.
                    seen++;
                }
            }

            await changing;
        }
        finally
        {
            await used.RunAsync($"DROP VIEW IF EXISTS {table}_v");
            await used.RunAsync($"DROP TABLE IF EXISTS {table}, {table}_new, {table}_old");
        }
    }

    private static async Task PreparedAsync(MySqlConnection connection, int number)
    {
        await using var command = new MySqlCommand($"SELECT {number} AS n", connection);
        await command.PrepareAsync();
        Assert.Equal((long)number, Convert.ToInt64(await command.ExecuteScalarAsync()));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Bytes_compared_with_a_text_column_are_judged_as_the_literal_is(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        await used.RunAsync($"CREATE TEMPORARY TABLE {used.Name} (id int PRIMARY KEY, s varchar(20) CHARACTER SET utf8mb4, b varbinary(20))");
        await used.RunAsync($"INSERT INTO {used.Name} VALUES (1, 'ten', x'FF00')");
        for (var time = 0; time < 4; time++)
        {
            Assert.Equal(1L, Count("s", "ten"));
            Assert.Equal(1L, Count("b", new byte[] { 0xFF, 0 }));
        }

        var isPrepared = used.Prepared;
        await using var plain = await Used.OpenAsync(kind, "Auto Prepare=false");
        await plain.RunAsync($"CREATE TEMPORARY TABLE {plain.Name} (s varchar(20) CHARACTER SET utf8mb4)");
        await plain.RunAsync($"INSERT INTO {plain.Name} VALUES ('ten')");
        Assert.Equal(Told(plain, "s"), Told(used, "s"));
        Assert.True(isPrepared >= 2, $"{isPrepared} statements were prepared");

        object Count(string column, object value) => Ask(used, column, value);

        object Told(Used one, string column)
        {
            try
            {
                return Ask(one, column, new byte[] { 0xFF, 0, 0x41 });
            }
            catch (MySqlException exception)
            {
                return exception.Number;
            }
        }

        static object Ask(Used one, string column, object value)
        {
            using var command = new MySqlCommand($"SELECT COUNT(*) FROM {one.Name} WHERE {column} = @value", one.Connection);
            command.Parameters.AddWithValue("@value", value);
            return command.ExecuteScalar()!;
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_one_command_has_prepared_does_not_change_what_another_reads(ServerKind kind)
    {
        await using var used = await Used.OpenAsync(kind);
        await used.RunAsync($"CREATE TEMPORARY TABLE {used.Name} (f float)");
        await used.RunAsync($"INSERT INTO {used.Name} VALUES (16777216)");
        var sql = $"SELECT f FROM {used.Name}";
        // In text the server writes six digits of a FLOAT, in binary it sends all.
        Assert.Equal(16777216f, await used.ScalarAsync(sql, prepare: true));
        await using (var batch = new MySqlBatch(used.Connection))
        {
            batch.BatchCommands.Add(new MySqlBatchCommand(sql));
            Assert.Equal(16777200f, await batch.ExecuteScalarAsync());
        }

        Assert.Equal(16777200f, await used.ScalarAsync(sql));
        Assert.Equal(16777216f, await used.ScalarAsync(sql, prepare: true));
        Assert.Equal(16777200f, await used.ScalarAsync(sql));
    }

    private sealed class Used : IAsyncDisposable
    {
        private readonly MySqlDataSource _source;

        private Used(MySqlDataSource source, MySqlConnection connection) => (_source, Connection) = (source, connection);

        public MySqlConnection Connection { get; }

        public string Name { get; } = "prepared_" + Guid.NewGuid().ToString("N")[..8];

        public int Prepared => Connection.MySqlSession.Prepared.Count;

        public static async Task<Used> OpenAsync(ServerKind kind, string options = "")
        {
            var server = await LiveServers.GetAsync(kind);
            var source = new MySqlDataSource(ConnectionStrings.MySql(server, options));
            return new(source, await source.OpenConnectionAsync());
        }

        public async Task RunAsync(string sql, bool prepare = false, bool mayFail = false)
        {
            try
            {
                await ScalarAsync(sql, prepare);
            }
            catch (MySqlException) when (mayFail)
            {
            }
        }

        public async Task<object?> ScalarAsync(string sql, bool prepare = false)
        {
            await using var command = new MySqlCommand(sql, Connection);
            if (prepare)
                await command.PrepareAsync();
            return await command.ExecuteScalarAsync();
        }

        public async ValueTask DisposeAsync()
        {
            await Connection.DisposeAsync();
            await _source.DisposeAsync();
        }
    }
}
