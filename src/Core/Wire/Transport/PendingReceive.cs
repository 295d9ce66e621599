namespace Slipstream.Core.Wires;

/// <summary>A receive that began during a send or a wait with a limit, and has not completed yet.</summary>
internal sealed class PendingReceive(Task<int> bytes)
{
    public Task<int> Bytes => bytes;

    /// <summary>Blocks until the receive has ended.</summary>
    public int Wait() => bytes.GetAwaiter().GetResult();

    /// <summary>Blocks until the receive has ended, but for at most <paramref name="milliseconds"/>; −1: no limit. Returns false if the time ran out.</summary>
    public bool Wait(int milliseconds) => Task.WaitAny([bytes], milliseconds) >= 0;
}
