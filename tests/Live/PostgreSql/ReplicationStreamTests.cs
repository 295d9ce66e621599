using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;

namespace Slipstream.Live.PostgreSql;

/// <summary>The stream of logical replication: feedback, its end, lost sessions, with a real server.</summary>
public class ReplicationStreamTests : ReplicationTestBase
{
    [Fact]
    public async Task Status_updates_are_sent_while_the_application_is_busy_or_waits()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync("Application Name=" + Name);
        connection.WalReceiverStatusInterval = TimeSpan.FromMilliseconds(200);
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} VALUES (1)");
        await using var messages = connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token).GetAsyncEnumerator(Token);
        Assert.True(await messages.MoveNextAsync());
        var begin = Assert.IsType<BeginMessage>(messages.Current);

        // The application does not read: the timer reports the location.
        connection.SetReplicationStatus(begin.TransactionFinalLsn);
        await UntilAsync($"SELECT flush_lsn = '{begin.TransactionFinalLsn}' FROM pg_stat_replication WHERE application_name = '{{0}}'");

        // It waits for the next message: another thread changes the location, and sends it.
        connection.WalReceiverStatusInterval = Timeout.InfiniteTimeSpan;
        while (messages.Current is not CommitMessage)
            Assert.True(await messages.MoveNextAsync());
        var end = ((CommitMessage)messages.Current).TransactionEndLsn;
        var next = messages.MoveNextAsync().AsTask();
        await Task.Delay(100, Token);
        connection.SetReplicationStatus(end);
        await connection.SendStatusUpdate(Token);
        await UntilAsync($"SELECT flush_lsn = '{end}' FROM pg_stat_replication WHERE application_name = '{{0}}'");
        Assert.False(next.IsCompleted);
        await ExecuteAsync("INSERT INTO {0} VALUES (2)");
        Assert.True(await next.WaitAsync(TimeSpan.FromSeconds(60), Token));
        await Assert.ThrowsAsync<PgOperationInProgressException>(() => connection.Show("wal_level", Token));
    }

    [Fact]
    public async Task A_busy_application_does_not_keep_the_status_from_the_server()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync($"Application Name={Name}");
        connection.WalReceiverStatusInterval = TimeSpan.FromMilliseconds(100);
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} VALUES (1)");
        var seen = 0;
        await foreach (var message in Limited(connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token)))
        {
            // The server, which ends a stream without replies after wal_sender_timeout, hears of the client although the application asks for no message.
            const string Replied = "SELECT coalesce(max(reply_time), '-infinity')::text FROM pg_stat_replication WHERE application_name = '{0}'";
            for (var replies = 0; seen == 0 && replies < 5; replies++)
            {
                var last = await ScalarAsync(string.Format(null, Replied, Name));
                await UntilAsync($"SELECT ({Replied})::timestamptz > '{last}'");
            }

            seen++;
            if (message is CommitMessage)
                break;
        }

        Assert.InRange(seen, 4, 10);
    }

    [Fact]
    public async Task A_cancelled_stream_ends_in_step_with_the_server()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        // Now: behind a stream, the server may stop looking for the position at which a new slot starts (XX000).
        var second = await connection.CreatePgOutputReplicationSlot(Slot + "_2", temporarySlot: true, cancellationToken: Token);
        using var cancellation = new CancellationTokenSource();
        var stream = connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), cancellation.Token);
        await using (var messages = stream.GetAsyncEnumerator(Token))
        {
            var waiting = messages.MoveNextAsync().AsTask();
            await Task.Delay(200, Token);
            Assert.False(waiting.IsCompleted);
            await cancellation.CancelAsync();
            var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(60), Token));
            Assert.Equal(cancellation.Token, failure.CancellationToken);
        }

        // The session is the same one: the temporary slot still exists, and can be dropped.
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.SendStatusUpdate(Token));
        Assert.Equal("logical", await connection.Show("wal_level", Token));
        await connection.DropReplicationSlot(Slot, cancellationToken: Token);

        // PostgreSQL cannot stream a second time in this session. The driver says so instead of showing an empty stream.
        await using var none = connection.StartReplication(second, new PgOutputReplicationOptions(Publication, 1), Token).GetAsyncEnumerator(Token);
        Assert.Contains("open another", (await Assert.ThrowsAsync<InvalidOperationException>(() => none.MoveNextAsync().AsTask())).Message);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.IdentifySystem(cancellation.Token));
    }

    [Fact]
    public async Task A_large_transaction_can_be_left_in_the_middle()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY, t text)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} SELECT i, repeat('x', 500) FROM generate_series(1, 50000) i");
        var rows = 0;
        await foreach (var message in Limited(connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token)))
            if (message is InsertMessage && ++rows == 10)
                break;
        // Either the server has ended the stream in time, or the session is closed. Nothing else is possible.
        try
        {
            Assert.Equal("logical", await connection.Show("wal_level", Token));
        }
        catch (InvalidOperationException)
        {
            await connection.Open(Token);
            Assert.Equal("logical", await connection.Show("wal_level", Token));
        }
    }

    [Fact]
    public async Task A_killed_session_ends_the_stream_and_another_one_can_be_opened()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await using var messages = connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token).GetAsyncEnumerator(Token);
        var waiting = messages.MoveNextAsync().AsTask();
        await ScalarAsync($"SELECT pg_terminate_backend({connection.ProcessID})");
        await Assert.ThrowsAsync<PgException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(60), Token));
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.SendStatusUpdate(Token));
        await connection.Open(Token);
        Assert.Equal("logical", await connection.Show("wal_level", Token));
    }
}

public class ReplicationStreamOn18Tests : ReplicationStreamTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}
