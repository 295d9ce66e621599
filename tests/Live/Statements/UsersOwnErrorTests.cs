using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>
/// A trigger or procedure that has already written something fails with an error number by which a server also reports that it has done nothing: the driver
/// must not execute it twice.
/// </summary>
public sealed class UsersOwnErrorTests
{
    private static int _names;

    public static TheoryData<ServerKind, int, bool, bool> Triggers
    {
        get
        {
            var data = new TheoryData<ServerKind, int, bool, bool>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var number in (int[])[1243, 1615, 1295])
                    foreach (var asynchronous in (bool[])[false, true])
                        foreach (var explicitly in (bool[])[false, true])
                            data.Add(kind, number, asynchronous, explicitly);
            return data;
        }
    }

    public static TheoryData<ServerKind, bool> Servers => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    [Theory]
    [MemberData(nameof(Triggers))]
    public async Task An_error_of_the_users_own_with_the_number_of_a_lost_statement_is_not_repeated(
        ServerKind kind, int number, bool asynchronous, bool explicitly)
    {
        await using var connection = await OpenAsync(kind);
        var table = await CreateAsync(connection, number);
        try
        {
            await using var insert = new MySqlCommand($"INSERT INTO {table} VALUES (@a)", connection) { Parameters = { new("@a", 1) } };
            if (explicitly)
                insert.Prepare();
            for (var i = 0; i < 6; i++)
                Assert.Equal(1, asynchronous ? await insert.ExecuteNonQueryAsync() : insert.ExecuteNonQuery());
            for (var i = 1; i <= 3; i++)
            {
                insert.Parameters[0].Value = 100;
                var refusal =
                    asynchronous
                        ? await Assert.ThrowsAsync<MySqlException>(() => insert.ExecuteNonQueryAsync())
                        : Assert.Throws<MySqlException>(() => insert.ExecuteNonQuery());
                Assert.Equal((number, "mine"), (refusal.Number, refusal.Message));
                Assert.Equal(i, Count(connection, table));
                // The driver forgets the prepared statement, and the command continues to work.
                insert.Parameters[0].Value = 2;
                Assert.Equal(1, asynchronous ? await insert.ExecuteNonQueryAsync() : insert.ExecuteNonQuery());
            }
        }
        finally
        {
            await DropAsync(connection, table);
        }
    }

    [Theory]
    [MemberData(nameof(Triggers))]
    public async Task Nor_in_a_batch(ServerKind kind, int number, bool asynchronous, bool continues)
    {
        await using var connection = await OpenAsync(kind);
        var table = await CreateAsync(connection, number);
        try
        {
            for (var round = 0; round < 12; round++)
            {
                await using var batch = new MySqlBatch(connection) { BatchErrors = continues ? MySqlBatchErrors.Continue : MySqlBatchErrors.Stop };
                for (var i = 0; i < 4; i++)
                    batch.BatchCommands.Add(
                        new MySqlBatchCommand($"INSERT INTO {table} VALUES (@a)") { Parameters = { new("@a", round % 6 == 5 && i == 2 ? 100 : i) } });
                if (round % 6 < 5)
                {
                    Assert.Equal(4, asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery());
                    continue;
                }

                var refusal =
                    asynchronous
                        ? await Assert.ThrowsAsync<MySqlException>(() => batch.ExecuteNonQueryAsync())
                        : Assert.Throws<MySqlException>(() => batch.ExecuteNonQuery());
                Assert.Equal(number, refusal.Number);
                Assert.Equal(round / 6 + 1, Count(connection, table));
            }
        }
        finally
        {
            await DropAsync(connection, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_procedure_that_calls_another_one_wrongly_is_not_called_twice(ServerKind kind, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        var table = await CreateAsync(connection, 1318);
        try
        {
            await RunAsync(connection, $"CREATE PROCEDURE {table}_inner (x INT) SELECT 1");
            await RunAsync(connection, $"CREATE PROCEDURE {table}_outer (a INT) BEGIN INSERT INTO {table}_log VALUES (a); CALL {table}_inner(a, a); END");
            for (var i = 1; i <= 3; i++)
            {
                // A single parameter does not need the procedure's name for it.
                await using var call =
                    new MySqlCommand(table + "_outer", connection) { CommandType = CommandType.StoredProcedure, Parameters = { new("@other", 100) } };
                var refusal =
                    asynchronous
                        ? await Assert.ThrowsAsync<MySqlException>(() => call.ExecuteNonQueryAsync())
                        : Assert.Throws<MySqlException>(() => call.ExecuteNonQuery());
                Assert.Equal(1318, refusal.Number);
                Assert.Equal(i, Count(connection, table));
            }
        }
        finally
        {
            await RunAsync(connection, $"DROP PROCEDURE IF EXISTS {table}_outer");
            await RunAsync(connection, $"DROP PROCEDURE IF EXISTS {table}_inner");
            await DropAsync(connection, table);
        }
    }

    private static async Task<string> CreateAsync(MySqlConnection connection, int number)
    {
        var table = $"own_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        await RunAsync(connection, $"CREATE TABLE {table} (a INT) ENGINE=MyISAM");
        await RunAsync(connection, $"CREATE TABLE {table}_log (a INT) ENGINE=MyISAM");
        await RunAsync(connection, $"CREATE TRIGGER {table}_before BEFORE INSERT ON {table} FOR EACH ROW BEGIN INSERT INTO {table}_log VALUES (NEW.a); "
            + $"IF NEW.a >= 100 THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = {number}, MESSAGE_TEXT = 'mine'; END IF; END");
        return table;
    }

    private static async Task DropAsync(MySqlConnection connection, string table) => await RunAsync(connection, $"DROP TABLE {table}, {table}_log");

    private static async Task RunAsync(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static int Count(MySqlConnection connection, string table)
    {
        using var command = new MySqlCommand($"SELECT count(*) FROM {table}_log WHERE a = 100", connection);
        return Convert.ToInt32(command.ExecuteScalar(), null);
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false"));
        await connection.OpenAsync();
        return connection;
    }
}
