using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

// The rows of a result: whom they are for, those larger than the buffer, and what stands behind the last one.
internal sealed partial class CommandExchange
{
    /// <summary>Whether the caller is to be told of the row that has been set.</summary>
    private bool IsWanted()
    {
        if (_goal == Goal.Rows)
            return !_skips && !HidesRows;
        if (AwaitsScalar)
            TakeScalar();
        return false;
    }

    private void TakeScalar()
    {
        try
        {
            Scalar!.Take(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            // The value cannot be had as that type: the exchange goes on to its end, the session stays in sync.
            ScalarFailure = exception;
        }
    }

    // A row that has not arrived whole: wait for the rest, or take it apart while it arrives.
    private Step MissingRow(Wire wire)
    {
        var length = IncomingPackets.PeekLength(wire);
        if (length < (_streams ? MessagePart.StreamedFrom : wire.Levers.PassesLargeValues ? LargeRow.OwnArrayFrom : Packets.MaxPayload))
            return Step.Receive;
        return TakeApart(wire);
    }

    // A row that has arrived whole, and was taken, is read as one is that has not.
    private Step TakeBack(Wire wire, int at)
    {
        wire.Start = at - Packets.HeaderLength;
        wire.Sequence--;
        return TakeApart(wire);
    }

    private Step TakeApart(Wire wire)
    {
        _inLargeRow = true;
        _large.Begin(wire, _metadata!, _binary, !IsRowWanted ? LargeRowUse.Skip : _streams ? LargeRowUse.Pass : LargeRowUse.Hold);
        return AdvanceLargeRow(wire) ?? Advance(wire);
    }

    private bool IsRowWanted => !_skips && !HidesRows && (_goal == Goal.Rows || AwaitsScalar);

    // It is in the first result that has columns, or nowhere.
    private bool AwaitsScalar => _goal == Goal.Scalar && !_scalarIsDone && Scalar is { HasValue: false } && ScalarFailure is null;

    /// <summary>Null when the large row is behind us and nobody wanted it, or it had been shown before.</summary>
    private Step? AdvanceLargeRow(Wire wire)
    {
        if (Part is not null)
        {
            // It was shown, and the caller has moved on.
            Part = null;
            _large.SkipRest();
        }

        if (_large.Advance(wire) == Step.Receive)
            return Step.Receive;
        if (_large.IsSkipped)
        {
            _inLargeRow = false;
            return null;
        }

        if (_streams)
        {
            Part = _large;
            return Step.Row;
        }

        _inLargeRow = false;
        return IsWanted() ? Step.Row : null;
    }

    private bool IsStale(ReadOnlySpan<byte> message) => ErrorIn(message) is { } error && ProvesStale(error);

    private bool IsConversion(ReadOnlySpan<byte> message) => _isFirstResult && _prepared is not null && ErrorIn(message) is { } error && IsConversion(error);

    // ER_IMPOSSIBLE_STRING_CONVERSION, in the server's own words: it reads the parameters before it executes anything.
    private static bool IsConversion(ServerError error) =>
        error is { Number: 3988, SqlState: "HY000" } && error.Message.StartsWith("Conversion from collation ", StringComparison.Ordinal)
        && error.Message.EndsWith(" impossible for parameter", StringComparison.Ordinal);

    private ServerError? ErrorIn(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        if (reader.Byte() != Err.Header || _session.Operation.Interruption != Interruption.None)
            return null;
        var err = Err.Read(ref reader);
        return reader.Failed ? null : new(err.Number, err.SqlState, err.Message);
    }

    // False when the text cannot be said either: the server's error is the answer.
    private bool SaysAsText(Wire wire)
    {
        _session.RefuseLeftovers();
        var (at, mark) = (wire.Out.TotalLength, wire.Out.Length);
        try
        {
            TextInstead!.EncodeText(_session);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            wire.Out.Truncate(mark);
            return false;
        }

        TextInstead = null;
        _repeats = null;
        _prepared!.ForgetSent();
        _prepared = null;
        _binary = false;
        _commandLength = wire.Out.TotalLength - at;
        _awaiting = Awaiting.Answer;
        return true;
    }

    // What a procedure has executed before it failed, it may have executed in SQL: EXECUTE fails with the same message.
    private bool ProvesStale(ServerError error) => _isFirstResult && _prepared is { } prepared && _statement.KeepsPrepared && LostStatement.IsProven(error, prepared.Id);

    // Nothing has been executed: it is prepared and executed anew, once; where that is refused the text's own answer counts.
    private Step PrepareAgain()
    {
        var execution = _repeats!;
        _repeats = null;
        _session.Prepared.Forget(_statement);
        _prepared = null;
        _execution.Begin(_statement, execution.PrepareAgain(_session), execution, sentLength: 0, isAutomatic: true);
        _awaiting = Awaiting.Prepared;
        return Step.Send;
    }

    private bool EndOfRows(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        if (reader.Byte() == Err.Header)                                    // S: ERR in the middle of the rows
            return Refused(ref reader, message.Length);
        ServerStatus status;
        if (_deprecateEof)
        {
            var ok = Ok.Read(ref reader);                                   // S: OK with the header of EOF
            Warnings = ok.Warnings;
            status = ok.Status;
            if (!reader.Failed)
                _session.State.Learn(ok, ref reader, isInside: (status & ServerStatus.MoreResultsExist) != 0);
        }
        else
        {
            var eof = Eof.Read(ref reader);                                 // S: EOF
            Warnings = eof.Warnings;
            status = eof.Status;
            _session.State.Learn(status);
        }

        if (reader.Failed)
            throw new ProtocolException("a row or the end of the rows", $"a packet of {message.Length} bytes beginning with 0x{message[0]:X2}");
        return EndOfResult(status);
    }

    /// <summary>True when the caller is to be told.</summary>
    private bool EndOfResult(ServerStatus status)
    {
        _isFirstResult = false;
        _scalarIsDone = true;
        Listener?.ResultEnded(withRows: true, 0);
        if ((status & ServerStatus.MoreResultsExist) == 0)
            return End();
        CountResult();
        _awaiting = Awaiting.Header;
        if (_goal != Goal.Rows || _skips)
            return false;
        HasMoreResults = true;
        _awaiting = Awaiting.NextResult;
        return true;
    }
}
