using System.Data.Common;
using System.IO.Compression;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Wires;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>What is left over behind an answer came with it, but a layer between has received only a part of it, or none because its own buffer was full.</summary>
[Collection(nameof(SideBySide))]
public sealed class EdgeLeftoverTests
{
    private const uint Compress = 0x20;
    private const string Forged = "FORGED";

    // More than a record of TLS; with two of them the runtime's TLS has received one record, and of the other a part.
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
        using var server = FakeServer.Start(peer =>
        {
            Welcome(way, peer);
            HearQuery(way, peer);
            var pieces = Pieces(way, out var held);
            peer.SendTogether(pieces);
            peer.ReadSegment();
            peer.SendTogether(held);
            peer.Stall();
        });
        await using var source = Connect(way, server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.NotNull(await Scalar(connection, asynchronously));
        await Task.Delay(100, TestContext.Current.CancellationToken);
        var failure = await Record.ExceptionAsync(async () =>
        {
            if (await Scalar(connection, asynchronously) is string text)
                Assert.DoesNotContain(Forged, text);
        });
        Assert.True(failure is MySqlProtocolException or PgException, failure?.ToString() ?? "nothing was noticed");
        Assert.Contains("nothing before the next command", failure!.Message);
        server.ThrowIfScriptFailed();
    }

    // Who listens may not look for long: far more has come than the receive buffer holds, and than should be held.
    [Theory]
    [InlineData("PostgreSQL", false), InlineData("PostgreSQL", true), InlineData("PostgreSQL in TLS", false), InlineData("PostgreSQL in TLS", true)]
    public async Task A_server_of_PostgreSQL_may_say_much_between_two_commands(string way, bool asynchronously)
    {
        const int Notices = 50_000;
        using var server = FakeServer.Start(peer =>
        {
            Welcome(way, peer);
            HearQuery(way, peer);
            peer.SendTogether(PgResult("first"), Notice(1000));
            for (var i = 1; i < Notices; i++)
                peer.Send(Notice(100));
            HearQuery(way, peer);
            peer.Send(PgResult("second"));
        });
        await using var source = Connect(way, server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var heard = 0;
        ((PgConnection)connection).Notice += (_, _) => heard++;
        Assert.Equal("first", await Scalar(connection, asynchronously));
        await Task.Delay(300, TestContext.Current.CancellationToken);
        Assert.Equal("second", await Scalar(connection, asynchronously));
        Assert.Equal(Notices, heard);
        server.ThrowIfScriptFailed();
    }

    private static bool IsMySql(string way) => way.StartsWith("MySQL", StringComparison.Ordinal);

    private static bool IsTls(string way) => way.Contains("record", StringComparison.Ordinal) || way.Contains("TLS", StringComparison.Ordinal);

    private static bool IsCoded(string way) => IsMySql(way) && (way.Contains("coded", StringComparison.Ordinal) || way.Contains("frame", StringComparison.Ordinal));

    private static byte[][] Pieces(string way, out byte[] held)
    {
        held = [];
        var forged = IsMySql(way) ? MySqlResult(Forged + new string('x', Long)) : PgResult(Forged + new string('x', Long));
        switch (way)
        {
            case "MySQL, a record too long":
                return [MySqlResult(new string('x', Long)), forged];
            case "PostgreSQL, a record too long":
                return [PgResult(new string('x', Long)), forged];
            case "MySQL, a coded buffer too full":
                const int Coded = 32 * 1024;
                var length = Coded - 7 - (MySqlResult(new string('x', 1000)).Length - 1000);
                return [Plain(MySqlResult(new string('x', length))), Plain(MySqlResult(Forged))];
            case "MySQL, a record too long, a frame":
                return [Plain(MySqlResult(new string('x', Long))), Plain(forged)];
            case "MySQL, a frame not whole":
                var frame = Deflated(MySqlResult(Forged + new string('x', 200)));
                held = frame[^2..];
                return [Plain(MySqlResult("honest")), frame[..^2]];
            case "PostgreSQL, a notice too many":
                var answer = PgResult("honest");
                var notice = Notice(Wire.NormalCapacity - answer.Length);
                return [answer, notice, PgResult(Forged)];
            case "PostgreSQL, a notice too many in TLS":
                return [PgResult(new string('x', 2 * Long - 4000)), Notice(100), forged];
            default:
                return [PgResult("honest"), Notice(70_000), PgResult(Forged)];
        }
    }

    // A message of so many bytes in all.
    private static byte[] Notice(int length)
    {
        var empty = PgWords.Message('N', [.. "SNOTICE"u8, 0, .. "C00000"u8, 0, (byte)'M', 0, 0]).Length;
        return PgWords.Message('N', [.. "SNOTICE"u8, 0, .. "C00000"u8, 0, (byte)'M', .. Encoding.ASCII.GetBytes(new string('n', length - empty)), 0, 0]);
    }

    private static byte[] Plain(byte[] bytes) => [.. MySqlWords.Header(bytes.Length, 1), 0, 0, 0, .. bytes];

    private static byte[] Deflated(byte[] bytes)
    {
        using var target = new MemoryStream();
        using (var zlib = new ZLibStream(target, CompressionLevel.Fastest, leaveOpen: true))
            zlib.Write(bytes);
        return [.. MySqlWords.Header((int)target.Length, 1), (byte)bytes.Length, (byte)(bytes.Length >> 8), (byte)(bytes.Length >> 16), .. target.ToArray()];
    }

    private static ProviderDataSource Connect(string way, FakeServer server) => IsMySql(way)
        ? new MySqlDataSource($"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;Pipelining Mode=On;Auto Prepare=false;Connection Reset=false;"
            + (IsTls(way) ? $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};" : "SSL Mode=None;") + (IsCoded(way) ? "Use Compression=true" : ""))
        : PgDataSource.Create($"Host=127.0.0.1;Port={server.Port};Username=somebody;Password=open sesame;Database=db;Auto Prepare=false;No Reset On Close=true;"
            + (IsTls(way) ? $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}" : "SSL Mode=Disable"));

    private static void Welcome(string way, FakePeer peer)
    {
        var isTls = IsTls(way);
        if (IsMySql(way))
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | (isTls ? MySqlWords.Tls : 0) | (IsCoded(way) ? Compress : 0)));
            if (isTls)
            {
                peer.ReadPacket();
                peer.UpgradeToTls(Certificates.Server);
            }

            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(isTls ? 3 : 2, 3), .. MySqlWords.Ok(isTls ? 4 : 3)]);
            return;
        }

        if (isTls)
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
        }
        else
            peer.ReadStartupWithoutTls();

        peer.Send(PgWords.LetIn);
    }

    private static void HearQuery(string way, FakePeer peer)
    {
        if (!IsMySql(way))
            peer.ReadToSync();
        else if (!IsCoded(way))
            peer.Expect(3);
        else
        {
            var header = peer.Read(7);
            peer.Read(header[0] | header[1] << 8 | header[2] << 16);
        }
    }

    private static byte[] MySqlResult(string value)
    {
        var text = Encoding.ASCII.GetBytes(value);
        return [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"),
            .. MySqlWords.Packet(3, [.. text.Length < 251 ? (byte[])[(byte)text.Length] : [0xFC, (byte)text.Length, (byte)(text.Length >> 8)], .. text]), .. MySqlWords.End(4)];
    }

    private static byte[] PgResult(string value) => [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)),
        .. PgWords.DataRow(Encoding.ASCII.GetBytes(value)), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];

    private static async Task<object?> Scalar(DbConnection connection, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT a";
        return asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
    }
}
