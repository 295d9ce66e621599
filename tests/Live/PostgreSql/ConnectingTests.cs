using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Connecting that is configured in code, with real servers.</summary>
public class ConnectingTests
{
    public static TheoryData<ServerKind> Kinds => [ServerKind.PostgreSql, ServerKind.PostgreSql18];

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_provider_gives_the_password_and_an_initializer_prepares_the_session(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var (asked, prepared) = (0, 0);
        var builder = new PgDataSourceBuilder(ConnectionStrings.PostgreSql(server, "No Reset On Close=true"));
        var password = builder.ConnectionStringBuilder.Password;
        builder.ConnectionStringBuilder.Password = null;
        await using var source = builder
            .UsePeriodicPasswordProvider(
                (_, _) =>
                {
                    asked++;
                    return new(password);
                }, TimeSpan.FromMinutes(10), TimeSpan.Zero)
            .UsePhysicalConnectionInitializer(
                connection =>
                {
                    prepared++;
                    Prepare(connection);
                },
                async connection =>
                {
                    prepared++;
                    await using var command = new PgCommand("SET app.prepared = 'yes'", connection);
                    await command.ExecuteNonQueryAsync();
                })
            .Build();
        for (var i = 0; i < 2; i++)
        {
            await using var first = source.OpenConnection();
            await using var second = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
            foreach (var connection in new[] { first, second })
            {
                await using var command = new PgCommand("SELECT current_setting('app.prepared')", connection);
                Assert.Equal("yes", await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
            }
        }

        Assert.Equal((1, 2), (asked, prepared));

        static void Prepare(PgConnection connection)
        {
            using var command = new PgCommand("SET app.prepared = 'yes'", connection);
            command.ExecuteNonQuery();
        }
    }

    // Before version 14, which the lab does not have, the role would be asked for; here, a session of the pool asks after the time has passed.
    [Theory, MemberData(nameof(Kinds))]
    public async Task The_role_of_a_server_is_found(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = new PgDataSourceBuilder(ConnectionStrings.PostgreSql(server, "Host Recheck Seconds=0;Maximum Pool Size=1")).BuildMultiHost();
        for (var i = 0; i < 3; i++)
        {
            await using (var blocking = source.OpenConnection(TargetSessionAttributes.Primary))
                Assert.Equal(server.Port, blocking.Port);
            await using (var asynchronous = await source.OpenConnectionAsync(TargetSessionAttributes.ReadWrite, TestContext.Current.CancellationToken))
                Assert.Equal(server.Port, asynchronous.Port);
            await using (source.OpenConnection(TargetSessionAttributes.PreferStandby))
                Assert.Equal(1, source.Statistics.Busy);
        }

        Assert.Contains("It is a primary.", Assert.Throws<PgException>(() => source.OpenConnection(TargetSessionAttributes.Standby)).Message);
        Assert.Equal(1, source.Statistics.Opened);
    }

    [Fact]
    public async Task Direct_TLS_needs_no_request()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql18);
        var options = ConnectionStrings.PostgreSql(server).Replace("SSL Mode=Disable", "SSL Mode=Require", StringComparison.Ordinal);
        await using var source = PgDataSource.Create(options + ";SSL Negotiation=Direct;Command Timeout=1");
        await using var blocking = source.OpenConnection();
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var command = new PgCommand("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", connection);
        Assert.Equal(true, await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
        // The cancellation uses another connection, which begins in the same way.
        command.CommandText = "SELECT pg_sleep(30)";
        await Assert.ThrowsAsync<PgException>(() => command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken));
        Assert.Equal(System.Data.ConnectionState.Open, connection.State);
    }

    [Fact]
    public async Task Keep_alive_queries_leave_a_transaction_as_it_is()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Keepalive=1"));
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var transaction = await connection.BeginTransactionAsync(TestContext.Current.CancellationToken);
        await using var command = new PgCommand("SELECT pg_current_xact_id()::text", connection, transaction);
        var before = await command.ExecuteScalarAsync(TestContext.Current.CancellationToken);
        var pings = connection.BytesReceived();
        await Eventually.TrueAsync(() => connection.BytesReceived() > pings);
        Assert.Equal(before, await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
        await transaction.CommitAsync(TestContext.Current.CancellationToken);
    }
}

/// <summary>What a test can see of a session.</summary>
file static class Seen
{
    /// <summary>Returns the number of bytes that the session has received.</summary>
    public static long BytesReceived(this PgConnection connection) => connection.Session.Wire.Received;
}
