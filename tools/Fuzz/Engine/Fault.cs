namespace Slipstream.Fuzzing.Engine;

internal enum FaultKind
{
    /// <summary>An exception that the target does not document.</summary>
    Exception,

    /// <summary>More memory was allocated than the input's size justifies.</summary>
    Allocation,

    /// <summary>The outcome depends on what lies behind the message.</summary>
    Overread,

    /// <summary>The execution does not end.</summary>
    Hang,

    /// <summary>The process died.</summary>
    Crash,
}

/// <summary>What an input did wrong.</summary>
/// <param name="Kind">In which way.</param>
/// <param name="Signature">Equal for faults that are most likely the same one.</param>
/// <param name="Text">For people.</param>
internal sealed record Fault(FaultKind Kind, string Signature, string Text);

/// <summary>A fault with the input, which has been written to a file.</summary>
internal sealed record Finding(string Target, Fault Fault, byte[] Input, string Path)
{
    /// <summary>The command that shows it again.</summary>
    public string Reproduction => $"./fuzz --target {Target} --replay {Path}";

    public override string ToString() => $"{Target}: {Fault.Text}\n  input: {Input.Length:N0} bytes; again with: {Reproduction}";
}
