using System.Transactions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>The driver queries warnings only if there is a listener, and reports them to it.</summary>
public sealed class InfoMessageTests
{
    public static TheoryData<ServerKind, bool> Ways =>
        new() { { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true } };

    [Theory, MemberData(nameof(Ways))]
    public async Task Each_way_of_running_a_command_tells_its_warnings(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind);
        var told = new List<string>();
        connection.InfoMessage += (sender, e) =>
        {
            Assert.Same(connection, sender);
            told.AddRange(e.Errors.Select(static error => $"{error.Level} {(int)error.ErrorCode}"));
        };
        const string Drops = "DROP TABLE IF EXISTS message_none";
        await using (var command = new MySqlCommand(Drops, connection))
            Assert.Equal(0, asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery());
        Assert.Equal(["Note 1051"], told);

        told.Clear();
        const string Division = "SELECT 7, 1 DIV 0";
        await using (var command = new MySqlCommand(Division, connection))
            Assert.Equal(7, Convert.ToInt32(asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar(), null));
        await using (var command = new MySqlCommand(Division, connection))
            Assert.Equal(7, asynchronously ? await command.ExecuteScalarAsync<int>() : command.ExecuteScalar<int>());
        Assert.Equal(["Warning 1365", "Warning 1365"], told);

        // A reader reports them when it is closed; its rows are unchanged.
        told.Clear();
        await using (var command = new MySqlCommand(Division, connection))
        {
            command.Prepare();
            await using var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(7, reader.GetInt32(0));
            Assert.True(reader.IsDBNull(1));
            Assert.False(asynchronously ? await reader.ReadAsync() : reader.Read());
            Assert.Empty(told);
        }

        Assert.Equal(["Warning 1365"], told);

