using System.Data.Common;
using System.Runtime.ExceptionServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' bulk copies: inserts many rows, all or none. Without an open transaction, a copy has its own transaction. Inside a
/// transaction, it uses a savepoint, so that a failed copy undoes its own rows and nothing else.
/// </summary>
/// <typeparam name="TRow">The type that writes a row's values.</typeparam>
/// <typeparam name="TResult">The type of a copy's result.</typeparam>
public abstract partial class ProviderBulkCopy<TRow, TResult> where TRow : struct, IBulkRow
{
    private const string Savepoint = "slipstream_bulk_copy";

    private readonly ProviderConnection _connection;
    private readonly ProviderTransaction? _transaction;
    private int _timeout;
    private int _notifyAfter;
    private int _batchSize;
    private Exception? _interrupted;
    private bool _hadSavepoint;

    /// <summary>Creates a bulk copy over a connection, which may be closed, and in a transaction, if there is one.</summary>
    private protected ProviderBulkCopy(ProviderConnection connection, ProviderTransaction? transaction)
    {
        _connection = connection ?? throw new ArgumentNullException(nameof(connection));
        _transaction = transaction;
    }

    /// <summary>Gets or sets the destination table, as in SQL: quoted if its name needs quotes, and with its schema if necessary.</summary>
    /// <value>The name. It must be set before a copy.</value>
    public string? DestinationTableName { get; set; }

