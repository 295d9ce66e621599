namespace Slipstream.Core.Pooling;

/// <summary>
/// Holds the lessee of a session by a weak reference, so that a lease whose holder is garbage can be found. One thread leases and returns. Any other thread may
/// check at any time whether the lease has leaked; a lease that begins or ends at that moment never counts as leaked.
/// </summary>
internal sealed class LeakDetector
{
    private readonly WeakReference<object?> _holder = new(null);
    // Odd while the session is leased: the holder is set before the lease begins and cleared after it has ended.
    private int _changes;

    /// <summary>The holder of the session; null if it is not leased or its holder has been garbage collected.</summary>
    public object? Holder
    {
        get => _holder.TryGetTarget(out var holder) ? holder : null;
        set
        {
            var changes = _changes;
            if (value is null)
            {
                Volatile.Write(ref _changes, (changes | 1) + 1);
                _holder.SetTarget(null);
                return;
            }

            _holder.SetTarget(value);
            Volatile.Write(ref _changes, ((changes + 1) & ~1) + 1);
        }
    }

    /// <summary>Whether the session is leased and its holder has been garbage collected.</summary>
    public bool IsLeaked
    {
        get
        {
            var changes = Volatile.Read(ref _changes);
            if ((changes & 1) == 0 || _holder.TryGetTarget(out _))
                return false;
            // A barrier for the thread that returns the session, which has none between its two stores. It costs nothing unless a leak is suspected.
            Interlocked.MemoryBarrierProcessWide();
            return Volatile.Read(ref _changes) == changes;
        }
    }
}
