using System.Collections;
using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' data readers: reads the rows of its session's exchange. After <see cref="Read"/> no getter waits, except with sequential
/// access.
/// </summary>
public abstract partial class ProviderDataReader : DbDataReader
{
    private enum Place : byte
    {
        /// <summary>There is no result set: the command returned none, or the last one was passed.</summary>
        Nowhere,
        BeforeFirst,
        OnRow,

        /// <summary>With <see cref="CommandBehavior.SingleRow"/>: the row has been left, and what follows it has not been read.</summary>
        AfterSingleRow,
        AfterLast,
    }

    [Flags]
    private enum ReaderFlags : byte
    {
        HasRows = 1,

        /// <summary>The interruption of the operation has been reported to the caller.</summary>
        Interruption = 2,

        /// <summary>A value that could not be encoded has been reported to the caller.</summary>
        Failure = 4,
    }

    private readonly ProviderCommand _command;
    private readonly Session _session;
    private readonly ResultExchange _exchange;

    // One object per exchange, for all of its results; cached to save a virtual call per value.
    private readonly Row _row;
    // Single bytes, because a reader is created for every query.
    private readonly byte _behaviorBits;
    private Place _place = Place.Nowhere;
    private ReaderFlags _flags;
    private bool _closed;
    private ReaderExtras _extras;

    /// <summary>Creates a reader of the session's current exchange.</summary>
    private protected ProviderDataReader(ProviderCommand command, Session session, CommandBehavior behavior)
    {
        _command = command;
        _session = session;
        _exchange = session.Exchange;
        _row = _exchange.Row;
        _behaviorBits = (byte)behavior;
    }

    /// <inheritdoc/>
    public override bool IsClosed => _closed;

    /// <summary>Whether closing the reader closes its connection.</summary>
    internal bool ClosesConnection => (Behavior & CommandBehavior.CloseConnection) != 0;

    /// <summary>The command of the reader.</summary>
    internal ProviderCommand Command => _command;

    // The command's connection cannot change while its reader is open, but it can after the connection was lost.
    private ProviderConnection Connection =>
        _command.ReadersConnection ?? throw new InvalidOperationException("The reader's connection was lost, and its command no longer has a connection: "
            + "dispose the reader.");

    /// <summary>Keeps the turn of the command until the reader is closed.</summary>
    internal void Keep(CommandTurn turn) => _extras.Keep(turn);

    /// <summary>Gets the number of rows that the command's statements have changed so far.</summary>
    /// <value>−1 for queries.</value>
    public override int RecordsAffected => _closed ? _recordsAffected : (int)_exchange.RecordsAffected;

    private int _recordsAffected = -1;

    /// <summary>
    /// What the statements did whose results the reader has passed. Another command replaces it, so it is available only while the reader is open.
    /// </summary>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    private protected StatementOutcomes Outcomes
    {
        get
        {
            ThrowIfClosed();
            return _exchange.Outcomes;
        }
    }

    /// <summary>Whether <see cref="Read"/> has moved to a row that has not been left.</summary>
    private protected bool StandsOnRow => _place == Place.OnRow;

    /// <summary>Whether the reader reads results of a session.</summary>
    internal bool IsOf(Session session) => ReferenceEquals(_session, session);

    /// <summary>How the command was executed.</summary>
    internal CommandBehavior Behavior => (CommandBehavior)_behaviorBits;

    /// <inheritdoc/>
    public override int Depth => 0;

    /// <summary>Gets whether the current result set has at least one row.</summary>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override bool HasRows
    {
        get
        {
            ThrowIfClosed();
            return (_flags & ReaderFlags.HasRows) != 0;
        }
    }

    /// <summary>Moves to the next row of the current result set.</summary>
    /// <returns>False after the last row, or without a result set.</returns>
    /// <exception cref="DbException">The server sent an error, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override bool Read()
    {
        if (_place == Place.OnRow && (Behavior & CommandBehavior.SingleRow) == 0)
        {
            Step step;
            try
            {
                step = _exchange.Advance(_session.Wire);
                if (step == Step.Row)
                    return true;
                step = Wait();
            }
            catch (Exception exception)
            {
                throw Failed(exception);
            }

            return Moved(step);
        }

        return ReadOther();
    }

