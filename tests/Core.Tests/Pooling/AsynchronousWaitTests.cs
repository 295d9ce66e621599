using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;
using Slipstream.Testing;

namespace Slipstream.Core.Tests.Pooling;

/// <summary>Asynchronous callers that wait: what ends the wait, what happens if several events do so at once, and what it costs.</summary>
public sealed class AsynchronousWaitTests : IDisposable
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(60);

    private readonly FakeFactory _factory = new();
    private readonly object _holder = new();
    private readonly List<SessionPool<FakePooledSession>> _pools = [];

    public void Dispose() => _pools.ForEach(static pool => pool.Dispose());

    // ---------------------------------------------------------------- its cost

    [Fact]
    public void A_wait_allocates_one_object()
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        var bytes = Allocations.Of(() =>
        {
            var lease = pool.LeaseAsync(_holder, 60_000, default);
            pool.Return(session);
            while (!lease.IsCompleted)
                Thread.Yield();
            session = lease.Result;
        });
        Assert.InRange(bytes, 1, MostBytes);
    }

#if DEBUG
    // In a debug build, the state of an asynchronous method is a separate object.
    private const long MostBytes = 1000;
#else
    private const long MostBytes = 200;
#endif

    // ---------------------------------------------------------------- its end

    [Fact]
    public async Task Each_waits_for_its_own_time()
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        var patient = pool.LeaseAsync(_holder, 60_000, default).AsTask();
        var hurried = pool.LeaseAsync(_holder, 100, default).AsTask();
        using var cancellation = new CancellationTokenSource();
        var cancelled = pool.LeaseAsync(_holder, 0, cancellation.Token).AsTask();
        await Assert.ThrowsAsync<PoolExhaustedException>(() => hurried.WaitAsync(Long));
        Assert.False(patient.IsCompleted || cancelled.IsCompleted);
        Assert.Equal(2, pool.GetStatistics().Waiting);
        await cancellation.CancelAsync();
        await Assert.ThrowsAsync<OperationCanceledException>(() => cancelled.WaitAsync(Long));
        Assert.Equal(1, pool.GetStatistics().Waiting);
        pool.Return(session);
        Assert.Same(session, await patient.WaitAsync(Long));
        Assert.Equal(0, pool.GetStatistics().Waiting);
    }

    [Fact]
    public async Task A_wait_never_ends_before_its_time_also_when_the_sweeper_was_asleep()
    {
        var pool = Pool(1);
        pool.Lease(_holder, 1000);
        for (var round = 0; round < 3; round++)
        {
            // Longer than a tick without any deadline: the sweeper sleeps, unless other tests wake it.
            await Task.Delay(3 * Deadlines.TickMilliseconds);
            var began = Clock.Now;
            await Assert.ThrowsAsync<PoolExhaustedException>(() => pool.LeaseAsync(_holder, 60, default).AsTask().WaitAsync(Long));
            Assert.True(Clock.Now - began >= 60, "It was told before its time.");
        }
    }

    [Fact]
    public void Who_waits_on_a_pool_that_everybody_else_has_forgotten_hears_of_his_time()
    {
        var ended = new Ended();
        var pool = WaitOnForgotten(ended);
        Eventually.True(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return ended.By is not null;
        });
        Assert.IsType<PoolExhaustedException>(ended.By);
        // After the last wait, nothing references the pool.
        Eventually.True(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !pool.IsAlive;
        });
    }

    [Fact]
    public async Task What_follows_a_wait_runs_neither_on_the_thread_of_who_gave_nor_of_who_cancelled()
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        using var cancellation = new CancellationTokenSource();
        var threads = new ConcurrentQueue<int>();
        var (given, cancelled) = (Follow(pool.LeaseAsync(_holder, 0, default)), Follow(pool.LeaseAsync(_holder, 0, cancellation.Token)));
        var own = await Eventually.OnThread(() =>
        {
            cancellation.Cancel();
            pool.Return(session);
            return Environment.CurrentManagedThreadId;
        });
        await Task.WhenAll(given, cancelled).WaitAsync(Long);
        Assert.Equal(2, threads.Count);
        Assert.DoesNotContain(own, threads);

        async Task Follow(ValueTask<FakePooledSession> lease)
        {
            try
            {
                await lease.ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                // This is the expected end.
            }

            threads.Enqueue(Environment.CurrentManagedThreadId);
        }
    }

    // ---------------------------------------------------------------- several ends at once

    [Fact]
    public async Task Waiting_again_and_again_by_many_loses_no_session_and_gives_none_twice()
    {
        const int Workers = 24;
        const int Times = 300;
        var pool = Pool(3);
        var used = new ConcurrentDictionary<FakePooledSession, object>();
        var (leased, cancelled, late) = (0, 0, 0);
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(worker => Task.Run(() => Work(worker)))).WaitAsync(Long);
        Assert.Equal(Workers * Times, leased + cancelled + late);
        var statistics = pool.GetStatistics();
        Assert.Equal((0, 0), (statistics.Busy, statistics.Waiting));
        Assert.Equal(late, statistics.WaitTimeouts);
        // Sessions that break leave the pool, so that any number may be idle. No place may be lost.
        Assert.Equal(statistics.Opened - statistics.Closed.Values.Sum(), statistics.Idle);
        for (var i = 0; i < 3; i++)
            pool.Lease(_holder, (long)Long.TotalMilliseconds);
        Assert.Equal((3, 0), (pool.GetStatistics().Busy, pool.GetStatistics().Idle));

        async Task Work(int worker)
        {
            var holder = new object();
            var random = new Random(worker);
            for (var i = 0; i < Times; i++)
            {
                using var cancellation = worker % 3 == 0 ? new CancellationTokenSource() : null;
                if (cancellation is not null && i % 4 == 0)
                    ThreadPool.UnsafeQueueUserWorkItem(static source => Cancel(source), cancellation, preferLocal: false);
                try
                {
                    // No caller has a short timeout, so a forgotten caller would wait for ever.
                    var session = await pool.LeaseAsync(holder, worker % 3 == 1 && i % 50 == 0 ? 1 : 0, cancellation?.Token ?? default);
                    Assert.True(used.TryAdd(session, holder), "It was given twice.");
                    Assert.Same(holder, session.Holder);
                    Interlocked.Increment(ref leased);
                    if (random.Next(5) == 0)
                        await Task.Yield();
                    session.IsBroken = random.Next(100) == 0;
                    Assert.True(used.TryRemove(session, out _));
                    pool.Return(session);
                }
                catch (OperationCanceledException)
                {
                    Interlocked.Increment(ref cancelled);
                }
                catch (PoolExhaustedException)
                {
                    Interlocked.Increment(ref late);
                }
            }
        }
    }

    private static void Cancel(CancellationTokenSource source)
    {
        try
        {
            source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The cancellation was too late.
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference WaitOnForgotten(Ended ended)
    {
        var pool = new SessionPool<FakePooledSession>(_factory, new PoolLimits(MaxSize: 1), "forgotten");
        var holder = new object();
        pool.Lease(holder, 1000);
        _ = Wait();
        return new(pool);

        async Task Wait()
        {
            try
            {
                await pool.LeaseAsync(holder, 200, default);
            }
            catch (Exception exception)
            {
                ended.By = exception;
            }
        }
    }

    private sealed class Ended
    {
        public volatile Exception? By;
    }

    private SessionPool<FakePooledSession> Pool(int maximum, SessionLimit? limit = null)
    {
        var pool = new SessionPool<FakePooledSession>(_factory, new PoolLimits(MaxSize: maximum), "test", limit);
        _pools.Add(pool);
        return pool;
    }
}
