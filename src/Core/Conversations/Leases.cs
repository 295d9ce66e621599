namespace Slipstream.Core.Conversations;

/// <summary>Facts about a session's leases, for code that must not know the session.</summary>
internal sealed class Leases
{
    /// <summary>Number of leases that have ended.</summary>
    public int Ended { get; internal set; }

    /// <summary>Whether each lease starts with the state of a new session (default true).</summary>
    public bool AreReset { get; internal set; } = true;
}
