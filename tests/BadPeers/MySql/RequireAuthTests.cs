using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A server requests every authentication method, under every setting of Require Auth, over every kind of connection. The client does not answer a method that
/// is not allowed, and answers a method that reveals the password only where that is permitted.
/// </summary>
[Trait("Peer", "scripted: no lab server")]
public sealed class RequireAuthTests : MySqlPeerTests
{
    private const uint Factors = 1u << 28;
    private const string Native = "mysql_native_password";
    private const string Sha2 = "caching_sha2_password";
    private const string Full = Sha2 + ", full";
    private const string Sha256 = "sha256_password";
    private const string Clear = "mysql_clear_password";
    private const string Dialog = "dialog";

    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);
    private static readonly X509Certificate2 Untrusted = Certificates.Untrusted;

    // Methods that a server may request. The last ones are here only to be refused; their exchanges have their own tests.
    private static readonly string[] Questions =
    [
        Native, Sha2, Full, Sha256, "client_ed25519", Clear, Dialog,
        "parsec", "authentication_ldap_sasl_client", "auth_gssapi_client", "authentication_kerberos_client", "mysql_old_password", "never_heard_of",
    ];

    private static readonly string[] Answerable = Questions[..7];

    private static readonly string[] Settings =
    [
        "", Native, Sha2, Sha256, "client_ed25519", Clear, Dialog, "parsec", "authentication_ldap_sasl_client", "caching_sha2_password, parsec",
    ];

    // The kind of peer, its options, and the methods that may be answered with the password itself.
    private static readonly Dictionary<string, (string Options, string[] Trusted)> Peers = new()
    {
        ["network in clear"] = ("Allow Cleartext Password=true", []),
        ["network in TLS that nobody verified"] = ("SSL Mode=Required;Allow Cleartext Password=true", []),
        ["loopback in clear"] = ("", []),
        ["loopback in clear, allowed"] = ("Allow Cleartext Password=true", [Clear, Dialog]),
        ["loopback in TLS that nobody verified"] = ("SSL Mode=Required", [Full, Sha256]),
        ["verified TLS"] = ($"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}", [Full, Sha256, Clear, Dialog]),
    };

    public static TheoryData<string, string, bool> Matrix
    {
        get
        {
            var rows = new TheoryData<string, string, bool>();
            foreach (var peer in Peers.Keys)
                foreach (var setting in peer == "network in clear" ? Settings : ["", Clear, "caching_sha2_password, parsec"])
                    rows.Add(peer, setting, rows.Count % 2 == 1);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task What_is_not_allowed_is_not_answered_and_the_password_goes_only_where_it_may(string kind, string setting, bool asynchronously)
    {
        var (options, trusted) = Peers[kind];
        var address = kind.StartsWith("network", StringComparison.Ordinal) ? LoginTests.NetworkAddress() : IPAddress.Loopback;
        Assert.SkipWhen(address is null, "This machine has no address but loopback ones.");
        X509Certificate2? certificate = !kind.Contains("TLS") ? null : kind == "verified TLS" ? Certificates.Server : Untrusted;
        string[] allowed = setting.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        var turn = setting.Length;
        foreach (var question in Questions)
        {
            var isAllowed = allowed.Length == 0 || allowed.Contains(question.Split(',')[0]);
            if (isAllowed && question is "parsec" or "authentication_ldap_sasl_client")
                continue;
            var isRecoverable = question is Full or Sha256 or Clear or Dialog;
            var isAnswered = isAllowed && Answerable.Contains(question) && (!isRecoverable || trusted.Contains(question));
            // Each of them is in turn the server's default method.
            var greeting = Answerable[turn++ % Answerable.Length].Split(',')[0];
            List<byte[]> answers = [];
            using var server = FakeServer.Start(peer => Ask(peer, question, greeting, certificate, answers), address);
            var client = Connect(server, asynchronously, $"{options};Require Auth={setting}");
            if (isAnswered)
                await client.Opens();
            else
                IsConnectFailure(server, await client.OpenFails());

            var what = $"{question} behind a greeting of {greeting}";
            Assert.True(answers.Count == (isAnswered ? 1 : 0), $"{what}: {answers.Count} answers.");
            Assert.True(server.Received.AsSpan().IndexOf(Cleartext) >= 0 == (isAnswered && isRecoverable), $"{what}: the password.");
            // The client has not even sent the answer to the greeting's own method.
            if (allowed.Length > 0 && !allowed.Contains(Native))
                NeverSent(server, NativeScramble());
            if (allowed.Length > 0 && !allowed.Contains(Sha2))
                NeverSent(server, Sha2Scramble());
        }
    }

    [Theory]
    [InlineData(Native, "parsec", false)]
    [InlineData(Native, "client_ed25519, sha256_password", true)]
    [InlineData(Sha2, "parsec", true)]
    [InlineData(Sha2, Clear, false)]
    public async Task A_server_whose_default_is_not_allowed_gets_no_scramble_for_it_and_may_not_let_in(string greeting, string setting, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(greeting));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, $"Require Auth={setting}").OpenFails());
        Assert.Contains("Require Auth", failure.Message);
        NeverSent(server, NativeScramble());
        NeverSent(server, Sha2Scramble());
    }

    [Theory]
    [InlineData(Clear, "", false)]
    [InlineData(Dialog, "", true)]
    [InlineData(Full, "", true)]
    [InlineData(Clear, "mysql_native_password, caching_sha2_password", false)]
    [InlineData("client_ed25519", "mysql_native_password, caching_sha2_password", true)]
    [InlineData("never_heard_of", "", false)]
    public async Task Behind_a_first_factor_the_same_rules_hold_for_the_second(string question, string setting, bool asynchronously)
    {
        List<byte[]> answers = [];
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(Native, MySqlWords.Capabilities | MySqlWords.Tls | Factors));
            peer.ReadPacket();
            peer.UpgradeToTls(Untrusted);
            peer.ReadPacket();
            var (method, isFull) = (question.Split(',')[0], question == Full);
            peer.Send(MySqlWords.Packet(3, [2, .. Encoding.ASCII.GetBytes(method), 0, .. NonceFor(method)]));
            var (sequence, answer) = peer.ReadPacket();
            if (isFull)
            {
                peer.Send(MySqlWords.AuthMore(sequence + 1, 4));
                (sequence, answer) = peer.ReadPacket();
            }

            answers.Add(answer);
        }, LoginTests.NetworkAddress());
        IsConnectFailure(
            server,
            await Connect(
                server, asynchronously,
                $"SSL Mode=Required;Allow Cleartext Password=true;Require Auth={setting};Password2=the second secret;Password3=the third secret").OpenFails());
        Assert.Empty(answers);
        NeverSent(server, Cleartext);
        NeverSent(server, "the second secret"u8);
        NeverSent(server, "the third secret"u8);
    }

    // The answer to a reset is OK or ERR; a server that turns it into a login requests a password again.
    [Theory]
    [InlineData(Clear, false)]
    [InlineData(Clear, true)]
    [InlineData(Native, true)]
    public async Task A_reset_that_turns_into_a_login_ends_the_session(string method, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)]);
            peer.Expect(3);
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)]);
            peer.Expect(0x1F);
            peer.Send(MySqlWords.AuthSwitch(1, method, [.. MySqlWords.Nonce, 0]));
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Allow Cleartext Password=true;Reset Mode=Always");
        await client.Query();
        IsBrokenProtocol(await Assert.ThrowsAnyAsync<Exception>(() => client.Query()));
        Assert.Single(server.Peers);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)), "The session was left open.");
        NeverSent(server, Cleartext);
        NeverSent(server, NativeScramble());
    }

    private static void Ask(FakePeer peer, string question, string greeting, X509Certificate2? certificate, List<byte[]> answers)
    {
        peer.Send(MySqlWords.Greeting(greeting, MySqlWords.Capabilities | (certificate is null ? 0 : MySqlWords.Tls)));
        var (sequence, _) = peer.ReadPacket();
        if (certificate is not null)
        {
            peer.UpgradeToTls(certificate);
            (sequence, _) = peer.ReadPacket();
        }

        var method = question.Split(',')[0];
        peer.Send(MySqlWords.AuthSwitch(sequence + 1, method, NonceFor(method)));
        (sequence, var answer) = peer.ReadPacket();
        if (question == Full)
        {
            peer.Send(MySqlWords.AuthMore(sequence + 1, 4));
            (sequence, answer) = peer.ReadPacket();
        }

        answers.Add(answer);
        peer.Send(method == Sha2 && question != Full ? [.. MySqlWords.AuthMore(sequence + 1, 3), .. MySqlWords.Ok(sequence + 2)] : MySqlWords.Ok(sequence + 1));
    }

    private static byte[] NonceFor(string method) => method switch
    {
        Dialog => [5, .. "Password: "u8, 0],
        "client_ed25519" or "parsec" => [.. Enumerable.Repeat((byte)7, 32)],
        _ => [.. MySqlWords.Nonce, 0],
    };

#pragma warning disable CA5350 // The method is what it is.
    private static byte[] NativeScramble()
    {
        var once = SHA1.HashData(Cleartext);
        var mixed = SHA1.HashData([.. MySqlWords.Nonce, .. SHA1.HashData(once)]);
        return [.. once.Zip(mixed, static (a, b) => (byte)(a ^ b))];
    }
#pragma warning restore CA5350

    private static byte[] Sha2Scramble()
    {
        var once = SHA256.HashData(Cleartext);
        var mixed = SHA256.HashData([.. SHA256.HashData(once), .. MySqlWords.Nonce]);
        return [.. once.Zip(mixed, static (a, b) => (byte)(a ^ b))];
    }
}
