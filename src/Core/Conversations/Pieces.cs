namespace Slipstream.Core.Conversations;

/// <summary>
/// A value that a source outside the protocol supplies in pieces. Each wait for <see cref="Conversations.Step.WaitExternal"/> brings the next piece.
/// </summary>
internal abstract class Pieces : ExternalSource
{
    /// <summary>The last piece; valid until the next wait.</summary>
    public ReadOnlyMemory<byte> Piece { get; protected set; }

    /// <summary>Whether <see cref="Piece"/> is the last one.</summary>
    public bool IsAtEnd { get; protected set; }

    /// <summary>Why no piece came. Stored instead of thrown, so that the conversation can end in order.</summary>
    public Exception? Failure { get; protected set; }
}
