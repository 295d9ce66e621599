using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Tests.Conversations;

/// <summary>The exchange of Kerberos tokens, with a replacement for the system's library: no test here has a key distribution centre.</summary>
public class KerberosTests
{
    private static readonly byte[] Nonce = new byte[20];

    [Fact]
    public void MariaDbs_tokens_travel_without_a_header()
    {
        var library = new StandIn("one", "two");
        var login = Begin(library, out var asked);
        Assert.Equal("one"u8, login.Answer(Switch(MethodNames.Gssapi, "mariadb/host@REALM\0Kerberos\0"u8))!);
        Assert.Equal(("mariadb/host@REALM", "somebody", "", ""), asked());
        Assert.Equal("two"u8, login.Answer("\u0060server's"u8)!);
        Assert.Equal("\u0060server's", library.Came);
        login.Complete("");
        Assert.True(library.IsDisposed);
    }

    [Fact]
    public void MySqls_tokens_travel_with_one_and_the_password_gets_a_ticket()
    {
        var library = new StandIn("one", "");
        var login = Begin(library, out var asked);
        Assert.Equal("one"u8, login.Answer(Switch(MethodNames.Kerberos, "\u0004\0m/h@\u0005\0REALM"u8))!);
        Assert.Equal(("m/h@", "somebody", "secret", "REALM"), asked());
        Assert.Null(login.Answer("\u0001server's"u8));
        Assert.Equal("server's", library.Came);
        login.Complete("");
    }

    [Fact]
    public void The_users_name_for_the_service_wins()
    {
        var login = Begin(new StandIn("one"), out var asked, "mine/host");
        login.Answer(Switch(MethodNames.Gssapi, "theirs/host\0\0"u8));
        Assert.Equal("mine/host", asked().Target);
    }

    /// <summary>As observed with an MIT key distribution centre: with the realm, the host would be "db@REALM".</summary>
    [Theory]
    [InlineData("mariadb/db@REALM", "mariadb/db")]
    [InlineData("mariadb/db", "mariadb/db")]
    [InlineData("mariadb@db", "mariadb@db")]
    [InlineData("", "")]
    public void The_realm_of_a_service_is_the_systems_to_know(string name, string expected) => Assert.Equal(expected, Negotiation.WithoutRealm(name));

    [Theory]
    [InlineData(nameof(PeerTrust.None)), InlineData(nameof(PeerTrust.Loopback))]
    [InlineData(nameof(PeerTrust.Encrypted)), InlineData(nameof(PeerTrust.EncryptedLoopback))]
    public void A_server_that_is_not_verified_chooses_neither_service_nor_realm(string name)
    {
        var trust = Enum.Parse<PeerTrust>(name);
        foreach (var request in new[] { Switch(MethodNames.Gssapi, "ldap/dc@REALM\0\0"u8), Switch(MethodNames.Kerberos, "\u0004\0m/h@\u0005\0REALM"u8) })
        {
            var library = new StandIn("one");
            var failure = Assert.Throws<WireException>(() => Begin(library, out _, trust: trust).Answer(request));
            Assert.Contains("Server SPN", failure.Message);
            Assert.Equal("", library.Came);

            Begin(library, out var asked, "mine/host@OWN", trust).Answer(request);
            Assert.Equal("mine/host@OWN", asked().Target);
            Assert.NotEqual("REALM", asked().Realm);
        }
    }

    [Theory]
    [InlineData(nameof(PeerTrust.Verified)), InlineData(nameof(PeerTrust.UnixSocket))]
    public void A_verified_server_names_its_service(string trust)
    {
        Begin(new StandIn("one"), out var asked, trust: Enum.Parse<PeerTrust>(trust)).Answer(Switch(MethodNames.Kerberos, "\u0004\0m/h@\u0005\0REALM"u8));
        Assert.Equal(("m/h@", "REALM"), (asked().Target, asked().Realm));
    }

    [Fact]
    public void Letting_the_user_in_too_early_proves_nothing()
    {
        var login = Begin(new StandIn("one", "two"), out _);
        login.Answer(Switch(MethodNames.Gssapi, "m/h\0\0"u8));
        Assert.Throws<WireException>(() => login.Complete(""));
    }

    [Fact]
    public void Tokens_without_end_are_given_up()
    {
        var login = Begin(new StandIn([.. Enumerable.Repeat("token", 100)]), out _);
        login.Answer(Switch(MethodNames.Gssapi, "m/h\0\0"u8));
        Assert.Throws<ProtocolException>(() =>
        {
            for (var i = 0; i < 50; i++)
                login.Answer("\u0060more"u8);
        });
    }

    [Fact]
    public void A_library_that_refuses_is_quoted()
    {
        var login = Begin(new StandIn(), out _);
        var failure = Assert.Throws<WireException>(() => login.Answer(Switch(MethodNames.Gssapi, "m/h\0\0"u8)));
        Assert.Contains("UnknownCredentials", failure.Message);
        Assert.Contains("kinit", failure.Message);
    }

    private static Login Begin(
        StandIn library, out Func<(string Target, string User, string Password, string Realm)> asked, string spn = "", PeerTrust trust = PeerTrust.Verified)
    {
        (string, string, string, string) with = default;
        asked = () => with;
        return new(
            new ConnectOptions("somebody", "secret"u8.ToArray(), "", TlsDemand.Never)
            {
                ServerSpn = spn,
                Negotiations = (target, user, password, realm) =>
                {
                    with = (target, user, password, realm);
                    return library;
                },
            },
            new Nobody(trust), new InitialHandshake("11.8.2-MariaDB", 1, Nonce, Capabilities.Protocol41, 45, ServerStatus.None, NativePassword.Name), false);
    }

    private static byte[] Switch(string method, ReadOnlySpan<byte> data) => [0xFE, .. Encoding.ASCII.GetBytes(method), 0, .. data];

    private sealed class StandIn(params string[] tokens) : INegotiation
    {
        private int _next;

        public string Came { get; private set; } = "";

        public bool IsDisposed { get; private set; }

        public bool IsCompleted => tokens.Length > 0 && _next == tokens.Length;

        public byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem)
        {
            Came = Encoding.UTF8.GetString(incoming);
            problem = tokens.Length == 0 ? "UnknownCredentials" : null;
            return problem is null && tokens[_next++] is { Length: > 0 } token ? Encoding.UTF8.GetBytes(token) : null;
        }

        public void Dispose() => IsDisposed = true;
    }

    private sealed class Nobody(PeerTrust trust) : ITransport
    {
        public bool IsReadable => false;

        public bool HasWaitedAsynchronously => false;

        public PeerTrust Trust => trust;

        public string Peer => "nobody:1";

        public int Receive(Span<byte> room) => throw new NotSupportedException();

        public void Send(ReadOnlySpan<byte> bytes) => throw new NotSupportedException();

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => throw new NotSupportedException();

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => throw new NotSupportedException();

        public ITransport Upgrade() => throw new NotSupportedException();

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException();

        public void Shutdown()
        {
            // There is no peer.
        }

        public void Dispose()
        {
            // Nothing is held.
        }
    }
}
