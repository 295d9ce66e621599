namespace Slipstream.Core.Wires;

/// <summary>
/// Lends the larger receive buffers to connections with large results, so that growing causes no lasting memory use. The buffers are separate from shared
/// pools: data of a server must not end up in buffers that other code of the process rents.
/// </summary>
internal static class StreamingBuffers
{
    /// <summary>256 KiB. Larger buffers save no time.</summary>
    public const int Capacity = 4 * 65536;

    private static readonly byte[]?[] Cache = new byte[Math.Max(4, Environment.ProcessorCount * 2)][];

    public static byte[] Rent()
    {
        foreach (ref var slot in Cache.AsSpan())
        {
            if (slot is not null && Interlocked.Exchange(ref slot, null) is { } buffer)
                return buffer;
        }

        return GC.AllocateUninitializedArray<byte>(Capacity);
    }

    public static void Return(byte[] buffer)
    {
        foreach (ref var slot in Cache.AsSpan())
        {
            if (slot is null && Interlocked.CompareExchange(ref slot, buffer, null) is null)
                return;
        }
    }
}
