namespace Slipstream.Fuzzing.Engine;

/// <summary>The limits of a target's run. It ends at the first limit.</summary>
/// <param name="Duration">The duration for each target.</param>
/// <param name="Executions">The number of executions for each target.</param>
/// <param name="Seed">The seed of the random numbers.</param>
internal sealed record FuzzLimits(TimeSpan Duration, long Executions, ulong Seed)
{
    /// <summary>
    /// Gets the time after which an execution counts as hanging (default 30 seconds): a thousand times the time of the largest input, even on a busy machine.
    /// </summary>
    public TimeSpan LongestExecution { get; init; } = TimeSpan.FromSeconds(30);
}

/// <summary>The result of one target.</summary>
internal sealed record TargetResult(string Target, FuzzLevel Level, long Executions, int States, int Seeds, TimeSpan Elapsed, IReadOnlyList<Finding> Findings);
