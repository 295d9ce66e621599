using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>
/// Who sits where: a contestant's seat is its place in the order in which sessions are opened, and with it what the server gives a session for life. MariaDB's threads
/// have heaps of their own, the thread whose heap also holds what lives long gives memory back after each large value and faults it in again, and the contestant
/// on it takes twice as long. So sessions are closed and opened several times in a heat, each time in another order, and every round has slices of all seatings.
/// </summary>
internal static class Seatings
{
    // Two contestants in two seats could by chance meet the same thread twice.
    private const int FewestAlone = 4;

    /// <summary>How often all sessions of a heat are opened: a multiple of the contestants' number, so that each sits in every seat equally often.</summary>
    public static int Of(Scenario scenario, int contestants)
    {
        // A fixed count runs whole, for seconds; without a pool every operation opens a session anyway; another process has its own.
        if (scenario.Count is not null || !scenario.Pooling || scenario.OwnProcess || contestants < 2)
            return 1;
        // Many sessions average over the server's threads by themselves, and take long to open.
        var fewest = scenario.Workers == 1 ? FewestAlone : contestants;
        return (fewest + contestants - 1) / contestants * contestants;
    }

    /// <summary>Who sits there: one seat further with each seating.</summary>
    public static int Contestant(int seating, int seat, int contestants) => (seating + seat) % contestants;

    /// <summary>Operations of a round in one seating, at least one for each worker: alike in all seatings, or a seat would count for more with some than with others.</summary>
    public static int CountOf(int count, int seatings, int workers) => Math.Max((count + seatings - 1) / seatings, workers);

    /// <summary>How many slices of a round fall into one seating.</summary>
    public static int SlicesOf(int slices, int seatings) => Math.Max(slices / seatings, 1);
}
