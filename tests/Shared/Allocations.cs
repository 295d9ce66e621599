namespace Slipstream.Testing;

/// <summary>Measures the allocations of code.</summary>
internal static class Allocations
{
    private const int Rounds = 10;

    /// <summary>
    /// Returns the bytes that <paramref name="act"/> allocates on this thread: the minimum of several rounds. The runtime's own work on this thread (a new tier
    /// of a method) counts too, but occurs once, while the code's allocations occur in every round.
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
