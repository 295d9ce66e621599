using System.Data.Common;
using Slipstream.Core.Causality;
using Slipstream.Core.Clusters;
using Slipstream.Core.Conversations;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' data sources: one server (or several) with one set of options, a pool and a table of statements. Code for all providers can
/// watch and clear pools by this type.
/// </summary>
/// <remarks>Thread-safe. Create one data source for each database and keep it. Disposing it closes its pool.</remarks>
/// <example>
/// <code>
/// foreach (ProviderDataSource source in sources)
///     Console.WriteLine($"{source.PoolName}: {source.Statistics.Busy} of {source.Statistics.MaxSize} sessions busy");
/// </code>
/// </example>
public abstract partial class ProviderDataSource : DbDataSource
{
    private protected ProviderDataSource()
    {
    }

    /// <summary>
    /// Gets the pool's name in metrics, logs and messages. It contains no secrets.
    /// </summary>
    /// <value>The name set by the builder's <c>UseName</c>; otherwise the application's name; otherwise the first host and the database.</value>
    public string PoolName => Telemetry.PoolName;

    /// <summary>
    /// Gets the current state of the pool, and its totals since it was created. While the pool is in use, the numbers may differ by the few sessions that are
    /// leased or returned during the call.
    /// </summary>
    /// <value>The statistics. Without pooling, no session is ever idle, and <see cref="PoolStatistics.MaxSize"/> is <see cref="int.MaxValue"/>.</value>
    public PoolStatistics Statistics => Sessions.GetStatistics();

    /// <summary>
    /// Closes the pool's idle sessions now, and each session in use when its connection is closed. New sessions are opened on demand. Call this method after a
    /// failover, or after a password or a certificate has changed.
    /// </summary>
    public void Clear() => Sessions.Clear();

    /// <summary>
    /// Begins a causal scope: until it is disposed, reads through this data source and its views see the writes that the scope's flow of control has made
    /// through them. Writes update the token of the scope. A read from a replica waits for the writes, or uses the primary.
    /// </summary>
    /// <param name="token">Earlier writes that the reads must see, too; null for none.</param>
    /// <returns>The scope. Dispose it in the method that has begun it.</returns>
    /// <exception cref="InvalidOperationException">The data source does not know the roles of its servers.</exception>
    public CausalScope BeginCausalScope(WriteToken? token = null) => CausalScope.Begin(CausalView.Cluster, token);

    /// <summary>The sessions of the servers of a cluster.</summary>
    /// <exception cref="InvalidOperationException">The data source does not know the roles of its servers.</exception>
    internal ClusterView CausalView => Sessions as ClusterView ?? throw new InvalidOperationException(
        "The data source does not know the roles of its servers, so no replica can be chosen for a write token: create it as a data source of a cluster.");

    /// <summary>The source of sessions.</summary>
    internal abstract ISessionSource<Session> Sessions { get; }

    /// <summary>Spans, metrics and log messages of this data source.</summary>
    internal abstract Telemetry Telemetry { get; }

    /// <summary>Time limit for opening or waiting for a session, in milliseconds; 0: no limit.</summary>
    internal abstract long ConnectTimeout { get; }

    /// <summary>Default time limit of a command, in seconds; 0: no limit.</summary>
    internal abstract int DefaultCommandTimeout { get; }

    /// <summary>Time limit of a data reader from its execution to its end, in seconds; 0: no limit.</summary>
    internal abstract int ReaderTimeout { get; }

    /// <summary>Whether a connection that is opened inside a transaction scope joins the transaction.</summary>
    internal abstract bool EnlistsAutomatically { get; }

    /// <summary>Creates the statements with which a session takes part in an ambient transaction.</summary>
    /// <param name="session">The session.</param>
    /// <param name="transaction">An identifier that is unique among all transactions, of at most 50 characters: letters, digits, <c>-</c> and <c>:</c>.</param>
    /// <param name="number">Number of the branch, from 1.</param>
    /// <param name="isolationLevel">Isolation level of the transaction.</param>
    /// <exception cref="NotSupportedException">The database does not support the isolation level.</exception>
    internal abstract BranchStatements CreateBranch(Session session, string transaction, int number, System.Transactions.IsolationLevel isolationLevel);

    /// <summary>Whether several sessions may take part in one ambient transaction.</summary>
    internal abstract bool BranchesCanBePrepared { get; }

