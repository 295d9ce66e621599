using System.Security.Cryptography;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// Methods and exchanges that a server of the lab may not have, such as sha256_password, which MySQL 9 no longer offers by default. The fake server checks the
/// client's answers with its own code.
/// </summary>
[Trait("Peer", "scripted: no lab server")]
public sealed class MethodTests : MySqlPeerTests
{
    private static readonly byte[] Cleartext = [.. Encoding.UTF8.GetBytes(Password), 0];

    [Theory, InlineData(false), InlineData(true)]
    public async Task Scripted_server_sha256_password_inside_verified_TLS_takes_the_password(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting("sha256_password", MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.Server);
            var (sequence, response) = peer.ReadPacket();
            if (response.AsSpan().IndexOf(Cleartext) < 0)
            {
                // Some clients wait until the server asks them.
                peer.Send(MySqlWords.AuthSwitch(sequence + 1, "sha256_password", [.. MySqlWords.Nonce, 0]));
                (sequence, response) = peer.ReadPacket();
                if (!response.AsSpan().SequenceEqual(Cleartext))
                    throw new InvalidDataException($"The password was expected, {response.Length} bytes came.");
            }

            peer.Send(MySqlWords.Ok(sequence + 1));
        });
        await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}").Opens();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Scripted_server_sha256_password_without_TLS_encrypts_with_the_servers_key(bool asynchronously)
    {
        using var key = RSA.Create(2048);
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("sha256_password"));
            var (sequence, response) = peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(sequence + 1, "sha256_password", [.. MySqlWords.Nonce, 0]));
            (sequence, response) = peer.ReadPacket();
            if (response is not [1])
                throw new InvalidDataException("The request for the public key is one byte, 01.");
            peer.Send(MySqlWords.AuthMore(sequence + 1, Encoding.ASCII.GetBytes(key.ExportSubjectPublicKeyInfoPem())));
            (sequence, response) = peer.ReadPacket();
            CheckEncrypted(key, response);
            peer.Send(MySqlWords.Ok(sequence + 1));
        });
        await Connect(server, asynchronously, "Allow Public Key Retrieval=true").Opens();
        NeverSent(server, Cleartext.AsSpan(0, Password.Length));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Scripted_server_with_a_key_that_anybody_can_break_gets_nothing(bool asynchronously)
    {
        using var key = RSA.Create(512);
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("sha256_password"));
            var (sequence, _) = peer.ReadPacket();
            peer.Send(MySqlWords.AuthMore(sequence + 1, Encoding.ASCII.GetBytes(key.ExportSubjectPublicKeyInfoPem())));
            peer.ReadPacket();
            throw new InvalidDataException("The client encrypted the password with a key of 512 bits.");
        });
        IsConnectFailure(server, await Connect(server, asynchronously, "Allow Public Key Retrieval=true").OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Scripted_server_sha256_password_uses_a_pinned_key_without_asking(bool asynchronously)
    {
        using var key = RSA.Create(2048);
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, key.ExportSubjectPublicKeyInfoPem());
            using var server = FakeServer.Start(peer =>
            {
                peer.Send(MySqlWords.Greeting("sha256_password"));
                var (sequence, _) = peer.ReadPacket();
                peer.Send(MySqlWords.AuthSwitch(sequence + 1, "sha256_password", [.. MySqlWords.Nonce, 0]));
                (sequence, var response) = peer.ReadPacket();
                CheckEncrypted(key, response);
                peer.Send(MySqlWords.Ok(sequence + 1));
            });
            await Connect(server, asynchronously, $"Server RSA Public Key File={file}").Opens();
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Scripted_server_mysql_native_password_answers_with_its_hash(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting("caching_sha2_password"));
            var (sequence, _) = peer.ReadPacket();
            var nonce = "ABCDEFGHIJKLMNOPQRST"u8.ToArray();
            peer.Send(MySqlWords.AuthSwitch(sequence + 1, "mysql_native_password", [.. nonce, 0]));
            (sequence, var response) = peer.ReadPacket();
#pragma warning disable CA5350 // The method is what it is.
            var once = SHA1.HashData(Encoding.UTF8.GetBytes(Password));
            var mixed = SHA1.HashData([.. nonce, .. SHA1.HashData(once)]);
#pragma warning restore CA5350
            if (!response.SequenceEqual(once.Zip(mixed, static (a, b) => (byte)(a ^ b))))
                throw new InvalidDataException("The hash is wrong.");
            peer.Send(MySqlWords.Ok(sequence + 1));
        });
        await Connect(server, asynchronously).Opens();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Scripted_server_caching_sha2_password_answers_with_its_hash(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            var (sequence, response) = peer.ReadPacket();
            var once = SHA256.HashData(Encoding.UTF8.GetBytes(Password));
            var mixed = SHA256.HashData([.. SHA256.HashData(once), .. MySqlWords.Nonce]);
            if (response.AsSpan().IndexOf((byte[])[32, .. once.Zip(mixed, static (a, b) => (byte)(a ^ b))]) < 0)
                throw new InvalidDataException("The hash is not in the response.");
            peer.Send([.. MySqlWords.AuthMore(sequence + 1, 3), .. MySqlWords.Ok(sequence + 2)]);
        });
        await Connect(server, asynchronously).Opens();
    }

    // password and a zero, XORed with the nonce, RSA-OAEP with SHA-1
    private static void CheckEncrypted(RSA key, byte[] response)
    {
        var clear = key.Decrypt(response, RSAEncryptionPadding.OaepSHA1);
        for (var i = 0; i < clear.Length; i++)
            clear[i] ^= MySqlWords.Nonce[i % 20];
        if (!clear.AsSpan().SequenceEqual(Cleartext))
            throw new InvalidDataException("What was encrypted is not the password.");
    }
}
