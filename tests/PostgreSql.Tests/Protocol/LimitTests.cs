using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql.Tests.Protocol;

/// <summary>Limits of docs/limits.md that need no server: each test reaches its limit, and then exceeds it by one.</summary>
public sealed class LimitTests
{
    private const string Nonce = "nonce";

    // No part of a message over the protocol's maximum may be sent: the writer removes it and keeps what came before it.
    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(700 << 20, false)]
    public void A_message_has_a_gigabyte_less_one_and_no_more(int beyond, bool leaves)
    {
        const int Most = 0x3FFF_FFFF;
        var value = new byte[1 << 20];
        var writer = new ByteWriter();
        Sync.Write(writer);
        var before = writer.TotalLength;

        var at = writer.Begin((byte)'B');
        for (var left = Most + beyond - (writer.LengthSince(at) - 1); left > 0; left -= value.Length)
            writer.Gather(value.AsMemory(0, Math.Min(left, value.Length)));
        if (leaves)
        {
            writer.End(at);
            Assert.Equal(before + 1L + Most, writer.TotalLength);
            return;
        }

        Assert.Contains("1,073,741,823", Assert.Throws<InvalidOperationException>(() => writer.End(at)).Message);
        Assert.Equal(before, writer.TotalLength);
    }

    [Fact]
    public void A_command_has_65535_parameters_and_no_more()
    {
        Assert.Equal(-1, Bind.Count(65_535));
        Assert.Contains("65,535", Assert.Throws<InvalidOperationException>(() => Bind.Count(65_536)).Message);
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

    private static void Scrams(bool accepted, int iterations = 1, int salt = 16, int added = 10)
    {
        var scram = new ScramSha256(Nonce);
        var first = Encoding.ASCII.GetBytes($"r={Nonce}{new string('x', added)},s={Convert.ToBase64String(new byte[salt])},i={iterations}");
        if (accepted)
            Assert.NotEmpty(scram.ClientFinal(first, "password", new ScramKeyCache()));
        else
            Assert.Throws<ProtocolException>(() => scram.ClientFinal(first, "password", new ScramKeyCache()));
    }
}
