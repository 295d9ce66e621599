namespace Slipstream.Core.Conversations;

/// <summary>
/// A conversation that is answered with yes or no: BEGIN, COMMIT, reset, ping. It runs by itself, or its bytes stand in front of another
/// command's in the same send.
/// </summary>
internal abstract class SimpleExchange : RequestedExchange
{
    /// <summary>What it is, for messages.</summary>
    public abstract string What { get; }

    /// <summary>True when it stands in front of another command: a protocol whose commands end in a synchronisation shares that one.</summary>
    public bool IsPrefix { get; internal set; }

    /// <summary>
    /// True when its answer comes for itself. False when it shares the synchronisation of the command behind it: both are answered together, and fail together.
    /// </summary>
    public virtual bool IsAnsweredAlone => true;
}
