using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Protocol.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>
/// Decodes the messages of one stream of pgoutput: it knows the tables that were described, and in which kind of transaction the stream is. Source: PostgreSQL
/// 18, 54.5 "Logical Streaming Replication Protocol" and 54.9 "Logical Replication Message Formats".
/// </summary>
internal sealed class PgOutputDecoder
{
    private readonly bool _sendsParallelAborts;
    private readonly WalBuffer _buffer;
    private readonly RelationCache _relations;
    private readonly ReplicationTuple _newRow;
    private readonly ReplicationTuple _oldRow;
    private readonly InsertMessage _insert;
    private readonly DefaultUpdateMessage _defaultUpdate;
    private readonly IndexUpdateMessage _indexUpdate;
    private readonly FullUpdateMessage _fullUpdate;
    private readonly KeyDeleteMessage _keyDelete;
    private readonly FullDeleteMessage _fullDelete;
    private Place _place;

    /// <param name="sendsParallelAborts">Whether rollbacks of streamed transactions have the fields of the parallel mode.</param>
    /// <param name="types">The types of the database.</param>
    /// <param name="buffer">Holds the current message.</param>
    public PgOutputDecoder(bool sendsParallelAborts, TypeCatalogue types, WalBuffer buffer)
    {
        (_sendsParallelAborts, _buffer, _relations) = (sendsParallelAborts, buffer, new(types));
        (_newRow, _oldRow) = (new(buffer), new(buffer));
        _insert = new(_newRow);
        _defaultUpdate = new(_newRow);
        _indexUpdate = new(_oldRow, _newRow);
        _fullUpdate = new(_oldRow, _newRow);
        _keyDelete = new(_oldRow);
        _fullDelete = new(_oldRow);
    }

    private enum Place : byte
    {
        /// <summary>Between transactions.</summary>
        Outside,

        /// <summary>After Begin.</summary>
        Transaction,

        /// <summary>After Begin Prepare.</summary>
        Prepared,

        /// <summary>After Stream Start: most messages contain their transaction.</summary>
        Block,
    }

    private bool IsStreamed => _place == Place.Block;

    /// <summary>Decodes the message between two positions of the buffer.</summary>
    /// <exception cref="ProtocolException">The message is malformed, or the protocol does not allow it here.</exception>
    public PgOutputReplicationMessage Decode(int start, int end)
    {
        var body = _buffer.Bytes.AsSpan(start, end - start);
        var reader = new ByteReader(body);
        var type = (PgOutputMessage)reader.Byte();
        var message = type switch
        {
            PgOutputMessage.Insert or PgOutputMessage.Update or PgOutputMessage.Delete => DecodeChange(ref reader, type, start, end),
            PgOutputMessage.Relation or PgOutputMessage.Type or PgOutputMessage.Truncate or PgOutputMessage.Message =>
                DecodeContent(ref reader, type, start, end),
            PgOutputMessage.StreamStart or PgOutputMessage.StreamStop or PgOutputMessage.StreamCommit or PgOutputMessage.StreamAbort
                or PgOutputMessage.StreamPrepare => DecodeStreaming(ref reader, type),
            PgOutputMessage.BeginPrepare or PgOutputMessage.Prepare or PgOutputMessage.CommitPrepared or PgOutputMessage.RollbackPrepared =>
                DecodePrepared(ref reader, type),
            PgOutputMessage.Begin or PgOutputMessage.Commit or PgOutputMessage.Origin => DecodeTransaction(ref reader, type),
            _ => throw new ProtocolException(
                "a message of pgoutput", body.Length == 0 ? "an empty one" : $"one of type 0x{body[0]:X2} and {body.Length} bytes"),
        };
        return reader.Failed ? throw Broken(type, body.Length) : message;
    }

    // ---------------------------------------------------------------- rows

    private TransactionalMessage DecodeChange(ref ByteReader reader, PgOutputMessage type, int start, int end)
    {
        Require(_place != Place.Outside, type);
        var change = RowChange.Read(ref reader, IsStreamed);
        var mark = reader.Byte();
        if (reader.Failed)
            throw Broken(type, end - start);
        var relation = _relations.Get(change.RelationId);
        var old = (byte)0;
        if (type != PgOutputMessage.Insert && mark is RowChange.Key or RowChange.Old)
        {
            old = mark;
            Locate(ref reader, _oldRow, relation, type, start, end);
            mark = type == PgOutputMessage.Update ? reader.Byte() : RowChange.New;
        }
        else if (type == PgOutputMessage.Delete)
            reader.Fail();

        if (mark != RowChange.New)
            reader.Fail();
        if (type != PgOutputMessage.Delete)
            Locate(ref reader, _newRow, relation, type, start, end);
        if (reader.Failed || reader.Remaining != 0)
            throw Broken(type, end - start);

        if (old != 0)
            _oldRow.Set(relation.OldRows, end);
        if (type != PgOutputMessage.Delete)
            _newRow.Set(relation.NewRows, end);
        switch (type)
        {
            case PgOutputMessage.Insert:
                _insert.Relation = relation;
                return Within(_insert, change.Xid);
            case PgOutputMessage.Update:
                UpdateMessage update = old switch { RowChange.Key => _indexUpdate, RowChange.Old => _fullUpdate, _ => _defaultUpdate };
                update.Relation = relation;
                return Within(update, change.Xid);
            default:
                DeleteMessage delete = old == RowChange.Key ? _keyDelete : _fullDelete;
                delete.Relation = relation;
                return Within(delete, change.Xid);
        }
    }

