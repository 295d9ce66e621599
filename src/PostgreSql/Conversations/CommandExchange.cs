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
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// The answers to a command: one or several statements in the extended protocol, ended by one Sync.
/// The encoder announces each statement with <see cref="Expect"/> when it has written it. Source: PostgreSQL 18, 54.2.3 "Extended Query".
/// <code>
/// S: CloseComplete…, then for each statement: (CloseComplete? ParseComplete)? BindComplete (RowDescription | NoData)? DataRow… CommandComplete,
///    at last ReadyForQuery
/// </code>
/// An ErrorResponse may come in place of any message but ReadyForQuery; the server then skips everything up to the next Sync.
/// </summary>
internal sealed class CommandExchange : ResultExchange
{
    /// <summary>What the exchange waits for.</summary>
    private enum Awaited : byte
    {
        Nothing,
        CloseComplete,
        ParseComplete,
        BindComplete,
        Description,
        Rows,

        // The rest of a large row that is being read.
        LargeRow,

        // The rest of a large row that nobody wants.
        DroppedRow,
        ReadyForQuery,

        // The flight has been answered, and the plan must write the next one.
        NextFlight,
    }

    /// <summary>What becomes of the rows.</summary>
    private enum RowUse : byte
    {
        // The caller gets each row.
        Shown,

        // The first row holds the scalar.
        Scalar,

        // The first result has passed: the scalar was taken, or does not exist.
        AfterScalar,

        // The caller wants only the counts, or no longer reads.
        Skipped,
    }

    /// <summary>What the caller knows about the current result.</summary>
    private enum ResultStage : byte
    {
        Unknown,

        // The caller got the columns.
        Announced,

        // The caller got the end, and has not asked for the next result yet.
        Ended,
    }

    private readonly ISessionHost _session;
    private readonly ServerState _state;
    private readonly PreparedStatements _prepared;
    private readonly PgRow _row = new();
    private readonly ExpectedStatements _expected = new();
    private readonly LargeRows _largeRows;
    private readonly Repetition _repetition;
    private HeldByCaller<IBatchPlan> _plan;
    private HeldByCaller<IOutputs> _outputs;
    private Awaited _awaited;
    private RowUse _rows;
    private ResultStage _result;
    private int _closes;

    // The first error of a batch that continues after errors. The caller gets it at the end.
    private ServerError? _refusal;

    // What was written must be sent before anything is received.
    private bool _mustSend;

    // A CopyFail was sent. The server answers it with an error that repeats its text.
    private bool _hasRefusedCopy;
    private bool _wasPrepared;

    /// <summary>The one exchange of a session, used for all its commands and batches.</summary>
    /// <param name="session">The session that runs the exchange.</param>
    /// <param name="state">Gets what the answers show about the server's state.</param>
    /// <param name="prepared">The session's prepared statements.</param>
    /// <param name="maxValueBytes">Bytes of a value from which the session ends instead of filling the memory.</param>
    /// <param name="maxRowBytes">The most bytes of a row that are held at once.</param>
    public CommandExchange(ISessionHost session, ServerState state, PreparedStatements prepared, long maxValueBytes, long maxRowBytes)
    {
        (_session, _state, _prepared) = (session, state, prepared);
        _largeRows = new(_row, maxValueBytes, maxRowBytes);
        _repetition = new(state, prepared, _expected);
    }

    public override Row Row => _row;

    public override bool IsPrepared => _wasPrepared;

    /// <summary>The index of the first command of a batch that the server refused; −1 if it refused none.</summary>
    public int FirstRefused { get; private set; } = -1;

    /// <inheritdoc cref="ExpectedStatements.Number"/>
    public int Number => _expected.Number;

    /// <summary>What follows if a prepared statement that is written from now on turns out to be stale.</summary>
    public WhenStale WhenStale { get; set; }

    /// <summary>Which columns the caller wants as text: set after <see cref="Prepare"/>, which sets it to null for none.</summary>
    public UnknownColumns? UnknownColumns { private get; set; }

    /// <inheritdoc cref="Repetition.CanRestoreTransaction"/>
    public bool CanRepeat => _repetition.CanRestoreTransaction;

