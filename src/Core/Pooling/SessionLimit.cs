using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>A pool among several that share a <see cref="SessionLimit"/>.</summary>
internal interface ILimitedPool
{
    /// <summary>Sessions that exist or are being opened.</summary>
    int Total { get; }

    /// <summary>Sessions that lie idle.</summary>
    int Idle { get; }

    /// <summary>Sessions that are kept even when idle, unless nobody else has one to spare.</summary>
    int Kept { get; }

    /// <summary>When the first of those began to wait who wait for a session of this pool; null when nobody does.</summary>
    long? WaitingSince { get; }

    /// <summary>Closes an idle session, so that another pool may open one. False when there is none any more.</summary>
    bool TryEvict();
}

/// <summary>Somebody who waits for a place below the limit, and for a session of his own pool at the same time: whichever comes first.</summary>
public abstract class PlaceWaiter
{
    /// <summary>When the wait began, on the process's monotonic clock: who waits longer comes first, also after a look in vain.</summary>
    public long Since { get; init; } = Clock.Now;

    /// <summary>True when a place was given: it is to be used or given back.</summary>
    public bool HasPlace { get; private protected set; }

    internal ILimitedPool? Pool { get; set; }

    internal LinkedListNode<PlaceWaiter>? Node { get; set; }

    /// <summary>Hands over the right to open a session. False when the waiter has got something else, or has gone.</summary>
    internal abstract bool TryGivePlace();
}

/// <summary>
/// How many sessions several pools may have together, in this process. A caller whose pool may grow but who finds no place has an idle session of another pool
/// closed; when all are busy he waits, who came first being served first. A pool that is never without callers does not keep its sessions for ever:
/// see <see cref="YieldBehindMilliseconds"/>. Looked at only where a session is opened, closed, or waited for.
/// </summary>
public sealed class SessionLimit
{
    /// <summary>
    /// A session that comes back goes to its own pool's callers, unless another pool's has waited for so much longer than they, or its pool has two sessions
    /// less, or none.
    /// </summary>
    public const int YieldBehindMilliseconds = 500;

    private readonly Lock _gate = new();
    private readonly LinkedList<PlaceWaiter> _waiters = new();
    private ILimitedPool[] _pools = [];
    private int _total;
    private int _waiting;
    private int _startAt;

    /// <summary>Creates a limit that no pool has yet: give it to the data source builders of all pools that share it.</summary>
    /// <param name="maximum">Sessions of all pools together, idle ones included.</param>
    /// <exception cref="ArgumentOutOfRangeException">Less than one.</exception>
    public SessionLimit(int maximum)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximum, 1);
        Maximum = maximum;
    }

    /// <summary>Sessions of all pools together, idle ones included.</summary>
    public int Maximum { get; }

    /// <summary>How many there are or are being opened now.</summary>
    public int Total => Volatile.Read(ref _total);

    /// <summary>Callers who wait for a place now.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    internal void Add(ILimitedPool pool)
    {
        lock (_gate)
            _pools = [.. _pools, pool];
    }

    internal void Remove(ILimitedPool pool)
    {
        lock (_gate)
            _pools = Array.FindAll(_pools, other => !ReferenceEquals(other, pool));
    }

    /// <summary>Takes a place if there is one.</summary>
    internal bool TryTake()
    {
        lock (_gate)
        {
            if (_total >= Maximum)
                return false;
            _total++;
            return true;
        }
    }

    /// <summary>A session has gone, or a place is not needed: whoever has waited longest gets it.</summary>
    internal void GiveBack()
    {
        lock (_gate)
        {
            while (TakeFirst() is { } first)
                if (first.TryGivePlace())
                    return;
            _total--;
        }
    }

    /// <summary>Begins to wait; a place that is free is given at once. Idle sessions of other pools are closed for it.</summary>
    internal void Wait(PlaceWaiter waiter, ILimitedPool pool)
    {
        lock (_gate)
        {
            if (_total < Maximum)
            {
                if (waiter.TryGivePlace())
                    _total++;
                return;
            }

            waiter.Pool = pool;
            var behind = _waiters.Last;
            while (behind is not null && behind.Value.Since > waiter.Since)
                behind = behind.Previous;
            waiter.Node = behind is null ? _waiters.AddFirst(waiter) : _waiters.AddAfter(behind, waiter);
            Volatile.Write(ref _waiting, _waiters.Count);
        }

        // Announced: who shelves a session from now on sees it, and what lies on a shelf already is seen here.
        Interlocked.MemoryBarrier();
        Evict();
    }

    /// <summary>Ends a wait, whatever came of it.</summary>
    internal void End(PlaceWaiter waiter)
    {
        lock (_gate)
            Unlink(waiter);
    }

    /// <summary>True when a caller of another pool waits.</summary>
    internal bool IsWaitedForByOthersThan(ILimitedPool pool)
    {
        lock (_gate)
        {
            foreach (var waiter in _waiters)
                if (!ReferenceEquals(waiter.Pool, pool))
                    return true;
            return false;
        }
    }

    /// <summary>Who is to have a session's place in its stead, now that it comes back to <paramref name="pool"/>; null when it stays there.</summary>
    internal PlaceWaiter? Yield(ILimitedPool pool)
    {
        lock (_gate)
        {
            var mine = pool.WaitingSince;
            var total = pool.Total;
            for (var node = _waiters.First; node is not null; node = node.Next)
            {
                var other = node.Value.Pool!;
                if (ReferenceEquals(other, pool))
                    continue;
                if (mine is { } since && other.Total > 0 && other.Total + 1 >= total && node.Value.Since > since - YieldBehindMilliseconds)
                    continue;
                Unlink(node.Value);
                return node.Value;
            }

            return null;
        }
    }

    // From the pool that has most to spare. One: each who waits has one closed.
    private void Evict()
    {
        var pools = Volatile.Read(ref _pools);
        while (true)
        {
            ILimitedPool? richest = null;
            var most = 0;
            var start = (int)((uint)Interlocked.Increment(ref _startAt) % (uint)Math.Max(1, pools.Length));
            for (var i = 0; i < pools.Length; i++)
            {
                var pool = pools[(start + i) % pools.Length];
                var idle = pool.Idle;
                var score = idle == 0 ? 0 : pool.Total > pool.Kept ? idle + int.MaxValue / 2 : idle;
                if (score > most)
                    (richest, most) = (pool, score);
            }

            if (richest is null || richest.TryEvict())
                return;
        }
    }

    private PlaceWaiter? TakeFirst()
    {
        var first = _waiters.First?.Value;
        if (first is not null)
            Unlink(first);
        return first;
    }

    private void Unlink(PlaceWaiter waiter)
    {
        if (waiter.Node is not { } node)
            return;
        _waiters.Remove(node);
        waiter.Node = null;
        Volatile.Write(ref _waiting, _waiters.Count);
    }
}
