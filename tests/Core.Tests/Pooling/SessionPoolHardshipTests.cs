using System.Collections.Concurrent;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Pooling;

/// <summary>
/// A pool under bad conditions: exhausted, with too many callers, its server down, cleared and disposed while it is in use, its clock jumping.
/// </summary>
public sealed class SessionPoolHardshipTests : IDisposable
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(60);
    private static readonly int Hour = (int)TimeSpan.FromHours(1).TotalMilliseconds;

    private readonly FakeFactory _factory = new();
    private readonly object _holder = new();
    private SessionPool<FakePooledSession>? _pool;

    public void Dispose() => _pool?.Dispose();

    // ---------------------------------------------------------------- exhausted

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Every_waiter_of_an_exhausted_pool_is_told_in_time_and_with_numbers(bool asynchronous)
    {
        var pool = Pool(3);
        var leased = Enumerable.Range(0, 3).Select(_ => pool.Lease(_holder, 1000)).ToArray();
        // The message names a time only if one has passed.
        foreach (var session in leased)
            session.ChangedAt -= 50;
        var began = Clock.Now;
        var waiters = Enumerable.Range(0, 20).Select(_ => Lease(asynchronous, pool, 200)).ToArray();
        foreach (var waiter in waiters)
        {
            var error = await Assert.ThrowsAsync<PoolExhaustedException>(() => waiter.WaitAsync(Long));
            Assert.Matches(@"^No connection of pool 'test' became available within 0.2 s: all 3 are in use, the longest for \d+([.,]\d)? s, and \d+ more "
                + @"callers are waiting\. .*Maximum Pool Size", error.Message);
        }

        Assert.True(Clock.Now - began >= 180, "They did not wait for their time.");
        var statistics = pool.GetStatistics();
        Assert.Equal((20L, 0, 3), (statistics.WaitTimeouts, statistics.Waiting, statistics.Busy));
        foreach (var session in leased)
            pool.Return(session);
        Assert.Equal(3, pool.GetStatistics().Idle);
    }

    [Fact]
    public async Task How_long_a_session_is_in_use_does_not_count_the_time_it_lay_idle()
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        pool.Return(session);
        session.ChangedAt -= Hour;
        pool.Lease(_holder, 1000);
        var error = await Assert.ThrowsAsync<PoolExhaustedException>(() => Lease(true, pool, 30));
        Assert.DoesNotContain("3600", error.Message);
        Assert.True(Clock.Now - session.ChangedAt < 60_000);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_had_waited_too_long_to_open_a_session_does_not_fail_those_who_have_time(bool asynchronous)
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        _factory.Milliseconds = 400;
        var late = Lease(asynchronous, pool, 500);
        // On a slow machine, the first caller may have timed out before this check.
        Eventually.True(() => pool.GetStatistics().Waiting == 1 || late.IsCompleted);
        var patient = Lease(asynchronous, pool, 50_000);
        Eventually.True(() => pool.GetStatistics().Waiting == (late.IsCompleted ? 1 : 2));
        await Task.Delay(300);
        session.IsBroken = true;
        pool.Return(session);

        // The first caller's result depends on the machine's speed; the second caller's does not.
        await Assert.ThrowsAnyAsync<Exception>(() => late.WaitAsync(Long));
        Assert.Equal(2, (await patient.WaitAsync(Long)).Number);
    }

    // ---------------------------------------------------------------- storms

    [Fact]
    public async Task Ten_thousand_opens_at_once_never_exceed_the_maximum_and_all_are_answered()
    {
        var pool = Pool(20);
        _factory.Milliseconds = 5;
        var used = new ConcurrentDictionary<FakePooledSession, object>();
        var right = 0;
        async Task Use()
        {
            var session = await pool.LeaseAsync(_holder, 60_000, default);
            Assert.True(used.TryAdd(session, session));
            await Task.Yield();
            Assert.True(used.TryRemove(session, out _));
            pool.Return(session);
            Interlocked.Increment(ref right);
        }

        void UseBlocking(int times)
        {
            for (var i = 0; i < times; i++)
            {
                var session = pool.Lease(_holder, 60_000);
                Assert.True(used.TryAdd(session, session));
                Assert.True(used.TryRemove(session, out _));
                pool.Return(session);
                Interlocked.Increment(ref right);
            }
        }

        var all = Enumerable.Range(0, 8000)
            .Select(_ => Task.Run(Use))
            .Concat(Enumerable.Range(0, 20).Select(_ => Eventually.OnThread(() => UseBlocking(100))))
            .ToArray();
        await Task.WhenAll(all).WaitAsync(Long);
        Assert.Equal(10_000, right);
        Assert.InRange(_factory.MostAttempts, 1, 20);
        Assert.InRange(_factory.Opened, 1, 20);
        AddsUp(pool);
    }

    [Fact]
    public async Task A_refusing_server_answers_all_of_a_storm_with_the_cause_and_never_with_a_time_out()
    {
        var pool = Pool(20);
        _factory.Milliseconds = 2;
        _factory.Failure = FakeFactory.Refused;
        var failures = await Task.WhenAll(
            Enumerable.Range(0, 10_000)
                .Select(i => Task.Run(async () => (await Record.ExceptionAsync(async () => await pool.LeaseAsync(_holder, 60_000, default)))!)))
                    .WaitAsync(Long);
        Assert.All(failures, static failure => Assert.Equal(WireFailure.Refused, Assert.IsType<WireException>(failure).Failure));
        Assert.InRange(_factory.MostAttempts, 1, 20);
        // Waiting callers get the result of other callers' attempts.
        Assert.InRange(_factory.AllAttempts, 1, 9_999);
        var statistics = pool.GetStatistics();
        Assert.Equal(
            (0, 0, 0, 0L, (long)_factory.AllAttempts),
            (statistics.Busy, statistics.Idle, statistics.Waiting, statistics.WaitTimeouts, statistics.OpenFailures));
    }

    [Fact]
    public async Task A_server_that_comes_back_is_used_at_once_and_by_no_more_than_the_maximum()
    {
        var pool = Pool(4);
        _factory.Milliseconds = 1;
        _factory.Failure = FakeFactory.Refused;
        var stop = false;
        var (refused, served) = (0, 0);
        var wrong = new ConcurrentQueue<string>();
        var users = Enumerable.Range(0, 40).Select(user => Task.Run(async () =>
        {
            while (!Volatile.Read(ref stop))
            {
                try
                {
                    var session = await pool.LeaseAsync(_holder, 60_000, default);
                    await Task.Delay(1);
                    pool.Return(session);
                    Interlocked.Increment(ref served);
                }
                catch (WireException failure) when (failure.Failure == WireFailure.Refused)
                {
                    Interlocked.Increment(ref refused);
                }
                catch (Exception exception)
                {
                    wrong.Enqueue(exception.Message);
                }
            }
        })).ToArray();
        // A short form of a minute's outage: the number of attempts matters, not the time.
        Eventually.True(() => Volatile.Read(ref refused) > 2000);
        Assert.Equal(0, Volatile.Read(ref served));
        _factory.Failure = null;
        pool.Return(await pool.LeaseAsync(_holder, 60_000, default));
        Eventually.True(() => Volatile.Read(ref served) > 500);
        Volatile.Write(ref stop, true);
        await Task.WhenAll(users).WaitAsync(Long);
        Assert.Empty(wrong);
        Assert.InRange(_factory.MostAttempts, 1, 4);
        Assert.InRange(_factory.Opened, 1, 4);
        AddsUp(pool);
    }

    // ---------------------------------------------------------------- cleared and disposed of

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_session_on_its_way_to_the_idle_ones_while_the_pool_is_cleared_is_not_used_again(bool asynchronous)
    {
        var pool = Pool(2);
        var session = await Lease(asynchronous, pool, 1000);
        session.BeforeParking = pool.Clear;
        pool.Return(session);
        Assert.True(session.IsClosed, "It lies idle, cleared, until somebody happens to look.");
        Assert.NotSame(session, await Lease(asynchronous, pool, 1000));
        Assert.Equal(1, pool.GetStatistics().Closed[CloseReason.Cleared]);
    }

    [Fact]
    public void A_session_on_its_way_to_the_idle_ones_while_the_pool_is_disposed_of_is_closed()
    {
        var pool = Pool(2);
        var session = pool.Lease(_holder, 1000);
        session.BeforeParking = pool.Dispose;
        pool.Return(session);
        Assert.True(session.IsClosed, "Nobody will ever close it: the pool is not swept any more.");
        Assert.Throws<ObjectDisposedException>(() => pool.Lease(_holder, 1000));
        Assert.Equal((0, 0), (pool.GetStatistics().Idle, pool.GetStatistics().Busy));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_session_that_is_being_opened_while_the_pool_is_disposed_of_is_closed_when_it_comes_back(bool asynchronous)
    {
        var pool = Pool(1);
        _factory.Gate = new TaskCompletionSource();
        var opening = Lease(asynchronous, pool, 0);
        Eventually.True(() => pool.GetStatistics().Busy == 1);
        var waiting = Lease(asynchronous, pool, 0);
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        pool.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Long));
        _factory.Gate.SetResult();
        var session = await opening.WaitAsync(Long);
        Assert.False(session.IsClosed);
        pool.Return(session);
        Assert.True(session.IsClosed);
        Assert.Equal((0, 0), (pool.GetStatistics().Idle, pool.GetStatistics().Busy));
    }

    [Fact]
    public async Task Nobody_waits_for_a_pool_that_is_disposed_of_meanwhile()
    {
        for (var round = 0; round < 200; round++)
        {
            var factory = new FakeFactory();
            var pool = new SessionPool<FakePooledSession>(factory, new PoolLimits(MaxSize: 1), "disposed");
            var session = pool.Lease(_holder, 1000);
            var callers = Enumerable.Range(0, 4)
                .Select(i => i % 2 == 0 ? Task.Run(async () => await pool.LeaseAsync(_holder, 0, default)) : Eventually.OnThread(() => pool.Lease(_holder, 0)))
                .ToArray();
            if (round % 3 == 0)
                Thread.Yield();
            pool.Dispose();
            pool.Return(session);
            foreach (var caller in callers)
            {
                var failure = await Record.ExceptionAsync(() => caller.WaitAsync(Long));
                if (failure is null)
                    // It had the session before the pool was disposed.
                    pool.Return(await caller);
                else
                    Assert.IsType<ObjectDisposedException>(failure);
            }

            var statistics = pool.GetStatistics();
            Assert.Equal((0, 0, 0), (statistics.Idle, statistics.Busy, statistics.Waiting));
            Assert.Equal(statistics.Opened, statistics.Closed.Values.Sum());
            Assert.Equal(1, statistics.Opened);
        }
    }

    [Fact]
    public async Task Clearing_under_load_lets_nobody_use_what_was_cleared_and_loses_nothing()
    {
        var pool = Pool(8);
        var stop = false;
        var cleared = 0;
        var wrong = new ConcurrentQueue<string>();
        var used = new ConcurrentDictionary<FakePooledSession, object>();
        var users = Enumerable.Range(0, 12).Select(user => Eventually.OnThread(() =>
        {
            var random = new Random(user);
            while (!Volatile.Read(ref stop))
            {
                // The clears that had ended before the lease began.
                var over = Volatile.Read(ref cleared);
                var session = user % 2 == 0 ? pool.Lease(_holder, 0) : pool.LeaseAsync(_holder, 0, default).AsTask().GetAwaiter().GetResult();
                if (session.Generation < over)
                    wrong.Enqueue($"a session of generation {session.Generation} was leased after {over} clears");
                if (session.IsClosed)
                    wrong.Enqueue("a closed session was leased");
                if (!used.TryAdd(session, session))
                    wrong.Enqueue("a session was leased twice");
                if (random.Next(20) == 0)
                    Thread.Yield();
                used.TryRemove(session, out _);
                session.IsBroken = random.Next(100) == 0;
                pool.Return(session);
            }
        })).ToArray();
        // Continues until enough sessions were cleared: the users may get the processor late.
        var until = Clock.In(60_000);
        for (var i = 0; i < 3000 || (pool.GetStatistics().Closed[CloseReason.Cleared] <= 100 && Clock.Now < until); i++)
        {
            pool.Clear();
            Interlocked.Increment(ref cleared);
            if (i % 10 == 0)
                Thread.Sleep(i < 3000 ? 0 : 1);
        }

        Volatile.Write(ref stop, true);
        await Task.WhenAll(users).WaitAsync(Long);
        Assert.Empty(wrong.Distinct());
        pool.Clear();
        var statistics = AddsUp(pool);
        Assert.Equal(0, statistics.Idle);
        Assert.True(statistics.Closed[CloseReason.Cleared] > 100, "Hardly anything was cleared: the test proved nothing.");
    }

    // ---------------------------------------------------------------- leaks and the sweeper

    [Fact]
    public async Task A_leak_is_reported_and_a_waiter_gets_its_place()
    {
        var observer = new Observer();
        var pool = _pool = new(_factory, new PoolLimits(MaxSize: 2), "test") { Observer = observer };
        LeaseAndForget(pool);
        var kept = pool.Lease(_holder, 1000);
        var waiter = Lease(true, pool, 50_000);
        Eventually.True(() => pool.GetStatistics().Waiting == 1);
        Eventually.True(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            pool.Sweep(Clock.Now);
            return observer.Leaks.Count == 1;
        });
        Assert.Equal(3, (await waiter.WaitAsync(Long)).Number);
        Assert.Equal("test", Assert.Single(observer.Leaks));
        Assert.False(kept.IsClosed);
        var statistics = pool.GetStatistics();
        Assert.Equal((1L, 2), (statistics.Closed[CloseReason.Leaked], statistics.Busy));
    }

    [Fact]
    public void A_server_that_does_not_answer_does_not_keep_the_sweeper()
    {
        var pool = Pool(4, minimum: 2);
        _factory.Gate = new TaskCompletionSource();
        pool.Sweep(Clock.Now);
        pool.Sweep(Clock.Now);
        Eventually.True(() => Volatile.Read(ref _factory.Attempts) == 1);
        Assert.Equal(1, _factory.AllAttempts);
        _factory.Gate.SetResult();
        Eventually.True(() => pool.GetStatistics().Idle == 2);
        Assert.Equal(2, _factory.Opened);
    }

    [Fact]
    public void A_log_that_throws_keeps_no_pool_from_being_swept()
    {
        var observer = new Observer { Throws = true };
        var pool = _pool = new(_factory, new PoolLimits(MinSize: 1), "test") { Observer = observer };
        _factory.Failure = FakeFactory.Refused;
        var swept = new SweptPool();
        PoolSweeper.Add(new SweptPool { Throws = true });
        PoolSweeper.Add(swept);
        Eventually.True(() => swept.Sweeps >= 2 && observer.WarmUpsFailed >= 2);
        PoolSweeper.Remove(swept);
        GC.KeepAlive(pool);
    }

    // ---------------------------------------------------------------- a clock that jumps

    [Fact]
    public void A_clock_that_jumps_forward_ends_what_is_idle_and_nothing_that_is_used()
    {
        var pool = Pool(10, minimum: 2);
        var leased = pool.Lease(_holder, 1000);
        var idle = Enumerable.Range(0, 5).Select(_ => pool.Lease(_holder, 1000)).ToArray();
        foreach (var session in idle)
            pool.Return(session);

        pool.Sweep(Clock.Now + 10L * Hour);

        // Of the minimum of two sessions, one is in use and one is kept.
        Assert.Equal(4, idle.Count(static session => session.IsClosed));
        Assert.False(leased.IsClosed);
        pool.Return(leased);
        Assert.False(leased.IsClosed);
        Assert.Equal(2, pool.GetStatistics().Idle);
        pool.Sweep(Clock.Now + 20L * Hour);
        Assert.Equal(2, pool.GetStatistics().Idle);
        AddsUp(pool);
    }

    [Fact]
    public void A_clock_that_jumps_back_ends_nothing_and_forgets_nothing()
    {
        var pool = _pool = new(_factory, new PoolLimits(MaxSize: 5, IdleTimeout: 1000, Lifetime: 2L * Hour) { ServerIdleLimit = Hour }, "test");
        var sessions = Enumerable.Range(0, 5).Select(_ => pool.Lease(_holder, 1000)).ToArray();
        foreach (var session in sessions)
            pool.Return(session);
        foreach (var jump in new[] { -Hour, -24L * Hour, -Clock.Now, -2 * Clock.Now })
            pool.Sweep(Clock.Now + jump);
        Assert.Equal(5, pool.GetStatistics().Idle);
        pool.Sweep(Clock.Now + 1001);
        Assert.Equal((0, 5L), (pool.GetStatistics().Idle, pool.GetStatistics().Closed[CloseReason.IdleTooLong]));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_clock_that_jumps_neither_wakes_nor_forgets_who_waits(bool asynchronous)
    {
        var pool = Pool(1);
        var session = pool.Lease(_holder, 1000);
        var patient = Lease(asynchronous, pool, 50_000);
        var hurried = Lease(asynchronous, pool, 300);
        Eventually.True(() => pool.GetStatistics().Waiting == (hurried.IsCompleted ? 1 : 2));
        foreach (var jump in new[] { 24L * Hour, -24L * Hour })
            pool.Sweep(Clock.Now + jump);
        Assert.False(session.IsClosed);
        Assert.False(patient.IsCompleted);
        await Assert.ThrowsAsync<PoolExhaustedException>(() => hurried.WaitAsync(Long));
        pool.Return(session);
        Assert.Same(session, await patient.WaitAsync(Long));
    }

    [Fact]
    public void Sessions_opened_together_do_not_all_grow_too_old_at_once_and_none_outlives_its_time()
    {
        var pool = Pool(1);
        var state = new PoolState(new PoolLimits(Lifetime: Hour), pool);
        var ends = new HashSet<double>();
        for (var i = 0; i < 1000; i++)
        {
            ends.Add(PoolState.Jitter(i));
            var session = new FakePooledSession(i, asynchronous: false) { OpenedAt = i, ChangedAt = Hour };
            Assert.Null(state.FindCloseReason(session, i + Hour * 9L / 10 - 1));
            Assert.Equal(CloseReason.TooOld, state.FindCloseReason(session, i + Hour));
            Assert.Equal(CloseReason.TooOld, state.FindCloseReason(session, long.MaxValue / 2));
            Assert.Null(state.FindCloseReason(session, -24L * Hour));
        }

        Assert.InRange(ends.Count, 900, 1000);
    }

    private static PoolStatistics AddsUp(SessionPool<FakePooledSession> pool)
    {
        var statistics = pool.GetStatistics();
        Assert.Equal((0, 0), (statistics.Busy, statistics.Waiting));
        Assert.Equal(statistics.Opened - statistics.Closed.Values.Sum(), statistics.Idle);
        return statistics;
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void LeaseAndForget(SessionPool<FakePooledSession> pool) => pool.Lease(new object(), 1000);

    private Task<FakePooledSession> Lease(bool asynchronous, SessionPool<FakePooledSession> pool, long milliseconds) => asynchronous
        ? pool.LeaseAsync(_holder, milliseconds, default).AsTask()
        : Eventually.OnThread(() => pool.Lease(_holder, milliseconds));

    private SessionPool<FakePooledSession> Pool(int maximum = 10, int minimum = 0) => _pool = new(_factory, new PoolLimits(minimum, maximum), "test");

    private sealed class SweptPool : ISweptPool
    {
        private int _sweeps;

        public bool Throws { get; init; }

        public int Sweeps => Volatile.Read(ref _sweeps);

        public void Sweep(long now)
        {
            Interlocked.Increment(ref _sweeps);
            if (Throws)
                throw new InvalidOperationException("on purpose");
        }
    }

    private sealed class Observer : IPoolObserver
    {
        private int _warmUpsFailed;

        public bool Throws { get; init; }

        public ConcurrentQueue<string> Leaks { get; } = new();

        public int WarmUpsFailed => Volatile.Read(ref _warmUpsFailed);

        public void Opened(string pool)
        {
        }

        public void Closed(string pool, CloseReason reason)
        {
        }

        public void Leaked(string pool) => Leaks.Enqueue(pool);

        public void WarmUpFailed(string pool, Exception exception)
        {
            Interlocked.Increment(ref _warmUpsFailed);
            if (Throws)
                throw new InvalidOperationException("on purpose");
        }
    }
}
