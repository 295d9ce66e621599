namespace Slipstream.Core.Wires;

/// <summary>What stands behind <see cref="Conversations.Step.Produce"/>: a wait for somebody who is not the peer, in both ways of waiting.</summary>
public abstract class Producer
{
    /// <summary>Blocks until what was asked for is there.</summary>
    public abstract void Produce();

    /// <summary>Completes when what was asked for is there.</summary>
    public abstract ValueTask ProduceAsync();
}
