namespace Slipstream.WebRace.Site;

/// <summary>What only the process itself knows of its use since its start.</summary>
/// <param name="Bytes">Bytes allocated.</param>
internal sealed record Usage(long Bytes)
{
    public static Usage Now() => new(GC.GetTotalAllocatedBytes());
}
