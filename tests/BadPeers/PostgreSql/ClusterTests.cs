using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>What the monitor of several servers does when they misbehave.</summary>
[Collection("PostgreSQL, clusters")]
public sealed class ClusterTests : PgPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_wrong_password_is_reported_at_once(bool asynchronously)
    {
        using var first = WithPassword("right");
        using var second = WithPassword("right");
        await using var source = Builder(first, second, "wrong").BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.Equal("28P01", failure.SqlState);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Missing_TLS_is_reported_at_once_although_another_server_is_down(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'N');
            peer.Stall();
        });
        using var down = FakeServer.Bind();
        var port = ((System.Net.IPEndPoint)down.LocalEndPoint!).Port;
        await using var source = new PgDataSourceBuilder(
            $"Host={server.Address}:{port},{server.Address}:{server.Port};{PgLogin.Text};Database=db;SSL Mode=Require;Timeout=15").BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Any);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.DoesNotContain("None of the", failure.Message);
        Assert.Contains("TLS", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_new_password_is_used_at_once(bool asynchronously)
    {
        using var first = WithPassword("new");
        using var second = WithPassword("new");
        await using var source = Builder(first, second, "old").BuildMultiHost();
        await using (var connection = source.CreateConnection(TargetSessionAttributes.Primary))
            await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        source.Password = "new";
        await using (var connection = source.CreateConnection(TargetSessionAttributes.Primary))
            await Open(connection, asynchronously);
    }

    // Each answer takes longer than 250 ms, and the login longer than the time between two questions.
    [Theory, InlineData(false), InlineData(true)]
    public async Task Sessions_of_a_distant_server_are_opened_although_its_answers_take_long(bool asynchronously)
    {
        using var primary = FakeServer.Start(static peer => Serve(peer, loginTakes: 1400, answerTakes: 300));
        using var other = FakeServer.Start(static peer => Serve(peer, loginTakes: 1400, answerTakes: 300));
        await using var source = Builder(primary, other).BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        await Open(connection, asynchronously);
    }

    [Fact]
    public async Task A_data_source_that_is_disposed_during_the_login_of_its_monitor_leaves_no_session()
    {
        using var hasBegun = new ManualResetEventSlim();
        using var mayGoOn = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartupWithoutTls();
            hasBegun.Set();
            mayGoOn.Wait(Client.Deadline);
            Welcome(peer);
            peer.Stall();
        });
        var source = Builder(server, server).BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        var opening = Task.Run(connection.Open, TestContext.Current.CancellationToken);
        hasBegun.Wait(TestContext.Current.CancellationToken);
        source.Dispose();
        mayGoOn.Set();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => opening);
        Assert.True(server.AllClosedWithin(Client.Deadline), "The session of the monitor is still open.");
    }

    // The thread of its monitor must not keep it in memory.
    [Fact]
    public async Task A_data_source_that_is_dropped_without_its_disposal_is_collected()
    {
        using var first = PgNode.Start(static () => false);
        using var second = PgNode.Start(static () => true);
        var dropped = await Task.Run(() => UseAndDrop(first, second), TestContext.Current.CancellationToken);
        await Testing.Eventually.TrueAsync(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !dropped.IsAlive && first.Peers.Concat(second.Peers).All(static peer => peer.ClientHasClosed.IsSet);
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseAndDrop(FakeServer first, FakeServer second)
    {
        var source = Builder(first, second).BuildMultiHost();
        using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        connection.Open();
        return new(source);
    }

    // Four of the callers, and the monitor.
    [Theory, InlineData(false), InlineData(true)]
    public async Task Many_callers_do_not_flood_a_server_with_logins(bool asynchronously)
    {
        int loggingIn = 0, most = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartupWithoutTls();
            var now = Interlocked.Increment(ref loggingIn);
            for (var seen = Volatile.Read(ref most); now > seen; seen = Volatile.Read(ref most))
                Interlocked.CompareExchange(ref most, now, seen);
            Thread.Sleep(20);
            Interlocked.Decrement(ref loggingIn);
            Welcome(peer);
            Answer(peer, 0);
        });
        var builder = Builder(server, server);
        builder.ConnectionStringBuilder.MaxPoolSize = 32;
        await using var source = builder.BuildMultiHost();
        await Task.WhenAll(Enumerable.Range(0, 32).Select(async _ =>
        {
            // They keep their sessions, so each one needs a login.
            var connection = source.CreateConnection(TargetSessionAttributes.Primary);
            await Open(connection, asynchronously);
        }));
        Assert.InRange(most, 1, 4 + 1);
    }

    private static FakeServer WithPassword(string password) => FakeServer.Start(peer =>
    {
        peer.ReadStartupWithoutTls();
        peer.Send(PgWords.Authentication(3));
        var (_, body) = peer.ReadMessage();
        if (Encoding.UTF8.GetString(body) != password + '\0')
        {
            peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "28P01"), ('M', "password authentication failed")));
            peer.Close();
            return;
        }

        Welcome(peer);
        Answer(peer, 0);
    });

    private static void Serve(FakePeer peer, int loginTakes, int answerTakes)
    {
        peer.ReadStartupWithoutTls();
        Thread.Sleep(loginTakes);
        Welcome(peer);
        Answer(peer, answerTakes);
    }

    // A primary: answers the question for its role.
    private static void Answer(FakePeer peer, int answerTakes)
    {
        while (true)
        {
            var (type, body) = peer.ReadMessage();
            if (type != 'Q')
                continue;
            Thread.Sleep(answerTakes);
            peer.Send(
            [
                .. Encoding.UTF8.GetString(body).StartsWith("SELECT", StringComparison.Ordinal)
                    ? [.. PgWords.RowDescription(("a", 16), ("b", 25)), .. PgWords.DataRow("f"u8.ToArray(), "off"u8.ToArray())]
                    : Array.Empty<byte>(),
                .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready(),
            ]);
        }
    }

    private static void Welcome(FakePeer peer) => peer.Send(
    [
        .. PgWords.Authentication(0), .. PgWords.ParameterStatus("in_hot_standby", "off"),
        .. PgWords.ParameterStatus("default_transaction_read_only", "off"), .. PgWords.ParameterStatus("server_version", "18.0"),
        .. PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]), .. PgWords.Ready(),
    ]);

    private static Task Open(PgConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);

    private static PgDataSourceBuilder Builder(FakeServer first, FakeServer second, string password = "") => new(
        $"Host={first.Address}:{first.Port},{second.Address}:{second.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Timeout=15;"
        + (password.Length > 0 ? $"Password={password};Require Auth=Password" : "Require Auth=None"));
}
