namespace Slipstream.Core.Conversations;

/// <summary>
/// A value that comes piece by piece from somebody outside the protocol: a wait for <see cref="Conversations.Step.WaitExternal"/> brings the next one.
/// </summary>
internal abstract class Pieces : ExternalSource
{
    /// <summary>The piece that came last; valid until the next one is waited for.</summary>
    public ReadOnlyMemory<byte> Piece { get; protected set; }

    /// <summary>True when the value has no more pieces than the last.</summary>
    public bool IsAtEnd { get; protected set; }

    /// <summary>Why no piece came. It is told here and not thrown, so that the conversation can be ended in order.</summary>
    public Exception? Failure { get; protected set; }
}
