using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// The data source of every Slipstream provider: one server (or several) with one set of options, its pool and its statements. Code that works with all
/// providers watches and clears pools by this type.
/// </summary>
/// <remarks>Thread-safe. Create one for each database and keep it; disposing it closes its pool.</remarks>
/// <example>
/// <code>
/// foreach (ProviderDataSource source in sources)
///     Console.WriteLine($"{source.PoolName}: {source.Statistics.Busy} of {source.Statistics.MaxSize} sessions busy");
/// </code>
/// </example>
public abstract class ProviderDataSource : DbDataSource
{
    private protected ProviderDataSource()
    {
    }

    /// <summary>
    /// Gets the pool's name in metrics, logs and messages: what the builder's <c>UseName</c> set, else the application's name, else the first host and the
    /// database. It has no secrets.
    /// </summary>
    public string PoolName => Telemetry.PoolName;

    /// <summary>
    /// Gets what the pool holds now and what it has done since it was created. Without pooling, no session is ever idle and
    /// <see cref="PoolStatistics.MaxSize"/> is <see cref="int.MaxValue"/>. While the pool is in use, the numbers may differ by the few sessions that change
    /// hands as they are read.
    /// </summary>
    public PoolStatistics Statistics => Sessions.GetStatistics();

    /// <summary>
    /// Closes the pool's idle sessions now, and each session in use when its connection is closed. New sessions are opened as they are needed; call this after
    /// a failover, or when a password or a certificate has changed.
    /// </summary>
    public void Clear() => Sessions.Clear();

    /// <summary>Where sessions come from.</summary>
    internal abstract ISessionSource<Session> Sessions { get; }

    /// <summary>Spans, metrics and log messages of this source.</summary>
    internal abstract Telemetry Telemetry { get; }

    /// <summary>Milliseconds for opening a session or waiting for one; 0 is no limit.</summary>
    internal abstract long ConnectTimeout { get; }

    /// <summary>Seconds that a new command gets; 0 is no limit.</summary>
    internal abstract int DefaultCommandTimeout { get; }

    /// <summary>Seconds that a data reader may take from its execution to its end; 0 is no limit.</summary>
    internal abstract int ReaderTimeout { get; }

    /// <summary>True when a connection opened inside a transaction scope should join it.</summary>
    internal abstract bool EnlistsAutomatically { get; }

    /// <summary>How a session takes part in an ambient transaction.</summary>
    /// <param name="session">That which will.</param>
    /// <param name="transaction">Unique among all transactions, of 50 characters at most: letters, digits, <c>-</c> and <c>:</c>.</param>
    /// <param name="number">The branch's, from 1.</param>
    /// <param name="isolationLevel">The transaction's.</param>
    /// <exception cref="NotSupportedException">The database has no such isolation level.</exception>
    internal abstract BranchStatements CreateBranch(Session session, string transaction, int number, System.Transactions.IsolationLevel isolationLevel);

    /// <summary>Whether several sessions may take part in one ambient transaction.</summary>
    internal abstract bool BranchesCanBePrepared { get; }

    /// <summary>Asks the server whether the session could be one of several; its refusal means no. Null when that is known.</summary>
    internal virtual SimpleExchange? CheckBranches(Session session) => null;

    /// <summary>What the user can do when they may not: a sentence.</summary>
    internal abstract string HowToPrepareBranches { get; }

    /// <summary>Whether an asynchronous command on a busy connection waits for its turn; otherwise it is an error.</summary>
    internal virtual bool AllowsConcurrentCommands => false;

    /// <summary>The name of the configured database; empty when there is none.</summary>
    internal abstract string DefaultDatabase { get; }

    /// <summary>The server's refusal as the provider's exception.</summary>
    internal abstract DbException CreateException(ServerError error);

