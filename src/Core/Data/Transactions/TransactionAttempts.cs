using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>Decides whether the work of a transaction is repeated. Nothing here waits.</summary>
/// <param name="source">The data source.</param>
/// <param name="policy">How often.</param>
internal sealed class TransactionAttempts(ProviderDataSource source, TransactionRetryPolicy policy)
{
    private int _attempts = 1;
    private ProviderTransaction? _current;
    private bool _hasLaterWork;

    /// <summary>The pause before the next attempt.</summary>
    public TimeSpan Delay { get; private set; }

    /// <summary>Begins an attempt.</summary>
    public void Begin() => (_current, _hasLaterWork) = (null, false);

    /// <summary>The transaction of the attempt has begun.</summary>
    public void Has(ProviderTransaction transaction) => _current = transaction;

    /// <summary>The work has ended, well or not.</summary>
    public void WorkEnds(ProviderConnection connection) => _hasLaterWork = _current is { } current && current.HasLaterWork(connection);

    /// <summary>
    /// Returns whether the work is repeated after an exception: nothing of it was done, and the reason may pass. A transaction in which a statement may have
    /// committed, or after whose end the work has gone on, is not repeated, even if the last statement has not run. A time-out that ended the connection would
    /// expire again.
    /// </summary>
    public bool MayRepeat(Exception exception)
    {
        if (_attempts >= policy.MaxAttempts || _hasLaterWork || _current is { MayHaveCommitted: true })
            return false;
        if (source.OutcomeOf(exception) is not var (safety, kind, isTransient))
            return false;
        var mayPass = safety switch
        {
            // A node of Galera that is not ready.
            RetrySafety.RolledBack or RetrySafety.NotSent when kind == ErrorKind.Other => isTransient,
            RetrySafety.RolledBack => kind is ErrorKind.Deadlock or ErrorKind.SerializationFailure or ErrorKind.ConnectionLost or ErrorKind.ReadOnly
                or ErrorKind.ResourceExhausted,
            RetrySafety.NotSent => kind is ErrorKind.ConnectionLost or ErrorKind.TooManyConnections or ErrorKind.ReadOnly or ErrorKind.Interrupted
                or ErrorKind.ResourceExhausted,
            _ => false,
        };
        if (mayPass)
            Delay = policy.DelayAfter(_attempts++, Random.Shared.NextDouble());
        return mayPass;
    }
}
