namespace Slipstream.Core.Errors;

/// <summary>
/// The exception for a violation of the protocol by the server: a message that the protocol document does not allow at this point, or a wrong length. The
/// session is broken and never used again.
/// </summary>
/// <param name="expected">What the protocol document allows at this point.</param>
/// <param name="came">What came instead: kinds and lengths, never values.</param>
/// <param name="inner">The exception of a decoder, if there was one.</param>
public sealed class ProtocolException(string expected, string came, Exception? inner = null)
    : InvalidOperationException($"The server violated the protocol: expected {expected}, but received {came}. The connection is closed.", inner)
{
    /// <summary>Gets a description of what the protocol document allows at this point.</summary>
    public string Expected { get; } = expected;

    /// <summary>Gets a description of what came instead: kinds and lengths, never values.</summary>
    public string Came { get; } = came;
}
