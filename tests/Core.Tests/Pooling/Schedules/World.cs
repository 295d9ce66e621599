using System.Text;
using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Schedules;

namespace Slipstream.Core.Tests.Pooling.Schedules;

/// <summary>
/// Pools with one limit, callers and events in simulated time. Each step of an actor is one that the real pool executes without interruption: a section under
/// the lock, or one exchange of a slot. So the order of the steps is all that threads could vary.
/// </summary>
internal sealed class World : IWorld
{
    private readonly List<SimulatedSession> _sessions = [];

    public World(int limit = int.MaxValue) => Limit = new(limit);

    public SessionLimit Limit { get; }

    public List<SimulatedPool> Pools { get; } = [];

    public List<PoolActor> Actors { get; } = [];

    IReadOnlyList<Actor> IWorld.Actors => Actors;

    public long Now { get; set; } = 1000;

    /// <summary>The number of callers that got a session, and of those that did not, with the reason.</summary>
    public int Served { get; private set; }

    public int InVain { get; private set; }

    public SimulatedPool AddPool(int maximum, int minimum = 0, long idleTimeout = 0, int mostOpening = int.MaxValue)
    {
        var pool = new SimulatedPool($"pool {Pools.Count}", new(minimum, maximum, idleTimeout) { MaxOpening = mostOpening }, Limit);
        Pools.Add(pool);
        return pool;
    }

    // ---------------------------------------------------------------- actors

    /// <summary>Adds a caller that leases a session and returns it, as often as given, in the same way as SessionPool.</summary>
    /// <param name="pool">The pool that it uses.</param>
    /// <param name="rounds">The number of leases.</param>
    /// <param name="patience">Its timeout in milliseconds; if <paramref name="mayGiveUp"/> is set, it may also be cancelled at any time before.</param>
    /// <param name="mayGiveUp">Whether it may be cancelled.</param>
    /// <param name="mayFail">Whether its attempts to open may fail: with an error, or because no server listens.</param>
    /// <param name="mayBreak">Whether its session may break.</param>
    public void AddCaller(
        SimulatedPool pool, int rounds = 1, long patience = long.MaxValue, bool mayGiveUp = false, bool mayFail = false, bool mayBreak = false)
    {
        Actors.Add(new($"caller {Actors.Count}", Script));

        IEnumerable<Point> Script(PoolActor me)
        {
            for (me.Round = 0; me.Round < rounds; me.Round++)
            {
                foreach (var point in Lease(me))
                    yield return point;
                if (me.Session is null)
                {
                    InVain++;
                    continue;
                }

                Served++;
                yield return new("use", mayBreak ? 2 : 1, IsAtRest: true);
                me.Session.IsBroken = me.Choice == 1;
                foreach (var point in GiveBack(me))
                    yield return point;
            }
        }

        IEnumerable<Point> Lease(PoolActor me)
        {
            yield return new("take", IsAtRest: true);
            me.Action = pool.State.TryTake() is { } idle ? new(PoolStep.Hand, idle) : default;
            if (me.Action.Step == PoolStep.None)
            {
                yield return new("ask");
                me.Action = pool.State.Request();
            }

            if (me.Action.Step == PoolStep.Wait)
            {
                foreach (var point in Wait(me))
                    yield return point;
            }

            while (me.Action.Step == PoolStep.Hand)
            {
                yield return new("look at it");
                var session = (SimulatedSession)me.Action.Session!;
                if (session.Generation == pool.State.Generation && session.IsAlive)
                {
                    Use(me, session);
                    yield break;
                }

                session.Close();
                yield return new("replace");
                me.Action = pool.State.Replace(session);
                if (me.Action.Step == PoolStep.Open)
                    break;
                var next = me.Action;
                me.Session = (SimulatedSession?)next.Session;
                foreach (var point in Settle(me, "replace"))
                    yield return point;
                me.Action = next;
                me.Session = null;
            }

            if (me.Action.Step == PoolStep.Open)
            {
                foreach (var point in Open(me))
                    yield return point;
            }
        }

        IEnumerable<Point> Wait(PoolActor me)
        {
            yield return new("enter");
            var waiter = new SimulatedWaiter(me, patience == long.MaxValue ? patience : Now + patience);
            me.Action = default;
            if (!pool.State.TryEnter(waiter, Now))
                yield break;
            me.Waiter = waiter;
            pool.Queue.Add(waiter);
            foreach (var point in Settle(me, "enter"))
                yield return point;
            yield return new("wait", 1, () => mayGiveUp || waiter.IsWoken, IsAtRest: true);
            if (!waiter.IsWoken && pool.State.TryCancelWait(waiter))
                waiter.Wake();
            if (!waiter.IsWoken)
                yield return new("wait for what was given", 1, () => waiter.IsWoken, IsAtRest: true);
            me.Waiter = null;
            me.Action = new(waiter.End, waiter.Session);
        }

        IEnumerable<Point> Open(PoolActor me)
        {
            yield return new("dial");
            var generation = pool.State.Generation;
            pool.Live++;
            var began = Now;
            yield return new("open", mayFail ? 3 : 1, IsAtRest: true);
            if (me.Choice == 0)
            {
                var session = new SimulatedSession(_sessions.Count, pool) { OpenedAt = Now, ChangedAt = Now, Generation = generation };
                _sessions.Add(session);
                if (pool.State.Opened(session))
                {
                    foreach (var point in Settle(me, "opened"))
                        yield return point;
                }

                Use(me, session);
                yield break;
            }

            var isRefused = me.Choice == 2;
            pool.Live--;
            yield return new("failed");
            foreach (var waiter in pool.State.OpenFailed(isRefused ? began + 1 : long.MinValue))
                waiter.Wake();
            foreach (var point in Settle(me, "failed"))
                yield return point;
        }

        IEnumerable<Point> GiveBack(PoolActor me)
        {
            var session = me.Session!;
            session.User = null;
            session.ChangedAt = Now;
            if ((session.IsBroken ? CloseReason.Broken : pool.State.FindCloseReason(session, Now)) is { } reason)
                me.Action = new(PoolStep.Close, session, null, pool.State, reason);
            else
            {
                yield return new("ask who waits");
                if (pool.State.HasWaiters)
                {
                    yield return new("give");
                    me.Action = pool.State.Return(session);
                }
                else
                {
                    yield return new("park");
                    pool.State.Park(session);
                    yield return new("look");
                    me.Action = default;
                    if (pool.State.MustRecheck(session))
                    {
                        me.Session = null;
                        foreach (var point in Look(me, pool))
                            yield return point;
                    }
                }
            }

            me.Session = null;
            foreach (var point in Perform(me, "give"))
                yield return point;
        }
    }

