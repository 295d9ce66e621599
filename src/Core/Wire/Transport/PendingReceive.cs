namespace Slipstream.Core.Wires;

/// <summary>A receive that began while a send was under way and has not been waited for to its end.</summary>
internal sealed class PendingReceive(Task<int> bytes)
{
    public Task<int> Bytes => bytes;

    /// <summary>Blocks until it has ended.</summary>
    public int Wait() => bytes.GetAwaiter().GetResult();
}
