using System.Data;

namespace Slipstream.Core.Data;

/// <summary>
/// How often, and after which pauses, <c>ExecuteInTransaction</c> of a data source repeats its work, and the isolation level of its transactions. Immutable:
/// one object can be used by many calls.
/// </summary>
/// <example>
/// <code>
/// var policy = new TransactionRetryPolicy { MaxAttempts = 6, IsolationLevel = IsolationLevel.Serializable };
/// </code>
/// </example>
public sealed class TransactionRetryPolicy
{
    private readonly int _maxAttempts = 4;
    private readonly TimeSpan _firstDelay = TimeSpan.FromMilliseconds(50);
    private readonly TimeSpan _maxDelay = TimeSpan.FromSeconds(2);
    private readonly TimeProvider _timeProvider = TimeProvider.System;

    /// <summary>The policy of calls without one.</summary>
    internal static TransactionRetryPolicy Default { get; } = new();

    /// <summary>Gets the isolation level of the transactions.</summary>
    /// <value>The default is <see cref="IsolationLevel.Unspecified"/>, as for <c>BeginTransaction</c> without a level.</value>
    public IsolationLevel IsolationLevel { get; init; } = IsolationLevel.Unspecified;

    /// <summary>Gets the maximum number of attempts, with the first one.</summary>
    /// <value>At least 1, which repeats nothing. The default is 4.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1.</exception>
    public int MaxAttempts
    {
        get => _maxAttempts;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxAttempts = value;
        }
    }

    /// <summary>
    /// Gets the longest pause before the second attempt. Each further pause may be twice as long as the one before. A pause lasts between half of its longest
    /// duration and all of it, so that callers whose transactions have met do not meet again.
    /// </summary>
    /// <value>Zero or more. The default is 50 milliseconds.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan FirstDelay
    {
        get => _firstDelay;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            _firstDelay = value;
        }
    }

    /// <summary>Gets the longest pause between two attempts.</summary>
    /// <value>Zero to one day. The default is 2 seconds.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than a day.</exception>
    public TimeSpan MaxDelay
    {
        get => _maxDelay;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, TimeSpan.FromDays(1));
            _maxDelay = value;
        }
    }

    /// <summary>Gets the clock of the pauses.</summary>
    /// <value>The default is <see cref="TimeProvider.System"/>.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public TimeProvider TimeProvider
    {
        get => _timeProvider;
        init => _timeProvider = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Returns the pause after an attempt.</summary>
    /// <param name="attempt">The number of the attempt, from 1.</param>
    /// <param name="random">At least 0, and less than 1.</param>
    internal TimeSpan DelayAfter(int attempt, double random)
    {
        // Doubled more often, any delay is longer than a day.
        var longest = FirstDelay * Math.Pow(2, Math.Min(attempt - 1, 40));
        return (longest < MaxDelay ? longest : MaxDelay) * (0.5 + random / 2);
    }

    /// <summary>Blocks for a pause.</summary>
    internal void Pause(TimeSpan delay)
    {
        if (delay <= TimeSpan.Zero)
            return;
        using var passed = new ManualResetEventSlim();
        using var timer = TimeProvider.CreateTimer(static passed => ((ManualResetEventSlim)passed!).Set(), passed, delay, Timeout.InfiniteTimeSpan);
        passed.Wait();
    }

    /// <summary>Waits for a pause.</summary>
    internal Task PauseAsync(TimeSpan delay, CancellationToken cancellationToken) =>
        delay <= TimeSpan.Zero ? Task.CompletedTask : Task.Delay(delay, TimeProvider, cancellationToken);
}
