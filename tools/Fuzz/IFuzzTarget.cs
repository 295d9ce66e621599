namespace Slipstream.Fuzzing;

/// <summary>What a target is fed with.</summary>
public enum FuzzLevel
{
    /// <summary>One message or value: an execution takes about a microsecond.</summary>
    Bytes,

    /// <summary>All that a server says in a conversation, in random splits.</summary>
    Conversation,
}

/// <summary>
/// A part of the driver that reads what a stranger wrote. Used by one thread at a time; it may keep buffers, but no state that lets one
/// execution change the next: an input must do the same thing when it is replayed alone.
/// </summary>
public interface IFuzzTarget
{
    /// <summary>The word for the command line: "mysql-text-row".</summary>
    string Name { get; }

    FuzzLevel Level { get; }

    /// <summary>Where length fields stand, so that mutations can keep or break them knowingly; null when there are none.</summary>
    IFrameMap? Frames { get; }

    /// <summary>Words of the language, which mutations insert.</summary>
    IReadOnlyList<byte[]> Tokens => [];

    /// <summary>The longest input that is made, at most 65,536 bytes: short ones find more in a second.</summary>
    int MostInput => Level == FuzzLevel.Bytes ? 4096 : 65536;

    /// <summary>Inputs to begin with: from recorded conversations, or built by hand. They must do without a finding.</summary>
    IReadOnlyList<byte[]> Seeds();

    /// <summary>
    /// Reads the input. Whatever it throws is a finding: documented exceptions are caught inside. The input ends at a page that cannot be read;
    /// a target that must hand over an array copies the input into a larger one and fills what is around it with <see cref="StateSet.Poison"/>.
    /// </summary>
    void Execute(ReadOnlySpan<byte> input, StateSet states);

    /// <summary>The most bytes one execution may allocate: in proportion to its input, and a constant.</summary>
    long MostAllocation(int inputLength) => 64 * 1024 + 64L * inputLength;
}
