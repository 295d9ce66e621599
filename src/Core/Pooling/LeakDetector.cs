namespace Slipstream.Core.Pooling;

/// <summary>
/// Who leases a session, known weakly, so that a lease whose holder is garbage can be found. One thread leases and gives back; another may ask at any moment
/// whether the lease has leaked, and never takes one that begins or ends just then for leaked.
/// </summary>
internal sealed class LeakDetector
{
    private readonly WeakReference<object?> _holder = new(null);
    // Odd while it is leased: the holder is known before the lease begins and forgotten after it has ended.
    private int _changes;

    /// <summary>Who leases it; null when nobody does, or who did is gone.</summary>
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

    /// <summary>Whether it is leased by somebody who is gone.</summary>
    public bool IsLeaked
    {
        get
        {
            var changes = Volatile.Read(ref _changes);
            if ((changes & 1) == 0 || _holder.TryGetTarget(out _))
                return false;
            // For the thread that gives back, which has none between its two stores: that costs nothing where nobody asks.
            Interlocked.MemoryBarrierProcessWide();
            return Volatile.Read(ref _changes) == changes;
        }
    }
}
