namespace Slipstream.Fuzzing.Engine;

internal enum FaultKind
{
    /// <summary>An exception that the target does not document.</summary>
    Exception,

    /// <summary>More memory was allocated than the size of the input justifies.</summary>
    Allocation,

    /// <summary>The outcome depends on the bytes after the message.</summary>
    Overread,

    /// <summary>The execution does not end.</summary>
    Hang,

    /// <summary>The process died.</summary>
    Crash,
}

/// <summary>The fault that an input caused.</summary>
/// <param name="Kind">The kind of fault.</param>
/// <param name="Signature">A text that is equal for faults that are most likely the same.</param>
/// <param name="Text">The description for the user.</param>
internal sealed record Fault(FaultKind Kind, string Signature, string Text);

/// <summary>A fault with its input, which has been written to a file.</summary>
internal sealed record Finding(string Target, Fault Fault, byte[] Input, string Path)
{
    /// <summary>Gets the command that reproduces the fault.</summary>
    public string Reproduction => $"./fuzz --target {Target} --replay {Path}";

    public override string ToString() => $"{Target}: {Fault.Text}\n  input: {Input.Length:N0} bytes; again with: {Reproduction}";
}
