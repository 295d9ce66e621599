using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// The answers to a command: one or several statements in the extended protocol, ended by one Sync.
/// What is expected was said with <see cref="Expect"/> while the command was encoded. Source: PostgreSQL 18, 54.2.3 "Extended Query".
/// <code>
/// S: CloseComplete…, then for each statement: (CloseComplete? ParseComplete)? BindComplete (RowDescription | NoData)? DataRow… CommandComplete,
///    at last ReadyForQuery
/// </code>
/// An ErrorResponse may come in place of anything but ReadyForQuery; the server then skips everything up to that.
/// </summary>
/// <param name="session">Hears of what concerns all of it.</param>
/// <param name="state">What its answers tell of the server.</param>
/// <param name="prepared">What is prepared.</param>
/// <param name="maxValueBytes">Bytes of a value beyond which the session ends instead of filling the memory.</param>
/// <param name="maxRowBytes">The most that is held of one row.</param>
internal sealed partial class CommandExchange(ISessionHost session, ServerState state, PreparedStatements prepared, long maxValueBytes, long maxRowBytes) : ResultExchange
{
    private enum Awaited : byte
    {
        Nothing,
        CloseComplete,
        ParseComplete,
        BindComplete,
        Description,
        Rows,
        ReadyForQuery,
    }

    // Closes: it is closed before it is parsed anew. EndsGroup: a Sync stands behind it.
    private readonly record struct Expected(
        PgStatement Statement, int Command, StatementPart Part, PreparedPart? Prepared, bool Parses, bool Describes, bool Executes, bool Closes = false, bool EndsGroup = false);

    private readonly PgRow _row = new();
    private readonly List<Expected> _expected = [];
    private LargeRow? _large;
    private IOutputs? _outputs;
    private Awaited _awaited;
    private Goal _goal;
    private int _closes;
    private int _index;
    private long _drop;
    private bool _isSequential;
    private bool _isPaused;
    private bool _skips;
    private bool _scalarSeen;
    private bool _inLargeRow;
    private bool _isAnnounced;
    private bool _hasAnnounced;
    // Functions that the user's statements have called may have done what no rollback undoes.
    private bool _hasQueried;
    private bool _hasRefusedCopy;
    private bool _wasPrepared;

    public override Row Row => _row;

    /// <summary>Everything has been written: from now on the exchange runs.</summary>
    /// <param name="goal">What the caller wants.</param>
    /// <param name="scalar">Where a scalar goes.</param>
    /// <param name="closes">How many Close messages stand in front.</param>
    /// <param name="isSequential">Large values are read from the wire.</param>
    /// <param name="outputs">Who takes the first row, besides the caller.</param>
    public void Begin(Goal goal, ScalarTarget? scalar, int closes, bool isSequential, IOutputs? outputs = null)
    {
        _outputs = outputs;
        _goal = goal;
        Scalar = scalar;
        _isSequential = isSequential;
        _drop = 0;
        _skips = _inLargeRow = _hasRefusedCopy = _mustSend = _hasAnnounced = false;
        Part = null;
        ScalarFailure = null;
        IsOver = false;
        FirstRefused = -1;
        BeginAnswers(closes);
    }

    private void BeginAnswers(int closes)
    {
        _closes = closes;
        _index = 0;
        _isPaused = _scalarSeen = _isAnnounced = _hasQueried = _needsFlight = _mustRepeat = _isEnding = HasMoreResults = false;
        Error = _refusal = null;
        RecordsAffected = -1;
        _row.Begin(null);
        _awaited = closes > 0 ? Awaited.CloseComplete : FirstOf(_expected[0]);
    }

    public override void NextResult()
    {
        _isPaused = false;
        HasMoreResults = false;
    }

    public override void SkipRest()
    {
        _isPaused = false;
        HasMoreResults = false;
        _skips = true;
    }

    public override Step Advance(Wire wire)
    {
        // The usual case by far: the next row has arrived already.
        if (_awaited == Awaited.Rows && _goal == Goal.Rows && !_skips && !_isPaused && !_inLargeRow && _drop == 0 && _outputs is null)
        {
            if (!Messages.TryTake(wire, out var type, out var start, out var end))
                return BeginLarge(wire) ? AdvanceOther(wire) : Step.Receive;
            if (type == BackendMessage.DataRow)
            {
                if (_isSequential && TakeBack(wire, start, end))
                    return AdvanceOther(wire);
                _row.Set(wire.In, start, end);
                return Step.Row;
            }

            if (Take(wire, type, start, end) is { } outcome)
                return outcome;
        }

        return AdvanceOther(wire);
    }

    private Step AdvanceOther(Wire wire)
    {
        while (true)
        {
            if (_mustSend && wire.Out.Length > 0)
                return Step.Send;
            _mustSend = false;
            if (_isPaused || _awaited == Awaited.Nothing)
                return Step.Completed;
            if (_needsFlight)
            {
                BeginFlight();
                continue;
            }

            if (_inLargeRow)
            {
                if (AdvanceLarge(wire) is { } step)
                    return step;
                continue;
            }

            if (_drop > 0 && !Drop(wire))
                return Step.Receive;
            if (!Messages.TryTake(wire, out var type, out var start, out var end))
            {
                if (BeginLarge(wire))
                    continue;
                return Step.Receive;
            }

            if (Take(wire, type, start, end) is { } outcome)
                return outcome;
        }
    }

