namespace Slipstream.Fuzzing.Engine;

/// <summary>When a target's run ends: at whichever comes first.</summary>
/// <param name="Duration">For each target.</param>
/// <param name="Executions">For each target.</param>
/// <param name="Seed">Of the random numbers.</param>
internal sealed record FuzzLimits(TimeSpan Duration, long Executions, ulong Seed)
{
    /// <summary>An execution that takes longer hangs: a thousand times what the largest input needs, even on a machine that does other things.</summary>
    public TimeSpan LongestExecution { get; init; } = TimeSpan.FromSeconds(30);
}

/// <summary>What came of one target.</summary>
internal sealed record TargetResult(string Target, FuzzLevel Level, long Executions, int States, int Seeds, TimeSpan Elapsed, IReadOnlyList<Finding> Findings);
