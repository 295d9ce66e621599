using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>What tests of bad PostgreSQL peers share. Each runs with the synchronous and with the asynchronous verbs, alone where the class does not say otherwise.</summary>
[Collection(nameof(Alone))]
public abstract class PgPeerTests
{
    protected const string Password = "open sesame";

    /// <summary>A client of this server alone, without TLS unless <paramref name="options"/> want it.</summary>
    protected static Client Connect(FakeServer server, bool asynchronously, string options = "")
    {
        var source = PgDataSource.Create(
            $"Host={server.Address};Port={server.Port};Username=somebody;Password={Password};Database=db;SSL Mode=Disable;Timeout=30;{options}");
        return new Client(source, server, asynchronously);
    }

    /// <summary>The connection could not be made, by the network's or this client's fault: a message that names the server and no secret.</summary>
    protected static PgException IsConnectFailure(FakeServer server, Exception exception)
    {
        var failure = Assert.IsAssignableFrom<PgException>(exception);
        Assert.Contains($"{server.Address}:{server.Port}", failure.Message);
        Assert.DoesNotContain(Password, failure.ToString());
        return failure;
    }

    /// <summary>The server broke the protocol after the login.</summary>
    protected static void IsBrokenProtocol(Exception exception) =>
        Assert.IsType<Core.Errors.ProtocolException>(Assert.IsType<PgException>(exception).InnerException);

    protected static void NeverSent(FakeServer server, ReadOnlySpan<byte> secret) => Assert.Equal(-1, server.Received.AsSpan().IndexOf(secret));
}
