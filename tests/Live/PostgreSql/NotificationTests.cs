using System.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>LISTEN and NOTIFY between sessions of a real server.</summary>
public class NotificationTests
{
    private static int _channels;

    private readonly string _channel = $"Channel {Environment.ProcessId} \"{Interlocked.Increment(ref _channels)}\"";

    private string Quoted => "\"" + _channel.Replace("\"", "\"\"", StringComparison.Ordinal) + "\"";

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "")]
    [InlineData(false, "SSL Mode=Require")]
    [InlineData(true, "SSL Mode=Require")]
    [InlineData(false, "Async Engine=Runtime")]
    [InlineData(true, "Async Engine=Runtime")]
    public async Task A_wait_ends_with_a_notification(bool asynchronously, string options)
    {
        await using var source = await SourceAsync(options);
        await using var listener = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var sender = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var heard = new List<string>();
        listener.Notification += (connection, e) =>
            heard.Add($"{ReferenceEquals(connection, listener)} {e.PID == sender.ProcessID} {e.Channel == _channel} {e.Payload}");
        Execute(listener, $"LISTEN {Quoted}");

        // Nothing comes: the wait ends in time, and the connection stays usable.
        Assert.False(asynchronously ? await listener.WaitAsync(100, TestContext.Current.CancellationToken) : listener.Wait(100));
        Assert.Equal(7, Scalar(listener, "SELECT 7"));

        for (var i = 0; i < 3; i++)
        {
            var waiting = Waiting(listener, asynchronously);
            Notify(sender, $"{i}");
            await waiting.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
            Assert.Equal($"True True True {i}", Assert.Single(heard));
            heard.Clear();
            Assert.Equal(i, Scalar(listener, $"SELECT {i}"));
        }

        // Notifications of one transaction arrive together, and each wait delivers one of them.
        await using (var transaction = sender.BeginTransaction())
        {
            Notify(sender, "a");
            Notify(sender, "b");
            transaction.Commit();
        }

        foreach (var expected in new[] { "a", "b" })
        {
            Assert.True(asynchronously
                ? await listener.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken)
                : listener.Wait(TimeSpan.FromSeconds(30)));
            Assert.Equal($"True True True {expected}", Assert.Single(heard));
            heard.Clear();
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("SSL Mode=Require")]
    public async Task A_cancelled_wait_leaves_the_connection_usable(string options)
    {
        await using var source = await SourceAsync(options);
        await using var listener = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var sender = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var heard = new List<string>();
        listener.Notification += (_, e) => heard.Add(e.Payload);
        Execute(listener, $"LISTEN {Quoted}");
        for (var i = 0; i < 5; i++)
        {
            using var cancellation = new CancellationTokenSource();
            var waiting = listener.WaitAsync(cancellation.Token);
            Assert.Throws<PgOperationInProgressException>(() => Execute(listener, "SELECT 1"));
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
            Assert.Equal(ConnectionState.Open, listener.State);
            Notify(sender, $"{i}");
            if (i % 2 == 0)
                Assert.True(listener.Wait(30_000));
            while (heard.Count == 0)
                Assert.Equal(i, Scalar(listener, $"SELECT {i}"));
            Assert.Equal($"{i}", Assert.Single(heard));
            heard.Clear();
        }
    }

    [Fact]
    public async Task A_notification_within_the_answer_to_a_command_raises_the_event()
    {
        await using var source = await SourceAsync();
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var heard = new List<string>();
        connection.Notification += (_, _) => throw new InvalidOperationException("A handler's exception is ignored.");
        connection.Notification += (_, e) => heard.Add(e.Payload);
        Execute(connection, $"LISTEN {Quoted}");
        Notify(connection, "own");
        Execute(connection, "SELECT 1");
        Assert.Equal(["own"], heard);
    }

    [Fact]
    public async Task The_servers_last_words_end_a_wait()
    {
        await using var source = await SourceAsync();
        await using var listener = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var other = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Execute(listener, "SELECT 1");
        var waiting = Task.Run(listener.Wait, TestContext.Current.CancellationToken);
        Execute(other, $"SELECT pg_terminate_backend({listener.ProcessID})");
        var failure = await Assert.ThrowsAsync<PgException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        Assert.Equal(PgErrorCodes.AdminShutdown, failure.SqlState);
        Assert.NotEqual(ConnectionState.Open, listener.State);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Closing_the_connection_ends_a_wait_of_another_thread(bool asynchronously)
    {
        await using var source = await SourceAsync();
        await using var listener = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Execute(listener, "SELECT 1");
        var waiting = Waiting(listener, asynchronously);
        Assert.True(SpinWait.SpinUntil(() => listener.Session.Operation.IsRunning, TimeSpan.FromSeconds(30)));
        await listener.CloseAsync();
        await Assert.ThrowsAsync<PgException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_next_user_of_a_session_does_not_listen(bool asynchronously)
    {
        await using var source = await SourceAsync("Maximum Pool Size=1");
        await using var senders = await SourceAsync();
        await using var sender = await senders.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using (var first = await source.OpenConnectionAsync(TestContext.Current.CancellationToken))
            Execute(first, $"LISTEN {Quoted}");
        await using var second = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        second.Notification += (_, _) => Assert.Fail("This lease does not listen.");
        Notify(sender, "for nobody");
        // The wait is the first use of the lease.
        Assert.False(asynchronously ? await second.WaitAsync(300, TestContext.Current.CancellationToken) : second.Wait(300));
        Assert.Equal(1, Scalar(second, "SELECT 1"));
    }

    [Fact]
    public async Task A_wait_in_a_transaction_begins_it()
    {
        await using var source = await SourceAsync();
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var transaction = connection.BeginTransaction();
        Assert.False(connection.Wait(10));
        Assert.Equal(1, Scalar(connection, "SELECT 1"));
        await transaction.CommitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task A_limit_less_than_minus_one_is_refused()
    {
        await using var source = await SourceAsync();
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Throws<ArgumentOutOfRangeException>(() => connection.Wait(-2));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => connection.WaitAsync(-2, TestContext.Current.CancellationToken));
        Assert.Throws<ArgumentOutOfRangeException>(() => connection.Wait(TimeSpan.FromDays(25)));
        await using var closed = source.CreateConnection();
        Assert.Throws<InvalidOperationException>(closed.Wait);
    }

    // ---------------------------------------------------------------- sequences

    [Fact]
    public async Task A_sequence_survives_the_loss_of_its_connection()
    {
        await using var source = await SourceAsync("Application Name=slipstream_listens");
        await using var sender = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var enumerator = Listen(source, _channel, "other");
        for (var i = 0; i < 3; i++)
        {
            Assert.True((await NextAsync(enumerator)).MayHaveMissed);
            for (var j = 0; j < 3; j++)
                Notify(sender, $"{i} {j}");
            for (var j = 0; j < 3; j++)
            {
                var next = await NextAsync(enumerator);
                Assert.Equal((_channel, $"{i} {j}", sender.ProcessID, false), (next.Channel, next.Payload, next.ProcessId, next.MayHaveMissed));
            }

            Execute(sender, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'slipstream_listens' AND pid <> pg_backend_pid()");
        }
    }

    [Fact]
    public async Task A_slow_consumer_gets_a_gap_instead_of_all_that_it_missed()
    {
        await using var source = await SourceAsync();
        await using var sender = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var enumerator = Listen(source, _channel);
        Assert.True((await NextAsync(enumerator)).MayHaveMissed);
        Execute(sender, $"SELECT pg_notify('{_channel}', i::text) FROM generate_series(1, 5000) i");
        var (taken, gaps, last) = (0, 0, "");
        while (last != "end")
        {
            if (taken == 0 && gaps == 0)
                await Task.Delay(1000, TestContext.Current.CancellationToken);
            if (taken + gaps == 1)
                Notify(sender, "end");
            var next = await NextAsync(enumerator);
            if (next.MayHaveMissed)
                gaps++;
            else
                (taken, last) = (taken + 1, next.Payload);
        }

        Assert.InRange(gaps, 1, 10);
        Assert.InRange(taken, 1, 4000);
    }

    [Fact]
    public async Task The_end_of_a_sequence_returns_its_connection()
    {
        await using var source = await SourceAsync("Maximum Pool Size=1;Timeout=5");
        for (var i = 0; i < 3; i++)
        {
            using var cancellation = new CancellationTokenSource();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            {
                await foreach (var next in source.ListenAsync(_channel, cancellation.Token))
                    await cancellation.CancelAsync();
            });
            await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
            Assert.Equal(1, Scalar(connection, "SELECT 1"));
        }

        Assert.Equal(0, source.Statistics.Busy);
    }

    [Fact]
    public async Task A_first_connection_that_cannot_be_opened_ends_the_sequence()
    {
        await using var source = PgDataSource.Create("Host=localhost;Port=1;Username=u;Timeout=2");
        await using var enumerator = Listen(source, _channel);
        await Assert.ThrowsAsync<PgException>(async () => await enumerator.MoveNextAsync());
        Assert.Throws<ArgumentException>(() => source.ListenAsync([], TestContext.Current.CancellationToken));
        Assert.Throws<ArgumentException>(() => source.ListenAsync("a\0b", TestContext.Current.CancellationToken));
        Assert.Throws<ArgumentException>(() => source.ListenAsync("", TestContext.Current.CancellationToken));
    }

    private static Task Waiting(PgConnection listener, bool asynchronously) => asynchronously
        ? listener.WaitAsync(TestContext.Current.CancellationToken)
        : Task.Run(listener.Wait, TestContext.Current.CancellationToken);

    private static IAsyncEnumerator<PgNotification> Listen(PgDataSource source, params string[] channels) =>
        source.ListenAsync(channels, TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);

    private static async Task<PgNotification> NextAsync(IAsyncEnumerator<PgNotification> enumerator)
    {
        Assert.True(await enumerator.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
        return enumerator.Current;
    }

    private void Notify(PgConnection connection, string payload) => Execute(connection, $"NOTIFY {Quoted}, '{payload}'");

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static int Scalar(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        return command.ExecuteScalar<int>();
    }

    private static async Task<PgDataSource> SourceAsync(string options = "") =>
        PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql), options));
}
