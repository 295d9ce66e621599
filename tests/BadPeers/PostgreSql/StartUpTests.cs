using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Other servers that answer the start-up in place of a PostgreSQL server.</summary>
public sealed class StartUpTests : PgPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_MySQL_server_is_told_as_the_wrong_server(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting()));
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("Check the port", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_MySQL_server_that_is_asked_for_TLS_is_told_as_the_wrong_server(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting()));
        IsConnectFailure(server, await Connect(server, asynchronously, "SSL Mode=Prefer").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_web_server_is_told_as_the_wrong_server(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"u8);
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("Check the port", failure.Message);
    }

    [Theory]
    [InlineData(false, -1)]
    [InlineData(true, -1)]
    [InlineData(false, 3)]
    [InlineData(true, 3)]
    [InlineData(false, int.MaxValue)]
    [InlineData(true, int.MaxValue)]
    [InlineData(false, 100_000_000)]
    [InlineData(true, 100_000_000)]
    public async Task A_length_that_no_message_of_start_up_has_is_refused(bool asynchronously, int length)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Header('R', length));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Notices_without_end_are_given_up(bool asynchronously)
    {
        long sent = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartup();
            sent = peer.SendUntilClosed(PgWords.Message('N', [(byte)'M', .. PgWords.Text("hello"), 0]), 64 << 20);
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("at most 1,000 messages during the login", failure.Message);
        Assert.InRange(sent, 0, 16 << 20);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Reports_without_end_are_given_up(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(0));
            for (var i = 0; i < 100_000; i++)
                peer.Send(PgWords.ParameterStatus($"name {i}", "value"));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("at most 1,000 messages during the login", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Ready_before_the_authentication_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Ready());
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_without_fields_is_still_an_error(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Error());
            peer.Close();
        });
        Assert.IsAssignableFrom<PgException>(await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Too_many_connections_keeps_the_servers_state(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "53300"), ('M', "sorry, too many clients already")));
            peer.Close();
        });
        var failure = Assert.IsAssignableFrom<PgException>(await Connect(server, asynchronously).OpenFails());
        Assert.Equal("53300", failure.SqlState);
        Assert.True(failure.IsTransient);
        Assert.Contains("too many clients", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_of_too_many_fields_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Error([.. Enumerable.Range(1, 200).Select(static i => ((char)i, "x"))]));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Closing_at_once_is_a_lost_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Close());
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Start_up_byte_by_byte_is_understood(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.SendSlowly(PgWords.LoginSuccess, TimeSpan.FromMilliseconds(1));
        });
        await Connect(server, asynchronously).Opens();
    }
}