    private static void Locate(ref ByteReader reader, ReplicationTuple row, RelationMessage relation, PgOutputMessage type, int start, int end)
    {
        row.Data.Read(ref reader, start, relation.Columns.Count);
        if (reader.Failed)
            throw new ProtocolException(
                $"a {type} whose rows have the {relation.Columns.Count} columns of the table {ServerText.OneLine(relation.RelationName, 64)}",
                $"one of {end - start} bytes that does not");
    }

    private static TMessage Within<TMessage>(TMessage message, uint? xid)
        where TMessage : TransactionalMessage
    {
        message.TransactionXid = xid;
        return message;
    }

    // ---------------------------------------------------------------- other content

    private TransactionalMessage DecodeContent(ref ByteReader reader, PgOutputMessage type, int start, int end)
    {
        switch (type)
        {
            case PgOutputMessage.Relation:
                Require(_place != Place.Outside, type);
                var relation = Relation.Read(ref reader, IsStreamed);
                return reader.Failed ? throw Broken(type, end - start) : _relations.Add(relation);
            case PgOutputMessage.Type:
                Require(_place != Place.Outside, type);
                var description = Protocol.PgOutput.Type.Read(ref reader, IsStreamed);
                return new TypeMessage
                {
                    TransactionXid = description.Xid, TypeId = description.TypeId, Namespace = description.Namespace, Name = description.Name,
                };
            case PgOutputMessage.Truncate:
                Require(_place != Place.Outside, type);
                var truncate = Truncate.Read(ref reader, IsStreamed);
                return new TruncateMessage
                {
                    TransactionXid = truncate.Xid,
                    Options = (TruncateMessage.TruncateOptions)truncate.Options,
                    Relations = Array.ConvertAll(truncate.RelationIds, _relations.Get),
                };
            default:
                // A message that does not belong to a transaction is sent as soon as it is found in the log.
                var content = Message.Read(ref reader, IsStreamed);
                return reader.Failed ? throw Broken(type, end - start) : new LogicalDecodingMessage
                {
                    TransactionXid = content.Xid,
                    Flags = content.Flags,
                    MessageLsn = new(content.Lsn),
                    Prefix = content.Prefix,
                    Data = new WalDataStream(_buffer).At(end - content.Length, content.Length),
                };
        }
    }

    // ---------------------------------------------------------------- transactions

    private PgOutputReplicationMessage DecodeTransaction(ref ByteReader reader, PgOutputMessage type)
    {
        switch (type)
        {
            case PgOutputMessage.Begin:
                Move(Place.Outside, Place.Transaction, type);
                var begin = Begin.Read(ref reader);
                return new BeginMessage
                {
                    TransactionXid = begin.Xid, TransactionFinalLsn = new(begin.FinalLsn), TransactionCommitTimestamp = ReplicationClock.Read(begin.CommitTime),
                };
            case PgOutputMessage.Commit:
                Move(Place.Transaction, Place.Outside, type);
                var commit = Commit.Read(ref reader);
                return new CommitMessage
                {
                    Flags = (CommitMessage.CommitFlags)commit.Flags,
                    CommitLsn = new(commit.CommitLsn),
                    TransactionEndLsn = new(commit.EndLsn),
                    TransactionCommitTimestamp = ReplicationClock.Read(commit.CommitTime),
                };
            default:
                Require(_place != Place.Outside, type);
                var origin = Origin.Read(ref reader);
                return new OriginMessage { OriginCommitLsn = new(origin.OriginLsn), OriginName = origin.Name };
        }
    }

