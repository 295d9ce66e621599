namespace Slipstream.Tool.Bench;

/// <summary>A median and the interval that contains the true one with a confidence of at least 95 %, if there are at least six values.</summary>
internal readonly record struct Interval(double Median, double Low, double High)
{
    private const double Outside = 0.05;

    /// <summary>
    /// Returns the median of some values. The interval is that of the order statistics, which assumes nothing about the distribution: the k-th smallest and the
    /// k-th largest value, with the largest k for which fewer than k of n fair coins show heads with a probability of at most 2.5 %.
    /// </summary>
    public static Interval Of(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        if (sorted.Length == 0)
            return new Interval(double.NaN, double.NaN, double.NaN);
        var middle = sorted.Length / 2;
        var median = sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        var rank = RankOf(sorted.Length);
        return new Interval(median, sorted[rank - 1], sorted[^rank]);
    }

    private static int RankOf(int count)
    {
        // The probability of exactly i heads, added up from i = 0.
        var (probability, sum, rank) = (Math.Pow(0.5, count), 0.0, 0);
        for (var i = 0; i < count / 2; i++)
        {
            sum += probability;
            if (sum > Outside / 2)
                break;
            rank = i + 1;
            probability *= (count - i) / (double)(i + 1);
        }

        return Math.Max(rank, 1);
    }
}
