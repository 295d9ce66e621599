using Slipstream.BadPeers.Peers;
using Slipstream.Core.Wires;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// Unexpected bytes after an answer that the receive buffer does not show: they follow an answer that filled the buffer to its last byte, are in the data that
/// TLS has decrypted, or in a frame of the compressed protocol.
/// </summary>
[Collection(nameof(SideBySide))]
public sealed class HiddenLeftoverTests
{
    private const string MySql = "MySQL";
    private const string PostgreSql = "PostgreSQL";
    private const int Short = 4;

    // The answer exactly fills the first receive buffer.
    private const int FullFirst = -1;

    // The answer exactly fills the normal receive buffer, which follows the first one after a longer answer.
    private const int FullNormal = -2;
    private static readonly string Longer = new('l', 2 * Wire.InitialCapacity);

    public static TheoryData<string, string, int, bool> Cases()
    {
        var cases = new TheoryData<string, string, int, bool>();
        foreach (var (provider, way) in new[]
        {
            (MySql, "clear"),
            (MySql, "TLS"),
            (MySql, "compressed"),
            (MySql, "TLS, compressed"),
            (PostgreSql, "clear"),
            (PostgreSql, "TLS")
        })
        {
            foreach (var length in new[] { Short, FullFirst, FullNormal })
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
        var layers = LayersOf(provider, way);
        var (answer, value) = Answer(layers, length);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            Grow(layers, peer, length);
            layers.ReadQuery(peer);
            Send(layers, peer, answer, layers.Result("FORGED"));
            peer.ReadSegment();
            throw new InvalidDataException("The client said something behind words that it had not asked for.");
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        if (length == FullNormal)
            Assert.Equal(Longer, await Layers.Scalar(connection, asynchronously));
        Assert.Equal(value, await Layers.Scalar(connection, asynchronously));
        await server.AllHasArrived();
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Layers.Scalar(connection, asynchronously));
        Assert.True(failure is MySqlProtocolException or PgException, failure.ToString());
        Assert.Contains("nothing before the next command", failure.Message);
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
        server.ThrowIfScriptFailed();
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task The_next_lease_gets_another_session(string provider, string way, int length, bool asynchronously)
    {
        var layers = LayersOf(provider, way);
        var (answer, value) = Answer(layers, length);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            if (peer.Number > 0)
            {
                layers.ReadQuery(peer);
                Send(layers, peer, layers.Result("honest"), []);
                return;
            }

            Grow(layers, peer, length);
            layers.ReadQuery(peer);
            Send(layers, peer, answer, layers.Result("FORGED"));
            peer.Stall();
        });
        await using var source = layers.Connect(server);
        await using (var first = await source.OpenConnectionAsync(TestContext.Current.CancellationToken))
        {
            if (length == FullNormal)
                Assert.Equal(Longer, await Layers.Scalar(first, asynchronously));
            Assert.Equal(value, await Layers.Scalar(first, asynchronously));
            await server.AllHasArrived();
        }

        await using var second = asynchronously ? await source.OpenConnectionAsync(TestContext.Current.CancellationToken) : source.OpenConnection();
        Assert.Equal("honest", await Layers.Scalar(second, asynchronously));
        server.HasSeen(2);
    }

    [Theory]
    [InlineData("clear", false), InlineData("clear", true), InlineData("TLS", false), InlineData("TLS", true)]
    public async Task A_server_of_PostgreSQL_may_report_a_setting_behind_a_full_buffer(string way, bool asynchronously)
    {
        var layers = LayersOf(PostgreSql, way);
        (byte[] Answer, string Value)[] answers = [Answer(layers, FullFirst), Answer(layers, FullNormal), Answer(layers, FullNormal)];
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            foreach (var (answer, _) in answers)
            {
                layers.ReadQuery(peer);
                Send(layers, peer, answer, PgWords.ParameterStatus("TimeZone", "UTC"));
            }
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        foreach (var (_, value) in answers)
        {
            Assert.Equal(value, await Layers.Scalar(connection, asynchronously));
            await server.AllHasArrived();
        }

        server.ThrowIfScriptFailed();
    }

    private static Layers LayersOf(string provider, string way) =>
        new(provider == MySql, way.StartsWith("TLS", StringComparison.Ordinal), way.EndsWith("compressed", StringComparison.Ordinal));

    private static void Grow(Layers layers, FakePeer peer, int length)
    {
        if (length != FullNormal)
            return;
        layers.ReadQuery(peer);
        Send(layers, peer, layers.Result(Longer), []);
    }

    // The last byte of the answer and the first byte after it are in one TLS record and in two frames.
    private static void Send(Layers layers, FakePeer peer, byte[] answer, byte[] behind)
    {
        if (layers.IsCompressed)
        {
            answer = Layers.Frame(answer);
            if (behind.Length > 0)
                behind = Layers.Frame(behind);
        }

        byte[] all = [.. answer, .. behind];
        if (answer.Length > 200)
            peer.Send(all.AsSpan(0, 200));
        peer.Send(answer.Length > 200 ? all.AsSpan(200) : all);
    }

    private static (byte[] Answer, string Value) Answer(Layers layers, int length)
    {
        if (length == Short)
            return (layers.Result(new string('x', Short)), new string('x', Short));
        var capacity = length == FullFirst ? Wire.InitialCapacity : Wire.NormalCapacity;
        // The length of a value's length does not change on the way from here to the full buffer.
        var value = new string('x', capacity - 1000);
        value += new string('x', capacity - layers.Result(value).Length);
        return (layers.Result(value), value);
    }
}
