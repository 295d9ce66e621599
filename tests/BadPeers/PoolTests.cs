using System.Collections.Concurrent;
using System.Data.Common;
using System.Net;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.BadPeers;

/// <summary>Pools whose server is unreachable, returns, or is silent while the pool is disposed.</summary>
[Collection(nameof(Alone))]
public sealed class PoolTests
{
    public static TheoryData<string, bool> Ways => LateCancellationTests.Ways;

    [Theory, MemberData(nameof(Ways))]
    public async Task All_opens_of_a_storm_against_a_server_that_refuses_all_hear_the_cause(string provider, bool asynchronously)
    {
        var talk = Talk.Of(provider);
        using var closed = FakeServer.Bind();
        await using var source = talk.Connect(((IPEndPoint)closed.LocalEndPoint!).Port, "Maximum Pool Size=20;Connect Seconds=60");
        var failures = new ConcurrentQueue<Exception>();
        const int Workers = 40;
        var opens = Storm.Number(1000) / Workers * Workers;
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(_ => asynchronously
            ? Task.Run(async () => await Task.WhenAll(Enumerable.Range(0, opens / Workers).Select(_ => Open())))
            : Task.Factory.StartNew(OpenAll, TaskCreationOptions.LongRunning))).WaitAsync(TimeSpan.FromSeconds(100));

        Assert.Equal(opens, failures.Count);
        Assert.All(failures, static failure => Assert.Equal(WireFailure.Refused, CauseOf(failure)));
        var statistics = source.Statistics;
        Assert.Equal((0, 0, 0, 0L), (statistics.Busy, statistics.Idle, statistics.Waiting, statistics.WaitTimeouts));
        Assert.InRange(statistics.OpenFailures, 1, opens);

        async Task Open()
        {
            await using var connection = source.CreateConnection();
            failures.Enqueue(await Assert.ThrowsAnyAsync<DbException>(connection.OpenAsync));
        }

        void OpenAll()
        {
            for (var i = 0; i < opens / Workers; i++)
            {
                using var connection = source.CreateConnection();
                failures.Enqueue(Assert.ThrowsAny<DbException>(connection.Open));
            }
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task While_the_server_is_away_everybody_hears_why_and_when_it_is_back_everybody_is_served_at_once(string provider, bool asynchronously)
    {
        using var closed = FakeServer.Bind();
        var (most, now) = (0, 0);
        var talk = Talk.Of(provider);
        await using var source = talk.Connect(((IPEndPoint)closed.LocalEndPoint!).Port, "Maximum Pool Size=4;Connect Seconds=60");
        var stop = false;
        var (refused, served) = (0, 0);
        var wrong = new ConcurrentQueue<string>();
        var users = Enumerable.Range(0, 12)
            .Select(_ => asynchronously ? Task.Run(Use) : Task.Factory.StartNew(() => Use().GetAwaiter().GetResult(), TaskCreationOptions.LongRunning))
            .ToArray();
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref refused) > 1000, 30_000), $"Only {refused} have heard why.");
        Assert.Equal(0, served);
        using var server = FakeServer.Start(peer =>
        {
            var mine = Interlocked.Increment(ref now);
            for (var seen = most; mine > seen; seen = most)
                Interlocked.CompareExchange(ref most, mine, seen);
            try
            {
                talk.Serve(peer);
            }
            finally
            {
                Interlocked.Decrement(ref now);
            }
        }, closed);
        await using (var first = await source.OpenConnectionAsync())
            Assert.Equal(System.Data.ConnectionState.Open, first.State);
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref served) > 300, 30_000), $"Only {served} were served.");
        Volatile.Write(ref stop, true);
        await Task.WhenAll(users).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.True(wrong.IsEmpty, wrong.FirstOrDefault());
        Assert.InRange(most, 1, 4);
        Assert.InRange(server.Peers.Count, 1, 4);
        Assert.Equal((0, 0L), (source.Statistics.Busy, source.Statistics.WaitTimeouts));
        server.ThrowIfScriptFailed();

        async Task Use()
        {
            while (!Volatile.Read(ref stop))
            {
                try
                {
                    await using var connection = source.CreateConnection();
                    if (asynchronously)
                        await connection.OpenAsync();
                    else
                        connection.Open();
                    await using var command = connection.CreateCommand();
                    command.CommandText = "SELECT 'here'";
                    Assert.Equal("SELECT 'here'", asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
                    Interlocked.Increment(ref served);
                }
                catch (DbException failure) when (CauseOf(failure) == WireFailure.Refused)
                {
                    Interlocked.Increment(ref refused);
                }
                catch (Exception exception)
                {
                    wrong.Enqueue(exception.ToString());
                }
            }
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_connection_that_is_being_opened_while_its_data_source_is_disposed_of_leaves_nothing_behind(string provider, bool asynchronously)
    {
        using var greeted = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        var talk = Talk.Of(provider);
        using var server = FakeServer.Start(peer =>
        {
            greeted.Set();
            goOn.Wait(30_000);
            talk.Serve(peer);
        });
        var source = talk.Connect(server.Port, "Maximum Pool Size=1;Connect Seconds=60");
        await using var connection = source.CreateConnection();
        await using var behind = source.CreateConnection();
        var opening = asynchronously ? Task.Run(connection.OpenAsync) : Task.Factory.StartNew(connection.Open, TaskCreationOptions.LongRunning);
        Assert.True(greeted.Wait(30_000));
        var waiting = asynchronously ? Task.Run(behind.OpenAsync) : Task.Factory.StartNew(behind.Open, TaskCreationOptions.LongRunning);
        Assert.True(SpinWait.SpinUntil(() => source.Statistics.Waiting == 1, 30_000));
        await source.DisposeAsync();
        Assert.IsAssignableFrom<ObjectDisposedException>(await Assert.ThrowsAnyAsync<Exception>(() => waiting.WaitAsync(TimeSpan.FromSeconds(30))));
        goOn.Set();
        await opening.WaitAsync(TimeSpan.FromSeconds(30));
        await connection.CloseAsync();
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)), "A session stays open that nobody will ever use.");
        Assert.Equal((0, 0, 0), (source.Statistics.Busy, source.Statistics.Idle, source.Statistics.Waiting));
    }

    internal static WireFailure? CauseOf(Exception failure)
    {
        for (var cause = failure; cause is not null; cause = cause.InnerException)
        {
            if (cause is WireException wire)
                return wire.Failure;
            if (cause is PgException { Failure: { } failed })
                return failed;
        }

        return null;
    }
}
