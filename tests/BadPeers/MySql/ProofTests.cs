using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.MySql.Authentication;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A MariaDB server 11.4 or later proves a self-signed certificate by the password, at the end of the login. An attacker in the middle also has a certificate,
/// and requests whatever could reveal the password before that (GHSA-473q-m89c-ghf8 is this bug in another client).
/// </summary>
public sealed class ProofTests : MySqlPeerTests
{
    private const string NewMariaDb = "11.8.2-MariaDB";
    private const uint OfMariaDb = (MySqlWords.Capabilities & ~1u) | MySqlWords.Tls;
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);
    private static readonly byte[] Salt = [(byte)'P', 0, .. "eighteen bytes ..."u8];
    private static readonly X509Certificate2 Own = Certificates.CreateSelfSigned();

    [Theory]
    [InlineData(false, "VerifyCA")]
    [InlineData(true, "VerifyFull")]
    public async Task The_right_proof_is_accepted(bool asynchronously, string mode)
    {
        using var server = FakeServer.Start(peer => AcceptLogin(peer, Own, Proof(Own)));
        await Connect(server, asynchronously, $"SSL Mode={mode};Skip Certificate Revocation Check=true").Opens();
    }

    [Theory]
    [InlineData("none")]
    [InlineData("of another certificate")]
    [InlineData("of another password")]
    [InlineData("too short")]
    [InlineData("without its mark")]
    public async Task Any_other_proof_is_not(string lie)
    {
        using var other = Certificates.CreateSelfSigned();
        var proof = lie switch
        {
            "none" => "",
            "of another certificate" => Proof(other),
            "of another password" => Proof(Own, "guess"),
            "too short" => Proof(Own)[..^1],
            _ => Proof(Own)[1..],
        };
        using var server = FakeServer.Start(peer => AcceptLogin(peer, Own, proof));
        var failure = IsConnectFailure(server, await Connect(server, true, "SSL Mode=VerifyFull;Skip Certificate Revocation Check=true").OpenFails());
        Assert.Contains("certificate", failure.Message);
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData("mysql_clear_password", false)]
    [InlineData("mysql_clear_password", true)]
    [InlineData("dialog", true)]
    [InlineData("sha256_password", true)]
    [InlineData("caching_sha2_password", true)]
    [InlineData("authentication_ldap_sasl_client", true)]
    public async Task Before_the_proof_nothing_is_answered_that_could_reveal_the_password(string method, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            Begin(peer, Own);
            peer.Send(MySqlWords.AuthSwitch(3, method, [.. MySqlWords.Nonce, 0]));
            var (sequence, _) = peer.ReadPacket();
            throw new InvalidDataException($"It was answered with packet {sequence}.");
        });
        var failure = IsConnectFailure(
            server,
            await Connect(
                server, asynchronously,
                "SSL Mode=VerifyFull;Skip Certificate Revocation Check=true;Allow Cleartext Password=true;Allow Public Key Retrieval=true").OpenFails());
        Assert.Contains(method, failure.Message);
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData("9.7.0", MySqlWords.Capabilities | MySqlWords.Tls, "")]
    [InlineData("10.11.2-MariaDB", OfMariaDb, "")]
    [InlineData("11.3.2-MariaDB", OfMariaDb, "")]
    [InlineData(NewMariaDb, OfMariaDb, "Password=")]
    public async Task A_server_that_cannot_prove_it_is_not_even_told_a_name(string version, uint capabilities, string options)
    {
        using var server = FakeServer.Start(peer => Begin(peer, Own, version, capabilities));
        IsConnectFailure(server, await Connect(server, true, $"SSL Mode=VerifyFull;Skip Certificate Revocation Check=true;{options}").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Who_names_an_authority_wants_it_and_no_proof(bool asynchronously)
    {
        using var server = FakeServer.Start(peer => AcceptLogin(peer, Own, Proof(Own)));
        IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    /// <summary>
    /// A server that does not know the password computes the proof over the client's answer to a request that it never sent, which is empty. Even a server that
    /// knows the password is not trusted until it has let the client answer.
    /// </summary>
    [Theory]
    [InlineData("parsec, no salt", false, "")]
    [InlineData("parsec, no salt", true, "")]
    [InlineData("parsec, no salt", false, "Pooling=false;")]
    [InlineData("parsec, no salt", true, "Server Redirection Mode=Preferred;")]
    [InlineData("parsec, no salt, the password is known", true, "")]
    [InlineData("parsec, a salt that is refused", true, "")]
    [InlineData("parsec, an answer that is not waited for", true, "")]
    [InlineData("parsec twice, the second without a salt", true, "")]
    [InlineData("parsec behind an answered client_ed25519", true, "")]
    [InlineData("no method at all", false, "")]
    [InlineData("no method at all, the password is known", true, "")]
    [InlineData("client_ed25519, the proof of mysql_native_password", true, "")]
    [InlineData("mysql_native_password, the proof of client_ed25519", false, "")]
    [InlineData("client_ed25519, over nothing", true, "")]
    [InlineData("mysql_native_password, over nothing", true, "")]
    public async Task No_proof_counts_before_the_method_has_answered(string lie, bool asynchronously, string options)
    {
        using var server = FakeServer.Start(peer =>
        {
            var isAsked = !lie.StartsWith("no method", StringComparison.Ordinal);
            Begin(peer, Own, plugin: isAsked ? "mysql_native_password" : "client_ed25519");
            var sequence = isAsked ? Ask(peer, lie) : 3;
            byte[] kept = lie switch
            {
                "parsec, no salt, the password is known" or "mysql_native_password, the proof of client_ed25519" => Ed25519.PublicKey(Cleartext),
                "no method at all, the password is known" or "client_ed25519, the proof of mysql_native_password" => NativePassword.HashTwice(Cleartext),
                _ => [],
            };
            peer.Send(MySqlWords.Packet(sequence, [0, 0, 0, 2, 0, 0, 0, .. Encoding.ASCII.GetBytes(ProofOver(kept, Own))]));
        });
        IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;Skip Certificate Revocation Check=true;{options}").OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData("mysql_native_password", false)]
    [InlineData("mysql_native_password", true)]
    [InlineData("client_ed25519", false)]
    [InlineData("client_ed25519", true)]
    [InlineData("parsec", false)]
    [InlineData("parsec", true)]
    public async Task Each_method_that_has_answered_can_prove(string method, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            Begin(peer, Own);
            var sequence = Ask(peer, $"{method}, to its end");
            var kept = method switch
            {
                "parsec" => (byte[])[.. Salt, .. Ed25519.PublicKey(Rfc2898DeriveBytes.Pbkdf2(Cleartext, Salt.AsSpan(2), 1024, HashAlgorithmName.SHA512, 32))],
                "client_ed25519" => Ed25519.PublicKey(Cleartext),
                _ => NativePassword.HashTwice(Cleartext),
            };
            peer.Send(MySqlWords.Packet(sequence, [0, 0, 0, 2, 0, 0, 0, .. Encoding.ASCII.GetBytes(ProofOver(kept, Own))]));
        });
        await Connect(server, asynchronously, "SSL Mode=VerifyFull;Skip Certificate Revocation Check=true").Opens();
    }

    /// <summary>
    /// Before the proof, the sender of an error is unknown: it must control neither the application's reaction to "access denied" nor where a list of hosts
    /// ends.
    /// </summary>
    [Theory]
    [InlineData("VerifyFull", false), InlineData("VerifyFull", true), InlineData("VerifyCA", false), InlineData("VerifyCA", true)]
    public async Task A_refusal_before_the_proof_is_nobodys(string mode, bool asynchronously)
    {
        foreach (var number in new[] { 1040, 1045, 1053, 1130, 1820 })
        {
            using var server = FakeServer.Start(peer =>
            {
                Begin(peer, Own);
                peer.Send(MySqlWords.Error(3, number, "your password has expired, set it on example.org", "28000"));
            });
            var failure =
                IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode={mode};Skip Certificate Revocation Check=true").OpenFails());
            Assert.DoesNotContain("example.org", failure.ToString());
            Assert.Contains($"error {number}", failure.Message);
            Assert.False(failure.IsTransient);
        }
    }

    [Theory]
    [InlineData(1045, false), InlineData(1045, true), InlineData(1040, false), InlineData(1040, true)]
    public async Task A_refusal_before_the_proof_is_one_more_host_that_cannot_be_used(int number, bool asynchronously)
    {
        using var forger = FakeServer.Start(peer =>
        {
            Begin(peer, Own);
            peer.Send(MySqlWords.Error(3, number, "forged", "28000"));
        });
        using var server = FakeServer.Start(peer => AcceptLogin(peer, Own, Proof(Own)));
        await using var source = new MySqlDataSource(
            $"Server={forger.Address}:{forger.Port},{server.Address}:{server.Port};User ID=somebody;Password={Password};Connection Timeout=30;Pipelining "
                + "Mode=On;SSL Mode=VerifyFull;Skip Certificate Revocation Check=true");
        await using var connection = source.CreateConnection();
        if (asynchronously)
            await connection.OpenAsync();
        else
            connection.Open();
        Assert.Single(forger.Peers);
        Assert.Single(server.Peers);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refusal_is_the_servers_where_the_authority_is_known(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            Begin(peer, Certificates.Server);
            peer.Send(MySqlWords.Error(3, 1045, "Access denied", "28000"));
        });
        var failure =
            Assert.IsType<MySqlException>(await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}").OpenFails());
        Assert.Equal(MySqlErrorCode.AccessDenied, failure.ErrorCode);
        Assert.Equal("Access denied", failure.Message);
    }

    // Sends the messages of the named attack, and returns the number of the next packet.
    private static int Ask(FakePeer peer, string lie)
    {
        var sequence = 3;
        if (lie.Contains("client_ed25519", StringComparison.Ordinal) && !lie.StartsWith("mysql_native_password", StringComparison.Ordinal))
            Switch("client_ed25519", 32);
        if (lie.StartsWith("mysql_native_password", StringComparison.Ordinal))
            Switch("mysql_native_password", 20, 0);
        if (!lie.StartsWith("parsec", StringComparison.Ordinal))
            return sequence;
        Switch("parsec", 32);
        if (lie.StartsWith("parsec twice", StringComparison.Ordinal))
        {
            AnswerSalt(Salt);
            Switch("parsec", 32);
        }
        else if (lie.EndsWith("to its end", StringComparison.Ordinal))
            AnswerSalt(Salt);
        else if (lie.EndsWith("refused", StringComparison.Ordinal))
            peer.Send(MySqlWords.Packet(sequence++, [(byte)'P', 0xFF, .. Salt.AsSpan(2)]));
        else if (lie.EndsWith("waited for", StringComparison.Ordinal))
            peer.Send(MySqlWords.Packet(sequence++, Salt));
        return sequence;

        void Switch(string method, int nonce, params byte[] end)
        {
            peer.Send(MySqlWords.AuthSwitch(sequence, method, [.. Enumerable.Repeat((byte)9, nonce), .. end]));
            sequence = peer.ReadPacket().Sequence + 1;
        }

        void AnswerSalt(byte[] salt)
        {
            peer.Send(MySqlWords.Packet(sequence, salt));
            sequence = peer.ReadPacket().Sequence + 1;
        }
    }

    private static void Begin(
        FakePeer peer, X509Certificate2 certificate, string version = NewMariaDb, uint capabilities = OfMariaDb, string plugin = "mysql_native_password")
    {
        peer.Send(MySqlWords.Greeting(plugin, capabilities, version));
        peer.ReadPacket();
        peer.UpgradeToTls(certificate);
        peer.ReadPacket();
    }

    private static void AcceptLogin(FakePeer peer, X509Certificate2 certificate, string proof)
    {
        Begin(peer, certificate);
        peer.Send(MySqlWords.Packet(3, [0, 0, 0, 2, 0, 0, 0, .. Encoding.ASCII.GetBytes(proof)]));
    }

    private static string Proof(X509Certificate2 certificate, string password = Password) =>
        ProofOver(NativePassword.HashTwice(Encoding.UTF8.GetBytes(password)), certificate);

    private static string ProofOver(byte[] kept, X509Certificate2 certificate) =>
        "\x01" + Convert.ToHexStringLower(SHA256.HashData([.. kept, .. MySqlWords.Nonce, .. SHA256.HashData(certificate.RawData)]));
}
