namespace Slipstream.Core.Topology;

/// <summary>A change of a server's role or state, or of the primary.</summary>
public sealed class TopologyChangedEventArgs : EventArgs
{
    internal TopologyChangedEventArgs(TopologyDescription previous, TopologyDescription current) => (Previous, Current) = (previous, current);

    /// <summary>Gets the servers before the change.</summary>
    public TopologyDescription Previous { get; }

    /// <summary>Gets the servers after the change. If handlers are slow, several changes may have one event.</summary>
    public TopologyDescription Current { get; }
}
