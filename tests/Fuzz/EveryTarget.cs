using Slipstream.Fuzzing.Engine;

namespace Slipstream.Fuzzing.Tests;

/// <summary>Runs every target for a second, as many at a time as there are cores. Writes a finding to artifacts/fuzz/findings.</summary>
public sealed class EveryTarget
{
    private readonly Dictionary<string, TargetResult> _results;

    public EveryTarget()
    {
        // A new seed each time finds more in the long run; a finding prints its file, which reproduces it.
        Seed = (ulong)Random.Shared.NextInt64(1, 1L << 31);
        var results = new FuzzRun(new(TimeSpan.FromSeconds(1), long.MaxValue, Seed)).Run(FuzzTargets.All, CancellationToken.None);
        _results = results.ToDictionary(static result => result.Target);
    }

    public ulong Seed { get; }

    internal TargetResult this[string target] => _results[target];
}

public sealed class TargetTests(EveryTarget every) : IClassFixture<EveryTarget>
{
    public static TheoryData<string> Targets => [.. FuzzTargets.All.Select(static target => target.Name)];

    [Theory]
    [MemberData(nameof(Targets))]
    public void A_second_of_random_input_finds_nothing(string target)
    {
        var result = every[target];
        Assert.True(result.Findings.Count == 0, $"seed {every.Seed}: {string.Join("\n", result.Findings)}");
        Assert.True(result.Executions >= result.Seeds, $"{result.Executions} executions");
        Assert.True(result.States > 1, $"{result.States} states");
    }

    [Theory]
    [MemberData(nameof(Targets))]
    public void The_inputs_to_begin_with_reach_something_and_nothing_is_wrong_with_them(string target)
    {
        var chosen = FuzzTargets.All.Single(one => one.Name == target);
        using var memory = new GuardedMemory(FindingStore.Running, target + ".seeds");
        var executor = new Executor(chosen, memory);
        Assert.NotEmpty(chosen.Seeds());
        foreach (var seed in chosen.Seeds())
            Assert.Null(executor.Execute(seed, twice: true));
        Assert.True(executor.States.Count > 0);
    }

    [Fact]
    public void Each_target_has_a_name_of_its_own() => Assert.Distinct(FuzzTargets.All.Select(static target => target.Name));
}