    private PgOutputReplicationMessage DecodeStreaming(ref ByteReader reader, PgOutputMessage type)
    {
        switch (type)
        {
            case PgOutputMessage.StreamStart:
                Move(Place.Outside, Place.Block, type);
                var start = StreamStart.Read(ref reader);
                return new StreamStartMessage { TransactionXid = start.Xid, StreamSegmentIndicator = start.Segment };
            case PgOutputMessage.StreamStop:
                Move(Place.Block, Place.Outside, type);
                if (reader.Remaining != 0)
                    reader.Fail();
                return new StreamStopMessage();
            case PgOutputMessage.StreamCommit:
                Require(_place == Place.Outside, type);
                var commit = StreamCommit.Read(ref reader);
                return new StreamCommitMessage
                {
                    TransactionXid = commit.Xid,
                    Flags = commit.Flags,
                    CommitLsn = new(commit.CommitLsn),
                    TransactionEndLsn = new(commit.EndLsn),
                    TransactionCommitTimestamp = ReplicationClock.Read(commit.CommitTime),
                };
            case PgOutputMessage.StreamPrepare:
                Require(_place == Place.Outside, type);
                var prepare = StreamPrepare.Read(ref reader);
                return new StreamPrepareMessage
                {
                    Flags = (StreamPrepareMessage.StreamPrepareFlags)prepare.Flags,
                    PrepareLsn = new(prepare.PrepareLsn),
                    PrepareEndLsn = new(prepare.EndLsn),
                    TransactionPrepareTimestamp = ReplicationClock.Read(prepare.PrepareTime),
                    TransactionXid = prepare.Xid,
                    TransactionGid = prepare.Gid,
                };
            default:
                Require(_place == Place.Outside, type);
                var abort = StreamAbort.Read(ref reader, _sendsParallelAborts);
                return !_sendsParallelAborts
                    ? new StreamAbortMessage { TransactionXid = abort.Xid, SubtransactionXid = abort.SubtransactionXid }
                    : new ParallelStreamAbortMessage
                    {
                        TransactionXid = abort.Xid,
                        SubtransactionXid = abort.SubtransactionXid,
                        AbortLsn = new(abort.AbortLsn),
                        AbortTimestamp = ReplicationClock.Read(abort.AbortTime),
                    };
        }
    }

    private PreparedTransactionControlMessage DecodePrepared(ref ByteReader reader, PgOutputMessage type)
    {
        switch (type)
        {
            case PgOutputMessage.BeginPrepare:
                Move(Place.Outside, Place.Prepared, type);
                var begin = BeginPrepare.Read(ref reader);
                return new BeginPrepareMessage
                {
                    PrepareLsn = new(begin.PrepareLsn),
                    PrepareEndLsn = new(begin.EndLsn),
                    TransactionPrepareTimestamp = ReplicationClock.Read(begin.PrepareTime),
                    TransactionXid = begin.Xid,
                    TransactionGid = begin.Gid,
                };
            case PgOutputMessage.Prepare:
                Move(Place.Prepared, Place.Outside, type);
                var prepare = Prepare.Read(ref reader);
                return new PrepareMessage
                {
                    Flags = (PrepareMessage.PrepareFlags)prepare.Flags,
                    PrepareLsn = new(prepare.PrepareLsn),
                    PrepareEndLsn = new(prepare.EndLsn),
                    TransactionPrepareTimestamp = ReplicationClock.Read(prepare.PrepareTime),
                    TransactionXid = prepare.Xid,
                    TransactionGid = prepare.Gid,
                };
            case PgOutputMessage.CommitPrepared:
                Require(_place == Place.Outside, type);
                var commit = CommitPrepared.Read(ref reader);
                return new CommitPreparedMessage
                {
                    Flags = (CommitPreparedMessage.CommitPreparedFlags)commit.Flags,
                    CommitPreparedLsn = new(commit.CommitLsn),
                    CommitPreparedEndLsn = new(commit.EndLsn),
                    TransactionCommitTimestamp = ReplicationClock.Read(commit.CommitTime),
                    TransactionXid = commit.Xid,
                    TransactionGid = commit.Gid,
                };
            default:
                Require(_place == Place.Outside, type);
                var rollback = RollbackPrepared.Read(ref reader);
                return new RollbackPreparedMessage
                {
                    Flags = (RollbackPreparedMessage.RollbackPreparedFlags)rollback.Flags,
                    PreparedTransactionEndLsn = new(rollback.PrepareEndLsn),
                    RollbackPreparedEndLsn = new(rollback.RollbackEndLsn),
                    TransactionPrepareTimestamp = ReplicationClock.Read(rollback.PrepareTime),
                    TransactionRollbackTimestamp = ReplicationClock.Read(rollback.RollbackTime),
                    TransactionXid = rollback.Xid,
                    TransactionGid = rollback.Gid,
                };
        }
    }

    private void Move(Place from, Place to, PgOutputMessage type)
    {
        Require(_place == from, type);
        _place = to;
    }

    private void Require(bool isAllowed, PgOutputMessage type)
    {
        if (!isAllowed)
            throw new ProtocolException($"a message of pgoutput that is allowed {Described()}", $"a {type}");
    }

    private string Described() => _place switch
    {
        Place.Transaction => "inside a transaction",
        Place.Prepared => "inside a prepared transaction",
        Place.Block => "inside a block of a streamed transaction",
        _ => "between transactions",
    };

    private static ProtocolException Broken(PgOutputMessage type, int length) =>
        new($"a valid {type} of pgoutput", $"one of {length} bytes that cannot be decoded");
}
