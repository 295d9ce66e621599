using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.PeerRace.Tests;

public class CommandLineTests
{
    [Fact]
    public async Task Without_options_every_scenario_runs_on_three_servers()
    {
        var (code, plan) = await RunAsync("--peer-java");

        Assert.Equal(0, code);
        Assert.Equal(["single", "fortunes"], plan!.Scenarios);
        Assert.Equal([ServerKind.MariaDb, ServerKind.MySql, ServerKind.PostgreSql], plan.Servers);
        Assert.Equal(["sync", "async"], plan.Modes);
        Assert.Equal([1, 16, 64], plan.Callers);
        Assert.Equal([Seating.Together], plan.Seatings);
        Assert.True(plan.HasJava);
        Assert.False(plan.HasNode);
    }

    [Fact]
    public async Task Options_choose_what_is_measured()
    {
        var (_, plan) = await RunAsync(
            "--peer-java", "--peer-node", "--server", "mysql", "--scenario", "fortunes", "--mode", "sync", "--callers", "1,8", "--seating", "both", "--rounds",
            "2", "--seconds", "3", "--warm-up", "1");

        Assert.Equal([ServerKind.MySql], plan!.Servers);
        Assert.Equal(["fortunes"], plan.Scenarios);
        Assert.Equal(["sync"], plan.Modes);
        Assert.Equal([1, 8], plan.Callers);
        Assert.Equal([Seating.Divided, Seating.Together], plan.Seatings);
        Assert.Equal((2, 3, 1), (plan.Rounds, plan.Seconds, plan.WarmUp));
        Assert.True(plan.HasJava && plan.HasNode);
    }

    [Theory]
    [InlineData("--callers", "65")]
    [InlineData("--callers", "0")]
    [InlineData("--callers", "many")]
    [InlineData("--scenario", "updates")]
    [InlineData("--server", "oracle")]
    [InlineData("--mode", "fibers")]
    [InlineData("--seating", "apart")]
    [InlineData("--rounds", "0")]
    [InlineData("--seconds", "601")]
    public async Task An_impossible_value_ends_the_race_before_it_begins(string option, string value)
    {
        var (code, plan) = await RunAsync("--peer-node", option, value);

        Assert.Equal(2, code);
        Assert.Null(plan);
    }

    [Fact]
    public void The_readme_describes_every_option()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The repository is not above the test's folder.");
        var text = File.ReadAllText(Path.Combine(folder.FullName, "bench", "PeerRace", "README.md"));
        var options = CommandLine.Create((_, _, _) => Task.FromResult(0)).Options.Select(static option => option.Name);

        Assert.All(options.Except(["--help", "--version"]), option => Assert.Contains($"`{option}", text, StringComparison.Ordinal));
    }

    private static async Task<(int Code, Plan? Plan)> RunAsync(params string[] arguments)
    {
        Plan? plan = null;
        var root = CommandLine.Create((one, _, _) =>
        {
            plan = one;
            return Task.FromResult(0);
        });
        return (await root.Parse(arguments).InvokeAsync(cancellationToken: TestContext.Current.CancellationToken), plan);
    }
}
