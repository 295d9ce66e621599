using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

// The packet that begins a result, and the one that ends its rows.
internal sealed partial class CommandExchange
{
    /// <summary>Reads OK, ERR, or the number of columns. True if the exchange is over.</summary>
    private bool TakeHeader(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        switch (reader.Peek())
        {
            case Ok.Header:
                reader.Skip(1);
                var ok = Ok.Read(ref reader);
                if (reader.Failed)
                    break;
                _info.Take(message[reader.Position..], _session.State.TracksSession);
                _session.State.Update(ok, ref reader);
                if (reader.Failed)
                    break;
                TakeOk(ok);
                if ((ok.Status & ServerStatus.MoreResultsExist) == 0)
                    return _form == CommandForm.QueryWithoutFile ? EndWithoutFile() : End();
                CountResult();
                return false;

            case Err.Header:
                reader.Skip(1);
                return Refused(ref reader, message.Length);

            case LocalInfileRequest.Header:
                RefuseFile();
                return false;

            default:
                var columns = reader.LengthEncoded();
                var definitionsFollow = !_session.State.CachesMetadata || reader.Byte() != 0;
                if (reader.Failed || reader.Remaining > 0 || columns > DefinitionBlock.MaxColumns)
                    break;
                _block.Begin((long)columns);
                if (definitionsFollow)
                {
                    _awaiting = Awaiting.Definitions;
                    return false;
                }

                // MariaDB: the definitions are those of last time.
                _metadata = _prepared?.Metadata is { } cached && cached.Columns.Length == (int)columns
                    ? cached
                    : throw new ProtocolException("column definitions", $"a result of {columns} columns without them");
                _awaiting = _session.State.DeprecatesEof ? Awaiting.Rows : Awaiting.DefinitionsEof;
                return false;
        }

        throw new ProtocolException(
            "OK, ERR or the number of columns",
            $"a packet of {message.Length} bytes beginning with 0x{(message.Length > 0 ? message[0] : 0):X2}");
    }

    // Another result is announced.
    private void CountResult()
    {
        if (++_furtherResults == MaxResults)
        {
            throw new ProtocolException(
                $"at most {MaxResults:N0} results of one command (send a longer script in several commands)", "another result");
        }
    }

    private void TakeOk(in Ok ok)
    {
        RecordsAffected = Math.Max(RecordsAffected, 0) + (long)ok.AffectedRows;
        if (ok.LastInsertId != 0)
        {
            LastInsertId = ok.LastInsertId;
            _session.State.MadeKey();
        }

        Warnings = ok.Warnings;
        var outcome = new StatementOutcome(0, (long)ok.AffectedRows, ok.LastInsertId, HasResultSet: false);
        Outcomes.Add(outcome);
        Listener?.ResultEnded(outcome);
    }

    private void Remember(ResultMetadata metadata)
    {
        _metadata = metadata;
        if (!IsFirstResult)
            return;
        if (_prepared is not null)
            _prepared.Metadata = metadata;
        else
            _statement.TextMetadata = metadata;
    }

    private Step Described(Wire wire)
    {
        _awaiting = Awaiting.Rows;
        _row.Describe(_metadata!, _prepared is not null);
        return Use.ShowsResults() ? Step.Metadata : Advance(wire);
    }

    private bool Refused(ref ByteReader reader, int length)
    {
        var err = Err.Read(ref reader);
        if (reader.Failed)
            throw new ProtocolException("a valid ERR packet", $"one of {length} bytes that cannot be decoded");
        var error = new ServerError(err.Number, err.SqlState, Explained(err.Number, err.Message));
        Proof = ProofOf(error);
        // If the error proves nothing, the caller gets it. The statement is prepared again in any case.
        if (_prepared is not null && LostStatement.MayBe(err.Number))
            _session.Prepared.Forget(_statement);
        Error = _session.State.Refused(error, _statement, IsFirstResult);
        if (IsFirstResult)
            _session.SendBuffer.CheckUnanswered(Error);
        // No server reports what the statement changed before it failed; a trigger may have changed something.
        _session.State.MarkDirty();
        // The server does not report whether it has read the types of the parameters.
        _prepared?.ForgetSent();
        return End();
    }

    private bool EndOfRows(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        if (reader.Byte() == Err.Header)                                    // S: ERR in the middle of the rows
            return Refused(ref reader, message.Length);
        ServerStatus status;
        if (_session.State.DeprecatesEof)
        {
            var ok = Ok.Read(ref reader);                                   // S: OK with the header of EOF
            Warnings = ok.Warnings;
            status = ok.Status;
            if (!reader.Failed)
                _session.State.Update(ok, ref reader, isInside: (status & ServerStatus.MoreResultsExist) != 0);
        }
        else
        {
            var eof = Eof.Read(ref reader);                                 // S: EOF
            Warnings = eof.Warnings;
            status = eof.Status;
            _session.State.Update(status);
        }

        if (reader.Failed)
            throw new ProtocolException("a row or the end of the rows", $"a packet of {message.Length} bytes beginning with 0x{message[0]:X2}");
        return EndOfResult(status);
    }

    /// <summary>True if the end of the result is an outcome.</summary>
    private bool EndOfResult(ServerStatus status)
    {
        EndScalar();
        var outcome = new StatementOutcome(0, 0, 0, HasResultSet: true);
        Outcomes.Add(outcome);
        Listener?.ResultEnded(outcome);
        if ((status & ServerStatus.MoreResultsExist) == 0)
            return End();
        CountResult();
        if (!Use.ShowsResults())
        {
            _awaiting = Awaiting.Header;
            return false;
        }

        HasMoreResults = true;
        _awaiting = Awaiting.NextResult;
        return true;
    }
}
