using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

// The rules in the documentation of DbConnection and DbDataSource that other files do not test.
public abstract partial class ProviderContract
{
    [Fact]
    public void A_new_connection_has_the_documented_defaults()
    {
        using var connection = Server.Factory.CreateConnection()!;
        Assert.Equal(("", "", "", ConnectionState.Closed), (connection.ConnectionString, connection.Database, connection.DataSource, connection.State));
        Assert.Equal(15, connection.ConnectionTimeout);
        Assert.True(connection.CanCreateBatch);
        Assert.Null(connection.Site);
    }

    [Fact]
    public async Task A_connection_needs_a_connection_string_where_there_is_no_default_host()
    {
        await using var connection = Server.Factory.CreateConnection()!;
        // As with MySqlConnector, a missing host means this machine.
        if (!Server.HasDefaultHost)
            await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Open(connection));
        Assert.Equal(ConnectionState.Closed, connection.State);
        connection.ConnectionString = Server.ConnectionString;
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Theory]
    [InlineData("=;")]
    [InlineData("no equals sign")]
    [InlineData("Pooling=perhaps")]
    public async Task What_is_no_connection_string_is_refused_as_an_argument(string text)
    {
        await using var connection = Server.Factory.CreateConnection()!;
        await Assert.ThrowsAnyAsync<ArgumentException>(async () =>
        {
            connection.ConnectionString = text;
            await Mode.Open(connection);
        });
        Assert.Equal(ConnectionState.Closed, connection.State);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_password_is_shown_before_opening_and_afterwards_only_if_it_is_to_be_kept(bool persists)
    {
        await using var connection = Create(Server.With($"Persist Security Info={persists}"));
        Assert.Contains(Server.Password, connection.ConnectionString);
        for (var i = 0; i < 2; i++)
        {
            await Mode.Open(connection);
            Assert.Equal(persists, connection.ConnectionString.Contains(Server.Password, StringComparison.Ordinal));
            await Mode.Close(connection);
            Assert.Equal(persists, connection.ConnectionString.Contains(Server.Password, StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task A_state_change_is_told_when_the_state_has_changed_also_by_disposing()
    {
        var connection = Create();
        var changes = new List<string>();
        connection.StateChange += (_, change) => changes.Add($"{change.OriginalState} to {change.CurrentState}, is {connection.State}");
        var disposals = 0;
        connection.Disposed += (_, _) => disposals++;
        await Mode.Open(connection);
        await Mode.Dispose(connection);
        await Mode.Dispose(connection);
        string[] opening = Server.ReportsConnecting ? ["Closed to Connecting, is Connecting", "Connecting to Open, is Open"] : ["Closed to Open, is Open"];
        Assert.Equal([.. opening, "Open to Closed, is Closed"], changes);
        Assert.Equal(ConnectionState.Closed, connection.State);
        Assert.InRange(disposals, 1, 2);
    }

    [Fact]
    public async Task What_needs_an_open_connection_says_so()
    {
        await using var connection = Create();
        await Refused();
        await Mode.Open(connection);
        await Mode.Close(connection);
        await Refused();
        await Mode.Dispose(connection);
        await Refused();

        async Task Refused()
        {
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Begin(connection));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.ChangeDatabase(connection, Server.Database));
            Assert.ThrowsAny<InvalidOperationException>(() => connection.ServerVersion);
            Assert.ThrowsAny<InvalidOperationException>(() => connection.EnlistTransaction(System.Transactions.Transaction.Current));
        }
    }

    [Fact]
    public async Task A_database_s_name_must_be_given_and_exist()
    {
        await using var connection = await Open();
        await Assert.ThrowsAnyAsync<ArgumentException>(() => Mode.ChangeDatabase(connection, null!));
        await Assert.ThrowsAnyAsync<ArgumentException>(() => Mode.ChangeDatabase(connection, ""));
        await Assert.ThrowsAnyAsync<ArgumentException>(() => Mode.ChangeDatabase(connection, "  "));
        Assert.Equal(Server.Database, connection.Database);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_command_of_a_closed_connection_works_when_it_is_open()
    {
        await using var connection = Create();
        await using var command = connection.CreateCommand();
        await using var batch = connection.CreateBatch();
        Assert.Same(connection, command.Connection);
        Assert.Same(connection, batch.Connection);
        Assert.Null(command.Transaction);
        command.CommandText = "SELECT 5";
        Add(batch, "SELECT 6", []);
        await Mode.Open(connection);
        Assert.Equal(5, Convert.ToInt32(await Mode.Scalar(command)));
        Assert.Equal(6, Convert.ToInt32(await Mode.Scalar(batch)));
    }

    [Fact]
    public async Task Closing_under_an_open_transaction_and_reader_leaves_nothing_for_the_next_user()
    {
        await using var table = await CreateTable("id int");
        await using var source = Server.Factory.CreateDataSource(Server.With("Maximum Pool Size=1"));
        var connection = await Mode.Open(source);
        var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
        var command = Command(connection, ThousandRows);
        command.Transaction = transaction;
        var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        await Mode.Dispose(connection);
        Assert.True(reader.IsClosed);
        await using var next = await Mode.Open(source);
        Assert.Equal(0, await Number(next, $"SELECT COUNT(*) FROM {table}"));
        await StillUsable(next);
        await Mode.Dispose(reader);
        await Mode.Dispose(transaction);
        await StillUsable(next);
    }

    // ---------------------------------------------------------------- data sources

    [Fact]
    public async Task A_data_source_is_disposed_once_or_often_and_then_serves_nobody()
    {
        foreach (var asynchronously in new[] { false, true })
        {
            var source = Server.Factory.CreateDataSource(Server.ConnectionString);
            var command = source.CreateCommand("SELECT 1");
            var batch = source.CreateBatch();
            Add(batch, "SELECT 1", []);
            var connection = source.CreateConnection();
            Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
            for (var i = 0; i < 2; i++)
            {
                if (asynchronously)
                    await source.DisposeAsync();
                else
                    source.Dispose();
            }

            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Open(source));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Open(connection));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Scalar(command));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Scalar(batch));
            Assert.Equal(ConnectionState.Closed, connection.State);
        }
    }

    [Fact]
    public async Task A_connection_that_outlives_its_data_source_is_used_to_its_end()
    {
        var source = Server.Factory.CreateDataSource(Server.ConnectionString);
        await using var connection = await Mode.Open(source);
        await source.DisposeAsync();
        await StillUsable(connection);
        await Mode.Close(connection);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Open(connection));
    }

    [Fact]
    public async Task Commands_and_batches_of_a_data_source_give_their_session_back_whatever_happens()
    {
        await using var source = Server.Factory.CreateDataSource(Server.With("Maximum Pool Size=1"));
        for (var i = 0; i < 3; i++)
        {
            await using (var command = source.CreateCommand("SELEKT 1"))
            {
                await Assert.ThrowsAnyAsync<DbException>(() => Mode.Scalar(command));
                await Assert.ThrowsAnyAsync<DbException>(() => Mode.NonQuery(command));
                await Assert.ThrowsAnyAsync<DbException>(() => Mode.Reader(command));
                command.CommandText = "";
                await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Scalar(command));
                command.CommandText = "SELECT 7 UNION ALL SELECT 8";
                await using (var reader = await Mode.Reader(command))
                    Assert.True(await Mode.Read(reader));
                Assert.Equal(7, Convert.ToInt32(await Mode.Scalar(command)));
            }

            await using var batch = source.CreateBatch();
            Add(batch, "SELECT 9", []);
            Add(batch, "SELEKT 1", []);
            await Assert.ThrowsAnyAsync<DbException>(() => Mode.NonQuery(batch));
            batch.BatchCommands.RemoveAt(1);
            await using (var reader = await Mode.Reader(batch))
                Assert.True(await Mode.Read(reader));
            Assert.Equal(9, Convert.ToInt32(await Mode.Scalar(batch)));
        }

        await using var connection = await Mode.Open(source);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Opening_from_a_data_source_with_a_cancelled_token_opens_nothing()
    {
        await using var source = Server.Factory.CreateDataSource(Server.With("Maximum Pool Size=1"));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await source.OpenConnectionAsync(new CancellationToken(canceled: true)));
        await using var connection = await Mode.Open(source);
        await StillUsable(connection);
    }
}
