using Slipstream.Core.Errors;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql;

/// <summary>Where the answers to pipelined commands end, whatever pieces they arrive in.</summary>
public class MySqlAnswerBoundsTests
{
    private const byte QueryCode = 0x03;
    private const byte PrepareCode = 0x16;
    private const byte ExecuteCode = 0x17;

    private static readonly byte[] Ok = Packet(0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00);
    private static readonly byte[] Err = Packet(0xFF, 0x48, 0x04, (byte)'#', (byte)'4', (byte)'2', (byte)'0', (byte)'0', (byte)'0', (byte)'x');
    private static readonly byte[] EndOfRows = Packet(0xFE, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00);
    private static readonly byte[] EndWithMore = Packet(0xFE, 0x00, 0x00, 0x0A, 0x00, 0x00, 0x00);
    private static readonly byte[] Definition = Packet(3, (byte)'d', (byte)'e', (byte)'f', 0);
    private static readonly byte[] Row = Packet(1, (byte)'7', 1, (byte)'8');
    private static readonly byte[] PrepareOk = Packet(0x00, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0);

    public static TheoryData<byte, byte[], bool> Answers => new()
    {
        { QueryCode, Ok, false },
        { QueryCode, Err, false },
        { ExecuteCode, [.. Packet(2), .. Definition, .. Definition, .. Row, .. Row, .. EndOfRows], false },
        { QueryCode, [.. Packet(1), .. Definition, .. EndOfRows], false },
        { QueryCode, [.. Packet(1), .. Definition, .. Row, .. Err], false },
        { QueryCode, [.. Packet(1), .. Definition, .. Row, .. EndWithMore, .. Packet(1), .. Definition, .. EndWithMore, .. Ok], false },
        { ExecuteCode, [.. Packet(2, 0), .. Row, .. EndOfRows], true },
        { ExecuteCode, [.. Packet(1, 1), .. Definition, .. Row, .. EndOfRows], true },
        { PrepareCode, [.. PrepareOk, .. Definition, .. Definition, .. Definition], false },
        { PrepareCode, Packet(0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), false },
        { PrepareCode, Err, false },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public void An_answer_ends_where_it_ends_in_whatever_pieces_it_arrives(byte kind, byte[] answer, bool cachesMetadata)
    {
        // The next one behind it, of which nothing may be taken.
        byte[] arriving = [.. answer, .. answer];
        for (var piece = 1; piece <= arriving.Length; piece++)
        {
            var bounds = new MySqlAnswerBounds(cachesMetadata);
            var taken = 0;
            for (var round = 1; round <= 2; round++)
            {
                var have = taken;
                var ended = false;
                while (!ended)
                {
                    Assert.True(have < arriving.Length || taken < have);
                    have = Math.Min(arriving.Length, have + piece);
                    int some;
                    do
                    {
                        some = bounds.Take(arriving.AsSpan(taken, have - taken), kind, out ended, out var wanted);
                        taken += some;
                        Assert.True(wanted == 0 || wanted > have - taken);
                    }
                    while (some > 0 && !ended && taken < have);
                }

                Assert.Equal(round * answer.Length, taken);
            }
        }
    }

    [Fact]
    public void A_row_of_several_packets_is_one_row()
    {
        var bounds = new MySqlAnswerBounds(false);
        byte[] head = [.. Packet(1), .. Definition, 0xFF, 0xFF, 0xFF, 9, 0xFE];
        Assert.Equal(head.Length, bounds.Take(head, QueryCode, out var ended, out _));
        Assert.False(ended);
        var rest = new byte[0xFFFFFF - 1];
        Assert.Equal(rest.Length, bounds.Take(rest, QueryCode, out ended, out _));
        // The empty packet that ends it, and the end of the rows.
        byte[] tail = [0, 0, 0, 10, .. EndOfRows];
        Assert.Equal(tail.Length, bounds.Take(tail, QueryCode, out ended, out _));
        Assert.True(ended);
    }

    [Fact]
    public void What_no_answer_is_is_refused()
    {
        byte[][] bad = [Packet(), Packet(0xFB, (byte)'f'), Packet(0x00), Packet(0x00, 0x00), Packet(0xFE, 0xFF), [0xFF, 0xFF, 0x7F, 1, 0x05]];
        foreach (var answer in bad)
            Assert.Throws<ProtocolException>(() => new MySqlAnswerBounds(false).Take(answer, QueryCode, out _, out _));
        Assert.Throws<ProtocolException>(() => new MySqlAnswerBounds(false).Take(Packet(0x01), PrepareCode, out _, out _));
        Assert.Throws<ProtocolException>(() => new MySqlAnswerBounds(false).Take(Packet(0x00, 1), PrepareCode, out _, out _));
    }

    [Fact]
    public void Requests_are_counted_by_what_is_answered()
    {
        var bounds = new MySqlAnswerBounds(false);
        Span<byte> kinds = stackalloc byte[4];
        Assert.Equal(2, bounds.FindRequests([.. Packet(0x19, 1, 0, 0, 0), .. Packet(PrepareCode, 1), .. Packet(ExecuteCode, 1)], kinds));
        Assert.Equal([PrepareCode, ExecuteCode], kinds[..2].ToArray());
        Assert.Equal(0, bounds.FindRequests(Packet(0x19, 1, 0, 0, 0), kinds));
        byte[][] unshared = [Packet(0x18, 1), Packet(0x1F), Packet(0x02, 1), [5, 0, 0, 0, 3], [1, 0], Packet()];
        foreach (var sent in unshared)
            Assert.Throws<InvalidOperationException>(() => new MySqlAnswerBounds(false).FindRequests(sent, new byte[4]));
        Assert.Throws<InvalidOperationException>(() => new MySqlAnswerBounds(false).FindRequests([.. Ok2(), .. Ok2()], new byte[1]));

        static byte[] Ok2() => Packet(QueryCode, 1);
    }

    private static byte[] Packet(params byte[] payload) => [(byte)payload.Length, (byte)(payload.Length >> 8), 0, 1, .. payload];
}
