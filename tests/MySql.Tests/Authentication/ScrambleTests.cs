using System.Security.Cryptography;
using System.Text;
using Slipstream.MySql.Authentication;

namespace Slipstream.MySql.Tests.Authentication;

/// <summary>Expected values were computed with Python's hashlib from the formulas of the protocol documents.</summary>
public class ScrambleTests
{
    private static readonly byte[] Nonce = [.. Enumerable.Range(1, 20).Select(i => (byte)i)];

    [Theory]
    [InlineData("secret", "B32BB3A583E1340C0A1108D58B1BE49781AD8C2F")]
    [InlineData("pässwörd€", "9A8EB1A817C9DD1FFF9617C068DADE3BA93165BB")]
    [InlineData("", "")]
    public void Native_password_answers_the_nonce(string password, string expected) =>
        Assert.Equal(expected, Convert.ToHexString(NativePassword.Respond(Nonce, Encoding.UTF8.GetBytes(password))));

    [Theory]
    [InlineData("secret", "746EBE205D56A0707ACB3E796E834E0DD7B1D61743B26BD5202C7A623230C7C9")]
    [InlineData("pässwörd€", "401DB947F5A31744854313FFAADB3A08A15809D3E643F5D1F60B894D642CE4DE")]
    [InlineData("", "")]
    public void Caching_sha2_answers_the_nonce(string password, string expected) =>
        Assert.Equal(expected, Convert.ToHexString(CachingSha2.Respond(Nonce, Encoding.UTF8.GetBytes(password))));

    [Fact]
    public void Clear_password_ends_with_a_zero() => Assert.Equal("ab\0"u8.ToArray(), ClearPassword.Respond("ab"u8));

    [Theory]
    [InlineData(1024)]
    [InlineData(2048)]
    public void Rsa_password_is_what_the_server_decrypts(int bits)
    {
        using var server = RSA.Create(bits);
        Assert.True(RsaPassword.TryReadKey(Encoding.ASCII.GetBytes(server.ExportSubjectPublicKeyInfoPem()), out var key, out var problem), problem);
        using (key)
        {
            var password = "pässwörd, longer than the nonce"u8;
            var clear = server.Decrypt(RsaPassword.Encrypt(Nonce, password, key), RSAEncryptionPadding.OaepSHA1);
            for (var i = 0; i < clear.Length; i++)
                clear[i] ^= Nonce[i % 20];
            Assert.Equal([.. password, 0], clear);
        }
    }

    [Fact]
    public void A_password_longer_than_the_key_carries_is_refused_with_a_way_out()
    {
        using var key = RSA.Create(1024);
        RsaPassword.Encrypt(Nonce, new byte[85], key);
        var error = Assert.Throws<ArgumentException>(() => RsaPassword.Encrypt(Nonce, new byte[86], key));
        Assert.Contains("TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_that_are_none_too_small_private_or_huge_are_refused()
    {
        using var small = RSA.Create(512);
        Refused(small.ExportSubjectPublicKeyInfoPem(), "512 bits");
        using var good = RSA.Create(1024);
        Refused(good.ExportPkcs8PrivateKeyPem(), "not a public key");
        Refused("", "not a public key");
        Refused("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "not an RSA public key");
        Refused(new string(' ', 20_000), "20,000 bytes");
        var pem = good.ExportSubjectPublicKeyInfoPem();
        for (var length = 0; length < pem.Length; length++)
            Assert.False(RsaPassword.TryReadKey(Encoding.ASCII.GetBytes(pem[..length]), out _, out _), $"a key cut to {length} characters was read");

        static void Refused(string pem, string why)
        {
            Assert.False(RsaPassword.TryReadKey(Encoding.ASCII.GetBytes(pem), out var key, out var problem));
            Assert.Null(key);
            Assert.Contains(why, problem, StringComparison.Ordinal);
        }
    }
}
