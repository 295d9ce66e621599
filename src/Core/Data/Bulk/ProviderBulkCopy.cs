using System.Data.Common;
using System.Runtime.ExceptionServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// What every provider's bulk copy is: many rows, all or none. Without an open transaction it has its own; inside one it undoes its rows, and only
/// them, with a savepoint.
/// </summary>
/// <typeparam name="TRow">Where a row's values are written.</typeparam>
/// <typeparam name="TResult">What a copy returns.</typeparam>
public abstract partial class ProviderBulkCopy<TRow, TResult> where TRow : struct, IBulkRow
{
    private const string Savepoint = "slipstream_bulk_copy";

    private readonly ProviderConnection _connection;
    private readonly ProviderTransaction? _transaction;
    private int _timeout;
    private int _notifyAfter;
    private int _batchSize;
    private Exception? _interrupted;

    /// <summary>A bulk copy over a connection, which may be closed, and in a transaction, if there is one.</summary>
    private protected ProviderBulkCopy(ProviderConnection connection, ProviderTransaction? transaction)
    {
        _connection = connection ?? throw new ArgumentNullException(nameof(connection));
        _transaction = transaction;
    }

    /// <summary>The table that gets the rows, written as in SQL: quoted where its name needs quotes, with its schema if need be.</summary>
    public string? DestinationTableName { get; set; }

    /// <summary>Seconds for the whole copy; 0, the default, is no limit.</summary>
    public int BulkCopyTimeout
    {
        get => _timeout;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _timeout = value;
        }
    }

    /// <summary>After so many rows the event of copied rows is raised; 0, the default, is never.</summary>
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
    /// The most rows of one statement, where rows are sent in statements; 0, the default, is as many as are best for the server. All are one transaction.
    /// </summary>
    public int BatchSize
    {
        get => _batchSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _batchSize = value;
        }
    }

    /// <summary>The names of the columns that were mapped.</summary>
    private protected abstract IEnumerable<string?> DestinationColumns { get; }

    /// <summary>The statement that begins the copy's own transaction.</summary>
    private protected abstract string BeginTransaction { get; }

    /// <summary>Whether the provider insists that the open transaction was named.</summary>
    private protected abstract bool MustNameTransaction { get; }

    /// <summary>The conversation that writes the rows.</summary>
    private protected abstract BulkExchange CreateExchange(Session session, string table, int sourceFields);

    /// <summary>The row that is written to the conversation.</summary>
    private protected abstract TRow RowOf(BulkExchange exchange);

    /// <summary>What came of the conversation.</summary>
    private protected abstract TResult ResultOf(BulkExchange exchange);

    /// <summary>Rows were supplied. False ends the copy with the rows so far.</summary>
    private protected abstract bool OnRowsCopied(long rows);

    /// <summary>A failure of this client as the provider's exception.</summary>
    private protected abstract Exception CreateFailure(string message, Exception? inner);

    /// <summary>The server's refusal as the provider's exception.</summary>
    /// <param name="exchange">What was refused.</param>
    /// <param name="error">The server's words, with the row and with what became of the rows.</param>
    private protected virtual Exception CreateRefusal(BulkExchange exchange, ServerError error) => _connection.Source.CreateException(error);

    /// <summary>The copy is over, for good or ill, and what the server said of it may be told.</summary>
    private protected virtual void OnEnded(BulkExchange exchange)
    {
        // Most servers say nothing beside their answers.
    }

    /// <summary>Why a copy without an error is none all the same; null when it is one.</summary>
    private protected virtual string? FindFault(BulkExchange exchange) => null;

    /// <summary>Whether the rollback has left rows in a table that knows no transactions.</summary>
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

            if (End(session, exchange) is { } failure)
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
                    undone = exception;
                }

                var keepsRows = HasLeftRows(_connection);

                OnEnded(exchange);
                throw Failure(exchange, failure, undone, keepsRows);
            }

            var (last, summary) = isNested ? (ReleaseNested, KnownSummaries.ReleaseSavepoint) : ("COMMIT", KnownSummaries.Commit);
            _connection.Run(session.CreateSimple(last), summary);
            OnEnded(exchange);
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

            if (End(session, exchange) is { } failure)
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
                    undone = exception;
                }

                var keepsRows = HasLeftRows(_connection);

                OnEnded(exchange);
                throw Failure(exchange, failure, undone, keepsRows);
            }

            var (last, summary) = isNested ? (ReleaseNested, KnownSummaries.ReleaseSavepoint) : ("COMMIT", KnownSummaries.Commit);
            await _connection.RunAsync(session.CreateSimple(last), summary, default).ConfigureAwait(false);
            OnEnded(exchange);
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

    /// <summary>The characters in which the name of a table may stand.</summary>
    private protected abstract string NameQuotes { get; }

    private Session BeginCopy(out bool isNested)
    {
        if (string.IsNullOrWhiteSpace(DestinationTableName))
            throw new InvalidOperationException("The bulk copy has no destination: set DestinationTableName.");
        Names.CheckedQualified(DestinationTableName, NameQuotes, "destination table's name", nameof(DestinationTableName));
        foreach (var name in DestinationColumns)
            Names.Checked(name ?? "", "destination column's name");
        var session = _connection.BeginCommand(_transaction);
        if (_transaction is null && MustNameTransaction)
            _connection.RequireTransaction(_transaction);
        _connection.RequireWholeTransaction(session);
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
        if (_connection.Source.Telemetry.IsListening)
            CommandTelemetry.Begin(session, _connection.Source, QuerySummary.Of("BULK COPY", DestinationTableName));
        Execution.Encode(_connection, session, new ExchangeRequest(exchange));
        return exchange;
    }

    // Null when all went well.
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

    // The rows are gone again, or the message says that they may not be.
    private Exception Failure(BulkExchange exchange, Exception failure, Exception? undone, bool keepsRows)
    {
        var outcome = undone is not null
            ? $"The rollback failed, too ({undone.Message}): ask the server what it holds."
            : keepsRows
                ? "The rollback could not undo everything: a table without transactions keeps the rows that were written before."
                : "No row was written.";
        if (failure is OperationCanceledException canceled)
            return new OperationCanceledException($"The bulk copy was cancelled. {outcome}", canceled, canceled.CancellationToken);

        // What the source threw in front of a row is the caller's own, and goes back as it is.
        if (ReferenceEquals(failure, exchange.SourceFailure) && exchange.FailedRow == 0)
            ExceptionDispatchInfo.Throw(failure);
        // The server's refusal of a copy that this client interrupted says less than why it did.
        var isServers = exchange.SourceFailure is null && !ReferenceEquals(failure, _interrupted);
        if (exchange.FailedRow > 0 && exchange.Error is { } error && isServers)
            failure = CreateRefusal(exchange, error with { Message = $"Row {exchange.FailedRow}: {Ended(error.Message)} {outcome}" });
        else if (exchange.Error is { } other && isServers)
            failure = CreateRefusal(exchange, other with { Message = $"{Ended(other.Message)} {outcome}" });
        else
            failure = CreateFailure(exchange.FailedRow > 0 ? $"Row {exchange.FailedRow}: {Ended(failure.Message)} {outcome}" : $"{Ended(failure.Message)} {outcome}", failure);
        if (exchange.FailedRow > 0)
            failure.Data["Row"] = exchange.FailedRow;
        return failure;
    }

    private static string Ended(string message) => message.EndsWith('.') ? message : message + ".";
}