    /// <summary>How many statements are expected: the argument of <see cref="ForgetFrom"/> that takes back all that is written from now on.</summary>
    public int ExpectedCount => _expected.Count;

    // ---------------------------------------------------------------- writing

    /// <summary>Starts a new command or batch.</summary>
    /// <param name="plan">The batch; null for a command.</param>
    public void Prepare(IBatchPlan? plan)
    {
        _plan.Set(plan);
        UnknownColumns = null;
        _repetition.Prepare();
        _expected.Start();
    }

    /// <summary>Whether the exchange is a command of one statement, after whose answers nothing but a repetition follows.</summary>
    public bool IsOnePlanned => !_plan.IsSet && _expected.IsOnePlanned;

    /// <summary>The following statements belong to this command.</summary>
    public void BeginCommand(PgStatement statement, int command) => _expected.BeginCommand(statement, command);

    /// <summary>
    /// Keeps a copy of a Bind without its result formats. If the server reports that the prepared statement no longer exists, or would now return other
    /// columns, nothing has been executed, and the exchange prepares it anew and binds again.
    /// </summary>
    /// <param name="writer">Has the Bind.</param>
    /// <param name="start">Where the Bind begins.</param>
    /// <returns>False if it is too long. (A batch is written again from its values.)</returns>
    public bool Remember(ByteWriter writer, int start) => _plan.IsSet || _repetition.Remember(writer, start);

    /// <summary>All messages of a statement have been written. (If a value is refused, the Parse before it is taken back, too.)</summary>
    /// <param name="part">The statement.</param>
    /// <param name="prepared">The prepared statement in this session; null for the unnamed statement.</param>
    /// <param name="parses">A Parse was written.</param>
    /// <param name="describes">A Describe was written.</param>
    /// <param name="executes">Bind and Execute were written.</param>
    /// <param name="closes">A Close was written before the Parse.</param>
    /// <param name="parameterTypes">The hash of the types of its parameters; 0 if it is not described.</param>
    /// <exception cref="NotSupportedException">The statement follows a COPY … FROM STDIN.</exception>
    public void Expect(
        StatementPart part, PreparedPart? prepared, bool parses, bool describes, bool executes, bool closes = false, ulong parameterTypes = 0)
    {
        // The server would take the messages of this statement for data, and close the connection.
        if (_expected.EndsWithCopyFromClient)
            throw new NotSupportedException("COPY … FROM STDIN cannot be executed as a command, and other statements follow it in the text: nothing was sent. "
                + "Use BeginBinaryImport, BeginTextImport or BeginRawBinaryCopy of the connection.");
        if (part.MayCommit && _expected.Purpose == Purpose.Command)
            _session.MayCommit();
        _expected.Add(part, prepared, parses, describes, executes, closes, parameterTypes);
    }

    /// <summary>A Sync was written after the expected statements.</summary>
    public void EndOfGroup() => _expected.EndGroup();

    public override void LeaveRow()
    {
        _row.Clear();
        _largeRows.Leave();
    }

    /// <summary>Writing failed: nothing of what was written will be sent.</summary>
    public void Forget() => _expected.Clear();

    /// <summary>Writing failed after <paramref name="count"/> statements: only those will be sent.</summary>
    public void ForgetFrom(int count) => _expected.RemoveFrom(count);

    // ---------------------------------------------------------------- running

    /// <summary>Everything has been written: the exchange runs from now on.</summary>
    /// <param name="goal">What the caller wants.</param>
    /// <param name="scalar">Gets the scalar.</param>
    /// <param name="closes">How many Close messages come first.</param>
    /// <param name="isSequential">The caller reads large values from the wire.</param>
    /// <param name="outputs">Gets the first row, in addition to the caller.</param>
    public void Begin(Goal goal, ScalarTarget? scalar, int closes, bool isSequential, IOutputs? outputs = null)
    {
        _outputs.Set(outputs);
        _rows = goal switch
        {
            Goal.Rows => RowUse.Shown,
            Goal.Scalar => RowUse.Scalar,
            _ => RowUse.Skipped,
        };
        Scalar = scalar;
        _largeRows.AreSequential = isSequential && goal == Goal.Rows;
        _hasRefusedCopy = _mustSend = false;
        Part = null;
        ScalarFailure = null;
        IsCompleted = false;
        FirstRefused = -1;
        BeginAnswers(closes);
    }