    /// <summary>
    /// An exchange that asks the server whether the session can be one of several in a transaction; an error means no. Null if the answer is known.
    /// </summary>
    internal virtual SimpleExchange? CheckBranches(Session session) => null;

    /// <summary>What the user can do if several sessions are not possible: a sentence.</summary>
    internal abstract string PrepareBranchesAdvice { get; }

    /// <summary>Whether the application prepares the session of each lease by itself.</summary>
    internal virtual bool PreparesLeases => false;

    /// <summary>Whether an asynchronous command on a busy connection waits for its turn (default false: an error).</summary>
    internal virtual bool AllowsConcurrentCommands => false;

    /// <summary>Name of the configured database; empty without one.</summary>
    internal abstract string DefaultDatabase { get; }

    /// <summary>Creates the exception for a command on a busy connection: the given one, unless the provider has its own type.</summary>
    /// <param name="exception">The exception with its message.</param>
    /// <param name="running">The command that keeps the connection busy; null if unknown.</param>
    internal virtual Exception CreateBusy(InvalidOperationException exception, ProviderCommand? running) => exception;

    /// <summary>Creates the provider's exception for an error of the server.</summary>
    internal abstract DbException CreateException(ServerError error);

    /// <summary>Creates the provider's exception for a failure of the network, a time limit or the protocol. Other exceptions are returned unchanged.</summary>
    /// <param name="exception">The exception from below.</param>
    /// <param name="interruption">The interruption of the operation, if there was one.</param>
    /// <param name="during">What the operation was doing, for the message.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    /// <param name="safety">What is known about an operation that exceeded its time limit.</param>
    internal Exception Translate(
        Exception exception, InterruptedOperation interruption, string during, CancellationToken cancellationToken,
        RetrySafety safety = RetrySafety.Unknown) => interruption.Reason switch
    {
        Interruption.TimedOut => CreateTimeout(
            $"{interruption.LimitText} expired {during}; the connection was closed because the server did not stop in time.", exception, safety),
        Interruption.Canceled => new OperationCanceledException($"The operation was cancelled {during}.", exception, cancellationToken)
            { HelpLink = ErrorPages.Canceled },
        Interruption.Abandoned => new System.Transactions.TransactionAbortedException(
            "The ambient transaction was rolled back, by its time limit or another participant, while the command was running; the connection was closed.",
            exception)
            { HelpLink = ErrorPages.AmbientTransactionEnded },
        _ => exception switch
        {
            WireException { Failure: WireFailure.Canceled } => new OperationCanceledException(exception.Message, exception, cancellationToken)
                { HelpLink = ErrorPages.Canceled },
            ServerRefusedException refused => CreateException(refused.Error),
            WireException { InnerException: ServerRefusedException refused } wire => CreateException(wire.Because(CreateException(refused.Error))),
            WireException wire => CreateException(wire),
            PoolExhaustedException pool => CreateTimeout(pool.Message, pool),
            ProtocolException protocol => CreateException(protocol),
            _ => TranslateOther(exception),
        },
    };

    /// <summary>Creates the exception for an error of the server, to an operation that may have been interrupted.</summary>
    internal Exception Translate(ServerError error, InterruptedOperation interruption, CancellationToken cancellationToken)
    {
        var refusal = CreateException(error);
        if (interruption.Reason == Interruption.None && IsOutOfTime(error))
            return CreateTimeout($"{interruption.LimitText} expired before the operation completed; the server, which applies the same time-out, has stopped "
                + "it.", refusal);
        if (!IsInterrupted(error))
            return refusal;
        return interruption.Reason switch
        {
            Interruption.TimedOut => CreateTimeout($"{interruption.LimitText} expired before the operation completed; the server has stopped it.", refusal),
            Interruption.Canceled => new OperationCanceledException("The operation was cancelled; the server has stopped it.", refusal, cancellationToken)
                { HelpLink = ErrorPages.Canceled },
            Interruption.Asked when CancelIsCancellation => new OperationCanceledException(
                "The command was cancelled by its Cancel method; the server has stopped it.", refusal, cancellationToken)
                { HelpLink = ErrorPages.Canceled },
            _ => refusal,
        };
    }

    /// <summary>
    /// Returns what a provider's exception reports about the failed operation, its kind, and whether its reason may pass; null for other exceptions.
    /// </summary>
    internal abstract (RetrySafety Safety, ErrorKind Kind, bool IsTransient)? OutcomeOf(Exception exception);

