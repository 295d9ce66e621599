using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Fact]
    public async Task A_connection_opens_closes_and_opens_again()
    {
        await using var connection = Create();
        Assert.Equal(ConnectionState.Closed, connection.State);
        for (var i = 0; i < 3; i++)
        {
            await Mode.Open(connection);
            Assert.Equal(ConnectionState.Open, connection.State);
            Assert.Equal(1, await Number(connection, "SELECT 1"));
            await Mode.Close(connection);
            Assert.Equal(ConnectionState.Closed, connection.State);
        }

        await Mode.Close(connection);
        await Mode.Dispose(connection);
        await Mode.Dispose(connection);
        Assert.Equal(ConnectionState.Closed, connection.State);
    }

    [Fact]
    public async Task State_changes_are_told()
    {
        await using var connection = Create();
        var changes = new List<(ConnectionState, ConnectionState)>();
        connection.StateChange += (sender, change) =>
        {
            Assert.Same(connection, sender);
            changes.Add((change.OriginalState, change.CurrentState));
        };
        await Mode.Open(connection);
        await Mode.Close(connection);
        await Mode.Close(connection);
        (ConnectionState, ConnectionState)[] opening = Server.ReportsConnecting
            ? [(ConnectionState.Closed, ConnectionState.Connecting), (ConnectionState.Connecting, ConnectionState.Open)]
            : [(ConnectionState.Closed, ConnectionState.Open)];
        Assert.Equal([.. opening, (ConnectionState.Open, ConnectionState.Closed)], changes);
    }

    [Fact]
    public async Task Opening_an_open_connection_is_refused_and_harmless()
    {
        await using var connection = await Open();
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Open(connection));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_disposed_connection_cannot_be_opened()
    {
        var connection = Create();
        await Mode.Dispose(connection);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Open(connection));
    }

    [Fact]
    public async Task The_connection_string_is_fixed_while_the_connection_is_open()
    {
        await using var connection = await Open();
        Assert.Throws<InvalidOperationException>(() => connection.ConnectionString = Server.ConnectionString);
        await Mode.Close(connection);
        connection.ConnectionString = Server.With("Pooling=false");
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public void A_connection_string_may_be_empty_or_null()
    {
        using var connection = Server.Factory.CreateConnection()!;
        Assert.Equal("", connection.ConnectionString);
        connection.ConnectionString = null;
        Assert.Equal("", connection.ConnectionString);
    }

    [Fact]
    public async Task The_password_is_not_shown_once_the_connection_has_been_opened()
    {
        await using var connection = await Open();
        Assert.DoesNotContain(Server.Password, connection.ConnectionString);
        Assert.NotEqual("", connection.ConnectionString);
        await Mode.Close(connection);
        Assert.DoesNotContain(Server.Password, connection.ConnectionString);
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public void A_misspelt_option_is_refused_with_its_name()
    {
        var error = Assert.ThrowsAny<ArgumentException>(() =>
        {
            using var connection = Create(Server.With("Poolingg=true"));
            connection.Open();
        });
        Assert.Contains("Poolingg", error.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_connection_describes_itself()
    {
        await using var connection = Create(Server.With($"{Server.ConnectTimeout}=70"));
        Assert.Equal(70, connection.ConnectionTimeout);
        Assert.Equal(Server.Database, connection.Database);
        Assert.Contains(Server.Host, connection.DataSource);
        Assert.ThrowsAny<InvalidOperationException>(() => connection.ServerVersion);
        await Mode.Open(connection);
        Assert.Equal(Server.Database, connection.Database);
        Assert.Matches(@"^\d+\.\d+", connection.ServerVersion);
        Assert.Equal(Server.Database, await Scalar(connection, Server.CurrentDatabase));
    }

    [Fact]
    public async Task The_database_can_be_changed_where_databases_allow_it()
    {
        await using var connection = await Open();
        Assert.ThrowsAny<ArgumentException>(() => connection.ChangeDatabase(""));
        if (Server.OtherDatabase is not { } other)
        {
            await Assert.ThrowsAnyAsync<NotSupportedException>(() => Mode.ChangeDatabase(connection, "other"));
            return;
        }

        await Mode.ChangeDatabase(connection, other);
        Assert.Equal(other, connection.Database);
        Assert.Equal(other, await Scalar(connection, Server.CurrentDatabase));
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.ChangeDatabase(connection, "no_such_database"));

        // If the change needs a new connection, a failure leaves the connection closed.
        if (connection.State != ConnectionState.Open)
            return;
        Assert.Equal(other, await Scalar(connection, Server.CurrentDatabase));
        await Mode.Close(connection);
        await Mode.Open(connection);
        Assert.Equal(connection.Database, await Scalar(connection, Server.CurrentDatabase));
        await Mode.Close(connection);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.ChangeDatabase(connection, other));
    }

    [Fact]
    public async Task Opening_with_a_cancelled_token_does_not_open()
    {
        await using var connection = Create();
        var token = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.OpenAsync(token));
        Assert.Equal(ConnectionState.Closed, connection.State);
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_failed_open_leaves_the_connection_closed()
    {
        await using var connection = Create(Server.With("Password=certainly wrong;Pooling=false"));
        var changes = new List<(ConnectionState, ConnectionState)>();
        connection.StateChange += (_, change) => changes.Add((change.OriginalState, change.CurrentState));
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Mode.Open(connection));
        Assert.DoesNotContain("certainly wrong", error.ToString());
        Assert.Equal(ConnectionState.Closed, connection.State);
        (ConnectionState, ConnectionState)[] tried =
            [(ConnectionState.Closed, ConnectionState.Connecting), (ConnectionState.Connecting, ConnectionState.Closed)];
        Assert.Equal(Server.ReportsConnecting ? tried : [], changes);
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.Open(connection));
    }

    [Fact]
    public void The_factory_makes_parts_that_fit_together()
    {
        using var connection = Server.Factory.CreateConnection()!;
        using var command = Server.Factory.CreateCommand()!;
        command.Connection = connection;
        command.Parameters.Add(Server.Factory.CreateParameter()!);
        Assert.Same(connection, command.Connection);
        using var own = connection.CreateCommand();
        Assert.Same(connection, own.Connection);
        Assert.IsType(command.GetType(), own);
        var builder = Server.Factory.CreateConnectionStringBuilder()!;
        builder.ConnectionString = Server.ConnectionString;
        connection.ConnectionString = builder.ConnectionString;
        connection.Open();
        Assert.Equal(ConnectionState.Open, connection.State);
        Assert.Same(Server.Factory, DbProviderFactories.GetFactory(connection));
    }

    [Fact]
    public async Task What_a_lease_changed_on_the_server_is_gone_in_the_next()
    {
        var options = Server.With("Application Name=lease;Maximum Pool Size=1");
        await using var connection = await Open(options);
        var session = await Scalar(connection, Server.SessionId);
        await Execute(connection, "CREATE TEMPORARY TABLE left_behind (id int)");
        await Mode.Close(connection);
        await Mode.Open(connection);
        Assert.Equal(session, await Scalar(connection, Server.SessionId));
        await Assert.ThrowsAnyAsync<DbException>(() => Scalar(connection, "SELECT COUNT(*) FROM left_behind"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task Without_pooling_every_open_is_a_new_session()
    {
        await using var connection = await Open(Server.With("Pooling=false"));
        var first = await Number(connection, Server.SessionId);
        await Mode.Close(connection);
        await Mode.Open(connection);
        Assert.NotEqual(first, await Number(connection, Server.SessionId));
    }
}
