using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>
/// A caller that waits for a session. <see cref="PoolState"/> decides once, under its lock, how the wait ends. Then the waiter is woken and reads the result.
/// </summary>
internal abstract class Waiter
{
    /// <summary>When the wait began, in the clock's milliseconds.</summary>
    public long Since { get; set; }

    /// <summary>When the sweeper ends the wait; never for a waiter that watches the clock itself.</summary>
    public virtual long Due => Clock.Never;

    /// <summary>How the wait ended; <see cref="PoolStep.Wait"/> while it lasts.</summary>
    public PoolStep End { get; set; } = PoolStep.Wait;

    /// <summary>The session that the waiter got; null without one.</summary>
    public IPooledSession? Session { get; set; }

    /// <summary>Why the waiter was refused; null if it was not.</summary>
    public Exception? Failure { get; set; }

    internal Waiter? Next { get; set; }

    internal Waiter? Previous { get; set; }

    /// <summary>Lets the caller continue after the wait has ended.</summary>
    public abstract void Wake();
}

/// <summary>Waits on its own event. No thread of the thread pool is needed to wake it.</summary>
internal sealed class BlockingWaiter : Waiter, IDisposable
{
    private readonly ManualResetEventSlim _event = new();

    /// <summary>Waits for at most <paramref name="milliseconds"/> (−1: no limit). Returns false if the time ran out.</summary>
    public bool Wait(int milliseconds) => _event.Wait(milliseconds);

    /// <inheritdoc/>
    public void Dispose() => _event.Dispose();

    /// <inheritdoc/>
    public override void Wake() => _event.Set();
}

/// <summary>The waiters of one pool: first come, first served. Used under the lock of <see cref="PoolState"/>.</summary>
internal sealed class WaiterQueue
{
    private Waiter? _last;
    private int _count;

    /// <summary>The waiter that has waited longest; null without waiters.</summary>
    public Waiter? First { get; private set; }

    /// <summary>Number of waiters; may be read without the lock.</summary>
    public int Count => Volatile.Read(ref _count);

    public void Add(Waiter waiter)
    {
        waiter.Previous = _last;
        if (_last is null)
            First = waiter;
        else
            _last.Next = waiter;
        _last = waiter;
        Volatile.Write(ref _count, _count + 1);
    }

    public void Remove(Waiter waiter)
    {
        if (waiter.Previous is null)
            First = waiter.Next;
        else
            waiter.Previous.Next = waiter.Next;
        if (waiter.Next is null)
            _last = waiter.Previous;
        else
            waiter.Next.Previous = waiter.Previous;
        waiter.Next = waiter.Previous = null;
        Volatile.Write(ref _count, _count - 1);
    }
}
