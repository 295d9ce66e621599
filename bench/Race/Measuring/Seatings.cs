using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>
/// Assigns seats. A contestant's seat is its place in the order in which sessions are opened, and the server gives a session properties for life by that order.
/// MariaDB's threads have their own heaps. The thread whose heap also contains long-lived data returns memory after each large value and faults it in again,
/// and the contestant on it takes twice as long. So sessions are closed and opened several times in a heat, each time in another order, and every round has
/// slices of all seatings.
/// </summary>
internal static class Seatings
{
    // Two contestants in two seats could by chance get the same thread twice.
    private const int FewestAlone = 4;

    /// <summary>
    /// Returns how often all sessions of a heat are opened: a multiple of the number of contestants, so that each has every seat equally often.
    /// </summary>
    public static int Of(Scenario scenario, int contestants)
    {
        // A fixed number of operations runs completely, for seconds. Without a pool, every operation opens a session anyway. Another process has its own
        // session.
        if (scenario.Count is not null || !scenario.Pooling || scenario.OwnProcess || contestants < 2)
            return 1;
        // Many sessions average over the server's threads without seatings, and take long to open.
        var fewest = scenario.Workers == 1 ? FewestAlone : contestants;
        return (fewest + contestants - 1) / contestants * contestants;
    }

    /// <summary>Returns the contestant in a seat. Contestants move by one seat with each seating.</summary>
    public static int Contestant(int seating, int seat, int contestants) => (seating + seat) % contestants;

    /// <summary>
    /// Returns the operations of a round in one seating, at least one for each worker. They are equal in all seatings; otherwise a seat would have different
    /// weights for different contestants.
    /// </summary>
    public static int CountOf(int count, int seatings, int workers) => Math.Max((count + seatings - 1) / seatings, workers);

    /// <summary>Returns the number of a round's slices in one seating.</summary>
    public static int SlicesOf(int slices, int seatings) => Math.Max(slices / seatings, 1);
}
