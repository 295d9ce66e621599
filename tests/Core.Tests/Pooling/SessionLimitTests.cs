using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;

namespace Slipstream.Core.Tests.Pooling;

public sealed class SessionLimitTests : IDisposable
{
    private readonly FakeFactory _factory = new();
    private readonly object _holder = new();
    private readonly List<SessionPool<FakePooledSession>> _pools = [];

    public void Dispose() => _pools.ForEach(static pool => pool.Dispose());

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_idle_session_of_another_pool_makes_room(bool asynchronous)
    {
        var limit = new SessionLimit(2);
        var (one, other) = (Pool(limit), Pool(limit));
        var first = await Lease(asynchronous, one);
        var second = await Lease(asynchronous, one);
        one.Return(first);
        var third = await Lease(asynchronous, other);
        Assert.True(first.IsClosed);
        Assert.False(second.IsClosed);
        Assert.Equal(2, limit.Total);
        Assert.Equal(1, one.GetStatistics().Closed[CloseReason.Evicted]);
        one.Return(second);
        other.Return(third);
        Assert.Equal((2, 0), (limit.Total, limit.Waiting));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Who_finds_all_busy_waits_until_one_comes_back_anywhere(bool asynchronous)
    {
        var limit = new SessionLimit(1);
        var (one, other) = (Pool(limit), Pool(limit));
        var first = one.Lease(_holder, 1000);
        var waiting = Lease(asynchronous, other);
        Eventually.True(() => limit.Waiting == 1);
        one.Return(first);
        var second = await waiting.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.True(first.IsClosed);
        Assert.Equal((1, 0), (limit.Total, limit.Waiting));
        other.Return(second);
        Assert.Same(second, await Lease(asynchronous, other));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_callers_of_all_pools_are_served_in_the_order_in_which_they_came(bool asynchronous)
    {
        var limit = new SessionLimit(1);
        var pools = Enumerable.Range(0, 6).Select(_ => Pool(limit)).ToArray();
        var session = pools[0].Lease(_holder, 1000);
        var order = new List<int>();
        var waiting = new List<Task>();
        for (var i = 1; i < pools.Length; i++)
        {
            var number = i;
            waiting.Add(Serve(number));
            Eventually.True(() => limit.Waiting == number);
        }

        pools[0].Return(session);
        await Task.WhenAll(waiting).WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(Enumerable.Range(1, 5), order);

        async Task Serve(int number)
        {
            var served = await Lease(asynchronous, pools[number]);
            lock (order)
                order.Add(number);
            pools[number].Return(served);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_place_goes_back_when_opening_fails_or_a_session_breaks(bool asynchronous)
    {
        var limit = new SessionLimit(1);
        var (one, other) = (Pool(limit), Pool(limit));
        _factory.Failure = new InvalidDataException("as the test wants it");
        await Assert.ThrowsAsync<InvalidDataException>(() => Lease(asynchronous, one));
        _factory.Failure = null;
        Assert.Equal(0, limit.Total);
        var broken = await Lease(asynchronous, other);
        broken.IsBroken = true;
        other.Return(broken);
        Assert.Equal(0, limit.Total);
        one.Return(await Lease(asynchronous, one));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Who_waits_in_vain_is_told_of_the_common_limit(bool asynchronous)
    {
        var limit = new SessionLimit(1);
        var (one, other) = (Pool(limit), Pool(limit));
        var only = one.Lease(_holder, 1000);
        var failure = await Assert.ThrowsAsync<PoolExhaustedException>(() => Lease(asynchronous, other, 50));
        Assert.Contains("all 1 that it shares with other pools", failure.Message);
        using var token = new CancellationTokenSource(50);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await other.LeaseAsync(_holder, 30_000, token.Token));
        Assert.Equal((1, 0), (limit.Total, limit.Waiting));
        one.Return(only);
        other.Return(await Lease(asynchronous, other));
    }

    [Fact]
    public void A_pool_that_is_never_without_callers_gives_its_place_to_one_that_has_waited_longer()
    {
        var limit = new SessionLimit(2);
        var (busy, starved) = (Pool(limit), Pool(limit));
        var first = busy.Lease(_holder, 1000);
        var second = busy.Lease(_holder, 1000);
        var foreign = Eventually.OnThread(() => starved.Return(starved.Lease(_holder, 30_000)));
        Eventually.True(() => limit.Waiting == 1);
        var own = Eventually.OnThread(() => busy.Return(busy.Lease(_holder, 30_000)));
        Eventually.True(() => busy.GetStatistics().Waiting == 1);
        // The other pool has no session: it gets the first that is returned.
        busy.Return(first);
        Assert.True(foreign.Wait(TimeSpan.FromSeconds(30)));
        Assert.True(first.IsClosed);
        busy.Return(second);
        Assert.True(own.Wait(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void The_minimum_of_a_pool_takes_no_place_from_others()
    {
        var limit = new SessionLimit(2);
        var one = Pool(limit);
        var kept = Pool(limit, minimum: 2);
        var first = one.Lease(_holder, 1000);
        // A separate thread opens the missing session.
        kept.Sweep(0);
        Eventually.True(() => kept.GetStatistics().Idle == 1);
        Assert.Equal(2, limit.Total);
        // Only the other pool has an idle session.
        var second = one.Lease(_holder, 1000);
        Assert.Equal(0, kept.GetStatistics().Idle);
        one.Return(first);
        one.Return(second);
    }

    [Fact]
    public async Task Many_workers_over_many_pools_never_have_more_and_none_is_left_behind()
    {
        const int Workers = 64;
        const int Pools = 8;
        const int Rounds = 300;
        var limit = new SessionLimit(5);
        var pools = Enumerable.Range(0, Pools).Select(i => Pool(limit, maximum: i % 2 == 0 ? 3 : 100)).ToArray();
        var leased = 0;
        var most = 0;
        var served = new int[Workers];
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(worker => Task.Factory.StartNew(
            () => Work(worker).GetAwaiter().GetResult(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)))
                .WaitAsync(TimeSpan.FromSeconds(120));

        Assert.True(most <= 5, $"{most} at once");
        Assert.All(served, static count => Assert.Equal(Rounds, count));
        Assert.Equal(0, limit.Waiting);
        Assert.Equal(limit.Total, pools.Sum(static pool => pool.GetStatistics().Idle));
        Assert.All(pools, static pool => Assert.Equal((0, 0), (pool.GetStatistics().Busy, pool.GetStatistics().Waiting)));
        foreach (var pool in pools)
            pool.Dispose();
        Assert.Equal(0, limit.Total);

        async Task Work(int worker)
        {
            var random = new Random(worker);
            for (var i = 0; i < Rounds; i++)
            {
                var pool = pools[random.Next(Pools)];
                var session = await Lease(worker % 2 == 0, pool, 60_000);
                var now = Interlocked.Increment(ref leased);
                int seen;
                while (now > (seen = Volatile.Read(ref most)) && Interlocked.CompareExchange(ref most, now, seen) != seen)
                {
                }

                if (random.Next(4) == 0)
                    Thread.Yield();
                if (random.Next(10) == 0)
                    session.IsBroken = true;
                Interlocked.Decrement(ref leased);
                pool.Return(session);
                served[worker]++;
            }
        }
    }

    private Task<FakePooledSession> Lease(bool asynchronous, SessionPool<FakePooledSession> pool, long milliseconds = 30_000) => asynchronous
        ? pool.LeaseAsync(_holder, milliseconds, default).AsTask()
        : Task.Factory.StartNew(() => pool.Lease(_holder, milliseconds), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private SessionPool<FakePooledSession> Pool(SessionLimit limit, int maximum = 10, int minimum = 0)
    {
        var pool = new SessionPool<FakePooledSession>(_factory, new PoolLimits(minimum, maximum), $"test {_pools.Count}", limit);
        _pools.Add(pool);
        return pool;
    }
}
