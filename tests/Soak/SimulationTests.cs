using Slipstream.Soak.Simulation;

namespace Slipstream.Soak.Tests;

public class SimulationTests
{
    [Fact]
    public void Three_hundred_clusters_are_understood()
    {
        var violations = SimulationRun.Run(300, 1, SimulationRun.Duration, out var observations, TestContext.Current.CancellationToken);
        Assert.Empty(violations);
        // A simulation in which nothing happens proves nothing: 300 clusters make millions of observations.
        Assert.True(observations > 1_000_000, $"only {observations} observations");
    }
}
