namespace Slipstream.Fuzzing.Targets;

internal delegate void Reading(ReadOnlySpan<byte> input, StateSet states);

/// <summary>A target of one method.</summary>
internal sealed class BytesTarget(string name, Reading read) : IFuzzTarget
{
    public string Name => name;

    public FuzzLevel Level => FuzzLevel.Bytes;

    public IFrameMap? Frames { get; init; }

    public IReadOnlyList<byte[]> Tokens { get; init; } = [];

    /// <summary>What <see cref="Seeds"/> gives.</summary>
    public required Func<IReadOnlyList<byte[]>> Origin { get; init; }

    public int MostInput { get; init; } = 4096;

    /// <summary>Of <see cref="MostAllocation"/>.</summary>
    public long AllocationPerByte { get; init; } = 64;

    /// <summary>The same, whatever the input's size.</summary>
    public long AllocationConstant { get; init; } = 64 * 1024;

    public IReadOnlyList<byte[]> Seeds() => Origin();

    public void Execute(ReadOnlySpan<byte> input, StateSet states) => read(input, states);

    public long MostAllocation(int inputLength) => AllocationConstant + AllocationPerByte * inputLength;
}
