using System.Data.Common;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Wires;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// What is left over behind an answer lies where the receive buffer does not show it: behind a buffer that the answer has filled to its last byte, in what TLS has
/// decrypted, in a frame of the compressed protocol.
/// </summary>
[Collection(nameof(SideBySide))]
public sealed class HiddenLeftoverTests
{
    private const string MySql = "MySQL";
    private const string PostgreSql = "PostgreSQL";
    private const int Short = 4;

    // The whole answer is as long as the receive buffer.
    private const int Full = -1;

    private const uint Compress = 0x20;

    public static TheoryData<string, string, int, bool> Cases()
    {
        var cases = new TheoryData<string, string, int, bool>();
        foreach (var (provider, way) in new[] { (MySql, "clear"), (MySql, "TLS"), (MySql, "compressed"), (MySql, "TLS, compressed"), (PostgreSql, "clear"), (PostgreSql, "TLS") })
        {
            foreach (var length in new[] { Short, Full })
            {
                cases.Add(provider, way, length, false);
                cases.Add(provider, way, length, true);
            }
        }

        return cases;
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task The_same_lease_does_not_take_it_for_an_answer(string provider, string way, int length, bool asynchronously)
    {
        var (answer, value) = Answer(provider, length);
        using var server = FakeServer.Start(peer =>
        {
            Welcome(provider, way, peer);
            HearQuery(provider, way, peer);
            Say(way, peer, answer, Result(provider, "FORGED"));
            peer.ReadSegment();
            throw new InvalidDataException("The client said something behind words that it had not asked for.");
        });
        await using var source = Connect(provider, way, server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal(value, await Scalar(connection, asynchronously));
        await AllHasCome();
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Scalar(connection, asynchronously));
        Assert.True(failure is MySqlProtocolException or PgException, failure.ToString());
        Assert.Contains("nothing before the next command", failure.Message);
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
        server.ThrowIfScriptFailed();
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task The_next_lease_gets_another_session(string provider, string way, int length, bool asynchronously)
    {
        var (answer, value) = Answer(provider, length);
        using var server = FakeServer.Start(peer =>
        {
            Welcome(provider, way, peer);
            HearQuery(provider, way, peer);
            if (peer.Number > 0)
            {
                Say(way, peer, Result(provider, "honest"), []);
                return;
            }

            Say(way, peer, answer, Result(provider, "FORGED"));
            peer.Stall();
        });
        await using var source = Connect(provider, way, server);
        await using (var first = await source.OpenConnectionAsync(TestContext.Current.CancellationToken))
        {
            Assert.Equal(value, await Scalar(first, asynchronously));
            await AllHasCome();
        }

        await using var second = asynchronously ? await source.OpenConnectionAsync(TestContext.Current.CancellationToken) : source.OpenConnection();
        Assert.Equal("honest", await Scalar(second, asynchronously));
        server.HasSeen(2);
    }

    [Theory]
    [InlineData("clear", false), InlineData("clear", true), InlineData("TLS", false), InlineData("TLS", true)]
    public async Task A_server_of_PostgreSQL_may_report_a_setting_behind_a_full_buffer(string way, bool asynchronously)
    {
        var (answer, value) = Answer(PostgreSql, Full);
        using var server = FakeServer.Start(peer =>
        {
            Welcome(PostgreSql, way, peer);
            for (var i = 0; i < 3; i++)
            {
                HearQuery(PostgreSql, way, peer);
                Say(way, peer, answer, PgWords.ParameterStatus("TimeZone", "UTC"));
            }
        });
        await using var source = Connect(PostgreSql, way, server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        for (var i = 0; i < 3; i++)
        {
            Assert.Equal(value, await Scalar(connection, asynchronously));
            await AllHasCome();
        }

        server.ThrowIfScriptFailed();
    }

    // What was said in one piece may come in two.
    private static Task AllHasCome() => Task.Delay(100, TestContext.Current.CancellationToken);

    private static ProviderDataSource Connect(string provider, string way, FakeServer server)
    {
        var isTls = way.StartsWith("TLS", StringComparison.Ordinal);
        return provider == MySql
            ? new MySqlDataSource($"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;Pipelining Mode=On;Auto Prepare=false;Connection Reset=false;"
                + (isTls ? $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};" : "SSL Mode=None;") + (way.EndsWith("compressed", StringComparison.Ordinal) ? "Use Compression=true" : ""))
            : PgDataSource.Create($"Host=127.0.0.1;Port={server.Port};Username=somebody;Password=open sesame;Database=db;Auto Prepare=false;No Reset On Close=true;"
                + (isTls ? $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}" : "SSL Mode=Disable"));
    }

    private static void Welcome(string provider, string way, FakePeer peer)
    {
        var isTls = way.StartsWith("TLS", StringComparison.Ordinal);
        if (provider == MySql)
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | (isTls ? MySqlWords.Tls : 0) | (way.EndsWith("compressed", StringComparison.Ordinal) ? Compress : 0)));
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

    private static void HearQuery(string provider, string way, FakePeer peer)
    {
        if (provider != MySql)
            peer.ReadToSync();
        else if (!way.EndsWith("compressed", StringComparison.Ordinal))
            peer.Expect(3);
        else
        {
            var header = peer.Read(7);
            peer.Read(header[0] | header[1] << 8 | header[2] << 16);
        }
    }

    // The last byte of the answer and the first behind it travel in one record of TLS, and in two frames.
    private static void Say(string way, FakePeer peer, byte[] answer, byte[] behind)
    {
        if (way.EndsWith("compressed", StringComparison.Ordinal))
        {
            answer = [.. MySqlWords.Header(answer.Length, 1), 0, 0, 0, .. answer];
            if (behind.Length > 0)
                behind = [.. MySqlWords.Header(behind.Length, 1), 0, 0, 0, .. behind];
        }

        byte[] all = [.. answer, .. behind];
        if (answer.Length > 200)
            peer.Send(all.AsSpan(0, 200));
        peer.Send(answer.Length > 200 ? all.AsSpan(200) : all);
    }

    private static (byte[] Answer, string Value) Answer(string provider, int length)
    {
        var value = new string('x', length == Full ? 60_000 : length);
        if (length == Full)
            value += new string('x', Wire.NormalCapacity - Result(provider, value).Length);
        return (Result(provider, value), value);
    }

    private static byte[] Result(string provider, string value)
    {
        var text = Encoding.ASCII.GetBytes(value);
        return provider == MySql
            ? [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"),
                .. MySqlWords.Packet(3, [.. text.Length < 251 ? (byte[])[(byte)text.Length] : [0xFC, (byte)text.Length, (byte)(text.Length >> 8)], .. text]), .. MySqlWords.End(4)]
            : [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)), .. PgWords.DataRow(text),
                .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];
    }

    private static async Task<object?> Scalar(DbConnection connection, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT a";
        return asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
    }
}
