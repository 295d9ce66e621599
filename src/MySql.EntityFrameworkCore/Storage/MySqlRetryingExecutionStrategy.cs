using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Microsoft.EntityFrameworkCore;

/// <summary>
/// Repeats work that failed for a passing reason: a deadlock, a lock that was not acquired in time, a server that is full or going away, or a read-only server
/// after a failover. It does not repeat work whose answer never came (<see cref="MySqlException.RetrySafety"/> is Unknown): the server may have done it, and
/// doing it twice would be wrong. The application decides there: a function that verifies whether the work was done, as <c>ExecuteInTransaction</c> takes one,
/// is asked, and the work is repeated if it was not done.
/// </summary>
public class MySqlRetryingExecutionStrategy : ExecutionStrategy
{
    private readonly HashSet<int>? _additionalErrorNumbers;
    private Exception? _verified;

    /// <summary>Creates a strategy that repeats up to 6 times.</summary>
    /// <param name="context">The context.</param>
    public MySqlRetryingExecutionStrategy(DbContext context)
        : this(context, DefaultMaxRetryCount)
    {
    }

    /// <summary>Creates a strategy that repeats up to 6 times.</summary>
    /// <param name="dependencies">What strategies need.</param>
    public MySqlRetryingExecutionStrategy(ExecutionStrategyDependencies dependencies)
        : this(dependencies, DefaultMaxRetryCount)
    {
    }

    /// <summary>Creates a strategy.</summary>
    /// <param name="context">The context.</param>
    /// <param name="maxRetryCount">The highest number of repetitions.</param>
    public MySqlRetryingExecutionStrategy(DbContext context, int maxRetryCount)
        : this(context, maxRetryCount, DefaultMaxDelay, null)
    {
    }

    /// <summary>Creates a strategy.</summary>
    /// <param name="dependencies">What strategies need.</param>
    /// <param name="maxRetryCount">The highest number of repetitions.</param>
    public MySqlRetryingExecutionStrategy(ExecutionStrategyDependencies dependencies, int maxRetryCount)
        : this(dependencies, maxRetryCount, DefaultMaxDelay, null)
    {
    }

    /// <summary>Creates a strategy.</summary>
    /// <param name="context">The context.</param>
    /// <param name="maxRetryCount">The highest number of repetitions.</param>
    /// <param name="maxRetryDelay">The longest pause between two tries.</param>
    /// <param name="errorNumbersToAdd">Numbers of errors that count as passing, besides the usual ones.</param>
    public MySqlRetryingExecutionStrategy(DbContext context, int maxRetryCount, TimeSpan maxRetryDelay, IEnumerable<int>? errorNumbersToAdd)
        : base(context, maxRetryCount, maxRetryDelay) => _additionalErrorNumbers = errorNumbersToAdd?.ToHashSet();

    /// <summary>Creates a strategy.</summary>
    /// <param name="dependencies">What strategies need.</param>
    /// <param name="maxRetryCount">The highest number of repetitions.</param>
    /// <param name="maxRetryDelay">The longest pause between two tries.</param>
    /// <param name="errorNumbersToAdd">Numbers of errors that count as passing, besides the usual ones.</param>
    public MySqlRetryingExecutionStrategy(
        ExecutionStrategyDependencies dependencies, int maxRetryCount, TimeSpan maxRetryDelay, IEnumerable<int>? errorNumbersToAdd)
        : base(dependencies, maxRetryCount, maxRetryDelay) => _additionalErrorNumbers = errorNumbersToAdd?.ToHashSet();

    /// <summary>Gets the numbers of errors that count as passing, besides the usual ones.</summary>
    public virtual IEnumerable<int>? AdditionalErrorNumbers => _additionalErrorNumbers;

    /// <summary>Returns whether work that failed with an exception is repeated.</summary>
    /// <param name="exception">The exception.</param>
    /// <returns>Whether the work is repeated.</returns>
    protected override bool ShouldRetryOn(Exception exception) =>
        ReferenceEquals(exception, _verified) || PassingErrors.IsPassing(exception, _additionalErrorNumbers);

    /// <summary>Returns whether the application's function is asked whether work that failed with an exception was done.</summary>
    /// <param name="exception">The exception.</param>
    /// <returns>Whether the function is asked.</returns>
    protected override bool ShouldVerifySuccessOn(Exception exception)
    {
        // EF Core asks the function next, and then ShouldRetryOn, if the work was not done.
        if (PassingErrors.IsLost(exception))
            _verified = exception;
        return ShouldRetryOn(exception);
    }
}
