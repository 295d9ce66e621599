using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// A call of a stored procedure or function: where needed the question for its parameters, then the call, whose output parameters come as a result
/// set of their own that the caller does not see. A prepared CALL ends with the flag SERVER_PS_OUT_PARAMS (with CLIENT_PS_MULTI_RESULTS); a text selects
/// variables under a name of ours. Source: "Stored Procedures: CALL" (page_protocol_command_phase_sp).
/// </summary>
internal sealed class ProcedureExchange(SessionContext session, CommandExchange one) : ResultExchange
{
    private enum Awaiting : byte
    {
        Nothing,
        Declaration,
        Results,

        /// <summary>The first row of what looks like output parameters.</summary>
        Outputs,

        /// <summary>What stands behind that row says what it was.</summary>
        BehindOutputs,

        /// <summary>They were none: the row that was held is the next one.</summary>
        HeldRow,
        HeldEnd,
    }

    private readonly bool _deprecateEof = (session.State.Capabilities & Capabilities.DeprecateEof) != 0;
    private IProcedureCall _call = null!;
    private Awaiting _awaiting;
    private Goal _goal;
    private int _results;
    private bool _skips;
    private bool _isShown;
    private bool _anyResult;

    public override Row Row => one.Row;

    /// <summary>The first value that the call made for an AUTO_INCREMENT column; 0 when it made none.</summary>
    public ulong LastInsertId => one.LastInsertId;

    /// <summary>Only the columns of the results are wanted, and no row; set for the call that has just begun.</summary>
    public bool HidesRows { get; set; }

    /// <summary>Begins with the call, or with the question for the parameters when the call cannot be written without.</summary>
    /// <param name="call">What is called.</param>
    /// <param name="goal">What the caller wants of it.</param>
    /// <param name="scalar">Where the first value goes.</param>
    /// <param name="asks">The call was refused as it stood: begin with the question.</param>
    public void Begin(IProcedureCall call, Goal goal, ScalarTarget? scalar, bool asks = false)
    {
        session.State.MarkHeld();
        HidesRows = false;
        (_call, _goal, _skips, _isShown, _anyResult) = (call, goal, false, false, false);
        Scalar = scalar;
        ScalarFailure = null;
        Error = null;
        RecordsAffected = -1;
        HasMoreResults = false;
        if (asks || call.MustAsk(session))
            Ask();
        else
            Call();
        IsOver = false;
    }

    public override void NextResult()
    {
        if (!HasMoreResults)
            throw new InvalidOperationException("The current result has not been read to its end, or there is no other.");
        HasMoreResults = _isShown = false;
        one.NextResult();
    }

    // The rows still pass through here: output parameters may be among them.
    public override void SkipRest()
    {
        _skips = true;
        if (HasMoreResults)
            NextResult();
    }

    public override Step Advance(Wire wire)
    {
        while (true)
        {
            switch (_awaiting)
            {
                case Awaiting.Nothing:
                    return Step.Completed;
                case Awaiting.BehindOutputs:
                    if (IsBehindOutputs(wire) is not { } areOutputs)
                        return Step.Receive;
                    if (TakeHeld(areOutputs) is { } held)
                        return held;
                    continue;
                case Awaiting.HeldRow:
                    _awaiting = Awaiting.Results;
                    if (TakeRow() is { } row)
                        return row;
                    continue;
                case Awaiting.HeldEnd:
                    _awaiting = Awaiting.Results;
                    if (EndOfResult() is { } end)
                        return end;
                    continue;
            }

            var step = one.Advance(wire);
            if (step is not (Step.Metadata or Step.Row or Step.Completed))
                return step;
            if (Take(step) is { } told)
                return told;
        }
    }

    // ---------------------------------------------------------------- what the inner exchange says

    // Null when the caller is not concerned.
    private Step? Take(Step step) => (_awaiting, step) switch
    {
        (Awaiting.Declaration, Step.Row) => TakeDeclaration(),
        (Awaiting.Declaration, Step.Completed) => Declared(),
        (Awaiting.Declaration, _) => null,
        (Awaiting.Outputs, Step.Row) => Hold(),
        (Awaiting.Outputs, _) => NoOutputs(),
        (_, Step.Metadata) => TakeDescription(),
        (_, Step.Row) => TakeRow(),
        _ => EndOfResult(),
    };

    private Step? TakeDeclaration()
    {
        try
        {
            _call.TakeDeclaration(one.OwnRow);
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("the question for the parameters", exception);
        }

        return null;
    }

    private Step Declared()
    {
        if (one.Error is not null)
            return End();
        var mark = session.Wire.Out.Length;
        try
        {
            if (!_call.Declared(session))
                return End();
            Call();
            session.RefuseLeftovers();
            return Step.Send;
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            // A parameter is missing, or a value cannot be written: nothing was called, and the session is in step.
            session.Wire.Out.Truncate(mark);
            ScalarFailure = exception;
            return End();
        }
    }

    private Step? TakeDescription()
    {
        _anyResult = true;
        if (_call.MayBeOutputs(one.OwnRow.Metadata))
        {
            _awaiting = Awaiting.Outputs;
            return null;
        }

        return Show();
    }

