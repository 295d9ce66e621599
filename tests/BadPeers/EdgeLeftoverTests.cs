using System.IO.Compression;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// Unexpected bytes arrived together with an answer, but a layer between has received only a part of them, or none because its own buffer was full.
/// </summary>
[Collection(nameof(SideBySide))]
public sealed class EdgeLeftoverTests
{
    private const string Forged = "FORGED";

    // Longer than a TLS record. Of two such records, the runtime's TLS has received the first and a part of the second.
    private const int Long = 17_000;

    public static TheoryData<string, bool> Ways()
    {
        var ways = new TheoryData<string, bool>();
        foreach (var way in new[] { "MySQL, a record too long", "PostgreSQL, a record too long", "MySQL, a coded buffer too full", "MySQL, a frame not whole",
            "MySQL, a record too long, a frame", "PostgreSQL, a notice too many", "PostgreSQL, a notice too many in TLS", "PostgreSQL, a notice too long" })
        {
            ways.Add(way, false);
            ways.Add(way, true);
        }

        return ways;
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task The_same_lease_does_not_take_it_for_an_answer(string way, bool asynchronously)
    {
        var layers = LayersOf(way);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            var pieces = Pieces(way, layers, out var held);
            peer.SendTogether(pieces);
            peer.ReadSegment();
            peer.SendTogether(held);
            peer.Stall();
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.NotNull(await Layers.Scalar(connection, asynchronously));
        await server.AllHasArrived();
        var failure = await Record.ExceptionAsync(async () =>
        {
            if (await Layers.Scalar(connection, asynchronously) is string text)
                Assert.DoesNotContain(Forged, text);
        });
        Assert.True(failure is MySqlProtocolException or PgException, failure?.ToString() ?? "nothing was noticed");
        Assert.Contains("nothing before the next command", failure!.Message);
        server.ThrowIfScriptFailed();
    }

    // Far more arrives than fits into the receive buffer or may be kept, so the check for unexpected bytes must be short.
    [Theory]
    [InlineData("PostgreSQL", false), InlineData("PostgreSQL", true), InlineData("PostgreSQL in TLS", false), InlineData("PostgreSQL in TLS", true)]
    public async Task A_server_of_PostgreSQL_may_say_much_between_two_commands(string way, bool asynchronously)
    {
        const int Notices = 50_000;
        var layers = LayersOf(way);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            peer.SendTogether(layers.Result("first"), Notice(1000));
            for (var i = 1; i < Notices; i++)
                peer.Send(Notice(100));
            layers.ReadQuery(peer);
            peer.Send(layers.Result("second"));
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var heard = 0;
        ((PgConnection)connection).Notice += (_, _) => heard++;
        Assert.Equal("first", await Layers.Scalar(connection, asynchronously));
        // Time for as much to arrive as the system keeps: the server blocks when that is full.
        await Task.Delay(300, TestContext.Current.CancellationToken);
        Assert.Equal("second", await Layers.Scalar(connection, asynchronously));
        Assert.Equal(Notices, heard);
        server.ThrowIfScriptFailed();
    }

    // After the server's last message, the client reads nothing more: it neither searches nor keeps what follows.
    [Theory, InlineData(false), InlineData(true)]
    public async Task What_a_server_of_PostgreSQL_says_behind_its_last_words_is_not_held(bool asynchronously)
    {
        const int Much = 24 << 20;
        var layers = LayersOf("PostgreSQL in TLS");
        // While a long value arrives, the client receives more than one record at a time.
        var first = new string('x', 1 << 20);
        long sent = 0;
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            byte[] notices = [.. Enumerable.Range(0, 3200).SelectMany(static _ => PgWords.Message('N'))];
            peer.Send([.. layers.Result(first), .. PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "57P01"), ('M', "it ends"))]);
            for (; sent < Much; sent += notices.Length)
                peer.Send(notices);
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal(first, await Layers.Scalar(connection, asynchronously));
        // Time for as much to arrive as the system keeps: the server blocks when that is full.
        await Task.Delay(300, TestContext.Current.CancellationToken);
        var failure = await Assert.ThrowsAsync<PgException>(() => Layers.Scalar(connection, asynchronously));
        Assert.Equal("57P01", failure.SqlState);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
        Assert.InRange(sent, 0, Much - 1);
    }

    private static Layers LayersOf(string way)
    {
        var isMySql = way.StartsWith("MySQL", StringComparison.Ordinal);
        return new(
            isMySql, way.Contains("record", StringComparison.Ordinal) || way.Contains("TLS", StringComparison.Ordinal),
            isMySql && (way.Contains("coded", StringComparison.Ordinal) || way.Contains("frame", StringComparison.Ordinal)));
    }

    private static byte[][] Pieces(string way, Layers layers, out byte[] held)
    {
        held = [];
        var forged = layers.Result(Forged + new string('x', Long));
        switch (way)
        {
            case "MySQL, a record too long":
                return [layers.Result(new string('x', Long)), forged];
            case "PostgreSQL, a record too long":
                return [layers.Result(new string('x', Long)), forged];
            case "MySQL, a coded buffer too full":
                const int Coded = 32 * 1024;
                var length = Coded - 7 - (layers.Result(new string('x', 1000)).Length - 1000);
                return [Layers.Frame(layers.Result(new string('x', length))), Layers.Frame(layers.Result(Forged))];
            case "MySQL, a record too long, a frame":
                return [Layers.Frame(layers.Result(new string('x', Long))), Layers.Frame(forged)];
            case "MySQL, a frame not whole":
                var frame = Deflated(layers.Result(Forged + new string('x', 200)));
                held = frame[^2..];
                return [Layers.Frame(layers.Result("honest")), frame[..^2]];
            case "PostgreSQL, a notice too many":
                var answer = layers.Result("honest");
                var notice = Notice(Wire.InitialCapacity - answer.Length);
                return [answer, notice, layers.Result(Forged)];
            case "PostgreSQL, a notice too many in TLS":
                return [layers.Result(new string('x', 2 * Long - 4000)), Notice(100), forged];
            default:
                return [layers.Result("honest"), Notice(70_000), layers.Result(Forged)];
        }
    }

    // A message of the given total length in bytes.
    private static byte[] Notice(int length)
    {
        var empty = PgWords.Message('N', [.. "SNOTICE"u8, 0, .. "C00000"u8, 0, (byte)'M', 0, 0]).Length;
        return PgWords.Message('N', [.. "SNOTICE"u8, 0, .. "C00000"u8, 0, (byte)'M', .. Encoding.ASCII.GetBytes(new string('n', length - empty)), 0, 0]);
    }

    private static byte[] Deflated(byte[] bytes)
    {
        using var target = new MemoryStream();
        using (var zlib = new ZLibStream(target, CompressionLevel.Fastest, leaveOpen: true))
            zlib.Write(bytes);
        return [.. MySqlWords.Header((int)target.Length, 1), (byte)bytes.Length, (byte)(bytes.Length >> 8), (byte)(bytes.Length >> 16), .. target.ToArray()];
    }
}
