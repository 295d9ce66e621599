namespace Slipstream.Core.Wires;

/// <summary>
/// The optimisations of a connection's wire. They never change an answer. Each can be turned off: to verify that, and where it does not suit a machine or a
/// network.
/// </summary>
internal sealed record WireOptimizations
{
    /// <summary>All optimisations: the default.</summary>
    public static readonly WireOptimizations All = new();

    /// <summary>Whether a thread of the own engine may poll for the next answer of this connection before it sleeps (default true).</summary>
    public bool Spins { get; init; } = true;

    /// <summary>Whether receives adapt to the arriving data (default true): the receive buffer grows, TLS receives ahead, small answers accumulate.</summary>
    public bool AdaptsReceives { get; init; } = true;

    /// <summary>
    /// Whether a large value is received into its own array and sent from its own memory (default true). Otherwise, it passes through the buffers.
    /// </summary>
    public bool PassesLargeValues { get; init; } = true;
}
