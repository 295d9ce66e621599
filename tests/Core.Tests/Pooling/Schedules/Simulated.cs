using Slipstream.Core.Pooling;

namespace Slipstream.Core.Tests.Pooling.Schedules;

internal sealed class SimulatedSession(int number, SimulatedPool pool) : IPooledSession
{
    public SimulatedPool Pool => pool;

    /// <summary>The actor that uses the session; null while it is idle or being handed over.</summary>
    public PoolActor? User { get; set; }

    public bool IsOpen { get; private set; } = true;

    public bool IsAlive { get; set; } = true;

    public bool IsAliveAt(long precise) => IsAlive;

    public bool IsBroken { get; set; }

    public void Break(string because) => IsBroken = true;

    public bool HasWaitedAsynchronously => false;

    public long OpenedAt { get; init; }

    public long ChangedAt { get; set; }

    public int Generation { get; set; }

    public object? Holder { get; set; }

    public bool IsLeaked { get; set; }

    public void Close()
    {
        Assert.True(IsOpen, $"{this} is closed twice.");
        Assert.Null(User);
        IsOpen = false;
        pool.Live--;
    }

    public override string ToString() => $"#{number}";

    public string Describe() => $"{this}{(IsOpen ? "" : " closed")}{(IsAlive ? "" : " dead")} g{Generation} {ChangedAt} {User?.Name}";
}

internal sealed class SimulatedWaiter(PoolActor by, long due) : Waiter
{
    public string By => by.Name;

    public override long Due => due;

    public bool IsWoken { get; private set; }

    public override void Wake()
    {
        Assert.False(IsWoken, $"{by.Name} is woken twice.");
        Assert.NotEqual(PoolStep.Wait, End);
        IsWoken = true;
    }

    public override string ToString() => $"waiter {End} {Session} {IsWoken}";
}

/// <summary>A pool with simulated sessions and callers: only its decisions are real.</summary>
internal sealed class SimulatedPool : IPoolOwner
{
    public SimulatedPool(string name, PoolLimits limits, SessionLimit limit)
    {
        Name = name;
        State = new(limits, this, limit);
    }

    public string Name { get; }

    public PoolState State { get; }

    /// <summary>The number of sessions that are open or being opened, counted independently of the pool.</summary>
    public int Live { get; set; }

    /// <summary>The waiting callers, in the order of their arrival.</summary>
    public List<SimulatedWaiter> Queue { get; } = [];

    // The scripts execute the decisions step by step.
    public void Execute(in PoolAction action) => Assert.Fail("Nobody asked for this.");
}
