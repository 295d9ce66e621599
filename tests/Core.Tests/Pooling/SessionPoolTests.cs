using System.Collections.Concurrent;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;
using Slipstream.Testing;

namespace Slipstream.Core.Tests.Pooling;

public sealed class SessionPoolTests : IDisposable
{
    private readonly FakeFactory _factory = new();
    private readonly object _holder = new();
    private SessionPool<FakePooledSession>? _pool;

    public void Dispose() => _pool?.Dispose();

    [Fact]
    public void A_session_given_back_is_leased_again()
    {
        var pool = Pool();
        var first = pool.Lease(_holder, 1000);
        Assert.Same(_holder, first.Holder);
        pool.Return(first);
        Assert.Null(first.Holder);
        Assert.Same(first, pool.Lease(_holder, 1000));
        Assert.Equal(1, _factory.Opened);
    }

    [Fact]
    public void A_warm_lease_allocates_nothing()
    {
        var pool = Pool();
        pool.Return(pool.Lease(_holder, 1000));
        for (var i = 0; i < 100; i++)
            pool.Return(pool.Lease(_holder, 1000));
        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
                pool.Return(pool.Lease(_holder, 1000));
        }));
    }

    [Fact]
    public void Broken_and_dead_sessions_are_closed_and_replaced()
    {
        var pool = Pool(1);
        var broken = pool.Lease(_holder, 1000);
        broken.IsBroken = true;
        pool.Return(broken);
        Assert.True(broken.IsClosed);

        var dead = pool.Lease(_holder, 1000);
        pool.Return(dead);
        dead.IsAlive = false;
        var fresh = pool.Lease(_holder, 1000);
        Assert.NotSame(dead, fresh);
        Assert.True(dead.IsClosed);
        var statistics = pool.GetStatistics();
        Assert.Equal((1L, 1L, 3L), (statistics.Closed[CloseReason.Broken], statistics.Closed[CloseReason.Dead], statistics.Opened));
        Assert.Equal((0, 1, 0), (statistics.Idle, statistics.Busy, statistics.Waiting));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Waiters_are_served_in_the_order_in_which_they_came(bool asynchronous)
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        var order = new ConcurrentQueue<int>();
        var waiting = new List<Task>();
        for (var i = 0; i < 10; i++)
        {
            var number = i;
            waiting.Add(
                asynchronous
                    ? Served(pool.LeaseAsync(_holder, 30_000, default).AsTask(), number)
                    : Eventually.OnThread(() => Serve(pool.Lease(_holder, 30_000), number)));
            Eventually.True(() => pool.GetStatistics().Waiting == number + 1);
        }

        pool.Return(session);
        await Task.WhenAll(waiting).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(Enumerable.Range(0, 10), order);
        Assert.Equal(1, _factory.Opened);
        Assert.Equal(10, pool.GetStatistics().Waits.Sum());

        async Task Served(Task<FakePooledSession> lease, int number) => Serve(await lease, number);

        void Serve(FakePooledSession leased, int number)
        {
            order.Enqueue(number);
            pool.Return(leased);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Waiting_in_vain_says_how_many_are_in_use(bool asynchronous)
    {
        var pool = Pool(2);
        pool.Lease(_holder, 1000);
        pool.Lease(_holder, 1000);
        var error = await Assert.ThrowsAsync<PoolExhaustedException>(() => Lease(asynchronous, pool, 100));
        Assert.Contains("'test' became available within 0.1 s: all 2 are in use", error.Message);
        var statistics = pool.GetStatistics();
        Assert.Equal((1L, 0), (statistics.WaitTimeouts, statistics.Waiting));
    }

    [Fact]
    public async Task A_cancelled_waiter_leaves_the_queue()
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        using var source = new CancellationTokenSource();
        var lease = pool.LeaseAsync(_holder, 0, source.Token).AsTask();
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        source.Cancel();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => lease);
        Assert.Equal(source.Token, error.CancellationToken);
        Assert.Equal(0, pool.GetStatistics().Waiting);
        pool.Return(session);
        Assert.Equal(1, pool.GetStatistics().Idle);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pool.LeaseAsync(_holder, 0, source.Token).AsTask());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_that_is_down_fails_all_who_wait_with_the_cause(bool asynchronous)
    {
        var pool = Pool(1);
        _factory.Gate = new TaskCompletionSource();
        _factory.Failure = FakeFactory.Refused;
        var opener = Eventually.OnThread(() => pool.Lease(_holder, 0));
        Eventually.True(() => pool.GetStatistics().Busy == 1);
        var waiters = Enumerable.Range(0, 5).Select(_ => Lease(asynchronous, pool, 0)).ToArray();
        Eventually.True(() => pool.GetStatistics().Waiting == 5);

        _factory.Gate.SetResult();

        await Assert.ThrowsAsync<WireException>(() => opener);
        foreach (var waiter in waiters)
            await Assert.ThrowsAsync<WireException>(() => waiter.WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Equal((0, 0), (pool.GetStatistics().Busy, pool.GetStatistics().Waiting));
    }

    [Fact]
    public async Task A_refused_login_lets_the_next_waiter_try()
    {
        var pool = Pool(1);
        _factory.Gate = new TaskCompletionSource();
        _factory.Failure = new ServerRefusedException(new ServerError(1045, "28000", "no"));
        var opener = Eventually.OnThread(() => pool.Lease(_holder, 0));
        Eventually.True(() => pool.GetStatistics().Busy == 1);
        var waiter = Eventually.OnThread(() => pool.Lease(_holder, 0));
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        _factory.Gate.SetResult();
        await Assert.ThrowsAsync<ServerRefusedException>(() => opener);
        await Assert.ThrowsAsync<ServerRefusedException>(() => waiter.WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Equal(2, pool.GetStatistics().OpenFailures);
    }

    [Fact]
    public async Task A_broken_session_given_back_lets_a_waiter_open_another()
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        var waiter = Eventually.OnThread(() => pool.Lease(_holder, 0));
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        session.IsBroken = true;
        pool.Return(session);
        Assert.Equal(2, (await waiter.WaitAsync(TimeSpan.FromSeconds(60))).Number);
    }

    [Fact]
    public void Clear_closes_idle_sessions_now_and_leased_ones_when_they_come_back()
    {
        var pool = Pool();
        var (leased, idle) = (pool.Lease(_holder, 1000), pool.Lease(_holder, 1000));
        pool.Return(idle);
        pool.Clear();
        Assert.True(idle.IsClosed);
        Assert.False(leased.IsClosed);
        pool.Return(leased);
        Assert.True(leased.IsClosed);
        var fresh = pool.Lease(_holder, 1000);
        pool.Return(fresh);
        Assert.False(fresh.IsClosed);
        Assert.Equal(2, pool.GetStatistics().Closed[CloseReason.Cleared]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dispose_closes_idle_sessions_fails_waiters_and_refuses_new_leases(bool asynchronous)
    {
        var pool = Pool(1);
        var leased = pool.Lease(_holder, 1000);
        var waiter = Lease(asynchronous, pool, 0);
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        pool.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiter.WaitAsync(TimeSpan.FromSeconds(60)));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Lease(asynchronous, pool, 0));
        pool.Return(leased);
        Assert.True(leased.IsClosed);
    }

    [Fact]
    public async Task Synchronous_leases_prefer_sessions_that_never_waited_asynchronously()
    {
        var pool = Pool();
        var once = await pool.LeaseAsync(_holder, 1000, default);
        var never = pool.Lease(_holder, 1000);
        pool.Return(once);
        pool.Return(never);
        Assert.Same(never, pool.Lease(_holder, 1000));
        Assert.Same(once, pool.Lease(_holder, 1000));
    }

    [Fact]
    public async Task Asynchronous_leases_take_a_never_asynchronous_session_only_when_the_pool_cannot_grow()
    {
        var pool = Pool(2);
        var never = pool.Lease(_holder, 1000);
        pool.Return(never);
        var opened = await pool.LeaseAsync(_holder, 1000, default);
        Assert.NotSame(never, opened);
        Assert.Same(never, await pool.LeaseAsync(_holder, 1000, default));
    }

    [Fact]
    public void A_leaked_session_is_closed_and_makes_room()
    {
        var pool = Pool(1);
        LeaseAndForget(pool);
        Eventually.True(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            pool.Sweep(Clock.Now);
            return pool.GetStatistics().Closed[CloseReason.Leaked] == 1;
        });
        Assert.Equal(2, pool.Lease(_holder, 1000).Number);
    }

    [Fact]
    public void The_sweep_closes_what_is_too_old_or_idle_and_opens_what_is_missing()
    {
        var pool = Pool(10, minimum: 2);
        pool.Sweep(Clock.Now);
        Eventually.True(() => pool.GetStatistics().Idle == 2);
        var leased = Enumerable.Range(0, 4).Select(_ => pool.Lease(_holder, 1000)).ToArray();
        foreach (var session in leased)
            pool.Return(session);
        Assert.Equal(4, pool.GetStatistics().Idle);

        pool.Sweep(Clock.Now + 200_000);

        var statistics = pool.GetStatistics();
        Assert.Equal((2, 2L), (statistics.Idle, statistics.Closed[CloseReason.IdleTooLong]));
        Assert.Equal(2, leased.Count(session => session.IsClosed));
    }

    [Fact]
    public void Under_load_from_many_threads_no_session_is_shared_or_lost()
    {
        var pool = Pool(5);
        var users = new ConcurrentDictionary<FakePooledSession, int>();
        var failures = new ConcurrentQueue<string>();
        var threads = Enumerable.Range(0, 12).Select(seed => Eventually.OnThread(() =>
        {
            var random = new Random(seed);
            for (var i = 0; i < 2000; i++)
            {
                FakePooledSession session;
                if (seed % 2 == 0)
                    session = pool.Lease(_holder, 0);
                else
                {
                    try
                    {
                        session = pool.LeaseAsync(_holder, random.Next(1, 50), default).AsTask().GetAwaiter().GetResult();
                    }
                    catch (PoolExhaustedException)
                    {
                        continue;
                    }
                }

                if (users.AddOrUpdate(session, 1, (_, count) => count + 1) != 1)
                    failures.Enqueue("shared");
                if (random.Next(50) == 0)
                    session.IsBroken = true;
                if (random.Next(20) == 0)
                    Thread.Yield();
                users.AddOrUpdate(session, 0, (_, count) => count - 1);
                pool.Return(session);
            }
        })).ToArray();
        Assert.True(Task.WaitAll(threads, TimeSpan.FromSeconds(60)), "somebody waits for ever");
        Assert.Empty(failures);
        var statistics = pool.GetStatistics();
        Assert.Equal((0, 0), (statistics.Busy, statistics.Waiting));
        Assert.InRange(statistics.Idle, 0, 5);
        Assert.Equal(statistics.Opened - statistics.Closed.Values.Sum(), statistics.Idle);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void LeaseAndForget(SessionPool<FakePooledSession> pool) => pool.Lease(new object(), 1000);

    private Task<FakePooledSession> Lease(bool asynchronous, SessionPool<FakePooledSession> pool, long milliseconds) => asynchronous
        ? pool.LeaseAsync(_holder, milliseconds, default).AsTask()
        : Eventually.OnThread(() => pool.Lease(_holder, milliseconds));

    private SessionPool<FakePooledSession> Pool(int maximum = 10, int minimum = 0) => _pool = new(_factory, new PoolLimits(minimum, maximum), "test");
}

