namespace Slipstream.Testing;

/// <summary>What code allocates by itself.</summary>
internal static class Allocations
{
    private const int Rounds = 10;

    /// <summary>
    /// Bytes that <paramref name="act"/> allocates on this thread: the least of some rounds, because the runtime's own work on it (a new tier of a method) counts too,
    /// and comes once, while what the code allocates comes each time.
    /// </summary>
    public static long Of(Action act)
    {
        var least = long.MaxValue;
        for (var round = 0; round < Rounds && least > 0; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            act();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
