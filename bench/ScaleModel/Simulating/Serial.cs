namespace Slipstream.ScaleModel.Simulating;

/// <summary>Something that one processor at a time can use: a lock, or a cache line. The others wait for it without doing anything else.</summary>
internal sealed class Serial(double hold)
{
    private double _freeAt;

    /// <summary>Gets the time in which it was used.</summary>
    public double Busy { get; private set; }

    /// <summary>Returns how long a use from <paramref name="now"/> on takes, with the wait.</summary>
    public double Use(double now)
    {
        if (hold <= 0)
            return 0;
        _freeAt = Math.Max(_freeAt, now) + hold;
        Busy += hold;
        return _freeAt - now;
    }

    public void Reset() => Busy = 0;
}
