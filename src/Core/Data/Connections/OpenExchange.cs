namespace Slipstream.Core.Data;

/// <summary>
/// An exchange that stays open between calls of the application and keeps its connection busy, such as a COPY. Closing the connection ends it.
/// </summary>
internal abstract class OpenExchange
{
    /// <summary>What is open, for messages: the subject of a sentence.</summary>
    public abstract string Description { get; }

    /// <summary>Ends the exchange without completing its work. Afterwards the session is in step with the server, or broken.</summary>
    public abstract void Abandon();

    /// <summary>Ends the exchange asynchronously without completing its work. Afterwards the session is in step with the server, or broken.</summary>
    public abstract ValueTask AbandonAsync();
}
