namespace Slipstream.Fuzzing.Targets;

internal delegate void Reading(ReadOnlySpan<byte> input, StateSet states);

/// <summary>A target that consists of one method.</summary>
internal sealed class BytesTarget(string name, Reading read) : IFuzzTarget
{
    public string Name => name;

    public FuzzLevel Level => FuzzLevel.Bytes;

    public IFrameMap? Frames { get; init; }

    public IReadOnlyList<byte[]> Tokens { get; init; } = [];

    /// <summary>Gets the function that returns the seeds.</summary>
    public required Func<IReadOnlyList<byte[]>> Origin { get; init; }

    public int MostInput { get; init; } = 4096;

    /// <summary>Gets the bytes that an execution may allocate for each byte of the input (default 64).</summary>
    public long AllocationPerByte { get; init; } = 64;

    /// <summary>Gets the bytes that an execution may allocate for any input (default 64 KiB).</summary>
    public long AllocationConstant { get; init; } = 64 * 1024;

    public IReadOnlyList<byte[]> Seeds() => Origin();

    public void Execute(ReadOnlySpan<byte> input, StateSet states) => read(input, states);

    public long MostAllocation(int inputLength) => AllocationConstant + AllocationPerByte * inputLength;
}
