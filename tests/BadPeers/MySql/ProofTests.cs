using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A MariaDB of 11.4 or later whose certificate nobody signed proves it by the password, at the end of the login. Somebody in the middle has a certificate, too,
/// and asks for whatever could reveal the password before that (GHSA-473q-m89c-ghf8 is this bug in another client).
/// </summary>
public sealed class ProofTests : MySqlPeerTests
{
    private const string NewMariaDb = "11.8.2-MariaDB";
    private const uint OfMariaDb = (MySqlWords.Capabilities & ~1u) | MySqlWords.Tls;
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);
    private static readonly X509Certificate2 Own = Certificates.CreateSelfSigned();

    [Theory]
    [InlineData(false, "VerifyCA")]
    [InlineData(true, "VerifyFull")]
    public async Task The_right_proof_is_accepted(bool asynchronously, string mode)
    {
        using var server = FakeServer.Start(peer => LetIn(peer, Own, Proof(Own)));
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
        using var server = FakeServer.Start(peer => LetIn(peer, Own, proof));
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
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, "SSL Mode=VerifyFull;Skip Certificate Revocation Check=true;Allow Cleartext Password=true;Allow Public Key Retrieval=true").OpenFails());
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
        using var server = FakeServer.Start(peer => LetIn(peer, Own, Proof(Own)));
        IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    private static void Begin(FakePeer peer, X509Certificate2 certificate, string version = NewMariaDb, uint capabilities = OfMariaDb)
    {
        peer.Send(MySqlWords.Greeting("mysql_native_password", capabilities, version));
        peer.ReadPacket();
        peer.UpgradeToTls(certificate);
        peer.ReadPacket();
    }

    private static void LetIn(FakePeer peer, X509Certificate2 certificate, string proof)
    {
        Begin(peer, certificate);
        peer.Send(MySqlWords.Packet(3, [0, 0, 0, 2, 0, 0, 0, .. Encoding.ASCII.GetBytes(proof)]));
    }

    private static string Proof(X509Certificate2 certificate, string password = Password)
    {
#pragma warning disable CA5350 // The method is what it is.
        var kept = SHA1.HashData(SHA1.HashData(Encoding.UTF8.GetBytes(password)));
#pragma warning restore CA5350
        return "\x01" + Convert.ToHexStringLower(SHA256.HashData([.. kept, .. MySqlWords.Nonce, .. SHA256.HashData(certificate.RawData)]));
    }
}