    private void BeginAnswers(int closes)
    {
        _closes = closes;
        _result = ResultStage.Unknown;
        HasMoreResults = false;
        if (_rows == RowUse.AfterScalar)
            _rows = RowUse.Scalar;
        _repetition.Allow();
        Error = _refusal = null;
        RecordsAffected = -1;
        Outcomes.Clear();
        _row.Begin(null);
        _awaited = closes > 0 ? Awaited.CloseComplete : FirstOf(_expected.Current);
    }

    public override void NextResult()
    {
        if (_result == ResultStage.Ended)
            _result = ResultStage.Unknown;
        HasMoreResults = false;
    }

    public override void SkipRest()
    {
        NextResult();
        _rows = RowUse.Skipped;
    }

    public override Step Advance(Wire wire)
    {
        // The usual case by far: the next row has arrived already. (After the end of a result other answers than rows are awaited.)
        if (_awaited == Awaited.Rows && _rows == RowUse.Shown && !_outputs.IsSet)
        {
            if (!Messages.TryTake(wire, out var type, out var start, out var end))
                return BeginLargeRow(wire) ? AdvanceOther(wire) : Step.Receive;
            if (type == BackendMessage.DataRow)
            {
                if (_largeRows.AreSequential && ReturnLargeRow(wire, start, end))
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
            if (_result == ResultStage.Ended)
                return Step.Completed;
            switch (_awaited)
            {
                case Awaited.Nothing:
                    return Step.Completed;
                case Awaited.NextFlight:
                    BeginFlight();
                    continue;
                case Awaited.LargeRow:
                    if (AdvanceLargeRow(wire) is { } step)
                        return step;
                    continue;
                case Awaited.DroppedRow:
                    if (!_largeRows.TryDrop(wire))
                        return Step.Receive;
                    _awaited = Awaited.Rows;
                    continue;
            }

            if (!Messages.TryTake(wire, out var type, out var start, out var end))
            {
                if (BeginLargeRow(wire))
                    continue;
                return Step.Receive;
            }

            if (Take(wire, type, start, end) is { } outcome)
                return outcome;
        }
    }

    private Step End()
    {
        Error ??= _refusal;
        _wasPrepared = _expected.BeginsPrepared;
        _expected.Clear();
        _plan.Set(null);
        _outputs.Set(null);
        _awaited = Awaited.Nothing;
        HasMoreResults = false;
        IsCompleted = true;
        return Step.Completed;
    }

    // ---------------------------------------------------------------- messages

    // Null when the message completes nothing that the caller waits for.
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
                Ended(new(CommandKind.None, 0));
                return EndStatement();
            case BackendMessage.BindComplete when _awaited == Awaited.BindComplete:
                return Bound();
            case BackendMessage.RowDescription when _awaited == Awaited.Description:
                return Described(ResultMetadata.From(body, _expected.Current.Part.LikelyResult(_expected.Current.ParameterTypes), _state.Types));
            case BackendMessage.NoData when _awaited == Awaited.Description:
                return Described(null);
            case BackendMessage.ParameterDescription when _awaited == Awaited.Description && !_expected.Current.Executes:
                return null;
            case BackendMessage.ParseComplete when _awaited == Awaited.ParseComplete:
                _expected.Current.Prepared?.IsParsed = true;
                _awaited = _expected.Current.Executes ? Awaited.BindComplete : Awaited.Description;
                return null;
            case BackendMessage.CloseComplete when _awaited == Awaited.CloseComplete:
                Closed();
                return null;
            case BackendMessage.ErrorResponse:
                return Refused(wire, Messages.ReadError(body));
            case BackendMessage.ReadyForQuery when _awaited == Awaited.ReadyForQuery:
                _state.TransactionStatus = Messages.ReadStatus(body);
                if (!_state.IsInTransaction)
                    _session.Committed();
                return EndGroup(wire);
            case BackendMessage.CopyInResponse when _awaited == Awaited.Rows:
                return _expected.Current.EndsGroup ? RefuseCopyIn(wire) : null;
            case BackendMessage.CopyOutResponse when _awaited == Awaited.Rows:
                // The data that follows is dropped. The caller gets the refusal after all of it has passed.
                Error ??= NoCopy;
                _rows = RowUse.Skipped;
                return null;
            case BackendMessage.CopyData or BackendMessage.CopyDone when _awaited == Awaited.Rows && Error is not null:
                return null;
            default:
                Messages.TakeAsynchronous(_session, _state, type, body, _awaited.ToString());
                return null;
        }
    }

    private static Awaited FirstOf(ExpectedStatement expected) =>
        expected.Closes ? Awaited.CloseComplete
        : expected.Parses ? Awaited.ParseComplete
        : expected.Executes ? Awaited.BindComplete
        : Awaited.Description;

    private void Closed()
    {
        if (_closes == 0)
        {
            _expected.Current.Prepared!.Close();
            _awaited = Awaited.ParseComplete;
        }
        else if (--_closes == 0)
            _awaited = FirstOf(_expected.Current);
    }

    private Step? Bound()
    {
        _expected.Current.Prepared?.LockedIn = _state.TransactionNumber;
        if (_expected.Current.Describes)
        {
            _awaited = Awaited.Description;
            return null;
        }

        return ToRows(_expected.Current.Prepared!.Result);
    }

    private Step? Described(ResultMetadata? result)
    {
        _expected.Current.Part.LearnResult(result, _expected.Current.ParameterTypes);
        if (_expected.Current.Executes)
        {
            _expected.Current.Prepared?.Describe(result);
            return ToRows(result);
        }

        // The caller wanted only the description.
        var announced = ToRows(result);
        var ended = EndStatement();
        return announced ?? ended;
    }

    private Step? ToRows(ResultMetadata? result)
    {
        if (UnknownColumns is { } unknown && result is not null)
            result = unknown.Apply(result, Outcomes.Count == 0);
        _row.Begin(result);
        _awaited = Awaited.Rows;
        if (_plan.IsSet && result is not null)
            _outputs.Set(_plan.Value.TakeOutputs(_expected.Current.Command));
        if (result is null || _rows != RowUse.Shown)
            return null;
        _result = ResultStage.Announced;
        _repetition.RuleOut();
        return Step.Metadata;
    }

    private void Completed(ReadOnlySpan<byte> body)
    {
        var complete = Messages.ReadComplete(body);
        var current = _expected.Current;
        if (current.Purpose == Purpose.EndOfBatch)
            return;
        if (complete.RecordsAffected >= 0)
            RecordsAffected = Math.Max(RecordsAffected, 0) + complete.RecordsAffected;
        if (current.Purpose == Purpose.Command)
            Ended(complete);
        if (current.Part.MayReturnRows && current.Purpose == Purpose.Command)
            _repetition.RuleOut();
        if (complete.EndsTransaction || (complete.MayMoveNames && current.Part.MayCommit && CanCommitInside))
            _session.Committed();
        _state.Completed(complete, current.Part, hasColumns: _row.Metadata is not null);
    }

    // CALL and DO, which may contain a COMMIT only outside of transactions.
    private bool CanCommitInside => !_state.IsInTransaction && !_state.BeginsTransaction;

    private void Ended(in CommandComplete complete)
    {
        var outcome = new StatementOutcome((byte)complete.Kind, complete.Rows, complete.Oid, _row.Metadata is not null);
        Outcomes.Add(outcome);
        _plan.ValueOrNull?.Completed(_expected.Current.Command, outcome);
    }

    private Step? EndStatement()
    {
        if (_row.Metadata is not null)
        {
            _outputs.Set(null);
            // Only the first result contains the scalar.
            if (_rows == RowUse.Scalar && _expected.Current.Executes)
                _rows = RowUse.AfterScalar;
        }

        if (!_expected.Current.EndsGroup)
            return Next();
        _awaited = Awaited.ReadyForQuery;
        return null;
    }

    private Step? EndGroup(Wire wire)
    {
        if (_repetition.IsDue)
            return Repeat(wire);
        var isLast = _expected.Current.Purpose == Purpose.EndOfBatch || _expected.IsAtLast && _plan.ValueOrNull is not { HasMore: true };
        return isLast || Error is not null ? End() : Next();
    }

    // To the next statement. If the caller knows of a result that has ended now, the exchange pauses until the caller wants the next one.
    private Step? Next()
    {
        var executes = _expected.Current.Executes;
        _awaited = _expected.MoveNext() ? FirstOf(_expected.Current) : Awaited.NextFlight;
        if (_result != ResultStage.Announced || _rows == RowUse.Skipped)
        {
            _result = ResultStage.Unknown;
            return null;
        }

        _result = ResultStage.Ended;
        HasMoreResults = true;
        return executes ? Step.Completed : null;
    }

    private Step? Refused(Wire wire, ErrorFields error)
    {
        var refusal = _hasRefusedCopy ? NoCopy : error.ToServerError();
        if (error.EndsSession)
        {
            // The server closes the connection: no ReadyForQuery follows. What the command has committed stays.
            Error = refusal with { Safety = RetrySafety.Unknown };
            _session.Break(error.MessageText);
            return End();
        }

        _state.Refused();
        var current = _expected.Current;
        if (current.Purpose == Purpose.EndOfBatch)
        {
            ToEndOfGroup(wire);
            return null;
        }

        refusal = _session.Judge(refusal, isWhole: _plan.ValueOrNull?.IsWhole ?? _expected.AreWhole, isOnly: !_plan.IsSet && _expected.Count == 1);
        // A procedure may have committed before it failed.
        if (current.Part.Effect != SettingsEffect.None)
            _state.SettingsMayHaveChanged(current.Part.Effect);
        // Some types have no binary form. Formats that the server refused must not be guessed again.
        if (_awaited < Awaited.Rows)
            current.Part.LearnResult(null, current.ParameterTypes);
        if (_awaited == Awaited.BindComplete && current.Prepared is { } bound
            && StaleErrors.Classify(error, bound.Name) is not Staleness.None and var staleness)
        {
            refusal = _repetition.Discard(refusal, staleness, _plan.ValueOrNull);
        }

        if (FirstRefused < 0)
            FirstRefused = current.Command;
        if (_plan.ValueOrNull is { ContinuesAfterErrors: true })
            _refusal ??= refusal;
        else
            Error = refusal;

        _plan.ValueOrNull?.Refused(current.Command, refusal);
        ToEndOfGroup(wire);
        return null;
    }

    // After an error the server skips everything up to the next Sync. If that belongs to a later flight, it is sent now.
    private void ToEndOfGroup(Wire wire)
    {
        if (!_expected.MoveToEndOfGroup())
        {
            _plan.ValueOrNull?.SkipGroup();
            Sync.Write(wire.Out);
            _mustSend = true;
        }

        _awaited = Awaited.ReadyForQuery;
    }

    // ---------------------------------------------------------------- rows

    // Nobody reads the row, whatever it contains.
    private bool IsDiscarded => !_outputs.IsSet && _rows is RowUse.AfterScalar or RowUse.Skipped;

    // Output parameters are filled from the whole row.
    private bool IsStreaming => _largeRows.AreSequential && !_outputs.IsSet;

    private Step? TakeRow(Wire wire, int start, int end)
    {
        if (IsDiscarded || (IsStreaming && ReturnLargeRow(wire, start, end)))
            return null;
        _row.Set(wire.In, start, end);
        return DeliverRow();
    }

    // The whole row has arrived.
    private Step? DeliverRow()
    {
        if (_outputs.IsSet)
            TakeOutputs();
        if (_rows == RowUse.Shown)
            return Step.Row;
        if (_rows == RowUse.Scalar)
            TakeScalar();
        return null;
    }

    private void TakeOutputs()
    {
        var outputs = _outputs.Value;
        _outputs.Set(null);
        try
        {
            outputs.Take(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure = exception;
        }
    }

    // If a value cannot be converted to the requested type, the exchange still runs to its end.
    private void TakeScalar()
    {
        _rows = RowUse.AfterScalar;
        try
        {
            // A function that returns void has no scalar.
            if (_row.FieldCount > 0 && (_row.FormOf(0).Kind != ColumnKind.Void || _row.IsNull(0)))
                Scalar!.Take(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure = exception;
        }
    }

    // A large row that has arrived whole is read like one that has not.
    private bool ReturnLargeRow(Wire wire, int start, int end) => LargeRows.TryReturn(wire, start, end) && BeginLargeRow(wire);

    // True if the message that has not arrived completely is a row too large to wait for.
    private bool BeginLargeRow(Wire wire)
    {
        if (_awaited != Awaited.Rows || _row.Metadata is not { } metadata
            || !_largeRows.TryBegin(wire, metadata.Count, streams: IsStreaming, isWanted: !IsDiscarded))
        {
            return false;
        }

        _awaited = IsDiscarded ? Awaited.DroppedRow : Awaited.LargeRow;
        return true;
    }

    // Continues a large row, or finishes it if the caller already has it. Null when the row has ended and the caller waits for something else.
    private Step? AdvanceLargeRow(Wire wire)
    {
        var reader = _largeRows.Reader;
        if (Part is not null)
        {
            if (!reader.TryFinish(wire))
                return Step.Receive;
            Part = null;
            _awaited = Awaited.Rows;
            return null;
        }

        if (reader.Advance(wire) is var step && step != Step.Completed)
            return step;
        if (reader.IsSequential)
        {
            Part = reader;
            return Step.Row;
        }

        _awaited = Awaited.Rows;
        return DeliverRow();
    }

    // ---------------------------------------------------------------- flights

    // The next part of a batch, after the answers to the previous part.
    private void BeginFlight()
    {
        _expected.Clear();
        var plan = _plan.Value;
        if (plan.Refusal is null)
            plan.WriteNext(this);
        if (_expected.Count == 0 && !BeginEnd(plan))
            return;
        _awaited = FirstOf(_expected.Current);
        _mustSend = true;
    }

    // A value could not be written, and everything before it has run. False if no transaction remains to be ended.
    private bool BeginEnd(IBatchPlan plan)
    {
        ScalarFailure ??= plan.Refusal;
        if (plan.ContinuesAfterErrors && !plan.HasOpenGroup)
        {
            End();
            return false;
        }

        _expected.Purpose = Purpose.EndOfBatch;
        plan.WriteEnd(this);
        return true;
    }

    private Step? Repeat(Wire wire)
    {
        var begin = wire.Out.Length;
        var closes = _prepared.WriteCloses(wire.Out);
        if (!_plan.IsSet)
            _repetition.WriteCommand(wire.Out);
        else
        {
            Scalar?.Clear();
            _expected.Start();
            _repetition.WriteBeginning(wire.Out);
            var beginning = _expected.Count;
            _plan.Value.WriteAgain(this);
            // The server has undone everything, and the first value can no longer be written.
            if (_expected.Count == beginning)
            {
                wire.Out.Truncate(begin);
                ScalarFailure ??= _plan.Value.Refusal;
                return End();
            }
        }

        _prepared.ClosesWritten(closes);
        FirstRefused = -1;
        BeginAnswers(closes);
        _mustSend = true;
        return null;
    }

    // ---------------------------------------------------------------- COPY, which is not supported here

    private static ServerError NoCopy => new(
        0, "0A000",
        "COPY from and to the client is not supported as a command: use BeginBinaryImport, BeginBinaryExport, BeginTextImport, BeginTextExport or "
            + "BeginRawBinaryCopy of the connection.");

    // The server ignores the Sync that was already sent, because it waits for data. (If more statements follow, it refuses those.)
    private Step RefuseCopyIn(Wire wire)
    {
        _hasRefusedCopy = true;
        CopyFail.Write(wire.Out, NoCopy.Message);
        Sync.Write(wire.Out);
        return Step.Send;
    }
}