    private Step? Show()
    {
        _results++;
        if (_goal != Goal.Rows || _skips)
            return null;
        _isShown = true;
        return Step.Metadata;
    }

    private Step? TakeRow()
    {
        try
        {
            _call.TakeReturned(one.OwnRow);
            // It is in the first result, or nowhere.
            if (_goal == Goal.Scalar && _results == 1 && Scalar is { HasValue: false } && ScalarFailure is null)
                Scalar.Take(one.Row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure ??= exception;
        }

        return _goal == Goal.Rows && !_skips && !HidesRows ? Step.Row : null;
    }

    private Step? EndOfResult()
    {
        if (one.IsOver)
        {
            // Refused before anything ran: the procedure is not the one that was known.
            if (one.Error is { } error && !_anyResult && _call.AsksAgain(error))
            {
                Ask();
                session.RefuseLeftovers();
                return Step.Send;
            }

            return End();
        }

        if (_isShown && !_skips)
        {
            HasMoreResults = true;
            return Step.Completed;
        }

        one.NextResult();
        return null;
    }

    // ---------------------------------------------------------------- output parameters

    private Step? Hold()
    {
        one.OwnRow.Keep();
        _awaiting = Awaiting.BehindOutputs;
        return null;
    }

    // Output parameters are always one row: this is something else.
    private Step? NoOutputs()
    {
        _awaiting = Awaiting.HeldEnd;
        return Show();
    }

    private Step? TakeHeld(bool areOutputs)
    {
        if (!areOutputs)
        {
            _awaiting = Awaiting.HeldRow;
            return Show();
        }

        _awaiting = Awaiting.Results;
        _isShown = false;
        try
        {
            _call.TakeOutputs(one.OwnRow);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            ScalarFailure ??= exception;
        }

        return null;
    }

    /// <summary>Whether the result set whose row is held is that of the output parameters; null while what tells has not arrived.</summary>
    private bool? IsBehindOutputs(Wire wire)
    {
        if (_call.OutputsAreSelected)
            return true;
        var length = IncomingPackets.PeekLength(wire);
        if (length < 0 || (length < Packets.MaxPayload && wire.Buffered < Packets.HeaderLength + 1))
            return null;
        var at = wire.Start + Packets.HeaderLength;
        if (length == 0 || length == Packets.MaxPayload || wire.In[at] != Eof.Header)
            return false;
        if (wire.Buffered < Packets.HeaderLength + length)
        {
            wire.Want = Packets.HeaderLength + length;
            return null;
        }

        var reader = new ByteReader(wire.In.AsSpan(at + 1, length - 1));
        var status = _deprecateEof ? Ok.Read(ref reader).Status : Eof.Read(ref reader).Status;
        return !reader.Failed && (status & ServerStatus.OutParameters) != 0;
    }

    // ---------------------------------------------------------------- beginning and end

    private void Ask()
    {
        _awaiting = Awaiting.Declaration;
        _call.EncodeQuestion(session);
    }

    private void Call()
    {
        _awaiting = Awaiting.Results;
        _isShown = _anyResult = false;
        _results = 0;
        _call.EncodeCall(session);
    }

    private Step End()
    {
        // The refusal that made it ask stands when nothing else was found out.
        Error = one.Error ?? (_awaiting == Awaiting.Declaration && ScalarFailure is null ? _call.Refusal : null);
        ScalarFailure ??= one.ScalarFailure;
        RecordsAffected = _awaiting == Awaiting.Declaration ? -1 : one.RecordsAffected;
        _awaiting = Awaiting.Nothing;
        HasMoreResults = false;
        IsOver = true;
        _call.Over(Error);
        return Step.Completed;
    }
}

/// <summary>What is called, and where its values go.</summary>
internal interface IProcedureCall
{
    /// <summary>Whether the call cannot be written before the server has told the parameters.</summary>
    bool MustAsk(SessionContext session);

    /// <summary>Appends the question and begins its answer.</summary>
    void EncodeQuestion(SessionContext session);

    /// <summary>One parameter, as <see cref="Statements.StoredPrograms.Columns"/> tells it.</summary>
    void TakeDeclaration(MySqlRow row);

    /// <summary>All have been told. True when there is something to call; false when what was refused would be refused again.</summary>
    bool Declared(SessionContext session);

    /// <summary>The refusal for which the declaration was asked for.</summary>
    ServerError? Refusal { get; }

    /// <summary>Appends the call and begins its answer.</summary>
    void EncodeCall(SessionContext session);

    /// <summary>Whether a refusal says that the declaration has changed, and has not been asked for because of one.</summary>
    bool AsksAgain(ServerError error);

    /// <summary>Whether a result set can be that of the output parameters.</summary>
    bool MayBeOutputs(ResultMetadata metadata);

    /// <summary>True when they are selected under a name of ours: no flag is needed to tell them.</summary>
    bool OutputsAreSelected { get; }

    /// <summary>Their only row.</summary>
    void TakeOutputs(MySqlRow row);

    /// <summary>A row that is shown, too: what a function gives back.</summary>
    void TakeReturned(MySqlRow row);

    /// <summary>The call has ended.</summary>
    void Over(ServerError? error);
}
