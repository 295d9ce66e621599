namespace Slipstream.Core.Errors;

/// <summary>
/// The peer broke the protocol: it sent something that the protocol document does not allow at this point, or a length that lies.
/// The session it came over is broken and is never used again.
/// </summary>
/// <param name="expected">What the protocol document allows here.</param>
/// <param name="came">What came instead: kinds and lengths, never values.</param>
/// <param name="inner">What a decoder on top threw, if one did.</param>
public sealed class ProtocolException(string expected, string came, Exception? inner = null)
    : InvalidOperationException($"The server broke the protocol: expected {expected}, but {came} came. The connection is closed.", inner)
{
    /// <summary>What the protocol document allows here.</summary>
    public string Expected { get; } = expected;

    /// <summary>What came instead.</summary>
    public string Came { get; } = came;
}
