using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// The answers to a command: one or several statements in the extended protocol, ended by one Sync. What is expected was said with <see cref="Expect"/> while the
/// command was encoded. Source: PostgreSQL 18, 54.2.3 "Extended Query".
/// <code>
/// S: CloseComplete…, then for each statement: ParseComplete? BindComplete (RowDescription | NoData)? DataRow… CommandComplete, at last ReadyForQuery
/// </code>
/// An ErrorResponse may come in place of anything but ReadyForQuery; the server then skips everything up to that.
/// </summary>
internal sealed partial class CommandExchange(PgSession session) : ResultExchange
{
    /// <summary>Copying what is larger would cost more than the rare repetition saves; then the error is the caller's.</summary>
    private const int LongestRemembered = 16 * 1024;

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

    private readonly record struct Expected(StatementPart Part, PreparedPart? Prepared, bool Parses, bool Describes, bool Executes);

    private readonly PgRow _row = new();
    private readonly List<Expected> _expected = [];
    private LargeRow? _large;
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
    private bool _hasRefusedCopy;
    private PgStatement? _statement;
    private readonly ByteWriter _bind = new(256);
    private bool _mustRepeat;

    public override Row Row => _row;

    /// <summary>Starts to say what will be expected.</summary>
    public void Prepare(PgStatement statement)
    {
        _statement = statement;
        _expected.Clear();
        _bind.Clear();
    }

    /// <summary>
    /// Keeps a copy of a Bind up to its result formats: when the server says that the prepared statement has gone or would return other columns now, nothing has been done yet,
    /// and the exchange prepares it anew and binds again by itself.
    /// </summary>
    public void Remember(ReadOnlySpan<byte> bind)
    {
        if (bind.Length <= LongestRemembered)
            _bind.Bytes(bind);
    }

    /// <summary>One statement's messages have been written.</summary>
    /// <param name="part">The statement.</param>
    /// <param name="prepared">As it is prepared in this session, if it is.</param>
    /// <param name="parses">A Parse was written.</param>
    /// <param name="describes">A Describe was written.</param>
    /// <param name="executes">Bind and Execute were written.</param>
    public void Expect(StatementPart part, PreparedPart? prepared, bool parses, bool describes, bool executes) =>
        _expected.Add(new(part, prepared, parses, describes, executes));

