namespace Slipstream.Fuzzing.Engine;

/// <summary>The inputs from which others are made: seeds, and inputs that reached something new.</summary>
internal sealed class InputPool
{
    // Far more inputs than a target with some hundred states needs. An endless supply of "new" states must not fill the memory.
    private const int Most = 8192;

    private readonly List<byte[]> _inputs = [];

    public InputPool(IEnumerable<byte[]> seeds)
    {
        _inputs.AddRange(seeds);
        if (_inputs.Count == 0)
            _inputs.Add([]);
    }

    public int Count => _inputs.Count;

    public void Add(ReadOnlySpan<byte> input, ref FuzzRandom random)
    {
        var copy = input.ToArray();
        if (_inputs.Count < Most)
            _inputs.Add(copy);
        else
            _inputs[random.Below(Most)] = copy;
    }

    /// <summary>
    /// Returns an input. One of the last inputs, which lead further, is as likely as any other. Of two inputs it usually returns the shorter one, which runs
    /// faster.
    /// </summary>
    public byte[] Pick(ref FuzzRandom random)
    {
        var chance = random.Next();
        var last = (chance & 1) == 0 ? _inputs.Count : Math.Min(_inputs.Count, 32);
        var one = _inputs[_inputs.Count - 1 - random.Below(last)];
        if ((chance & 0x700) == 0)
            return one;
        var other = _inputs[_inputs.Count - 1 - random.Below(last)];
        return one.Length <= other.Length ? one : other;
    }
}
