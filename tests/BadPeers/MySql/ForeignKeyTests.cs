using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// An attacker in the middle has an RSA key and requests the password. The client sends it only if the options allow any server's key, and never if they pin a
/// key.
/// </summary>
[Trait("Peer", "scripted: no lab server")]
public sealed class ForeignKeyTests : MySqlPeerTests
{
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);
    private static readonly RSA His = RSA.Create(2048);
    private static readonly RSA Pinned = RSA.Create(2048);
    private static readonly X509Certificate2 Untrusted = Certificates.Untrusted;

    [Theory]
    [InlineData("caching_sha2_password", "", false)]
    [InlineData("caching_sha2_password", "", true)]
    [InlineData("caching_sha2_password", "retrieval", true)]
    [InlineData("caching_sha2_password", "pinned", false)]
    [InlineData("caching_sha2_password", "pinned, retrieval", true)]
    [InlineData("sha256_password", "", false)]
    [InlineData("sha256_password", "retrieval", false)]
    [InlineData("sha256_password", "pinned", true)]
    [InlineData("sha256_password", "pinned, retrieval", false)]
    public async Task A_key_of_somebody_in_the_middle_is_used_only_where_any_key_is_allowed(string method, string options, bool asynchronously)
    {
        foreach (var certificate in (X509Certificate2?[])[null, Untrusted])
        {
            List<byte[]> answers = [];
            var file = Path.GetTempFileName();
            try
            {
                await File.WriteAllTextAsync(file, Pinned.ExportSubjectPublicKeyInfoPem());
                using var server = FakeServer.Start(peer => Substitute(peer, method, certificate, answers), LoginTests.NetworkAddress() ?? IPAddress.Loopback);
                var client = Connect(server, asynchronously, (certificate is null ? "" : "SSL Mode=Required;")
                    + (
                        options.Contains("pinned") ? $"Server RSA Public Key File={file};" : "")
                        + (options.Contains("retrieval") ? "Allow Public Key Retrieval=true" : ""));
                var isLoopback = server.Address.Equals(IPAddress.Loopback);
                if (certificate is not null && !isLoopback)
                    SaysThatNobodyVerifies(method, IsConnectFailure(server, await client.OpenFails()).Message);
                else if (options.Length == 0 && certificate is null)
                    Assert.Contains("Allow Public Key Retrieval", IsConnectFailure(server, await client.OpenFails()).Message);
                else
                    await client.Opens();
                if (!isLoopback)
                    NeverSent(server, Cleartext);
                Assert.All(answers, answer => Assert.Equal(options == "retrieval", Learns(His, answer)));
                Assert.All(answers, answer => Assert.Equal(options.Contains("pinned"), Learns(Pinned, answer)));
                Assert.Equal(options.Length > 0 && certificate is null, answers.Count > 0);
            }
            finally
            {
                File.Delete(file);
            }
        }
    }

    // Inside TLS, a server does not use RSA: it would report a password that is encrypted with its key as wrong (1045), without the real cause.
    private static void SaysThatNobodyVerifies(string method, string message)
    {
        Assert.Contains(
            $"needs the password itself ({method}, full authentication), but this SSL Mode does not verify the server's certificate", message,
            StringComparison.Ordinal);
        Assert.Contains("use SSL Mode=VerifyCA or VerifyFull", message, StringComparison.Ordinal);
        Assert.Contains("apply only without TLS", message, StringComparison.Ordinal);
    }

    // Sends the attacker's key, asked for or not, before and after every answer.
    private static void Substitute(FakePeer peer, string method, X509Certificate2? certificate, List<byte[]> answers)
    {
        peer.Send(MySqlWords.Greeting("caching_sha2_password", MySqlWords.Capabilities | (certificate is null ? 0 : MySqlWords.Tls)));
        var (sequence, _) = peer.ReadPacket();
        if (certificate is not null)
        {
            peer.UpgradeToTls(certificate);
            (sequence, _) = peer.ReadPacket();
        }

        if (method == "sha256_password")
            peer.Send(MySqlWords.AuthSwitch(sequence + 1, method, [.. MySqlWords.Nonce, 0]));
        else
            peer.Send(MySqlWords.AuthMore(sequence + 1, 4));
        (sequence, var answer) = peer.ReadPacket();
        if (answer is [1 or 2])
        {
            peer.Send(MySqlWords.AuthMore(sequence + 1, Encoding.ASCII.GetBytes(His.ExportSubjectPublicKeyInfoPem())));
            (sequence, answer) = peer.ReadPacket();
        }

        if (answer.Length > Password.Length + 1)
            answers.Add(answer);
        peer.Send(MySqlWords.Ok(sequence + 1));
    }

    private static bool Learns(RSA key, byte[] answer)
    {
        try
        {
            var clear = key.Decrypt(answer, RSAEncryptionPadding.OaepSHA1);
            for (var i = 0; i < clear.Length; i++)
                clear[i] ^= MySqlWords.Nonce[i % 20];
            return clear.AsSpan().SequenceEqual((byte[])[.. Cleartext, 0]);
        }
        catch (CryptographicException)
        {
            return false;
        }
    }
}