    // ---------------------------------------------------------------- messages

    // Null when nothing has come of it that the caller waits for.
    private Step? Take(Wire wire, BackendMessage type, int start, int end)
    {
        var body = wire.In.AsSpan(start, end - start);
        switch (type)
        {
            case BackendMessage.DataRow when _awaited == Awaited.Rows && _row.Metadata is not null:
                return TakeRow(wire, start, end);
            case BackendMessage.CommandComplete when _awaited == Awaited.Rows:
                Completed(body);
                return EndStatement();
            case BackendMessage.EmptyQueryResponse or BackendMessage.PortalSuspended when _awaited == Awaited.Rows:
                return EndStatement();
            case BackendMessage.BindComplete when _awaited == Awaited.BindComplete:
                return Bound();
            case BackendMessage.RowDescription when _awaited == Awaited.Description:
                return Described(ResultMetadata.From(body, Current.Part.LastResult));
            case BackendMessage.NoData when _awaited == Awaited.Description:
                return Described(null);
            case BackendMessage.ParameterDescription when _awaited == Awaited.Description && !Current.Executes:
                return null;
            case BackendMessage.ParseComplete when _awaited == Awaited.ParseComplete:
                Current.Prepared?.IsParsed = true;
                _awaited = Current.Executes ? Awaited.BindComplete : Awaited.Description;
                return null;
            case BackendMessage.CloseComplete when _awaited == Awaited.CloseComplete:
                Closed();
                return null;
            case BackendMessage.ErrorResponse:
                return Refused(wire, Messages.ReadError(body));
            case BackendMessage.ReadyForQuery when _awaited == Awaited.ReadyForQuery:
                state.TransactionStatus = Messages.ReadStatus(body);
                return EndGroup(wire);
            case BackendMessage.CopyInResponse when _awaited == Awaited.Rows:
                return Current.EndsGroup ? RefuseCopyIn(wire) : null;
            case BackendMessage.CopyOutResponse when _awaited == Awaited.Rows:
                // What follows is nobody's any more: the caller hears of the refusal when all of it has passed.
                Error ??= NoCopy;
                _skips = true;
                return null;
            case BackendMessage.CopyData or BackendMessage.CopyDone when _awaited == Awaited.Rows && Error is not null:
                return null;
            default:
                Messages.TakeAsynchronous(session, state, type, body, _awaited.ToString());
                return null;
        }
    }

    // Nobody looks at the row, whatever it has.
    private bool IsUnwanted => _outputs is null && (_skips || _goal == Goal.Count || (_goal == Goal.Scalar && _scalarSeen));

    private Step? TakeRow(Wire wire, int start, int end)
    {
        if (IsUnwanted || (IsStreaming && TakeBack(wire, start, end)))
            return null;
        _row.Set(wire.In, start, end);
        return HandOut();
    }

    // The row has arrived, as a whole.
    private Step? HandOut()
    {
        if (_outputs is not null)
            TakeOutputs();
        if (_skips || _goal == Goal.Count)
            return null;
        if (_goal == Goal.Rows)
            return Step.Row;
        if (!_scalarSeen)
            TakeScalar();
        return null;
    }

