using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>One contestant in one scenario with its settings, server and mode, and its measurements.</summary>
internal sealed class Cell(Scenario scenario, Track track, Mode mode, Contestant contestant)
{
    public Scenario Scenario { get; } = scenario;

    public Track Track { get; } = track;

    public Mode Mode { get; } = mode;

    public Contestant Contestant { get; } = contestant;

    /// <summary>Whether it has a synchronous caller on one processor; see <see cref="Pinning"/>.</summary>
    public bool IsPinned { get; init; }

    /// <summary>The mode in reports: a lonely synchronous caller that is not pinned has other figures than one that is.</summary>
    public string ModeName => Mode is Mode.Sync && !IsPinned && Scenario.Workers == 1 ? "sync unpinned" : Mode.ToString().ToLowerInvariant();

    public Operation? Operation { get; set; }

    /// <summary>The number of operations per round.</summary>
    public int Count { get; set; } = 1;

    /// <summary>The samples, one per round.</summary>
    public List<Sample> Samples { get; } = [];

    public Traffic? Traffic { get; set; }

    /// <summary>The reason why figures are missing or incomplete.</summary>
    public string? Error { get; set; }

    public double? Median(Func<Sample, double?> figure) => Quantile(figure, 0.5);

    /// <summary>Returns a quantile by linear interpolation between the samples; null if there are none.</summary>
    public double? Quantile(Func<Sample, double?> figure, double quantile)
    {
        var values = Samples.Select(figure).OfType<double>().Order().ToArray();
        if (values.Length == 0)
            return null;
        var place = quantile * (values.Length - 1);
        var below = values[(int)place];
        return below + (values[Math.Min((int)place + 1, values.Length - 1)] - below) * (place - (int)place);
    }

    public double? Gen0Per1000 => Samples.Sum(sample => sample.Count) is > 0 and var count && Samples.All(sample => sample.Gen0 is not null)
        ? Samples.Sum(sample => sample.Gen0!.Value) * 1_000.0 / count
        : null;
}

/// <summary>Averages per operation, as the client sees them.</summary>
internal sealed record Traffic(double RoundTrips, double BytesSent, double BytesReceived);
