namespace Slipstream.Fuzzing.Engine;

/// <summary>The generator xorshift64*. It returns the same numbers for the same seed on every machine and runtime, and takes a nanosecond for each.</summary>
internal struct FuzzRandom(ulong seed)
{
    private ulong _state = (seed ^ 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 | 1;

    /// <summary>Returns a number of 64 bits.</summary>
    public ulong Next()
    {
        _state ^= _state >> 12;
        _state ^= _state << 25;
        _state ^= _state >> 27;
        return _state * 0x2545F4914F6CDD1D;
    }

    /// <summary>Returns a number from 0 to <paramref name="limit"/> − 1. The limit is at least 1.</summary>
    public int Below(int limit) => (int)((Next() >> 32) * (uint)limit >> 32);

    /// <summary>Returns a number from 1 to <paramref name="most"/>, usually a small and rarely a large one.</summary>
    public int Small(int most)
    {
        if (most <= 1)
            return 1;
        var scale = Below(64) switch { < 40 => 4, < 58 => 16, < 63 => 128, _ => most };
        return 1 + Below(Math.Min(scale, most));
    }
}
