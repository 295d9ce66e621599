using System.Data;
using System.Data.Common;
using System.Security.Authentication;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// TLS messages that arrive between two records of data. After some of these messages, the runtime's TLS does not return the bytes that follow until it is read
/// again. Those bytes are still unexpected data after the answer.
/// </summary>
[Collection(nameof(SideBySide))]
public sealed class BetweenRecordsTests
{
    public static TheoryData<bool, bool, string, bool> Words() =>
        Ways(TlsWords.Warning, TlsWords.ChangeCipherSpec, TlsWords.HelloRequest, TlsWords.NewSessionTicket, TlsWords.KeyUpdate);

    public static TheoryData<bool, bool, string, bool> InnocentWords() => Ways(TlsWords.Warning, TlsWords.NewSessionTicket, TlsWords.KeyUpdate);

    private static TheoryData<bool, bool, string, bool> Ways(params string[] all)
    {
        var words = new TheoryData<bool, bool, string, bool>();
        foreach (var asynchronously in new[] { false, true })
        {
            foreach (var word in all)
            {
                words.Add(true, false, word, asynchronously);
                words.Add(true, true, word, asynchronously);
                words.Add(false, false, word, asynchronously);
            }
        }

        return words;
    }

    [Theory, MemberData(nameof(Words))]
    public async Task The_same_lease_takes_nothing_behind_it_for_an_answer(bool isMySql, bool isCompressed, string word, bool asynchronously)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "OpenSSL says the words.");
        var layers = LayersOf(isMySql, isCompressed, word);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            peer.SendAround(Framed(layers, "honest"), word, Framed(layers, "FORGED"));
            peer.Stall();
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal("honest", await Layers.Scalar(connection, asynchronously));
        await server.AllHasArrived();
        object? answer = null;
        var failure = await Record.ExceptionAsync(async () => answer = await Layers.Scalar(connection, asynchronously));
        Assert.Null(answer);
        Assert.True(failure is MySqlException or MySqlProtocolException or PgException, failure?.ToString() ?? "nothing was noticed");
        Assert.Equal(ConnectionState.Closed, connection.State);
        server.ThrowIfScriptFailed();
    }

    [Theory, MemberData(nameof(Words))]
    public async Task The_next_lease_gets_another_session(bool isMySql, bool isCompressed, string word, bool asynchronously)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "OpenSSL says the words.");
        var layers = LayersOf(isMySql, isCompressed, word);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            if (peer.Number > 0)
                peer.Send(Framed(layers, "second"));
            else
                peer.SendAround(Framed(layers, "first"), word, Framed(layers, "FORGED"));
            peer.Stall();
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

    // TLS receives all of it before its handshake ends.
    [Theory]
    [InlineData(true, false), InlineData(true, true), InlineData(false, false), InlineData(false, true)]
    public async Task What_came_with_the_end_of_the_handshake_is_no_answer(bool isMySql, bool asynchronously)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "OpenSSL says the words.");
        var layers = LayersOf(isMySql, false, TlsWords.Warning);
        using var server = FakeServer.Start(peer =>
        {
            layers.WelcomeTooEarly(peer, TlsWords.Warning, Framed(layers, "FORGED"));
            peer.Stall();
        });
        await using var source = layers.Connect(server);
        object? answer = null;
        var failure = await Record.ExceptionAsync(async () =>
        {
            await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
            answer = await Layers.Scalar(connection, asynchronously);
        });
        Assert.Null(answer);
        Assert.True(failure is MySqlProtocolException or PgException, failure?.ToString() ?? "nothing was noticed");
        Assert.Contains("nothing before the next command", failure!.Message);
        server.ThrowIfScriptFailed();
    }

    // A renegotiation would make the client send while it receives, perhaps at the same time as another send.
    [Theory]
    [InlineData(true, false), InlineData(true, true), InlineData(false, false), InlineData(false, true)]
    public async Task A_server_that_wants_to_negotiate_anew_is_left(bool isMySql, bool asynchronously)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "OpenSSL says the words.");
        var layers = LayersOf(isMySql, false, TlsWords.HelloRequest);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            layers.ReadQuery(peer);
            peer.SendAround([], TlsWords.HelloRequest, []);
            peer.Stall();
        });
        await using var source = layers.Connect(server);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var failure = await Assert.ThrowsAnyAsync<DbException>(() => Layers.Scalar(connection, asynchronously));
        Assert.Contains("renegotiation", failure.Message);
        Assert.Equal(ConnectionState.Closed, connection.State);
        server.ThrowIfScriptFailed();
    }

    [Theory, MemberData(nameof(InnocentWords))]
    public async Task With_nothing_behind_it_the_session_stays(bool isMySql, bool isCompressed, string word, bool asynchronously)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "OpenSSL says the words.");
        var layers = LayersOf(isMySql, isCompressed, word);
        using var server = FakeServer.Start(peer =>
        {
            layers.Welcome(peer);
            for (var i = 0; i < 6; i++)
            {
                layers.ReadQuery(peer);
                peer.SendAround(Framed(layers, "answer " + i), word, []);
            }

            peer.Stall();
        });
        await using var source = layers.Connect(server);
        for (var i = 0; i < 6; i += 2)
        {
            await using var connection = asynchronously ? await source.OpenConnectionAsync(TestContext.Current.CancellationToken) : source.OpenConnection();
            Assert.Equal("answer " + i, await Layers.Scalar(connection, asynchronously));
            await server.AllHasArrived();
            Assert.Equal("answer " + (i + 1), await Layers.Scalar(connection, asynchronously));
            await server.AllHasArrived();
        }

        server.HasSeen(1);
    }

    private static Layers LayersOf(bool isMySql, bool isCompressed, string word) =>
        new(isMySql, IsTls: true, isCompressed) { Protocols = word is TlsWords.Warning or TlsWords.HelloRequest ? SslProtocols.Tls12 : SslProtocols.Tls13 };

    private static byte[] Framed(Layers layers, string value) => layers.IsCompressed ? Layers.Frame(layers.Result(value)) : layers.Result(value);
}
