using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Tests.Protocol;

/// <summary>Limits of docs/limits.md that need no server: each test reaches its limit, and then exceeds it by one.</summary>
public sealed class LimitTests
{
    private const string Nonce = "nonce";

    // No part of a message over the protocol's maximum may be sent: the writer removes it and keeps what came before it.
    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(700 << 20, false)]
    public void A_command_has_a_gigabyte_and_no_more(int beyond, bool leaves)
    {
        const int Most = 1 << 30;
        var value = new byte[1 << 20];
        var writer = new ByteWriter();
        writer.End(Begin(writer, "first"u8));
        var before = writer.TotalLength;

        var at = Begin(writer, "second"u8);
        for (var left = Most + beyond - (writer.LengthSince(at) - Packets.HeaderLength); left > 0; left -= value.Length)
            writer.Gather(value.AsMemory(0, Math.Min(left, value.Length)));
        if (leaves)
        {
            writer.End(at);
            Assert.Equal(before + (long)Most + Packets.HeaderLength * (Most / Packets.MaxPayload + 1), writer.TotalLength);
            return;
        }

        Assert.Contains("1,073,741,824", Assert.Throws<InvalidOperationException>(() => writer.End(at)).Message);
        Assert.Equal(before, writer.TotalLength);
    }

    [Fact]
    public void A_command_that_was_copied_has_a_gigabyte_and_no_more()
    {
        const int Most = 1 << 30;
        var writer = new ByteWriter();
        var at = writer.Begin();
        writer.Grow(Most + 1);
        Assert.Throws<InvalidOperationException>(() => writer.End(at));
        Assert.Equal(0, writer.TotalLength);
    }

    [Theory]
    [InlineData(1_000_000, true)]
    [InlineData(1_000_001, false)]
    [InlineData(1, true)]
    [InlineData(0, false)]
    public void SCRAM_has_a_million_iterations_and_no_more(int iterations, bool accepted) => Scrams(accepted, iterations: iterations);

    [Theory]
    [InlineData(256, true)]
    [InlineData(257, false)]
    [InlineData(1, true)]
    [InlineData(0, false)]
    public void SCRAM_has_a_salt_of_256_bytes_and_no_more(int length, bool accepted) => Scrams(accepted, salt: length);

    [Theory]
    [InlineData(512, true)]
    [InlineData(513, false)]
    public void SCRAM_has_a_nonce_of_512_characters_and_no_more(int length, bool accepted) => Scrams(accepted, added: length - Nonce.Length);

    [Theory]
    [InlineData(10, true)]
    [InlineData(11, false)]
    public void Parsec_has_a_cost_of_10_and_no_more(byte cost, bool accepted) =>
        Assert.Equal(accepted, Parsec.IsExtendedSalt([(byte)'P', cost, .. new byte[18]]));

    [Fact]
    public void What_parsec_computes_can_be_stopped()
    {
        byte[] salt = [(byte)'P', 10, .. new byte[18]];
        Assert.Throws<OperationCanceledException>(() => Parsec.Respond(new byte[32], new byte[32], salt, "x"u8, new CancellationToken(true), out _));
    }

    [Theory]
    [InlineData(0), InlineData(2), InlineData(3), InlineData(5)]
    public void What_parsec_computes_in_blocks_is_PBKDF2(byte cost)
    {
        byte[] salt = [(byte)'P', cost, .. "eighteen bytes ..."u8];
        Parsec.Respond(new byte[32], new byte[32], salt, "open sesame"u8, out var key);
        Assert.Equal(Ed25519.PublicKey(Rfc2898DeriveBytes.Pbkdf2("open sesame"u8, salt.AsSpan(2), 1024 << cost, HashAlgorithmName.SHA512, 32)), key);
    }

    [Theory]
    [InlineData(8, true)]
    [InlineData(7, false)]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void Parsec_has_a_salt_of_8_to_64_bytes(int length, bool accepted) =>
        Assert.Equal(accepted, Parsec.IsExtendedSalt([(byte)'P', 0, .. new byte[length]]));

    [Theory]
    [InlineData(1024, true)]
    [InlineData(1016, false)]
    [InlineData(8192, true)]
    [InlineData(8200, false)]
    public void A_key_has_1024_to_8192_bits(int bits, bool accepted)
    {
        var modulus = RandomNumberGenerator.GetBytes(bits / 8);
        modulus[0] |= 0x80;
        modulus[^1] |= 1;
        using var made = RSA.Create(new RSAParameters { Modulus = modulus, Exponent = [1, 0, 1] });
        var isKey = RsaPassword.TryReadKey(Encoding.ASCII.GetBytes(made.ExportSubjectPublicKeyInfoPem()), out var key, out var problem);
        using (key)
            Assert.Equal(accepted, isKey);
        Assert.Equal(accepted, problem is null);
    }

    [Theory]
    [InlineData(16 * 1024, true)]
    [InlineData(16 * 1024 + 1, false)]
    public void A_keys_text_has_16_KiB_and_no_more(int length, bool accepted)
    {
        using var made = RSA.Create(2048);
        var pem = made.ExportSubjectPublicKeyInfoPem();
        var isKey = RsaPassword.TryReadKey(Encoding.ASCII.GetBytes(pem + new string('\n', length - pem.Length)), out var key, out _);
        using (key)
            Assert.Equal(accepted, isKey);
    }

    private static int Begin(ByteWriter writer, ReadOnlySpan<byte> text)
    {
        var at = writer.Begin();
        writer.Bytes(text);
        return at;
    }

    private static void Scrams(bool accepted, int iterations = 1, int salt = 16, int added = 10)
    {
        var scram = Scram.Create("SCRAM-SHA-256", "user", Nonce)!;
        var first = Encoding.ASCII.GetBytes($"r={Nonce}{new string('x', added)},s={Convert.ToBase64String(new byte[salt])},i={iterations}");
        if (accepted)
            Assert.NotEmpty(scram.ClientFinal(first, "password"u8));
        else
            Assert.Throws<ProtocolException>(() => scram.ClientFinal(first, "password"u8));
    }
}
