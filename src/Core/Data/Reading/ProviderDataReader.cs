using System.Collections;
using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// What every provider's reader is: a thin handle on its session's exchange and row. After <see cref="Read"/> no getter waits, unless the
/// reader was asked for sequential access.
/// </summary>
public abstract partial class ProviderDataReader : DbDataReader
{
    private enum Place : byte
    {
        /// <summary>No result set: the command returned none, or the last was passed.</summary>
        Nowhere,
        BeforeFirst,
        OnRow,
        AfterLast,
    }

    [Flags]
    private enum ReaderFlags : byte
    {
        HasRows = 1,

        /// <summary>The caller has heard that the operation was interrupted.</summary>
        Interruption = 2,

        /// <summary>The caller has heard of a value that could not be written.</summary>
        Failure = 4,
    }

    private readonly ProviderCommand _command;
    private readonly Session _session;
    private readonly ResultExchange _exchange;

    // One per exchange, for all its results: kept to spare a virtual call for each value.
    private readonly Row _row;
    // Bytes, and few of them: a reader is made for every query.
    private readonly byte _behaviorBits;
    private Place _place = Place.Nowhere;
    private ReaderFlags _told;
    private bool _closed;
    private ReaderExtras _aside;

    /// <summary>A reader of what the session begins to answer.</summary>
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

    /// <summary>Whether its connection ends with it.</summary>
    internal bool ClosesConnection => (Behavior & CommandBehavior.CloseConnection) != 0;

    /// <summary>The command whose answers it reads.</summary>
    internal ProviderCommand Command => _command;

    // The command's cannot change while its reader is open; it can when the connection has been lost under it.
    private ProviderConnection Connection =>
        _command.ReadersConnection ?? throw new InvalidOperationException("The reader's connection was lost, and its command no longer has one: dispose the reader.");

    /// <summary>The turn of its command ends when the reader is closed.</summary>
    internal void Keep(CommandTurn turn) => _aside.Keep(turn);

    /// <summary>Rows changed by the command's statements; −1 for queries.</summary>
    public override int RecordsAffected => _closed ? _recordsAffected : (int)_exchange.RecordsAffected;

    private int _recordsAffected = -1;

    private CommandBehavior Behavior => (CommandBehavior)_behaviorBits;

    /// <inheritdoc/>
    public override int Depth => 0;

    /// <inheritdoc/>
    public override bool HasRows
    {
        get
        {
            ThrowIfClosed();
            return (_told & ReaderFlags.HasRows) != 0;
        }
    }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
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
            // Also of a message that had arrived: the session is not to be used any more.
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

    /// <inheritdoc/>
    public override void Close()
    {
        if (_closed)
            return;
        Exception? hidden;
        try
        {
            if (!_exchange.IsOver && !_session.IsBroken)
                SkipAll();
        }
        finally
        {
            hidden = EndClose();
        }

        if (hidden is not null)
            throw hidden;
    }

