using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The user's LOAD DATA: the statement, the rows from their source, then OK or ERR. The server may request only the file name in the statement. Source:
/// page_protocol_com_query_response_local_infile_request.
/// </summary>
/// <param name="session">The session, whose state the OK updates.</param>
/// <param name="sql">The statement.</param>
/// <param name="name">The file name that the server may request; null if the server reads a file of its own.</param>
/// <param name="rows">The rows; null if the server reads a file of its own.</param>
internal sealed class LoadDataExchange(SessionContext session, byte[] sql, string? name, Pieces? rows) : SimpleExchange
{
    private IEnumerator<Step>? _steps;

    public override string Description => "LOAD DATA";

    public override ExternalSource ExternalSource => rows ?? base.ExternalSource;

    /// <summary>Gets the number of rows that the table received.</summary>
    public long RowsInserted { get; private set; }

    public override void Encode(Wire wire)
    {
        // The statement may set user variables and fire triggers, so the next lease of the session gets a reset.
        session.State.MarkDirty();
        Query.Write(wire.Out, sql);                                                                 // C: LOAD DATA
    }

    public override Step Advance(Wire wire)
    {
        _steps ??= Run(wire).GetEnumerator();
        return _steps.MoveNext() ? _steps.Current : Step.Completed;
    }

    private IEnumerable<Step> Run(Wire wire)
    {
        IncomingPackets.BeginAnswer(wire, Packets.HeaderLength + 1 + sql.Length);
        bool isAsked;
        while (true)                                                                                // S: LOCAL INFILE Request, OK or ERR
        {
            if (IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
            {
                isAsked = Take(wire.In.AsSpan(at, length), mayAsk: true);
                break;
            }

            yield return Step.Receive;
        }

        if (!isAsked)
            yield break;
        foreach (var step in Send(wire))
            yield return step;
        while (true)                                                                                // S: OK or ERR
        {
            if (IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
            {
                Take(wire.In.AsSpan(at, length), mayAsk: false);
                yield break;
            }

            yield return Step.Receive;
        }
    }

    private IEnumerable<Step> Send(Wire wire)
    {
        session.RefuseLeftovers();
        var sequence = wire.Sequence;
        do
        {
            yield return Step.WaitExternal;
            // The server would insert the rows that it has received: only the end of the connection makes it discard them.
            if (rows!.Failure is { } failure)
                throw new SourceFailedException(failure);
            if (session.Operation.Interruption != Interruption.None)
                throw new WireException(WireFailure.Canceled, "LOAD DATA was interrupted: no row was inserted, and the connection is closed.");
            if (rows.Piece.Length > 0)
            {
                var at = wire.Out.Begin(sequence);
                wire.Out.Bytes(rows.Piece.Span);
                sequence = wire.Out.End(at);                                                        // C: rows
                yield return Step.Send;
            }

        }
        while (!rows.IsAtEnd);

        sequence = wire.Out.End(wire.Out.Begin(sequence));                                          // C: an empty packet
        yield return Step.Send;
        wire.Sequence = sequence;
    }

    /// <summary>Takes a packet. Returns true if the server requests the rows.</summary>
    private bool Take(ReadOnlySpan<byte> message, bool mayAsk)
    {
        var reader = new ByteReader(message);
        switch (reader.Byte())
        {
            case LocalInfileRequest.Header when mayAsk:
                if (name is null || LocalInfileRequest.Read(ref reader).FileName != name)
                    throw new ProtocolException("a request for the rows of this load (no file was read)", "a request for other data of this client");
                return true;
            case Ok.Header:
                var ok = Ok.Read(ref reader);
                if (!reader.Failed)
                    session.State.Update(ok, ref reader);
                if (reader.Failed)
                    break;
                RowsInserted = (long)ok.AffectedRows;
                return false;
            case Err.Header:
                var err = Err.Read(ref reader);
                if (reader.Failed)
                    break;
                Error = new ServerError(err.Number, err.SqlState, err.Message);
                Error = session.State.Refused(Error, mayHaveCommitted: !session.State.IsInTransaction, isBeginning: mayAsk);
                return false;
        }

        throw new ProtocolException(mayAsk ? "a LOCAL INFILE request, OK or ERR" : "OK or ERR in answer to rows", $"a packet of {message.Length} bytes");
    }

    /// <summary>The source of the rows failed. The inner exception is the cause.</summary>
    internal sealed class SourceFailedException(Exception failure) : Exception(failure.Message, failure);
}