/// <summary>Runs alone, because it leaves no thread of the pool free.</summary>
[CollectionDefinition(nameof(StarvedThreadPool), DisableParallelization = true)]
public class StarvedThreadPool;

[Collection(nameof(StarvedThreadPool))]
public class SessionPoolWithoutPoolThreads
{
    [Fact]
    public void A_synchronous_waiter_is_woken_although_no_pool_thread_is_free()
    {
        using var pool = new SessionPool<FakePooledSession>(new FakeFactory(), new PoolLimits(MaxSize: 1), "starved");
        // Never disposed: pool threads may still use it after the test has ended.
        var release = new ManualResetEventSlim();
        var holder = new object();
        var session = pool.Lease(holder, 1000);
        FakePooledSession? got = null;
        var waiter = new Thread(() => got = pool.Lease(holder, 60_000));
        waiter.Start();
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        for (var i = 0; i < 200; i++)
            ThreadPool.UnsafeQueueUserWorkItem(static gate => ((ManualResetEventSlim)gate!).Wait(), release);
        try
        {
            Eventually.True(() => ThreadPool.PendingWorkItemCount > 0);
            pool.Return(session);
            Assert.True(waiter.Join(30_000), "the waiter was not woken");
            Assert.Same(session, got);
            Assert.True(ThreadPool.PendingWorkItemCount > 0, "the pool was not starved, so the test proved nothing");
        }
        finally
        {
            release.Set();
            Eventually.True(() => ThreadPool.PendingWorkItemCount == 0);
        }
    }
}