    /// <summary>Clears the pool once.</summary>
    public void AddClear(SimulatedPool pool)
    {
        Actors.Add(new("clear", Script));

        IEnumerable<Point> Script(PoolActor me)
        {
            yield return new("clear", IsAtRest: true);
            pool.State.Clear();
            foreach (var point in Look(me, pool))
                yield return point;
        }
    }

    /// <summary>Disposes the pool once.</summary>
    public void AddDispose(SimulatedPool pool)
    {
        Actors.Add(new("dispose", Script));

        IEnumerable<Point> Script(PoolActor me)
        {
            yield return new("dispose", IsAtRest: true);
            var refused = pool.State.Dispose();
            foreach (var point in Look(me, pool))
                yield return point;
            refused.ForEach(static waiter => waiter.Wake());
        }
    }

    /// <summary>Lets the given time pass once: waits time out, and the pools are swept.</summary>
    public void AddTime(long milliseconds)
    {
        Actors.Add(new("time", Script));

        IEnumerable<Point> Script(PoolActor me)
        {
            yield return new("time", IsAtRest: true);
            Now += milliseconds;
            foreach (var pool in Pools)
            {
                yield return new($"expire {pool.Name}");
                foreach (var waiter in pool.State.Expire(Now, out _))
                    waiter.Wake();
                yield return new($"sweep {pool.Name}");
                foreach (var action in pool.State.Sweep(Now))
                {
                    me.Action = action;
                    foreach (var point in Perform(me, "sweep"))
                        yield return point;
                }
            }
        }
    }

    /// <summary>Lets the server end an idle session, once.</summary>
    public void AddDeath()
    {
        Actors.Add(new("death", Script));

        IEnumerable<Point> Script(PoolActor me)
        {
            yield return new("death", 1, () => _sessions.Exists(IsIdle), IsAtRest: true);
            _sessions.First(IsIdle).IsAlive = false;
        }

        static bool IsIdle(SimulatedSession session) => session is { IsOpen: true, User: null, IsAlive: true };
    }

    /// <summary>Raises the limit of all pools by one, once.</summary>
    public void AddRaise()
    {
        Actors.Add(new("raise", Script));

        IEnumerable<Point> Script(PoolActor me)
        {
            yield return new("raise", IsAtRest: true);
            Limit.Change(Limit.Maximum + 1);
            foreach (var point in Settle(me, "raise"))
                yield return point;
        }
    }

    private IEnumerable<Point> Look(PoolActor me, SimulatedPool pool)
    {
        yield return new("take what is outdated");
        foreach (var action in pool.State.TakeOutdated())
        {
            me.Action = action;
            foreach (var point in Perform(me, "look"))
                yield return point;
        }

        foreach (var point in Settle(me, "look"))
            yield return point;
    }

    private IEnumerable<Point> Perform(PoolActor me, string why)
    {
        var action = me.Action;
        foreach (var point in Carry(me, why))
            yield return point;
        if (action.Step != PoolStep.Close)
            yield break;
        foreach (var point in Settle(me, why))
            yield return point;
    }