    /// <summary>Everything has been written: from now on the exchange runs.</summary>
    /// <param name="goal">What the caller wants.</param>
    /// <param name="scalar">Where a scalar goes.</param>
    /// <param name="closes">How many Close messages stand in front.</param>
    /// <param name="isSequential">Large values are read from the wire.</param>
    public void Begin(Goal goal, ScalarTarget? scalar, int closes, bool isSequential)
    {
        _goal = goal;
        Scalar = scalar;
        _closes = closes;
        _isSequential = isSequential;
        _index = 0;
        _drop = 0;
        _isPaused = _skips = _scalarSeen = _inLargeRow = _hasRefusedCopy = _mustRepeat = false;
        Part = null;
        Error = null;
        ScalarFailure = null;
        RecordsAffected = -1;
        HasMoreResults = false;
        IsOver = false;
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
        if (_awaited == Awaited.Rows && _goal == Goal.Rows && !_skips && !_isPaused && !_inLargeRow && _drop == 0)
        {
            if (!Messages.TryTake(wire, out var type, out var start, out var end))
                return BeginLarge(wire) ? AdvanceOther(wire) : Step.Receive;
            if (type == BackendMessage.DataRow)
            {
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
            if (_isPaused || _awaited == Awaited.Nothing)
                return Step.Over;
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
                if (--_closes == 0)
                    _awaited = FirstOf(_expected[0]);
                return null;
            case BackendMessage.ErrorResponse:
                return Refused(Messages.ReadError(body));
            case BackendMessage.ReadyForQuery when _awaited == Awaited.ReadyForQuery:
                session.TransactionStatus = Messages.ReadStatus(body);
                return _mustRepeat && !session.IsInTransaction ? Repeat(wire) : End();
            case BackendMessage.CopyInResponse when _awaited == Awaited.Rows:
                return _index == _expected.Count - 1 ? RefuseCopyIn(wire) : null;
            case BackendMessage.CopyOutResponse when _awaited == Awaited.Rows:
                Error ??= NoCopy;
                return null;
            case BackendMessage.CopyData or BackendMessage.CopyDone when _awaited == Awaited.Rows && Error is not null:
                return null;
            default:
                session.TakeAsynchronous(type, body, _awaited.ToString());
                return null;
        }
    }

    private Step? TakeRow(Wire wire, int start, int end)
    {
        if (_skips || _goal == Goal.Count)
            return null;
        if (_goal == Goal.Rows)
        {
            _row.Set(wire.In, start, end);
            return Step.Row;
        }

        if (!_scalarSeen)
        {
            _row.Set(wire.In, start, end);
            TakeScalar();
        }

        return null;
    }

    // A value that cannot be had as the type that was asked for is no reason to leave the exchange in the middle.
    private void TakeScalar()
    {
        _scalarSeen = true;
        try
        {
            if (_row.FieldCount > 0)
                Scalar!.Take(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure = exception;
        }
    }

    private Step? Bound()
    {
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
        var described = result is not null && _goal == Goal.Rows && !_skips;
        var ended = EndStatement();
        if (!described)
            return ended;
        return Step.Described;
    }

    private Step? ToRows(ResultMetadata? result)
    {
        _row.Begin(result);
        _awaited = Awaited.Rows;
        return result is not null && _goal == Goal.Rows && !_skips ? Step.Described : null;
    }

    private void Completed(ReadOnlySpan<byte> body)
    {
        var complete = Messages.ReadComplete(body);
        if (complete.RecordsAffected >= 0)
            RecordsAffected = Math.Max(RecordsAffected, 0) + complete.RecordsAffected;
        if (complete.DropsPrepared)
            session.Prepared.Clear();
        else if (complete.MayMoveNames || (complete.Kind == CommandKind.Select && _row.Metadata is null))
            session.NamesMayMeanOthers();
    }

    private Step? EndStatement()
    {
        var hadRows = _row.Metadata is not null;
        if (++_index == _expected.Count)
        {
            _awaited = Awaited.ReadyForQuery;
            return null;
        }

        _awaited = FirstOf(_expected[_index]);
        if (!hadRows || _goal != Goal.Rows || _skips)
            return null;
        _isPaused = HasMoreResults = true;
        return Current.Executes ? Step.Over : null;
    }

    private Step? Refused(ErrorFields error)
    {
        Error = _hasRefusedCopy ? NoCopy : error.ToServerError();
        if (error.EndsSession)
        {
            // The server closes: no ReadyForQuery will come.
            session.Break(error.MessageText);
            return End();
        }

        // A guess of formats that the server cannot make (some types have no binary form) must not be made again.
        if (_index < _expected.Count && _awaited < Awaited.Rows)
            Current.Part.LastResult = null;

        if (_awaited == Awaited.BindComplete && Current is { Prepared.IsParsed: true, Parses: false } && IsStale(error.SqlState))
            BeStale(error);

        _awaited = Awaited.ReadyForQuery;
        return null;
    }

    // What was prepared is not there any more (26000), or would return other columns than it did (0A000, "cached plan must not change result type"), or means nothing any more
    // by what its parameters once were (class 42, Syntax Error or Access Rule Violation).
    private static bool IsStale(string sqlState) => sqlState is "26000" or "0A000" || sqlState.StartsWith("42", StringComparison.Ordinal);

    // It is prepared anew: now when nothing is lost by that; in a transaction, which the error has ended, at the next execution.
    private void BeStale(ErrorFields error)
    {
        _mustRepeat = _expected.Count == 1 && _bind.Length > 0;
        if (session.Prepared.Remove(_statement!) is { } stale)
            session.CloseLater(stale);
        if (error.SqlState == "26000")
            session.AutoPreparation.Lost();
        if (error.SqlState is "26000" or "0A000")
            Error = Error! with { Message = $"{Error.Message} (It was prepared before that changed. Its next execution prepares it anew; inside a transaction, which has failed now, it could not be repeated.)" };
    }

    private Step Repeat(Wire wire)
    {
        var (part, old, _, _, _) = _expected[0];
        var prepared = new PreparedPart(session.NewStatementName(), old!.ParameterTypes);
        _closes = session.WriteCloses();
        session.ClosesWritten();
        Parse.Write(wire.Out, prepared.Name, part.Sql, prepared.ParameterTypes);           // C: Parse, Bind, Describe, Execute, Sync
        Bind.Again(wire.Out, _bind.Written, old.Name, prepared.Name);
        Describe.Portal(wire.Out);
        Execute.Write(wire.Out);
        Sync.Write(wire.Out);
        if (session.Prepared.Add(_statement!, new PreparedStatement([prepared])) is { } evicted)
            session.CloseLater(evicted);
        _expected[0] = new(part, prepared, Parses: true, Describes: true, Executes: true);
        _mustRepeat = false;
        Error = null;
        _awaited = _closes > 0 ? Awaited.CloseComplete : Awaited.ParseComplete;
        return Step.Send;
    }

    private Step End()
    {
        _awaited = Awaited.Nothing;
        HasMoreResults = false;
        IsOver = true;
        return Step.Over;
    }

    // ---------------------------------------------------------------- COPY, which is not here

    private static ServerError NoCopy => new(0, "0A000", "COPY from and to the client is not supported yet: use INSERT and SELECT, or COPY with a file of the server.");

    // The Sync that was sent already is ignored while the server waits for data. (With more statements behind, those are what it refuses.)
    private Step RefuseCopyIn(Wire wire)
    {
        _hasRefusedCopy = true;
        CopyFail.Write(wire.Out, NoCopy.Message);
        Sync.Write(wire.Out);
        return Step.Send;
    }

    private Expected Current => _expected[_index];

    private static Awaited FirstOf(Expected expected) => expected.Parses ? Awaited.ParseComplete : expected.Executes ? Awaited.BindComplete : Awaited.Description;
}
