namespace Slipstream.Fuzzing;

/// <summary>The kind of a target's inputs.</summary>
public enum FuzzLevel
{
    /// <summary>One message or value: an execution takes about a microsecond.</summary>
    Bytes,

    /// <summary>Everything that a server sends in a conversation, in random pieces.</summary>
    Conversation,
}

/// <summary>
/// A part of the driver that reads untrusted bytes. One thread at a time uses it. It may keep buffers, but no state that affects the next execution: an input
/// must do the same when it is replayed alone.
/// </summary>
public interface IFuzzTarget
{
    /// <summary>Gets the name on the command line: "mysql-text-row".</summary>
    string Name { get; }

    FuzzLevel Level { get; }

    /// <summary>Gets the positions of length fields, so that mutations can keep or break them deliberately; null if there are none.</summary>
    IFrameMap? Frames { get; }

    /// <summary>Gets words of the language, which mutations insert.</summary>
    IReadOnlyList<byte[]> Tokens => [];

    /// <summary>Gets the maximum length of an input in bytes, at most 65,536. Short inputs find more per second.</summary>
    int MostInput => Level == FuzzLevel.Bytes ? 4096 : 65536;

    /// <summary>Returns the first inputs, from recorded conversations or written by hand. They must not cause a finding.</summary>
    IReadOnlyList<byte[]> Seeds();

    /// <summary>
    /// Reads the input. Every exception is a finding: the target catches documented exceptions itself. The input ends at a page that cannot be read. A target
    /// that needs an array copies the input into a larger one and fills the rest with <see cref="StateSet.Poison"/>.
    /// </summary>
    void Execute(ReadOnlySpan<byte> input, StateSet states);

    /// <summary>Returns how many bytes one execution may allocate: a constant, and an amount proportional to the input.</summary>
    long MostAllocation(int inputLength) => 64 * 1024 + 64L * inputLength;
}
