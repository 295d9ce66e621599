using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// Shared members of the tests of bad MySQL peers. Each test runs with the synchronous and with the asynchronous methods, alone unless its class overrides
/// that.
/// </summary>
[Collection(nameof(Alone))]
public abstract class MySqlPeerTests
{
    protected const string Password = "open sesame";

    /// <summary>Creates a client for this server only, without TLS unless <paramref name="options"/> enable it.</summary>
    protected static Client Connect(FakeServer server, bool asynchronously, string options = "")
    {
        var source = new MySqlDataSource(
            $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Pipelining "
                + $"Mode=On;{options}");
        return new Client(source, server, asynchronously);
    }

    /// <summary>Checks that the connection attempt failed, with the number that applications expect for it and a message that names the server.</summary>
    protected static MySqlException IsConnectFailure(FakeServer server, Exception exception)
    {
        var failure = Assert.IsType<MySqlException>(exception);
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
        Assert.Contains($"{server.Address}:{server.Port}", failure.Message);
        Assert.DoesNotContain(Password, failure.ToString());
        return failure;
    }

    /// <summary>Checks that the server broke the protocol after the login.</summary>
    protected static MySqlProtocolException IsBrokenProtocol(Exception exception) => Assert.IsType<MySqlProtocolException>(exception);

    protected static void NeverSent(FakeServer server, ReadOnlySpan<byte> secret) => Assert.Equal(-1, server.Received.AsSpan().IndexOf(secret));
}
