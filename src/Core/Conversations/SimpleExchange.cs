namespace Slipstream.Core.Conversations;

/// <summary>
/// A conversation that the server answers with success or an error: BEGIN, COMMIT, reset, ping. It runs alone, or its bytes precede those of another command in
/// the same send.
/// </summary>
internal abstract class SimpleExchange : RequestedExchange
{
    /// <summary>Name of the exchange, for messages.</summary>
    public abstract string Description { get; }

    /// <summary>
    /// Whether the exchange precedes another command in the same send. A protocol whose commands end with a synchronisation then uses one for both.
    /// </summary>
    public bool IsPrefix { get; internal set; }

    /// <summary>True if the session is reset before this exchange.</summary>
    public bool ResetsFirst { get; set; }

    /// <summary>
    /// Whether the server answers the exchange separately. False if it shares the synchronisation of the next command: then both are answered together, and
    /// fail together.
    /// </summary>
    public virtual bool IsAnsweredSeparately => true;

    /// <summary>Whether the server, which has refused this exchange, does not execute the command that was sent after it.</summary>
    public virtual bool PreventsCommand => false;
}
