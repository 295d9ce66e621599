using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>
/// Shared members of the tests of bad PostgreSQL peers. Each test runs with the synchronous and with the asynchronous methods, alone unless its class overrides
/// that.
/// </summary>
[Collection(nameof(Alone))]
public abstract class PgPeerTests
{
    protected const string Password = "open sesame";

    /// <summary>Creates a client for this server only, without TLS unless <paramref name="options"/> enable it.</summary>
    protected static Client Connect(FakeServer server, bool asynchronously, string options = "")
    {
        var source = PgDataSource.Create(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=30;{options}");
        return new Client(source, server, asynchronously);
    }

    /// <summary>
    /// Checks that the connection attempt failed because of the network or the client's own checks, with a message that names the server and contains no
    /// secret.
    /// </summary>
    protected static PgException IsConnectFailure(FakeServer server, Exception exception)
    {
        var failure = Assert.IsAssignableFrom<PgException>(exception);
        Assert.Contains($"{server.Address}:{server.Port}", failure.Message);
        Assert.DoesNotContain(Password, failure.ToString());
        return failure;
    }

    /// <summary>Checks that the server broke the protocol after the login.</summary>
    protected static void IsBrokenProtocol(Exception exception) =>
        Assert.IsType<Core.Errors.ProtocolException>(Assert.IsType<PgException>(exception).InnerException);

    protected static void NeverSent(FakeServer server, ReadOnlySpan<byte> secret) => Assert.Equal(-1, server.Received.AsSpan().IndexOf(secret));
}