    /// <summary>A failure of network, time or protocol as the provider's exception; what is not one of them comes back as it is.</summary>
    /// <param name="exception">What was thrown below.</param>
    /// <param name="interruption">Why the operation was being interrupted, if it was.</param>
    /// <param name="during">What was being done, for the message.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    internal Exception Translate(
        Exception exception, InterruptedOperation interruption, string during, CancellationToken cancellationToken) => interruption.Reason switch
    {
        Interruption.TimedOut => CreateTimeout($"{interruption.LimitText} expired {during}; the connection was closed because the server did not stop in time.", exception),
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
            WireException wire => CreateException(wire),
            PoolExhaustedException pool => CreateTimeout(pool.Message, pool),
            ProtocolException protocol => CreateException(protocol),
            _ => TranslateOther(exception),
        },
    };

    /// <summary>The server's refusal of an operation that was being interrupted, or not.</summary>
    internal Exception Translate(ServerError error, InterruptedOperation interruption, CancellationToken cancellationToken)
    {
        var refusal = CreateException(error);
        if (interruption.Reason == Interruption.None && IsOutOfTime(error))
            return CreateTimeout($"{interruption.LimitText} expired before the operation completed; the server, which knew the time-out, has stopped it.", refusal);
        if (!IsInterrupted(error))
            return refusal;
        return interruption.Reason switch
        {
            Interruption.TimedOut => CreateTimeout($"{interruption.LimitText} expired before the operation completed; the server has stopped it.", refusal),
            Interruption.Canceled => new OperationCanceledException("The operation was cancelled; the server has stopped it.", refusal, cancellationToken)
                { HelpLink = ErrorPages.Canceled },
            Interruption.Asked when CancelIsCancellation => new OperationCanceledException(
                "The command was cancelled by its method Cancel; the server has stopped it.", refusal, cancellationToken)
                { HelpLink = ErrorPages.Canceled },
            _ => refusal,
        };
    }

    /// <summary>For an operation that was interrupted and ended all the same, without an error of the server.</summary>
    internal Exception CreateInterrupted(InterruptedOperation interruption, CancellationToken cancellationToken) => interruption.Reason == Interruption.Canceled
        ? new OperationCanceledException("The operation was cancelled; it may have completed on the server.", cancellationToken)
            { HelpLink = ErrorPages.Canceled }
        : CreateTimeout($"{interruption.LimitText} expired before the operation completed; it may have completed on the server.", new TimeoutException());

    /// <summary>For a bulk copy that was interrupted: it is undone now, and its caller is told what came of that beside this.</summary>
    internal Exception CreateInterruptedCopy(InterruptedOperation interruption, CancellationToken cancellationToken) =>
        interruption.Reason == Interruption.Canceled
            ? new OperationCanceledException("The bulk copy was cancelled before its end.", cancellationToken)
                { HelpLink = ErrorPages.Canceled }
            : CreateTimeout($"{interruption.LimitText} expired before the end of the bulk copy.", new TimeoutException());

    /// <summary>What a command does whose text is no SQL; null for others.</summary>
    internal QuerySummary? SummaryOf(System.Data.CommandType type, string text) => type switch
    {
        System.Data.CommandType.StoredProcedure => Telemetry.SummaryOfCall(text),
        System.Data.CommandType.TableDirect => KnownSummaries.Table,
        _ => null,
    };

    /// <summary>Whether an error of the server says that the operation was interrupted, and why it was.</summary>
    internal bool IsInterruption(ServerError error, Interruption asked, out Interruption reason)
    {
        reason = asked == Interruption.None ? Interruption.TimedOut : asked;
        return asked == Interruption.None ? IsOutOfTime(error) : asked != Interruption.Abandoned && IsInterrupted(error);
    }

    /// <summary>Whether a command that DbCommand.Cancel stopped ends with an OperationCanceledException; the server's refusal does otherwise.</summary>
    private protected virtual bool CancelIsCancellation => false;

    /// <summary>Whether the server says that it stopped a command because it was asked to.</summary>
    private protected abstract bool IsInterrupted(ServerError error);

    /// <summary>Whether the server says that a command took longer than it was told it may.</summary>
    private protected virtual bool IsOutOfTime(ServerError error) => false;

    /// <summary>The failure as the provider's exception.</summary>
    private protected abstract DbException CreateException(WireException failure);

    /// <summary>The failure as the provider's exception.</summary>
    private protected abstract Exception CreateException(ProtocolException failure);

    /// <summary>What else was thrown below, as the caller is to see it.</summary>
    private protected virtual Exception TranslateOther(Exception exception) => exception;

    /// <summary>An expired time limit as the provider's exception.</summary>
    private protected abstract DbException CreateTimeout(string message, Exception inner);

    /// <summary>Opens a connection that was made for it, and hands it out.</summary>
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

    // DisposeAsync calls Dispose(false): what must be closed is closed here.
    /// <inheritdoc/>
    protected override ValueTask DisposeAsyncCore()
    {
        Sessions.Dispose();
        return default;
    }
}
