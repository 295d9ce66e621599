namespace Slipstream.Fuzzing.Engine;

/// <summary>xorshift64*: the same numbers for the same seed on every machine and runtime, in a nanosecond.</summary>
internal struct FuzzRandom(ulong seed)
{
    private ulong _state = (seed ^ 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 | 1;

    /// <summary>All 64 bits.</summary>
    public ulong Next()
    {
        _state ^= _state >> 12;
        _state ^= _state << 25;
        _state ^= _state >> 27;
        return _state * 0x2545F4914F6CDD1D;
    }

    /// <summary>From 0 up to, but not including, <paramref name="limit"/>, which is at least 1.</summary>
    public int Below(int limit) => (int)((Next() >> 32) * (uint)limit >> 32);

    /// <summary>Mostly small, seldom large: from 1 to <paramref name="most"/>.</summary>
    public int Small(int most)
    {
        if (most <= 1)
            return 1;
        var scale = Below(64) switch { < 40 => 4, < 58 => 16, < 63 => 128, _ => most };
        return 1 + Below(Math.Min(scale, most));
    }
}
