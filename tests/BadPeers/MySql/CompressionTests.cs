using System.IO.Compression;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>Peers of the compressed protocol.</summary>
public sealed class CompressionTests : MySqlPeerTests
{
    private const uint Compress = 0x20;
    private const uint Zstd = 1 << 26;

    [Theory, InlineData(false), InlineData(true)]
    public async Task Frames_are_read_when_the_server_compresses(bool asynchronously)
    {
        using var server = Answering(Frame(1, Rows, true));
        Assert.Equal([41, 42], await Connect(server, asynchronously, "Use Compression=true").Query());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Packets_cut_by_frames_are_put_together_and_their_own_numbers_say_nothing(bool asynchronously)
    {
        byte[] rows =
            [.. MySqlWords.Columns(5, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(7, "41"), .. MySqlWords.TextRow(8, "42"), .. MySqlWords.End(9)];
        using var server = Answering([.. Frame(1, rows[..7], false), .. Frame(2, rows[7..30], true), .. Frame(3, rows[30..], true)]);
        Assert.Equal([41, 42], await Connect(server, asynchronously, "Use Compression=true").Query());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_does_not_compress_is_talked_to_without(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(Rows);
        });
        Assert.Equal([41, 42], await Connect(server, asynchronously, "Use Compression=true").Query());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_has_only_zstd_is_refused_with_a_way_out(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | Zstd)));
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, "Use Compression=true").OpenFails());
        Assert.Contains("zstd", failure.Message);
        Assert.Empty(server.Received);
    }

    [Theory, InlineData(false), InlineData(true)]
    public Task A_wrong_number_is_noticed(bool asynchronously) => Breaks(asynchronously, Frame(3, Rows, true));

    [Theory, InlineData(false), InlineData(true)]
    public Task More_than_was_announced_is_noticed(bool asynchronously) => Breaks(asynchronously, Frame(1, Rows, true, Rows.Length - 1));

    [Theory, InlineData(false), InlineData(true)]
    public Task Less_than_was_announced_is_noticed(bool asynchronously) => Breaks(asynchronously, Frame(1, Rows, true, Rows.Length + 1));

    [Theory, InlineData(false), InlineData(true)]
    public Task What_zlib_never_wrote_is_noticed(bool asynchronously) => Breaks(asynchronously, [5, 0, 0, 1, 200, 0, 0, 1, 2, 3, 4, 5]);

    [Theory, InlineData(false), InlineData(true)]
    public Task Empty_frames_are_noticed(bool asynchronously) => Breaks(asynchronously, [0, 0, 0, 1, 0, 0, 0]);

    // 16 KiB on the wire expand to 16 MiB: neither the frame nor the packet in it may cost that much memory.
    [Theory, InlineData(false), InlineData(true)]
    public Task A_frame_that_swells_is_read_in_pieces(bool asynchronously)
    {
        var swollen = new byte[0xFF_FFFF];
        swollen[0] = 1;
        swollen[3] = 1;
        swollen[4] = 1;
        return Breaks(asynchronously, Frame(1, swollen, true));
    }

    private static byte[] Rows =>
        [.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "41"), .. MySqlWords.TextRow(4, "42"), .. MySqlWords.End(5)];

    private static async Task Breaks(bool asynchronously, byte[] answer)
    {
        using var server = Answering(answer);
        IsBrokenProtocol(await Connect(server, asynchronously, "Use Compression=true").QueryFails());
    }

    private static FakeServer Answering(byte[] answer) => FakeServer.Start(peer =>
    {
        peer.Welcome(MySqlWords.Capabilities | Compress);
        var header = peer.Read(7);
        peer.Read(header[0] | header[1] << 8 | header[2] << 16);
        peer.Send(answer);
    });

    private static byte[] Frame(int sequence, byte[] bytes, bool compress, int announced = -1)
    {
        var body = bytes;
        if (compress)
        {
            using var target = new MemoryStream();
            using (var zlib = new ZLibStream(target, CompressionLevel.Optimal))
                zlib.Write(bytes);
            body = target.ToArray();
        }

        var before = !compress ? 0 : announced >= 0 ? announced : bytes.Length;
        return [.. MySqlWords.Header(body.Length, sequence), (byte)before, (byte)(before >> 8), (byte)(before >> 16), .. body];
    }
}