    private IEnumerable<Point> Settle(PoolActor me, string why)
    {
        while (true)
        {
            yield return new($"{why}: next");
            me.Action = Limit.Next();
            if (me.Action.Step == PoolStep.None)
                break;
            foreach (var point in Carry(me, why))
                yield return point;
        }
    }

    private static IEnumerable<Point> Carry(PoolActor me, string why)
    {
        var action = me.Action;
        if (action.Step == PoolStep.Close)
        {
            yield return new($"{why}: close");
            action.Session!.Close();
            yield return new($"{why}: closed");
            action.Pool!.Closed(action);
        }

        if (action.Waiter is not null)
        {
            yield return new($"{why}: wake");
            action.Waiter.Wake();
        }

        me.Action = default;
    }

    private static void Use(PoolActor me, SimulatedSession session)
    {
        Assert.Null(session.User);
        Assert.True(session.IsOpen, $"{session} is closed and was leased.");
        session.User = me;
        me.Session = session;
        me.Action = default;
    }

    // ---------------------------------------------------------------- invariants

    /// <summary>Checks the world after each step.</summary>
    public void Check()
    {
        foreach (var pool in Pools)
        {
            Assert.True(pool.Live <= pool.State.Limits.MaxSize, $"{pool.Live} sessions in a pool of {pool.State.Limits.MaxSize}");
            Assert.True(pool.State.Opening <= pool.State.Limits.MaxOpening, $"{pool.State.Opening} sessions are being opened");
            Assert.True(pool.Live <= pool.State.Total, $"{pool.Live} sessions, and the pool knows of {pool.State.Total}");
            CheckOrder(pool);
        }

        Assert.True(Pools.Sum(static pool => pool.Live) <= Limit.Maximum, "more than the limit");
        Assert.True(Limit.Total <= Limit.Maximum, "more places than the limit");
        if (Actors.TrueForAll(static actor => actor.IsAtRest))
            CheckAtRest();
    }

    /// <summary>Checks the world when no actor can do anything more.</summary>
    public void CheckEnd()
    {
        Assert.All(Actors, static actor => Assert.True(actor.IsDone || actor.Name == "death", $"{actor} for ever"));
        Assert.All(Pools, static pool => Assert.Equal((pool.State.Idle, pool.State.Idle, 0), (pool.State.Total, pool.Live, pool.State.Waiting)));
        Assert.All(Pools.Where(static pool => pool.State.IsDisposed), static pool => Assert.Equal(0, pool.State.Total));
    }

    // Callers are served in the order of their arrival.
    private static void CheckOrder(SimulatedPool pool)
    {
        var stillWaits = false;
        foreach (var waiter in pool.Queue)
        {
            if (waiter.End == PoolStep.Wait)
                stillWaits = true;
            else
                Assert.False(stillWaits && waiter.End is PoolStep.Hand or PoolStep.Open, $"{waiter.By} was served before its turn.");
        }

        pool.Queue.RemoveAll(static waiter => waiter.End != PoolStep.Wait);
        Assert.Equal(pool.Queue.Count, pool.State.Waiting);
    }

    // When no actor is in the middle of a step, nothing is left undone.
    private void CheckAtRest()
    {
        Assert.Equal(Pools.Sum(static pool => pool.State.Total), Limit.Total);
        foreach (var pool in Pools)
        {
            var state = pool.State;
            Assert.Equal(pool.Live, state.Total);
            Assert.False(state is { Waiting: > 0, Idle: > 0 }, "A waiter is forgotten beside an idle session.");
            Assert.False(state.Waiting > 0 && state.MayGrow && Limit.Total < Limit.Maximum, "A waiter is forgotten although a session may be opened.");
            Assert.False(
                state.Waiting > 0 && state.MayGrow && Pools.Exists(static other => other.State.Idle > 0),
                "A waiter is forgotten beside another pool's idle session.");
            Assert.False(state.IsDisposed && state is not { Waiting: 0, Idle: 0 }, "A disposed pool still holds something.");
        }

        foreach (var session in _sessions.Where(static session => session is { IsOpen: true, User: null }))
            Assert.Equal(session.Pool.State.Generation, session.Generation);
    }

    /// <summary>Contains everything that can affect what happens next.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        foreach (var actor in Actors)
            text.Append(actor).Append(';');
        foreach (var session in _sessions)
            text.Append(session.Describe()).Append(';');
        foreach (var pool in Pools)
        {
            text.Append(pool.State.Total).Append(' ').Append(pool.State.Idle).Append(' ').Append(pool.State.Generation)
                .Append(pool.State.IsDisposed ? 'd' : ' ');
            foreach (var waiter in pool.Queue)
                text.Append(waiter.By).Append(waiter.Since).Append(',');
        }

        return text.Append(Limit.Total).Append(' ').Append(Limit.Maximum).Append(' ').Append(Now).ToString();
    }
}
