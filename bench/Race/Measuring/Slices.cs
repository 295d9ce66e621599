namespace Slipstream.Race.Measuring;

/// <summary>
/// Splits a round into small slices in turn, A B C C B A B C A …. On two processors, whether the client's and the server's thread share one changes from slice
/// to slice. A whole block in the slower arrangement would take twice as long as its neighbour.
/// </summary>
internal static class Slices
{
    /// <summary>Returns the number of operations of each slice. They differ by at most one, and their sum is <paramref name="count"/>.</summary>
    /// <param name="count">The operations of the round.</param>
    /// <param name="most">The maximum number of slices.</param>
    /// <param name="least">The minimum number of operations per slice: one, or one for each worker.</param>
    public static int[] Of(int count, int most, int least)
    {
        var slices = Math.Clamp(count / Math.Max(least, 1), 1, most);
        var sizes = new int[slices];
        for (var i = 0; i < slices; i++)
            sizes[i] = (int)((long)count * (i + 1) / slices - (long)count * i / slices);
        return sizes;
    }

    /// <summary>
    /// Returns the contestant of a turn. Every slice begins with another contestant, and every second one runs backwards, so that no contestant always follows
    /// the same one.
    /// </summary>
    public static int Contestant(int round, int slice, int turn, int contestants)
    {
        var place = slice % 2 == 0 ? turn : contestants - 1 - turn;
        return (round + slice / 2 + place) % contestants;
    }
}
