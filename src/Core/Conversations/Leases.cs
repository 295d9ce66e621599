namespace Slipstream.Core.Conversations;

/// <summary>The leases of a session, for what has to know of them and not of the session.</summary>
internal sealed class Leases
{
    /// <summary>How many have ended.</summary>
    public int Ended { get; internal set; }

    /// <summary>Whether each starts with the state of a new session.</summary>
    public bool AreReset { get; internal set; } = true;
}
