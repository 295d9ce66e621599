using System.Data;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>Unexpected bytes follow an answer, but only a part of their TLS record has arrived: TLS keeps that part and cannot return any of it.</summary>
[Collection(nameof(SideBySide))]
public sealed class CutRecordTests
{
    // All but the last byte, or only the first byte.
    private static readonly int[] Missing = [1, 0];

    public static TheoryData<bool, bool, int, bool> Cases() => Ways([(true, false), (true, true), (false, false)]);

    public static TheoryData<bool, bool, int, bool> CasesOfMySql() => Ways([(true, false), (true, true)]);

    private static TheoryData<bool, bool, int, bool> Ways((bool IsMySql, bool IsCompressed)[] layers)
    {
        var ways = new TheoryData<bool, bool, int, bool>();
        foreach (var (isMySql, isCompressed) in layers)
        {
            foreach (var missing in Missing)
            {
                ways.Add(isMySql, isCompressed, missing, false);
                ways.Add(isMySql, isCompressed, missing, true);
            }
        }

        return ways;
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task The_next_lease_gets_another_session(bool isMySql, bool isCompressed, int missing, bool asynchronously)
    {
        var layers = new Layers(isMySql, IsTls: true, isCompressed);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            if (peer.Number > 0)
            {
                peer.Send(Framed(layers, "second"));
                return;
            }

            var rest = peer.SendCut(Framed(layers, "first"), Framed(layers, "FORGED"), missing);
            layers.ReadQuery(peer);
            peer.SendBeneath(rest);
        });
        await using var source = layers.Connect(server);
        await using (var first = await source.OpenConnectionAsync(TestContext.Current.CancellationToken))
        {
            Assert.Equal("first", await Layers.Scalar(first, asynchronously));
            await server.AllHasArrived();
        }

        await using var second = asynchronously ? await source.OpenConnectionAsync(TestContext.Current.CancellationToken) : source.OpenConnection();
        Assert.Equal("second", await Layers.Scalar(second, asynchronously));
        server.HasSeen(2);
    }

    [Theory, MemberData(nameof(CasesOfMySql))]
    public async Task The_same_lease_does_not_take_it_for_an_answer(bool isMySql, bool isCompressed, int missing, bool asynchronously)
    {
        var layers = new Layers(isMySql, IsTls: true, isCompressed);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            var rest = peer.SendCut(Framed(layers, "honest"), Framed(layers, "FORGED"), missing);
            layers.ReadQuery(peer);
            peer.SendBeneath(rest);
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal("honest", await Layers.Scalar(connection, asynchronously));
        await server.AllHasArrived();
        object? answer = null;
        var failure = await Record.ExceptionAsync(async () => answer = await Layers.Scalar(connection, asynchronously));
        Assert.Null(answer);
        Assert.IsType<MySqlProtocolException>(failure);
        Assert.Contains("nothing before the next command", failure.Message);
        Assert.Equal(ConnectionState.Closed, connection.State);
    }

    // Until the record is complete, the client cannot know which message it contains.
    [Theory]
    [InlineData(1, false), InlineData(1, true), InlineData(0, false), InlineData(0, true)]
    public async Task A_server_of_PostgreSQL_may_say_the_rest_of_a_notice_later(int missing, bool asynchronously)
    {
        var layers = new Layers(IsMySql: false, IsTls: true, IsCompressed: false);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            var rest = peer.SendCut(layers.Result("first"), PgWords.Message('N', [.. "SNOTICE"u8, 0, .. "C00000"u8, 0, .. "Mheard"u8, 0, 0]), missing);
            layers.ReadQuery(peer);
            peer.SendBeneath(rest);
            peer.Send(layers.Result("second"));
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var heard = new StringBuilder();
        ((PgConnection)connection).Notice += (_, e) => heard.Append(e.Notice.MessageText);
        Assert.Equal("first", await Layers.Scalar(connection, asynchronously));
        await server.AllHasArrived();
        Assert.Equal("second", await Layers.Scalar(connection, asynchronously));
        Assert.Equal("heard", heard.ToString());
        server.ThrowIfScriptFailed();
    }

    // A proxy or the network may split an answer's records anywhere.
    [Theory, MemberData(nameof(Cases))]
    public async Task An_answer_that_comes_in_pieces_leaves_the_session_whole(bool isMySql, bool isCompressed, int missing, bool asynchronously)
    {
        var layers = new Layers(isMySql, IsTls: true, isCompressed);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            for (var i = 0; i < 4; i++)
            {
                layers.ReadQuery(peer);
                var rest = peer.SendCut([], Framed(layers, "answer " + i), missing);
                // The client has received the first piece when the rest is sent: the pause makes them two receives.
                Thread.Sleep(20);
                peer.SendBeneath(rest);
            }
        });
        await using var source = layers.Connect(server);
        for (var i = 0; i < 4; i += 2)
        {
            await using var connection = asynchronously ? await source.OpenConnectionAsync(TestContext.Current.CancellationToken) : source.OpenConnection();
            Assert.Equal("answer " + i, await Layers.Scalar(connection, asynchronously));
            Assert.Equal("answer " + (i + 1), await Layers.Scalar(connection, asynchronously));
        }

        server.HasSeen(1);
        server.ThrowIfScriptFailed();
    }

    private static byte[] Framed(Layers layers, string value) => layers.IsCompressed ? Layers.Frame(layers.Result(value)) : layers.Result(value);
}
