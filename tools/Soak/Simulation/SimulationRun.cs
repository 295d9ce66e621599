using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Soak.Simulation;

/// <summary>Runs many simulated clusters, and as many at the same time as there are processors.</summary>
internal static class SimulationRun
{
    /// <summary>The simulated time of each cluster.</summary>
    public static readonly TimeSpan Duration = TimeSpan.FromMinutes(10);

    private const int MostReported = 10;

    /// <summary>Runs the clusters with consecutive seeds from <paramref name="seed"/>. Returns the violations, in the order of the seeds.</summary>
    public static IReadOnlyList<string> Run(int clusters, int seed, TimeSpan duration, out long observations, CancellationToken ct)
    {
        var violations = new ConcurrentDictionary<int, string>();
        long total = 0;
        Parallel.For(0, clusters, new ParallelOptions { CancellationToken = ct }, at =>
        {
            if (ClusterSimulation.Run(seed + at, duration, out var taken) is { } violation)
                violations[seed + at] = violation;
            Interlocked.Add(ref total, taken);
        });
        observations = total;
        return [.. violations.OrderBy(static pair => pair.Key).Select(static pair => $"seed {pair.Key}, {pair.Value}")];
    }

    /// <summary>Runs the clusters and writes a summary. Returns the exit code.</summary>
    public static int Report(int clusters, int seed, TextWriter output, CancellationToken ct)
    {
        var watch = Stopwatch.StartNew();
        var violations = Run(clusters, seed, Duration, out var observations, ct);
        foreach (var violation in violations.Take(MostReported))
            output.WriteLine($"violated: {violation}");
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"simulated {clusters} clusters of {Duration.TotalMinutes:0} minutes from seed {seed} on: {observations} observations in "
                + $"{watch.Elapsed.TotalSeconds:0} s, {violations.Count} violations"));
        return violations.Count == 0 ? 0 : 1;
    }
}
