namespace Slipstream.Race.Measuring;

/// <summary>
/// A round as small slices in turn, A B C C B A B C A …: on two processors whether the client's and the server's thread share one changes from slice to slice, and
/// a whole block on the wrong side of that would be twice as long as its neighbour.
/// </summary>
internal static class Slices
{
    /// <summary>How many operations each slice has. They differ by one at most, and together they are <paramref name="count"/>.</summary>
    /// <param name="count">Operations of the round.</param>
    /// <param name="most">The most slices worth having.</param>
    /// <param name="least">The fewest operations worth a slice: one, or one for each worker.</param>
    public static int[] Of(int count, int most, int least)
    {
        var slices = Math.Clamp(count / Math.Max(least, 1), 1, most);
        var sizes = new int[slices];
        for (var i = 0; i < slices; i++)
            sizes[i] = (int)((long)count * (i + 1) / slices - (long)count * i / slices);
        return sizes;
    }

    /// <summary>Who runs at this turn. Every slice begins with another contestant, and every second one goes backwards, so that nobody always follows the same one.</summary>
    public static int Contestant(int round, int slice, int turn, int contestants)
    {
        var place = slice % 2 == 0 ? turn : contestants - 1 - turn;
        return (round + slice / 2 + place) % contestants;
    }
}