    private void TakeOutputs()
    {
        var outputs = _outputs!;
        _outputs = null;
        try
        {
            outputs.Take(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure = exception;
        }
    }

    // A value that cannot be had as the type that was asked for is no reason to leave the exchange in the middle.
    private void TakeScalar()
    {
        _scalarSeen = true;
        try
        {
            // A function that returns nothing leaves none.
            if (_row.FieldCount > 0 && (_row.FormOf(0).Kind != ColumnKind.Void || _row.IsNull(0)))
                Scalar!.Take(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure = exception;
        }
    }

    private void Closed()
    {
        if (_closes == 0)
        {
            Current.Prepared!.Close();
            _awaited = Awaited.ParseComplete;
        }
        else if (--_closes == 0)
            _awaited = FirstOf(_expected[0]);
    }

    private Step? Bound()
    {
        Current.Prepared?.LockedIn = state.TransactionNumber;
        if (Current.Describes)
        {
            _awaited = Awaited.Description;
            return null;
        }

        return ToRows(Current.Prepared!.Result);
    }

    private Step? Described(ResultMetadata? result)
    {
        Current.Part.LastResult = result;
        if (Current.Executes)
        {
            Current.Prepared?.Describe(result);
            return ToRows(result);
        }

        // Only the description was wanted.
        _row.Begin(result);
        _awaited = Awaited.Rows;
        _hasAnnounced |= _isAnnounced = result is not null && _goal == Goal.Rows && !_skips;
        var described = _isAnnounced;
        var ended = EndStatement();
        return described ? Step.Metadata : ended;
    }

    private Step? ToRows(ResultMetadata? result)
    {
        _row.Begin(result);
        _awaited = Awaited.Rows;
        _hasAnnounced |= _isAnnounced = result is not null && _goal == Goal.Rows && !_skips;
        return _isAnnounced ? Step.Metadata : null;
    }

    private void Completed(ReadOnlySpan<byte> body)
    {
        var complete = Messages.ReadComplete(body);
        if (_isEnding)
            return;
        if (complete.RecordsAffected >= 0)
        {
            RecordsAffected = Math.Max(RecordsAffected, 0) + complete.RecordsAffected;
            _plan?.Changed(Current.Command, complete.RecordsAffected);
        }

        if (Current.Part.Effect != SettingsEffect.None)
            state.SettingsMayHaveChanged(Current.Part.Effect);
        if (Current.Part.MovesPath)
            state.PathMayHaveMoved();
        _hasQueried |= Current.Part.MayReturnRows && !ReferenceEquals(Current.Statement, _undoAndBegin);
        if (complete.Prepares)
            state.NamesStatements();
        else if (complete.RollsBack)
            state.RolledBack();
        else if (complete.EndsTransaction)
            state.Committed();
        else if (complete.DropsPrepared)
            prepared.Clear();
        else if (complete.MayMoveNames || (complete.Kind == CommandKind.Select && _row.Metadata is null))
            state.NamesHaveMoved();
        else if (complete.FreesNames)
            state.NamesMayGoBack();
    }

    private Step? EndStatement()
    {
        if (_row.Metadata is not null)
            _outputs = null;
        // Only the first result has the scalar.
        _scalarSeen |= _row.Metadata is not null && Current.Executes;
        if (!Current.EndsGroup)
            return Next();
        _awaited = Awaited.ReadyForQuery;
        return null;
    }

    private Step? EndGroup(Wire wire)
    {
        if (_mustRepeat && (_beginning is not null || !state.IsInTransaction))
            return Repeat(wire);
        var isLast = _isEnding || _index + 1 >= _expected.Count && _plan is not { HasMore: true };
        return isLast || Error is not null ? End() : Next();
    }

    // To the next statement, after a pause when the caller knows of a result that has ended now.
    private Step? Next()
    {
        var (hadRows, executes) = (_isAnnounced, Current.Executes);
        _isAnnounced = false;
        if (++_index < _expected.Count)
            _awaited = FirstOf(Current);
        else
        {
            _needsFlight = true;
            _awaited = Awaited.ReadyForQuery;
        }

        if (!hadRows || _skips)
            return null;
        _isPaused = HasMoreResults = true;
        return executes ? Step.Completed : null;
    }

    private Step? Refused(Wire wire, ErrorFields error)
    {
        var refusal = _hasRefusedCopy ? NoCopy : error.ToServerError();
        if (error.EndsSession)
        {
            // The server closes: no ReadyForQuery will come.
            Error = refusal;
            session.Break(error.MessageText);
            return End();
        }

        state.Refused();
        if (_isEnding)
        {
            ToEndOfGroup(wire);
            return null;
        }

        // A procedure may have committed before it failed.
        if (Current.Part.Effect != SettingsEffect.None)
            state.SettingsMayHaveChanged(Current.Part.Effect);
        // A guess of formats that the server cannot make (some types have no binary form) must not be made again.
        if (_awaited < Awaited.Rows)
            Current.Part.LastResult = null;
        if (_awaited == Awaited.BindComplete && Current is { Prepared: not null, Parses: false } && MayBeStale(error.SqlState))
            refusal = BeStale(refusal, IsStale(error, Current.Prepared!.Name));
        if (FirstRefused < 0)
            FirstRefused = Current.Command;
        if (_continues)
            _refusal ??= refusal;
        else
            Error = refusal;

        _plan?.Refused(Current.Command, refusal);
        ToEndOfGroup(wire);
        return null;
    }

    private Step End()
    {
        Error ??= _refusal;
        _wasPrepared = _expected.Count > 0 && _expected[0].Prepared is not null;
        ForgetExpected();
        _plan = null;
        _awaited = Awaited.Nothing;
        HasMoreResults = false;
        IsOver = true;
        return Step.Completed;
    }

    private Expected Current => _expected[_index];

    public override bool IsPrepared => _wasPrepared;

    // ---------------------------------------------------------------- COPY, which is not here

    private static ServerError NoCopy => new(0, "0A000", "COPY from and to the client is not supported as a command: use PgBulkCopy to write rows, SELECT to read them, or COPY with a file of the server.");

    // The Sync that was sent already is ignored while the server waits for data. (With more statements behind, those are what it refuses.)
    private Step RefuseCopyIn(Wire wire)
    {
        _hasRefusedCopy = true;
        CopyFail.Write(wire.Out, NoCopy.Message);
        Sync.Write(wire.Out);
        return Step.Send;
    }

    private static Awaited FirstOf(Expected expected) =>
        expected.Closes ? Awaited.CloseComplete : expected.Parses ? Awaited.ParseComplete : expected.Executes ? Awaited.BindComplete : Awaited.Description;
}