        told.Clear();
        await using (var batch = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("DO 1"), new MySqlBatchCommand(Drops) } })
            _ = asynchronously ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
        Assert.Equal(["Note 1051"], told);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Who_listens_may_use_the_connection(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind);
        var seen = 0L;
        connection.InfoMessage += (_, _) =>
        {
            using var inner = new MySqlCommand("SELECT 5", connection);
            seen += Convert.ToInt64(inner.ExecuteScalar(), null);
        };
        await using var command = new MySqlCommand("DROP TABLE IF EXISTS message_none", connection);
        _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
        await using (var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader())
            Assert.False(reader.HasRows);
        Assert.Equal(10, seen);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Nobody_is_told_without_warnings_behind_an_error_or_after_listening_has_ended(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind);
        var told = 0;
        void Listen(object sender, MySqlInfoMessageEventArgs e) => told++;
        connection.InfoMessage += Listen;
        await using var command = new MySqlCommand("SELECT 1", connection);
        _ = asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
        command.CommandText = "DROP TABLE IF EXISTS message_none; SELECT message_column";
        if (asynchronously)
            await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteNonQueryAsync());
        else
            Assert.Throws<MySqlException>(() => command.ExecuteNonQuery());
        connection.InfoMessage -= Listen;
        command.CommandText = "DROP TABLE IF EXISTS message_none";
        _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
        Assert.Equal(0, told);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Listening_before_opening_lasts_over_several_openings_and_not_for_others(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind);
        await connection.CloseAsync();
        var told = 0;
        connection.InfoMessage += (_, _) => told++;
        for (var i = 1; i <= 2; i++)
        {
            if (asynchronously)
                await connection.OpenAsync();
            else
                connection.Open();
            await using (var command = new MySqlCommand("DROP TABLE IF EXISTS message_none", connection))
                await command.ExecuteNonQueryAsync();
            Assert.Equal(i, told);
            await connection.CloseAsync();
        }

        await using var other = new MySqlConnection(connection.ConnectionString);
        await using var source = await Source(kind, static _ => { });
        await using var another = await source.OpenConnectionAsync();
        await using (var command = new MySqlCommand("DROP TABLE IF EXISTS message_none", another))
            await command.ExecuteNonQueryAsync();
        Assert.Equal(2, told);
    }

    // A transaction keeps the session of a closed connection. The next connection that joins gets that session, whether it is open or not.
    [Theory, MemberData(nameof(Ways))]
    public async Task A_session_that_a_transaction_has_kept_asks_for_those_who_listen_now(ServerKind kind, bool asynchronously)
    {
        await using var source = await Source(kind, static builder => builder.ConnectionStringBuilder.ConnectionReset = false);
        await using var first = await source.OpenConnectionAsync();
        await using var listening = await source.OpenConnectionAsync();
        await using var another = await source.OpenConnectionAsync();
        var told = 0;
        listening.InfoMessage += (_, _) => told++;
        using var transaction = new CommittableTransaction();
        first.EnlistTransaction(transaction);
        await Divide(first);
        await first.CloseAsync();
        listening.EnlistTransaction(transaction);
        await Divide(listening);
        Assert.Equal(1, told);
        await listening.CloseAsync();
        another.EnlistTransaction(transaction);
        var asked = await Asked();
        await Divide(another);
        Assert.Equal(asked, await Asked());
        Assert.Equal(1, told);

        async Task Divide(MySqlConnection connection)
        {
            await using var command = new MySqlCommand("SELECT 7, 1 DIV 0", connection);
            Assert.Equal(7, Convert.ToInt32(asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar(), null));
        }

        async Task<string> Asked()
        {
            await using var command = new MySqlCommand("SHOW SESSION STATUS LIKE 'Com_show_warnings'", another);
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            return reader.GetString(1);
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task The_callback_of_a_data_source_runs_behind_every_opening(ServerKind kind, bool asynchronously)
    {
        var conditions = new List<MySqlConnectionOpenedConditions>();
        await using var source = await Source(kind, builder => builder.UseConnectionOpenedCallback(async (context, token) =>
        {
            conditions.Add(context.Conditions);
            await using var command = new MySqlCommand("SET @opened = COALESCE(@opened, 0) + 1", context.Connection);
            await command.ExecuteNonQueryAsync(token);
        }));
        for (var i = 0; i < 3; i++)
        {
            await using var connection = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection();
            await using var command = new MySqlCommand("SELECT @opened", connection);
            Assert.Equal(1, Convert.ToInt32(await command.ExecuteScalarAsync(), null));
        }

        Assert.Equal([MySqlConnectionOpenedConditions.New, MySqlConnectionOpenedConditions.Reset, MySqlConnectionOpenedConditions.Reset], conditions);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Without_resets_the_callback_is_told_so_and_its_exception_closes_the_connection(ServerKind kind, bool asynchronously)
    {
        var conditions = new List<MySqlConnectionOpenedConditions>();
        var fails = false;
        await using var source = await Source(kind, builder =>
        {
            builder.ConnectionStringBuilder.ConnectionReset = false;
            builder.UseConnectionOpenedCallback((context, _) =>
            {
                conditions.Add(context.Conditions);
                return fails ? throw new InvalidOperationException("not today") : default;
            });
        });
        for (var i = 0; i < 2; i++)
            await (asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection()).DisposeAsync();
        Assert.Equal([MySqlConnectionOpenedConditions.New, MySqlConnectionOpenedConditions.None], conditions);
        fails = true;
        await using var connection = source.CreateConnection();
        var failure =
            asynchronously
                ? await Assert.ThrowsAsync<InvalidOperationException>(() => connection.OpenAsync())
                : Assert.Throws<InvalidOperationException>(connection.Open);
        Assert.Equal("not today", failure.Message);
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
    }

    private static async Task<MySqlConnection> Open(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task<MySqlDataSource> Source(ServerKind kind, Action<MySqlDataSourceBuilder> configure)
    {
        var builder = new MySqlDataSourceBuilder(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Allow User Variables=true"));
        configure(builder);
        return builder.Build();
    }
}
