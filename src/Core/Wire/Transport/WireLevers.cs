namespace Slipstream.Core.Wires;

/// <summary>
/// What a connection's wire does to be faster, and which of it is on. No answer shows which: each can be turned off to see whether that is so, and where it
/// does not suit a machine or a network.
/// </summary>
internal sealed record WireLevers
{
    /// <summary>All of them: what saying nothing means.</summary>
    public static readonly WireLevers All = new();

    /// <summary>A thread of the own engine may look again and again for the next answer of this connection before it sleeps.</summary>
    public bool Spins { get; init; } = true;

    /// <summary>Receives follow what comes: the inbound buffer grows, TLS receives ahead, small answers gather.</summary>
    public bool AdaptsReceives { get; init; } = true;

    /// <summary>A large value arrives in an array of its own, and leaves from where it lies. Otherwise it is held in the buffers.</summary>
    public bool PassesLargeValues { get; init; } = true;
}