    /// <inheritdoc/>
    public override async Task CloseAsync()
    {
        if (_closed)
            return;
        Exception? hidden;
        try
        {
            if (!_exchange.IsOver && !_session.IsBroken)
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

    /// <summary>The first step behind a result set's description is known: a row, or the end.</summary>
    internal void Start(Step step)
    {
        _told = step == Step.Row ? _told | ReaderFlags.HasRows : _told & ~ReaderFlags.HasRows;
        _place = step == Step.Row ? Place.BeforeFirst : Place.AfterLast;
    }

    // ---------------------------------------------------------------- moving

    // Before the first row, after the last, without rows, closed, or with SingleRow.
    private bool ReadOther()
    {
        ThrowIfClosed();
        switch (_place)
        {
            case Place.BeforeFirst:
                _place = Place.OnRow;
                return true;
            case Place.OnRow:
                _place = Place.AfterLast;
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
        if (_exchange.IsOver)
            Over();
        return false;
    }

    // Bytes are missing, or the exchange is over: the queue, not the exchange, ends the operation and settles an interruption.
    private Step Wait()
    {
        _session.Operation.Rearm(_command.CommandTimeout * 1000L);
        var step = BlockingPump.Run(_session.Queue, _session.Wire);
        if (!_exchange.IsOver)
            _session.Operation.Quiet();
        return step;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<Step> WaitAsync(CancellationToken cancellationToken)
    {
        _session.Operation.Rearm(_command.CommandTimeout * 1000L);
        _session.ListenTo(cancellationToken);
        try
        {
            return await AsyncPump.RunAsync(_session.Queue, _session.Wire).ConfigureAwait(false);
        }
        finally
        {
            _session.StopListening();
            if (!_exchange.IsOver)
                _session.Operation.Quiet();
        }
    }

    // A token that is cancelled while nobody waits: what is on its way would go on coming, and closing the reader would have to take it all.
    private Task<T> Canceled<T>(CancellationToken cancellationToken) =>
        !_closed && !_exchange.IsOver && !_session.IsBroken && ReferenceEquals(_command.ReadersConnection?.ActiveReader, this)
            ? StopAsync<T>(cancellationToken)
            : Task.FromCanceled<T>(cancellationToken);

    // As if the token had been cancelled during a wait: the server is asked to stop, unless the rest has arrived already, and the session is in step when the
    // caller hears of it.
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
        _session.ListenTo(cancellationToken);
        try
        {
            return await AsyncPump.WaitAsync(_session.Queue, _session.Wire, step).ConfigureAwait(false);
        }
        finally
        {
            _session.StopListening();
        }
    }

    private void Over()
    {
        _command.EndTelemetry(_session, _exchange.Error);
        ThrowRefusal();
        // As for a scalar: the cancellation gave the session up before its operation ended.
        // Who reads to the end hears why, not from the next command that the connection is closed.
        if (!_closed && _session.IsBroken && ReferenceEquals(Connection.SessionOrNull, _session))
            throw Failed(_session.CreateLost());
        // And what an interruption cut short must not pass for complete because the server calls it a result.
        if (_closed || (_told & ReaderFlags.Interruption) != 0 || _session.Operation.Interruption is not (Interruption.TimedOut or Interruption.Canceled))
            return;
        _told |= ReaderFlags.Interruption;
        throw Connection.Source.CreateInterrupted(_session.Operation.Interrupted, _session.CallersToken);
    }

    private void ThrowRefusal()
    {
        if (_closed || _exchange.Error is not { } error || ReferenceEquals(error, _aside.Reported))
            return;
        _aside.Reported = error;
        _told |= ReaderFlags.Interruption;
        throw _command.Refused(Connection.Source.Translate(error, _session.Operation.Interrupted, _session.CallersToken));
    }

    // A value that could not be written, of a command behind those that have run.
    private void ThrowFailure()
    {
        if (_closed || _exchange is not { IsOver: true, ScalarFailure: { } failure })
            return;
        _told |= ReaderFlags.Failure;
        throw failure;
    }

    private Exception Failed(Exception exception)
    {
        if (exception is DbException or OperationCanceledException)
            return exception;
        if (exception is InvalidOperationException and not Errors.ProtocolException or InvalidCastException or IndexOutOfRangeException)
            return exception;
        if (_session.IsBroken && Connection.SessionOrNull is null)
            return Connection.ClosedUnder(exception);
        _closed = true;
        _aside.PassTurn();
        CommandTelemetry.Failed(_session, Connection.Source, exception);
        return Connection.Failed(_session, exception, _session.CallersToken);
    }

    /// <summary>Whether closing it before its end throws the error that the server has sent behind what was read; otherwise only telemetry tells.</summary>
    private protected virtual bool TellsErrorsWhenClosed => false;

    // What lies behind the rows that were read and nobody has heard of. Who has asked for an interruption knows.
    private Exception? Hidden(ProviderConnection connection)
    {
        if (!_exchange.IsOver)
            return null;
        if (TellsErrorsWhenClosed && _exchange.Error is { } error && !ReferenceEquals(error, _aside.Reported) && _session.Operation.Interruption == Interruption.None)
            return _command.Refused(connection.Source.Translate(error, Interruption.None, default));
        // Of a batch: the commands from that one on were not executed.
        return (_told & ReaderFlags.Failure) == 0 ? _exchange.ScalarFailure : null;
    }

    /// <summary>Marks the reader as closed and takes it off its connection.</summary>
    /// <returns>An error of the skipped results that closing must throw; null when there is none.</returns>
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
            _command.EndTelemetry(_session, _exchange.IsOver ? _exchange.Error : null);
            _command.Completed(_exchange);
            // The cancellation gave the session up in the moment in which the rest had been skipped: the connection must not stay open on it.
            if (_session.IsBroken && ReferenceEquals(connection.SessionOrNull, _session))
                connection.Failed(_session, _session.CreateLost(), default);
            else if ((Behavior & CommandBehavior.CloseConnection) != 0)
                connection.Close();
        }

        _aside.PassTurn();
        return hidden;
    }

    private void ThrowIfClosed()
    {
        if (_closed)
            throw new InvalidOperationException("The data reader is closed: read its values before it is disposed.");
    }
}
