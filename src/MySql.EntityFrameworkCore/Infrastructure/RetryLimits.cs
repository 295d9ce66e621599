namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>How often a question for the server's version is repeated, and after which pauses: as EF Core's strategy for other work.</summary>
/// <param name="MaxCount">The highest number of repetitions.</param>
/// <param name="MaxDelay">The longest pause between two tries.</param>
/// <param name="AdditionalErrors">Numbers of errors that count as passing, besides the usual ones.</param>
internal sealed record RetryLimits(int MaxCount, TimeSpan MaxDelay, ICollection<int>? AdditionalErrors)
{
    // The defaults of EF Core's ExecutionStrategy.
    public static RetryLimits Default { get; } = new(6, TimeSpan.FromSeconds(30), null);

    /// <summary>Returns the pause before a repetition: 0, 1, 3, 7 … seconds.</summary>
    /// <param name="repetition">The number of the repetition, beginning with 1.</param>
    public TimeSpan DelayBefore(int repetition) =>
        TimeSpan.FromSeconds(Math.Min(Math.Pow(2, repetition - 1) - 1, MaxDelay.TotalSeconds));
}
