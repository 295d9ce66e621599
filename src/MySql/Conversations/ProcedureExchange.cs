using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// A call of a stored procedure or function: the question for its parameters if that is needed, then the call. The output parameters come as a result
/// set of their own, which the caller does not see. A prepared CALL ends with the flag SERVER_PS_OUT_PARAMS (with CLIENT_PS_MULTI_RESULTS); a text selects
/// variables under a name of ours. Source: "Stored Procedures: CALL" (page_protocol_command_phase_sp).
/// </summary>
internal sealed class ProcedureExchange(SessionContext session, CommandExchange one) : RowsExchange
{
    private enum Awaiting : byte
    {
        Nothing,

        /// <summary>The rows that declare the parameters.</summary>
        Declaration,

        /// <summary>The answer to the call: no result has come.</summary>
        Answer,

        /// <summary>A result, its rows, or what follows it.</summary>
        Results,

        /// <summary>The first row of what looks like output parameters.</summary>
        Outputs,

        /// <summary>The packet after that row, which shows what the row was.</summary>
        AfterOutputs,

        /// <summary>The end of the result set of the output parameters.</summary>
        OutputsEnd,

        /// <summary>They were not output parameters: the row that was held is the next one.</summary>
        HeldRow,

        /// <summary>They were not output parameters: the result without rows ends.</summary>
        HeldEnd,
    }

    private HeldByCaller<IProcedureCall> _call;
    private Awaiting _awaiting;

    public override Row Row => one.Row;

    public override void LeaveRow() => one.LeaveRow();

    public override StatementOutcomes Outcomes => one.Outcomes;

    /// <summary>Gets the first value that the call generated for an AUTO_INCREMENT column; 0 if it generated none.</summary>
    public ulong LastInsertId => one.LastInsertId;

    /// <summary>Begins with the call, or with the question for the parameters if the call cannot be written without it.</summary>
    /// <param name="call">What is called.</param>
    /// <param name="goal">What the caller wants from it.</param>
    /// <param name="scalar">Where the first value goes.</param>
    public void Begin(IProcedureCall call, Goal goal, ScalarTarget? scalar) => Begin(call, RowUses.For(goal, streams: false), scalar, asks: false);

    /// <summary>Begins with the call, or with the question for the parameters.</summary>
    /// <param name="call">What is called.</param>
    /// <param name="use">What becomes of the rows.</param>
    /// <param name="scalar">Where the first value goes.</param>
    /// <param name="asks">True if the call was refused as it stood: begin with the question.</param>
    public void Begin(IProcedureCall call, RowUse use, ScalarTarget? scalar, bool asks)
    {
        session.State.MarkHeld();
        _call.Set(call);
        BeginRows(use, scalar);
        Error = null;
        RecordsAffected = -1;
        HasMoreResults = false;
        if (asks || call.MustAsk(session))
            Ask();
        else
            Call();
        IsCompleted = false;
    }

    public override void NextResult()
    {
        if (!HasMoreResults)
            throw new InvalidOperationException("The current result has not been read to its end, or there is no other.");
        HasMoreResults = false;
        one.NextResult();
    }

    // The rows still pass through here: output parameters may be among them.
    public override void SkipRest()
    {
        SkipRows();
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
                case Awaiting.AfterOutputs:
                    if (AreOutputs(wire) is not { } areOutputs)
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
            if (Take(step) is { } outcome)
                return outcome;
        }
    }

    // ---------------------------------------------------------------- the outcomes of the inner exchange

    // Null if the caller is not concerned.
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
            _call.Value.TakeDeclaration(one.OwnRow);
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("the query for the parameters", exception);
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
            if (!_call.Value.Declared(session))
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
        if (_call.Value.MayBeOutputs(one.OwnRow.Metadata))
        {
            _awaiting = Awaiting.Outputs;
            return null;
        }

        _awaiting = Awaiting.Results;
        return Show();
    }

    private Step? Show() => Use.ShowsResults() ? Step.Metadata : null;

    private Step? TakeRow()
    {
        try
        {
            _call.Value.TakeReturned(one.OwnRow);
            if (Use == RowUse.Scalar)
                TakeScalar(one.Row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            Fail(exception);
        }

        return Use.ShowsRows() ? Step.Row : null;
    }

    private void Fail(Exception exception)
    {
        ScalarFailure ??= exception;
        EndScalar();
    }

    private Step? EndOfResult()
    {
        if (one.IsCompleted)
        {
            // Refused before anything ran: the procedure is not the one that was known.
            if (one.Error is { } error && _awaiting == Awaiting.Answer && _call.Value.IsDeclarationOutdated(error))
            {
                Ask();
                session.RefuseLeftovers();
                return Step.Send;
            }

            return End();
        }

        if (_awaiting == Awaiting.OutputsEnd)
            _awaiting = Awaiting.Results;
        else
        {
            EndScalar();
            if (Use.ShowsResults())
            {
                HasMoreResults = true;
                return Step.Completed;
            }
        }

        one.NextResult();
        return null;
    }

    // ---------------------------------------------------------------- output parameters

    private Step? Hold()
    {
        one.OwnRow.Keep();
        _awaiting = Awaiting.AfterOutputs;
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

        _awaiting = Awaiting.OutputsEnd;
        try
        {
            _call.Value.TakeOutputs(one.OwnRow);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            Fail(exception);
        }

        return null;
    }

    /// <summary>Returns whether the row that is held has the output parameters; null while the packet that shows it has not arrived.</summary>
    private bool? AreOutputs(Wire wire)
    {
        if (_call.Value.OutputsAreSelected)
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
        var status = session.State.DeprecatesEof ? Ok.Read(ref reader).Status : Eof.Read(ref reader).Status;
        return !reader.Failed && (status & ServerStatus.OutParameters) != 0;
    }

    // ---------------------------------------------------------------- beginning and end

    private void Ask()
    {
        _awaiting = Awaiting.Declaration;
        _call.Value.EncodeQuestion(session);
    }

    private void Call()
    {
        _awaiting = Awaiting.Answer;
        _call.Value.EncodeCall(session);
    }

    private Step End()
    {
        // If the question found nothing, the refusal that led to it is the call's error.
        Error = one.Error ?? (_awaiting == Awaiting.Declaration && ScalarFailure is null ? _call.Value.Refusal : null);
        ScalarFailure ??= one.ScalarFailure;
        RecordsAffected = _awaiting == Awaiting.Declaration ? -1 : one.RecordsAffected;
        _awaiting = Awaiting.Nothing;
        HasMoreResults = false;
        IsCompleted = true;
        _call.Value.Complete(Error);
        return Step.Completed;
    }
}
