using Slipstream.Bench;

namespace Slipstream.PeerRace;

/// <summary>The median of the rounds' ratios, and how far they are apart.</summary>
internal sealed record Spread(double Median, double Lowest, double Highest)
{
    public static Spread Of(IReadOnlyCollection<double> ratios) => new(Rounds.Median(ratios), ratios.Min(), ratios.Max());

    public override string ToString() => $"{Median:0.00} ({Lowest:0.00}–{Highest:0.00})";
}