    /// <summary>Returns whether the exception of a COMMIT reports that the transaction was committed.</summary>
    internal virtual bool WasCommitted(Exception exception) => false;

    /// <summary>Creates the exception for an operation that was interrupted but ended without an error of the server.</summary>
    internal Exception CreateInterrupted(InterruptedOperation interruption, CancellationToken cancellationToken) => interruption.Reason == Interruption.Canceled
        ? new OperationCanceledException("The operation was cancelled; it may have completed on the server.", cancellationToken)
            { HelpLink = ErrorPages.Canceled }
        : CreateTimeout($"{interruption.LimitText} expired before the operation completed; it may have completed on the server.", new TimeoutException());

    /// <summary>Creates the exception for an interrupted bulk copy. The copy is then undone, and its message also reports the result of that.</summary>
    internal Exception CreateInterruptedCopy(InterruptedOperation interruption, CancellationToken cancellationToken) =>
        interruption.Reason == Interruption.Canceled
            ? new OperationCanceledException("The bulk copy was cancelled before its end.", cancellationToken)
                { HelpLink = ErrorPages.Canceled }
            : CreateTimeout($"{interruption.LimitText} expired before the end of the bulk copy.", new TimeoutException());

    /// <summary>The summary of a command whose text is not SQL; null for others.</summary>
    internal QuerySummary? SummaryOf(System.Data.CommandType type, string text) => type switch
    {
        System.Data.CommandType.StoredProcedure => Telemetry.SummaryOfCall(text),
        System.Data.CommandType.TableDirect => KnownSummaries.Table,
        _ => null,
    };

    /// <summary>Whether an error of the server is the result of an interruption, and its reason.</summary>
    internal bool IsInterruption(ServerError error, Interruption asked, out Interruption reason)
    {
        reason = asked == Interruption.None ? Interruption.TimedOut : asked;
        return asked == Interruption.None ? IsOutOfTime(error) : asked != Interruption.Abandoned && IsInterrupted(error);
    }

    /// <summary>Whether a command that DbCommand.Cancel stopped ends with an OperationCanceledException. Otherwise, it ends with the server's error.</summary>
    private protected virtual bool CancelIsCancellation => false;

    /// <summary>Whether the error means that the server stopped a command on request.</summary>
    private protected abstract bool IsInterrupted(ServerError error);

    /// <summary>Whether the error means that a command exceeded the time limit that the server knew.</summary>
    private protected virtual bool IsOutOfTime(ServerError error) => false;

    /// <summary>Creates the provider's exception for a failure of the network, a time limit or a client-side rule.</summary>
    private protected abstract DbException CreateException(WireException failure);

    /// <summary>Creates the provider's exception for a violation of the protocol.</summary>
    private protected abstract Exception CreateException(ProtocolException failure);

    /// <summary>Translates other exceptions from below for the caller.</summary>
    private protected virtual Exception TranslateOther(Exception exception) => exception;

    /// <summary>Creates the provider's exception for an expired time limit.</summary>
    private protected abstract DbException CreateTimeout(string message, Exception inner, RetrySafety safety = RetrySafety.Unknown);

    /// <summary>Opens a new connection and returns it. If that fails, the connection is disposed.</summary>
    private protected static TConnection OpenNow<TConnection>(TConnection connection)
        where TConnection : DbConnection
    {
        try
        {
            connection.Open();
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <inheritdoc cref="OpenNow"/>
    private protected static ValueTask<TConnection> OpenNowAsync<TConnection>(TConnection connection, CancellationToken cancellationToken)
        where TConnection : DbConnection
    {
        var opening = connection.OpenAsync(cancellationToken);
        return opening.IsCompletedSuccessfully ? new(connection) : Await(opening, connection);

        static async ValueTask<TConnection> Await(Task opening, TConnection connection)
        {
            try
            {
                await opening.ConfigureAwait(false);
                return connection;
            }
            catch
            {
                await connection.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            Sessions.Dispose();

        base.Dispose(disposing);
    }

    // DisposeAsync calls Dispose(false), so the pool is closed here.
    /// <inheritdoc/>
    protected override ValueTask DisposeAsyncCore()
    {
        Sessions.Dispose();
        return default;
    }
}