    /// <summary>
    /// Moves to the next row of the current result set asynchronously. Completes synchronously, without an allocation per row, if the row has already arrived.
    /// </summary>
    /// <param name="cancellationToken">Stops the command on the server; the reader then has no more rows.</param>
    /// <returns>False after the last row, or without a result set.</returns>
    /// <exception cref="DbException">The server sent an error, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override Task<bool> ReadAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Canceled<bool>(cancellationToken);
        try
        {
            if (_place != Place.OnRow || (Behavior & CommandBehavior.SingleRow) != 0)
                return Task.FromResult(ReadOther());
            return _exchange.Advance(_session.Wire) == Step.Row ? Task.FromResult(true) : ReadSlowAsync(cancellationToken);
        }
        catch (Exception exception)
        {
            // Also for an invalid message that had already arrived: the session must not be used again.
            return Task.FromException<bool>(Failed(exception));
        }
    }

    private async Task<bool> ReadSlowAsync(CancellationToken cancellationToken)
    {
        Step step;
        try
        {
            step = await WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return Moved(step);
    }

    /// <summary>
    /// Closes the reader and skips its remaining rows and result sets. With <see cref="CommandBehavior.CloseConnection"/>, the connection is closed too.
    /// Closing a closed reader has no effect.
    /// </summary>
    /// <exception cref="DbException">The connection was lost, or the provider reports an error of the skipped results.</exception>
    public override void Close()
    {
        if (_closed)
            return;
        Exception? hidden;
        try
        {
            if (!_exchange.IsCompleted && !_session.IsBroken)
                SkipAll();
        }
        finally
        {
            hidden = EndClose();
        }

        if (hidden is not null)
            throw hidden;
    }

    /// <summary>
    /// Closes the reader asynchronously and skips its remaining rows and result sets. With <see cref="CommandBehavior.CloseConnection"/>, the connection is
    /// closed too. Closing a closed reader has no effect.
    /// </summary>
    /// <returns>A task that completes when the reader is closed.</returns>
    /// <exception cref="DbException">The connection was lost, or the provider reports an error of the skipped results.</exception>
    public override async Task CloseAsync()
    {
        if (_closed)
            return;
        Exception? hidden;
        try
        {
            if (!_exchange.IsCompleted && !_session.IsBroken)
                await SkipAllAsync().ConfigureAwait(false);
        }
        finally
        {
            hidden = EndClose();
        }

        if (hidden is not null)
            throw hidden;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            Close();
        base.Dispose(disposing);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    public override IEnumerator GetEnumerator() => new DbEnumerator(this, closeReader: false);

    /// <summary>Handles the first step after the description of a result set: a row, or the end.</summary>
    internal void Start(Step step)
    {
        _flags = step == Step.Row ? _flags | ReaderFlags.HasRows : _flags & ~ReaderFlags.HasRows;
        _place = step == Step.Row ? Place.BeforeFirst : Place.AfterLast;
    }

    // ---------------------------------------------------------------- moving

    // Before the first row, after the last one, without rows, closed, or with SingleRow.
    private bool ReadOther()
    {
        ThrowIfClosed();
        switch (_place)
        {
            case Place.BeforeFirst:
                _place = Place.OnRow;
                return true;
            case Place.OnRow:
                _place = Place.AfterSingleRow;
                return false;
            default:
                ThrowRefusal();
                return false;
        }
    }

    private bool Moved(Step step)
    {
        if (step == Step.Row)
        {
            _place = Place.OnRow;
            return true;
        }

        _place = Place.AfterLast;
        if (_exchange.IsCompleted)
            EndExchange();
        return false;
    }

    // Bytes are missing, or the exchange is over. The queue, not the exchange, ends the operation and settles an interruption.
    private Step Wait()
    {
        _session.Operation.Rearm(_command.CommandTimeout * 1000L);
        var step = BlockingPump.Run(_session.Queue, _session.Wire);
        if (!_exchange.IsCompleted)
            _session.Operation.Quiet();
        return step;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<Step> WaitAsync(CancellationToken cancellationToken)
    {
        _session.Operation.Rearm(_command.CommandTimeout * 1000L);
        _session.RegisterToken(cancellationToken);
        try
        {
            return await AsyncPump.RunAsync(_session.Queue, _session.Wire).ConfigureAwait(false);
        }
        finally
        {
            _session.UnregisterToken();
            if (!_exchange.IsCompleted)
                _session.Operation.Quiet();
        }
    }

    // The token was cancelled between two waits. Without this, the rest of the results would keep arriving, and closing the reader would have to read all of
    // it.
    private Task<T> Canceled<T>(CancellationToken cancellationToken) =>
        !_closed && !_exchange.IsCompleted && !_session.IsBroken && ReferenceEquals(_command.ReadersConnection?.ActiveReader, this)
            ? StopAsync<T>(cancellationToken)
            : Task.FromCanceled<T>(cancellationToken);

    // Acts as if the token had been cancelled during a wait: the server is asked to stop, unless the rest has already arrived, and the session is in step
    // before the caller gets the exception.
    private async Task<T> StopAsync<T>(CancellationToken cancellationToken)
    {
        Step step;
        try
        {
            _exchange.SkipRest();
            step = _session.Queue.Advance(_session.Wire);
            if (step < Step.Metadata)
                step = await StopAsync(step, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        Moved(step);
        throw new OperationCanceledException(cancellationToken);
    }

    private async ValueTask<Step> StopAsync(Step step, CancellationToken cancellationToken)
    {
        _session.RegisterToken(cancellationToken);
        try
        {
            return await AsyncPump.WaitAsync(_session.Queue, _session.Wire, step).ConfigureAwait(false);
        }
        finally
        {
            _session.UnregisterToken();
        }
    }

    private void EndExchange()
    {
        _command.EndTelemetry(_session, _exchange.Error);
        ThrowRefusal();
        // As for a scalar: the cancellation broke the session before its operation ended. The reader reports the reason, not the next command.
        if (!_closed && _session.IsBroken && ReferenceEquals(Connection.SessionOrNull, _session))
            throw Failed(_session.CreateLost());
        // An interrupted result must not pass for a complete one, even if the server regards it as a result.
        if (_closed || (_flags & ReaderFlags.Interruption) != 0 || _session.Operation.Interruption is not (Interruption.TimedOut or Interruption.Canceled))
            return;
        _flags |= ReaderFlags.Interruption;
        throw Connection.Source.CreateInterrupted(_session.Operation.Interrupted, _session.CallersToken);
    }

    private void ThrowRefusal()
    {
        if (_closed || _exchange.Error is not { } error || ReferenceEquals(error, _extras.Reported))
            return;
        _extras.Reported = error;
        _flags |= ReaderFlags.Interruption;
        _session.Refused(error);
        throw _command.Refused(Connection.Source.Translate(error, _session.Operation.Interrupted, _session.CallersToken));
    }

    // A value that could not be encoded, of a command after those that have run.
    private void ThrowFailure()
    {
        if (_closed || _exchange is not { IsCompleted: true, ScalarFailure: { } failure })
            return;
        _flags |= ReaderFlags.Failure;
        throw failure;
    }

    private protected Exception Failed(Exception exception)
    {
        if (exception is DbException or OperationCanceledException)
            return exception;
        if (exception is InvalidOperationException and not Errors.ProtocolException or InvalidCastException or IndexOutOfRangeException
            or ArgumentOutOfRangeException)
            return exception;
        if (_session.IsBroken && Connection.SessionOrNull is null)
            return Connection.ClosedByAnotherThread(exception);
        _closed = true;
        _extras.PassTurn();
        OnClosed();
        CommandTelemetry.Failed(_session, Connection.Source, exception);
        return Connection.Failed(_session, exception, _session.CallersToken);
    }

    /// <summary>
    /// Whether closing the reader early throws an error that the server sent after the rows that were read. Otherwise, only telemetry reports it.
    /// </summary>
    private protected virtual bool ThrowsErrorsOnClose => false;

    // An error after the rows that were read, which has not been reported. A caller that requested an interruption knows about it.
    private Exception? Hidden(ProviderConnection connection)
    {
        if (!_exchange.IsCompleted)
            return null;
        if (ThrowsErrorsOnClose
            && _exchange.Error is { } error
            && !ReferenceEquals(error, _extras.Reported)
            && _session.Operation.Interruption == Interruption.None)
            return _command.Refused(connection.Source.Translate(error, Interruption.None, default));
        // In a batch: the commands from the failed one on were not executed.
        return (_flags & ReaderFlags.Failure) == 0 ? _exchange.ScalarFailure : null;
    }

    /// <summary>Marks the reader as closed and detaches it from its connection.</summary>
    /// <returns>An error of the skipped results that closing must throw; null without one.</returns>
    private Exception? EndClose()
    {
        Exception? hidden = null;
        _recordsAffected = (int)_exchange.RecordsAffected;
        _closed = true;
        _place = Place.Nowhere;
        if (_command.ReadersConnection is { } connection && ReferenceEquals(connection.ActiveReader, this))
        {
            connection.ActiveReader = null;
            hidden = Hidden(connection);
            _command.EndTelemetry(_session, _exchange.IsCompleted ? _exchange.Error : null);
            _command.Completed(_exchange);
            // The cancellation broke the session just after the rest had been skipped: the connection must not stay open.
            if (_session.IsBroken && ReferenceEquals(connection.SessionOrNull, _session))
                connection.Failed(_session, _session.CreateLost(), default);
            else if ((Behavior & CommandBehavior.CloseConnection) != 0)
                connection.Close();
        }

        _extras.PassTurn();
        OnClosed();
        return hidden;
    }

    /// <summary>Called once, when the reader is closed or its connection is lost.</summary>
    private protected virtual void OnClosed()
    {
        // Most readers have nothing to do.
    }

    private void ThrowIfClosed()
    {
        if (_closed)
            throw new InvalidOperationException("The data reader is closed: read its values before it is disposed.");
    }
}
