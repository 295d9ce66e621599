namespace Slipstream.Core.Wires;

/// <summary>A receive that began during a send and has not completed yet.</summary>
internal sealed class PendingReceive(Task<int> bytes)
{
    public Task<int> Bytes => bytes;

    /// <summary>Blocks until the receive has ended.</summary>
    public int Wait() => bytes.GetAwaiter().GetResult();
}