    /// <summary>Gets or sets the time limit for the whole copy, in seconds.</summary>
    /// <value>The default is 0: no limit.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int BulkCopyTimeout
    {
        get => _timeout;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _timeout = value;
        }
    }

    /// <summary>Gets or sets the number of rows after which the event for copied rows is raised, again and again.</summary>
    /// <value>The default is 0: never.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int NotifyAfter
    {
        get => _notifyAfter;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _notifyAfter = value;
        }
    }

    /// <summary>
    /// Gets or sets the maximum number of rows of one statement, for servers to which rows are sent in statements. All statements belong to one transaction.
    /// </summary>
    /// <value>The default is 0: as many as are best for the server.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int BatchSize
    {
        get => _batchSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _batchSize = value;
        }
    }

    /// <summary>The names of the mapped columns.</summary>
    private protected abstract IEnumerable<string?> DestinationColumns { get; }

    /// <summary>The statement that begins the copy's own transaction.</summary>
    private protected abstract string BeginTransaction { get; }

    /// <summary>Whether the provider requires that the open transaction is passed to the copy.</summary>
    private protected abstract bool MustNameTransaction { get; }

    /// <summary>Creates the conversation that writes the rows.</summary>
    private protected abstract BulkExchange CreateExchange(Session session, string table, int sourceFields);

    /// <summary>The row writer of a conversation.</summary>
    private protected abstract TRow RowOf(BulkExchange exchange);

    /// <summary>The result of a conversation.</summary>
    private protected abstract TResult ResultOf(BulkExchange exchange);

    /// <summary>Called when rows were supplied. If it returns false, the copy ends with the rows so far.</summary>
    private protected abstract bool OnRowsCopied(long rows);

    /// <summary>Creates the provider's exception for a failure of this client.</summary>
    private protected abstract Exception CreateFailure(string message, Exception? inner);

    /// <summary>Creates the provider's exception for an error of the server.</summary>
    /// <param name="exchange">The conversation that the server refused.</param>
    /// <param name="error">The server's error, with the row and what happened to the rows.</param>
    private protected virtual Exception CreateRefusal(BulkExchange exchange, ServerError error) => _connection.Source.CreateException(error);

    /// <summary>Called when the copy has ended, successfully or not, so that messages of the server can be reported.</summary>
    private protected virtual void OnEnded(BulkExchange exchange)
    {
        // Most servers send no such messages.
    }

    /// <summary>Why a copy without an error has failed nevertheless; null if it succeeded.</summary>
    private protected virtual string? FindFault(BulkExchange exchange) => null;

    /// <summary>Whether the rows of a copy stay that has a fault (<see cref="FindFault"/>) but no error.</summary>
    private protected virtual bool KeepsRows(BulkExchange exchange) => false;

    private void ThrowFault(BulkExchange exchange)
    {
        if (FindFault(exchange) is { } fault)
            throw CreateFailure(fault, null);
    }

    /// <summary>Whether the rollback left rows in a table that does not support transactions.</summary>
    private protected virtual bool HasLeftRows(ProviderConnection connection) => false;

    /// <summary>Copies the rows.</summary>
    private BulkExchange Copy(BulkSource<TRow> source)
    {
        var opens = _connection.State == System.Data.ConnectionState.Closed;
        if (opens)
            _connection.Open();
        try
        {
            if (_connection.Session.MayHideTransaction)
                _connection.Run(_connection.Session.CreatePing());
            var session = BeginCopy(out var isNested);
            if (isNested)
                _connection.Run(session.CreateSimple("SAVEPOINT " + Savepoint), KnownSummaries.Savepoint);
            var exchange = Begin(session, source, isNested, default);
            try
            {
                BlockingPump.Run(session.Queue, session.Wire);
            }
            catch (Exception exception)
            {
                throw Execution.Failed(_connection, session, exception);
            }

            if (End(session, exchange) is { } failure && !KeepsRows(exchange))
            {
                var undo = isNested ? UndoNested : UndoOwn;
                Exception? undone = null;
                try
                {
                    using var command = CreateUndo(undo);
                    command.ExecuteNonQuery();
                }
                catch (Exception exception)
                {
                    undone = EndsUnready(session) ? null : exception;
                }

                var keepsRows = HasLeftRows(_connection);

                OnEnded(exchange);
                throw Failure(exchange, failure, undone, keepsRows, session, isNested);
            }

            var (last, summary) = isNested ? (ReleaseNested, KnownSummaries.ReleaseSavepoint) : ("COMMIT", KnownSummaries.Commit);
            _connection.Run(session.CreateSimple(last), summary);
            session.HasSavepoint = _hadSavepoint;
            OnEnded(exchange);
            ThrowFault(exchange);
            return exchange;
        }
        finally
        {
            if (opens)
                _connection.Close();
        }
    }

    /// <summary>Copies the rows.</summary>
    private async ValueTask<BulkExchange> CopyAsync(BulkSource<TRow> source, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var opens = _connection.State == System.Data.ConnectionState.Closed;
        if (opens)
            await _connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_connection.Session.MayHideTransaction)
                await _connection.RunAsync(_connection.Session.CreatePing(), cancellationToken).ConfigureAwait(false);
            var session = BeginCopy(out var isNested);
            if (isNested)
                await _connection.RunAsync(session.CreateSimple("SAVEPOINT " + Savepoint), KnownSummaries.Savepoint, cancellationToken).ConfigureAwait(false);
            var exchange = Begin(session, source, isNested, cancellationToken);
            try
            {
                await AsyncPump.RunAsync(session.Queue, session.Wire).ConfigureAwait(false);
            }
            catch (Exception exception)
            {
                throw Execution.Failed(_connection, session, exception);
            }

            if (End(session, exchange) is { } failure && !KeepsRows(exchange))
            {
                var undo = isNested ? UndoNested : UndoOwn;
                Exception? undone = null;
                try
                {
                    using var command = CreateUndo(undo);
                    await command.ExecuteNonQueryAsync(default).ConfigureAwait(false);
                }
                catch (Exception exception)
                {
                    undone = EndsUnready(session) ? null : exception;
                }

                var keepsRows = HasLeftRows(_connection);

                OnEnded(exchange);
                throw Failure(exchange, failure, undone, keepsRows, session, isNested);
            }

            var (last, summary) = isNested ? (ReleaseNested, KnownSummaries.ReleaseSavepoint) : ("COMMIT", KnownSummaries.Commit);
            await _connection.RunAsync(session.CreateSimple(last), summary, default).ConfigureAwait(false);
            session.HasSavepoint = _hadSavepoint;
            OnEnded(exchange);
            ThrowFault(exchange);
            return exchange;
        }
        finally
        {
            if (opens)
                await _connection.CloseAsync().ConfigureAwait(false);
        }
    }

    private const string ReleaseNested = "RELEASE SAVEPOINT " + Savepoint;
    private const string UndoNested = "ROLLBACK TO SAVEPOINT " + Savepoint;
    private const string UndoOwn = "ROLLBACK";

    private DbCommand CreateUndo(string sql)
    {
        var command = _connection.CreateCommand();
        command.CommandText = sql;
        command.Transaction = _connection.CurrentTransaction;
        return command;
    }

    /// <summary>The characters that may quote the name of a table.</summary>
    private protected abstract string NameQuotes { get; }

    private Session BeginCopy(out bool isNested)
    {
        if (string.IsNullOrWhiteSpace(DestinationTableName))
            throw new InvalidOperationException("The bulk copy has no destination: set its DestinationTableName property.");
        Names.CheckedQualified(DestinationTableName, NameQuotes, "destination table's name", nameof(DestinationTableName));
        foreach (var name in DestinationColumns)
            Names.Checked(name ?? "", "destination column's name");
        var session = _connection.BeginCommand(_transaction);
        if (_transaction is null && MustNameTransaction)
            _connection.RequireTransaction(_transaction);
        _connection.RequireWholeTransaction(session);
        // The transaction continues after a failed copy.
        _hadSavepoint = session.HasSavepoint;
        session.HasSavepoint = true;
        isNested = _connection.HasTransaction || _connection.IsEnlisted || session is { IsInTransaction: true, NeedsReset: false };
        return session;
    }

    private BulkExchange Begin(Session session, BulkSource<TRow> source, bool isNested, CancellationToken cancellationToken)
    {
        var exchange = CreateExchange(session, DestinationTableName!, source.FieldCount);
        exchange.TakeRowsFrom(new BulkFeed<TRow>(session, exchange, source, RowOf(exchange), _notifyAfter, OnRowsCopied));
        if (!isNested)
            session.PendingBegin = session.CreateSimple(BeginTransaction);
        Execution.Begin(_connection, session, null, _timeout * 1000L, cancellationToken);
        session.Operation.LimitName = nameof(BulkCopyTimeout);
        if (_connection.Source.Telemetry.HasListeners)
            CommandTelemetry.BeginCopy(session, _connection.Source, QuerySummary.Of("BULK COPY", DestinationTableName), DestinationTableName!);
        Execution.Encode(_connection, session, new ExchangeRequest(exchange));
        return exchange;
    }

    // Null if the copy succeeded.
    private Exception? End(Session session, BulkExchange exchange)
    {
        Execution.End(_connection, session, exchange.Error);
        var failure = FindFailure(session, exchange);
        if (exchange.Error is null && failure is not null)
            CommandTelemetry.Failed(session, _connection.Source, failure);
        else
            CommandTelemetry.End(session, _connection.Source, exchange.Error);
        return failure;
    }

    private Exception? FindFailure(Session session, BulkExchange exchange)
    {
        if (session.Operation.Interruption is Interruption.TimedOut or Interruption.Canceled)
            return _interrupted = _connection.Source.CreateInterruptedCopy(session.Operation.Interrupted, session.CallersToken);
        if (exchange.SourceFailure is { } thrown)
            return thrown;
        if (exchange.Error is { } error)
            return _connection.Source.CreateException(error);
        return FindFault(exchange) is { } fault ? CreateFailure(fault, null) : null;
    }

    // The rows were removed, or the message says that they may not have been.
    private Exception Failure(BulkExchange exchange, Exception failure, Exception? undone, bool keepsRows, Session session, bool isNested)
    {
        var refusal = exchange.Error;
        if (undone is null && !keepsRows && refusal is not null && session.HasEndedUnready)
            refusal = refusal with { Safety = RetrySafety.RolledBack };
        // The copy's own transaction has been rolled back, if it began at all. The caller's transaction is as it was before the copy.
        else if (undone is null && !keepsRows && refusal is { Safety: RetrySafety.NotApplicable } && session.MeansReplica(refusal))
            refusal = refusal with { Safety = isNested ? RetrySafety.NotSent : RetrySafety.RolledBack };
        else if ((undone is not null || keepsRows) && refusal is { Safety: RetrySafety.NotSent or RetrySafety.RolledBack })
            refusal = refusal with { Safety = RetrySafety.NotApplicable };
        var outcome = undone is not null
            ? $"The rollback also failed ({undone.Message}): check which rows the table has."
            : keepsRows
                ? "The rollback could not undo everything: a table without transactions keeps the rows that were written before the error."
                : "No row was written.";
        if (failure is OperationCanceledException canceled)
            return new OperationCanceledException($"The bulk copy was cancelled. {outcome}", canceled, canceled.CancellationToken);

        // An exception that the source threw between rows belongs to the caller and is rethrown unchanged.
        if (ReferenceEquals(failure, exchange.SourceFailure) && exchange.FailedRow == 0)
            ExceptionDispatchInfo.Throw(failure);
        // If this client interrupted the copy, the server's error is less informative than the reason of the interruption.
        var isFromServer = exchange.SourceFailure is null && !ReferenceEquals(failure, _interrupted);
        if (exchange.FailedRow > 0 && refusal is { } error && isFromServer)
            failure = CreateRefusal(exchange, error with { Message = $"Row {exchange.FailedRow}: {Ended(error.Message)} {outcome}" });
        else if (refusal is { } other && isFromServer)
            failure = CreateRefusal(exchange, other with { Message = $"{Ended(other.Message)} {outcome}" });
        else
            failure = CreateFailure(
                exchange.FailedRow > 0 ? $"Row {exchange.FailedRow}: {Ended(failure.Message)} {outcome}" : $"{Ended(failure.Message)} {outcome}", failure);
        if (exchange.FailedRow > 0)
            failure.Data["Row"] = exchange.FailedRow;
        return failure;
    }

    // Its transaction is open, with the rows. The server rolls it back when the session ends. Returns whether all of it is undone.
    private bool EndsUnready(Session session)
    {
        if (session is not { WasUnready: true, IsBroken: false })
            return false;
        var isUndone = session.TransactionPhase != TransactionPhase.Doubtful;
        session.Break("its server is not ready, and could not undo a bulk copy");
        _connection.Lose(session);
        return isUndone;
    }

    private static string Ended(string message) => message.EndsWith('.') ? message : message + ".";
}
