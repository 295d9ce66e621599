using System.IO.Compression;
using Slipstream.Core.Errors;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql.Tests.Conversations;

public class CompressedFramesTests
{
    private static byte[] Random(int length)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }

    private static byte[] Packet(int sequence, ReadOnlySpan<byte> payload) =>
        [(byte)payload.Length, (byte)(payload.Length >> 8), (byte)(payload.Length >> 16), (byte)sequence, .. payload];

    // Written independently of the code under test.
    private static byte[] Frame(int sequence, byte[] bytes, bool compress, int lie = 0)
    {
        var body = bytes;
        if (compress)
        {
            using var target = new MemoryStream();
            using (var zlib = new ZLibStream(target, CompressionLevel.Optimal))
                zlib.Write(bytes);
            body = target.ToArray();
        }

        var before = compress ? bytes.Length + lie : 0;
        return [
            (byte)body.Length, (byte)(body.Length >> 8), (byte)(body.Length >> 16), (byte)sequence, (byte)before, (byte)(before >> 8), (byte)(before >> 16),
            .. body
        ];
    }

    private static List<(int Sequence, bool Compressed, byte[] Bytes)> Frames(ReadOnlySpan<byte> coded)
    {
        var frames = new List<(int, bool, byte[])>();
        while (!coded.IsEmpty)
        {
            var length = coded[0] | coded[1] << 8 | coded[2] << 16;
            var before = coded[4] | coded[5] << 8 | coded[6] << 16;
            var body = coded.Slice(7, length).ToArray();
            if (before > 0)
            {
                using var target = new MemoryStream();
                using (var zlib = new ZLibStream(new MemoryStream(body), CompressionMode.Decompress))
                    zlib.CopyTo(target);
                body = target.ToArray();
                Assert.Equal(before, body.Length);
            }

            frames.Add((coded[3], before > 0, body));
            coded = coded[(7 + length)..];
        }

        return frames;
    }

    private static byte[] Decode(CompressedFrames frames, ReadOnlySpan<byte> coded, int pieces, int room = 1000)
    {
        var decoded = new List<byte>();
        var target = new byte[room];
        while (true)
        {
            for (int count; (count = frames.Decode(target)) > 0;)
                decoded.AddRange(target.AsSpan(0, count));
            if (coded.IsEmpty)
                return [.. decoded];
            var next = coded[..Math.Min(Math.Min(pieces, coded.Length), frames.FreeMemory().Length)];
            next.CopyTo(frames.FreeMemory().Span);
            frames.Advance(next.Length);
            coded = coded[next.Length..];
        }
    }

    [Fact]
    public void Small_packets_travel_as_they_are()
    {
        using var frames = new CompressedFrames();
        var packet = Packet(0, "\u0003SELECT 1"u8);
        Assert.Equal((byte[])[(byte)packet.Length, 0, 0, 0, 0, 0, 0, .. packet], frames.Encode(packet).ToArray());
    }

    [Fact]
    public void Larger_ones_are_compressed_unless_that_is_no_gain()
    {
        using var frames = new CompressedFrames();
        var packet = Packet(0, new byte[5000]);
        var frame = Assert.Single(Frames(frames.Encode(packet).Span));
        Assert.True(frame.Compressed);
        Assert.Equal(packet, frame.Bytes);

        packet = Packet(0, Random(5000));
        frame = Assert.Single(Frames(frames.Encode(packet).Span));
        Assert.False(frame.Compressed);
        Assert.Equal(packet, frame.Bytes);
    }

    [Fact]
    public void Each_command_begins_a_frame_with_number_0()
    {
        using var frames = new CompressedFrames();
        byte[] first = Packet(0, [31]), second = Packet(0, new byte[400]), third = Packet(0, [14]);
        var sent = Frames(frames.Encode([.. first, .. second, .. third]).Span);
        Assert.Equal([0, 0, 0], sent.Select(static frame => frame.Sequence));
        Assert.Equal([first, second, third], sent.Select(static frame => frame.Bytes));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(7)]
    [InlineData(1000)]
    public void A_command_that_leaves_in_pieces_is_numbered_on_and_loses_nothing(int piece)
    {
        byte[] commands = [.. Packet(0, [3, .. Random(100)]), .. Packet(0, []), .. Packet(0, [3, .. Random(240)])];
        using var frames = new CompressedFrames();
        var sent = new List<(int Sequence, bool Compressed, byte[] Bytes)>();
        for (var at = 0; at < commands.Length; at += piece)
            sent.AddRange(Frames(frames.Encode(commands.AsSpan(at, Math.Min(piece, commands.Length - at))).Span));
        Assert.Equal(commands, sent.SelectMany(static frame => frame.Bytes));
        Assert.Equal(3, sent.Count(static frame => frame.Sequence == 0));
        for (var i = 1; i < sent.Count; i++)
            Assert.True(sent[i].Sequence == 0 || sent[i].Sequence == (byte)(sent[i - 1].Sequence + 1));
    }

    [Fact]
    public void What_belongs_to_an_exchange_goes_on_from_the_number_that_came_last()
    {
        using var frames = new CompressedFrames();
        frames.Encode(Packet(0, [3, .. Random(20)]));
        Assert.Equal(Packet(1, [0xFB, 1]), Decode(frames, Frame(1, Packet(1, [0xFB, 1]), false), 100));
        var numbers = new List<int>();
        for (var i = 2; i < 600; i++)
            numbers.AddRange(Frames(frames.Encode(Packet(i, [1, 2])).Span).Select(static frame => frame.Sequence));
        Assert.Equal(Enumerable.Range(2, 598).Select(static i => (int)(byte)i), numbers);
        Decode(frames, Frame(600, Packet(600, [0]), false), 100);
        Assert.Equal(0, Frames(frames.Encode(Packet(0, [1])).Span)[0].Sequence);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(100)]
    [InlineData(100_000)]
    public void Frames_are_put_together_wherever_they_are_cut(int pieces)
    {
        byte[] first = Random(50), second = new byte[200_000], third = Random(70_000);
        using var frames = new CompressedFrames();
        var decoded = Decode(frames, [.. Frame(1, first, false), .. Frame(2, second, true), .. Frame(3, third, true), .. Frame(4, first, true)], pieces, 4096);
        Assert.True(decoded.AsSpan().SequenceEqual((byte[])[.. first, .. second, .. third, .. first]));
        Assert.False(frames.HasLeft);
    }

    [Fact]
    public void A_frame_that_ends_early_is_waited_for_at_every_place()
    {
        var whole = Frame(1, Packet(1, new byte[300]), true);
        for (var length = 0; length < whole.Length; length++)
        {
            using var frames = new CompressedFrames();
            Assert.Empty(Decode(frames, whole.AsSpan(0, length), 100));
            Assert.Equal(length > 0, frames.HasLeft);
        }
    }

    [Fact]
    public void Lies_about_frames_are_noticed()
    {
        var whole = Frame(1, new byte[3000], true);
        foreach (var lie in new[]
                 {
                     Frame(1, new byte[3000], true, 1), Frame(1, new byte[3000], true, -1), Frame(1, [], false), Frame(7, new byte[10], false),
                     [.. Frame(1, new byte[10], false), .. Frame(5, new byte[10], false)],
                     (byte[])[20, 0, 0, 1, 0xFF, 0xFF, 0xFF, .. Random(20)], (byte[])[200, 0, 0, 1, 0xFF, 1, 0, .. Random(200)],
                     // The checksum.
                     [.. whole[..^1], (byte)(whole[^1] ^ 1)],
                 })
        {
            using var frames = new CompressedFrames();
            Assert.Throws<ProtocolException>(() => Decode(frames, lie, 1 << 20));
        }
    }

    [Fact]
    public void A_frame_that_announces_much_costs_what_has_come()
    {
        using var frames = new CompressedFrames();
        var before = GC.GetAllocatedBytesForCurrentThread();
        Decode(frames, [0xFF, 0xFF, 0xFF, 1, 0xFF, 0xFF, 0xFF, 1, 2, 3], 100);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4096);
    }

    [Fact]
    public void The_answer_to_a_long_command_begins_behind_its_last_frame()
    {
        using var frames = new CompressedFrames();
        byte[] command = Packet(0, Random(1000));
        for (var at = 0; at < command.Length; at += 251)
            frames.Encode(command.AsSpan(at, 251));
        frames.Encode(Packet(0, [1]));
        Assert.Equal(4, Decode(frames, [.. Frame(4, [1, 2], false), .. Frame(1, [3, 4], false)], 100).Length);
        Assert.Throws<ProtocolException>(() => Decode(frames, Frame(4, [1], false), 100));
    }

    // The runtime reports it by another exception than all other faults; that exception was once not handled.
    [Fact]
    public void A_compressed_frame_that_asks_for_a_dictionary_is_no_frame()
    {
        using var frames = new CompressedFrames();
        Assert.Throws<ProtocolException>(() => Decode(frames, [8, 0, 0, 1, 20, 0, 0, 0x78, 0x20, 0x0E, 0x97, 0x01, 0x63, 0x60, 0x60], 100));
    }
}
