using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>What tests of bad MySQL peers share. Each runs with the synchronous and with the asynchronous verbs, alone where the class does not say otherwise.</summary>
[Collection(nameof(Alone))]
public abstract class MySqlPeerTests
{
    protected const string Password = "open sesame";

    /// <summary>A client of this server alone, without TLS unless <paramref name="options"/> want it.</summary>
    protected static Client Connect(FakeServer server, bool asynchronously, string options = "")
    {
        var source = new MySqlDataSource(
            $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;{options}");
        return new Client(source, server, asynchronously);
    }

    /// <summary>The connection could not be made: the number that applications know for it, and a message that names the server.</summary>
    protected static MySqlException IsConnectFailure(FakeServer server, Exception exception)
    {
        var failure = Assert.IsType<MySqlException>(exception);
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
        Assert.Contains($"{server.Address}:{server.Port}", failure.Message);
        Assert.DoesNotContain(Password, failure.ToString());
        return failure;
    }

    /// <summary>The server broke the protocol after the login.</summary>
    protected static MySqlProtocolException IsBrokenProtocol(Exception exception) => Assert.IsType<MySqlProtocolException>(exception);

    protected static void NeverSent(FakeServer server, ReadOnlySpan<byte> secret) => Assert.Equal(-1, server.Received.AsSpan().IndexOf(secret));
}
