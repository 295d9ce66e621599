namespace Slipstream.Bench;

/// <summary>What the races compute from the figures of their rounds.</summary>
internal static class Rounds
{
    /// <summary>Returns the median; NaN without figures.</summary>
    public static double Median(IEnumerable<double> figures)
    {
        var sorted = figures.Order().ToArray();
        return sorted.Length == 0 ? double.NaN
            : sorted.Length % 2 == 1 ? sorted[sorted.Length / 2] : (sorted[(sorted.Length / 2) - 1] + sorted[sorted.Length / 2]) / 2;
    }
}
