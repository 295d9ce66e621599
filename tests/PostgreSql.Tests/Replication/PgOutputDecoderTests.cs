using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Replication;

/// <summary>Streams of pgoutput: what follows what, and the values of rows.</summary>
public class PgOutputDecoderTests
{
    private static readonly byte[] Begin = [(byte)'B', .. Int64(10), .. Int64(0), .. Int32(12)];
    private static readonly byte[] Commit = [(byte)'C', 0, .. Int64(10), .. Int64(11), .. Int64(0)];
    private static readonly byte[] BeginPrepare = [(byte)'b', .. Int64(10), .. Int64(11), .. Int64(0), .. Int32(12), .. "gid\0"u8];
    private static readonly byte[] Prepare = [(byte)'P', 0, .. Int64(10), .. Int64(11), .. Int64(0), .. Int32(12), .. "gid\0"u8];
    private static readonly byte[] StreamStart = [(byte)'S', .. Int32(12), 1];
    private static readonly byte[] StreamStop = [(byte)'E'];
    private static readonly byte[] StreamCommit = [(byte)'c', .. Int32(12), 0, .. Int64(10), .. Int64(11), .. Int64(0)];
    private static readonly byte[] StreamAbort = [(byte)'A', .. Int32(12), .. Int32(13)];
    private static readonly byte[] Relation =
    [
        (byte)'R', .. Int32(99), .. "public\0t\0"u8, (byte)'d', 0, 3, 1, .. "id\0"u8, .. Int32(23), .. Int32(-1), 0, .. "v\0"u8, .. Int32(25), .. Int32(-1),
        0, .. "n\0"u8, .. Int32(1700), .. Int32(-1),
    ];

    private static readonly byte[] Row = [0, 3, (byte)'t', .. Int32(2), .. "42"u8, (byte)'n', (byte)'u'];
    private static readonly byte[] Insert = [(byte)'I', .. Int32(99), (byte)'N', .. Row];

    [Fact]
    public async Task A_transaction_has_its_rows()
    {
        var talk = new Talk();
        var begin = Assert.IsType<BeginMessage>(talk.Decode(Begin));
        Assert.Equal((12U, new PgLogSequenceNumber(10)), (begin.TransactionXid, begin.TransactionFinalLsn));
        Assert.Equal(new DateTime(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc), begin.TransactionCommitTimestamp);
        Assert.Equal(DateTimeKind.Utc, begin.TransactionCommitTimestamp.Kind);
        var relation = Assert.IsType<RelationMessage>(talk.Decode(Relation));
        Assert.Equal(("public", "t", 3, RelationMessage.ReplicaIdentitySetting.Default),
            (relation.Namespace, relation.RelationName, relation.Columns.Count, relation.ReplicaIdentity));
        Assert.Equal(RelationMessage.Column.ColumnFlags.PartOfKey, relation.Columns[0].Flags);
        var insert = Assert.IsType<InsertMessage>(talk.Decode(Insert));
        Assert.Null(insert.TransactionXid);
        Assert.Same(relation, insert.Relation);
        Assert.Equal(3, insert.NewRow.NumColumns);

        // A row can be enumerated twice.
        for (var i = 0; i < 2; i++)
        {
            await using var values = insert.NewRow.GetAsyncEnumerator(TestContext.Current.CancellationToken);
            Assert.True(await values.MoveNextAsync());
            var value = values.Current;
            Assert.Equal(("id", "integer", 2, TupleDataKind.TextValue), (value.GetFieldName(), value.GetDataTypeName(), value.Length, value.Kind));
            Assert.Equal(typeof(string), value.GetFieldType());
            Assert.Equal("42", await value.Get(TestContext.Current.CancellationToken));
            Assert.Equal(42, await value.Get<int>(TestContext.Current.CancellationToken));
            Assert.Equal("42", await new StreamReader(value.GetStream()).ReadToEndAsync(TestContext.Current.CancellationToken));
            Assert.Equal("42", await value.GetTextReader().ReadToEndAsync(TestContext.Current.CancellationToken));
            Assert.True(await values.MoveNextAsync());
            Assert.True(value.IsDBNull);
            Assert.Equal(DBNull.Value, await value.Get(TestContext.Current.CancellationToken));
            Assert.Null(await value.Get<int?>(TestContext.Current.CancellationToken));
            await Assert.ThrowsAsync<InvalidCastException>(() => value.Get<string>(TestContext.Current.CancellationToken).AsTask());
            Assert.Throws<InvalidCastException>(value.GetStream);
            Assert.True(await values.MoveNextAsync());
            Assert.True(value.IsUnchangedToastedValue);
            Assert.Equal(0, value.Length);
            await Assert.ThrowsAsync<InvalidCastException>(() => value.Get<decimal?>(TestContext.Current.CancellationToken).AsTask());
            Assert.False(await values.MoveNextAsync());
        }

        Assert.IsType<CommitMessage>(talk.Decode(Commit));
    }

    [Fact]
    public async Task Values_are_refused_after_the_next_message_was_requested()
    {
        var talk = new Talk();
        talk.Decode(Begin);
        talk.Decode(Relation);
        var insert = Assert.IsType<InsertMessage>(talk.Decode(Insert));
        var values = insert.NewRow.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await values.MoveNextAsync());
        var (value, stream) = (values.Current, values.Current.GetStream());
        Assert.Equal('4', stream.ReadByte());
        talk.Buffer.Next();
        Assert.Throws<ObjectDisposedException>(() => value.Kind);
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        Assert.False(stream.CanRead);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => value.Get<int>(TestContext.Current.CancellationToken).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => values.MoveNextAsync().AsTask());
        Assert.Throws<ObjectDisposedException>(() => insert.NewRow.GetAsyncEnumerator(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Each_replica_identity_has_its_messages()
    {
        var talk = new Talk();
        talk.Decode(Begin);
        talk.Decode(Relation);
        byte[] other = [0, 3, (byte)'b', .. Int32(4), .. Int32(7), (byte)'n', (byte)'n'];
        Assert.IsType<DefaultUpdateMessage>(talk.Decode([(byte)'U', .. Int32(99), (byte)'N', .. Row]));
        var key = Assert.IsType<IndexUpdateMessage>(talk.Decode([(byte)'U', .. Int32(99), (byte)'K', .. other, (byte)'N', .. Row]));
        Assert.Equal((7, 42), (await First(key.Key), await First(key.NewRow)));
        var full = Assert.IsType<FullUpdateMessage>(talk.Decode([(byte)'U', .. Int32(99), (byte)'O', .. other, (byte)'N', .. Row]));
        Assert.Equal((42, 7), (await First(full.NewRow), await First(full.OldRow)));
        Assert.Equal(7, await First(Assert.IsType<KeyDeleteMessage>(talk.Decode([(byte)'D', .. Int32(99), (byte)'K', .. other])).Key));
        Assert.Equal(7, await First(Assert.IsType<FullDeleteMessage>(talk.Decode([(byte)'D', .. Int32(99), (byte)'O', .. other])).OldRow));
        var truncate = Assert.IsType<TruncateMessage>(talk.Decode([(byte)'T', .. Int32(1), 3, .. Int32(99)]));
        Assert.Equal("t", Assert.Single(truncate.Relations).RelationName);
        Assert.Equal(TruncateMessage.TruncateOptions.Cascade | TruncateMessage.TruncateOptions.RestartIdentity, truncate.Options);
    }

    [Fact]
    public void Messages_of_a_block_name_their_transaction()
    {
        var talk = new Talk();
        var start = Assert.IsType<StreamStartMessage>(talk.Decode(StreamStart));
        Assert.Equal((12U, (byte)1), (start.TransactionXid, start.StreamSegmentIndicator));
        talk.Decode([(byte)'R', .. Int32(13), .. Relation[1..]]);
        Assert.Equal(13U, Assert.IsType<InsertMessage>(talk.Decode([(byte)'I', .. Int32(13), .. Insert[1..]])).TransactionXid);
        Assert.Equal(13U, Assert.IsType<TypeMessage>(talk.Decode([(byte)'Y', .. Int32(13), .. Int32(5), .. "public\0mood\0"u8])).TransactionXid);
        talk.Decode(StreamStop);
        Assert.Equal(13U, Assert.IsType<StreamAbortMessage>(talk.Decode(StreamAbort)).SubtransactionXid);
        talk.Decode(StreamCommit);
        talk.Decode(Begin);
        Assert.Null(Assert.IsType<InsertMessage>(talk.Decode(Insert)).TransactionXid);
    }

    [Fact]
    public void A_rollback_of_the_parallel_mode_has_its_location()
    {
        var talk = new Talk(parallel: true);
        var abort = Assert.IsType<ParallelStreamAbortMessage>(talk.Decode([.. StreamAbort, .. Int64(14), .. Int64(0)]));
        Assert.Equal(new PgLogSequenceNumber(14), abort.AbortLsn);
        Assert.Throws<ProtocolException>(() => talk.Decode(StreamAbort));
    }

    [Fact]
    public void A_message_of_an_application_is_a_stream()
    {
        var talk = new Talk();
        var message = Assert.IsType<LogicalDecodingMessage>(talk.Decode([(byte)'M', 0, .. Int64(5), .. "prefix\0"u8, .. Int32(3), 1, 2, 3]));
        Assert.Equal(("prefix", (byte)0, 3L), (message.Prefix, message.Flags, message.Data.Length));
        var copy = new byte[5];
        Assert.Equal(3, message.Data.Read(copy));
        Assert.Equal([1, 2, 3, 0, 0], copy);
    }

    public static TheoryData<string, byte[][]> OutOfPlace => new()
    {
        { "rows between transactions", [Insert] },
        { "a table between transactions", [Relation] },
        { "a commit without a beginning", [Commit] },
        { "a beginning in a transaction", [Begin, Begin] },
        { "a prepare of another kind of transaction", [Begin, Prepare] },
        { "a commit of another kind of transaction", [BeginPrepare, Commit] },
        { "a block in a block", [StreamStart, StreamStart] },
        { "a block in a transaction", [Begin, StreamStart] },
        { "the end of a block outside of one", [StreamStop] },
        { "the commit of a streamed transaction in a block", [StreamStart, StreamCommit] },
        { "the rollback of a streamed transaction in a block", [StreamStart, StreamAbort] },
        { "a row of an unknown table", [Begin, Insert] },
        { "a row of another number of columns", [Begin, Relation, [.. Insert[..6], 0, 1, (byte)'n']] },
        { "an insert with an old row", [Begin, Relation, [(byte)'I', .. Int32(99), (byte)'O', .. Row, (byte)'N', .. Row]] },
        { "a delete with a new row", [Begin, Relation, [(byte)'D', .. Int32(99), (byte)'N', .. Row]] },
        { "bytes after a row", [Begin, Relation, [.. Insert, 0]] },
        { "an unknown type", [[(byte)'X']] },
        { "nothing", [[]] },
        { "a time that does not exist", [[(byte)'B', .. Int64(10), .. Int64(long.MaxValue), .. Int32(12)]] },
    };

    [Theory]
    [MemberData(nameof(OutOfPlace))]
    public void What_the_protocol_does_not_allow_is_refused(string what, byte[][] messages)
    {
        var talk = new Talk();
        foreach (var message in messages[..^1])
            talk.Decode(message);
        Assert.NotEmpty(Assert.Throws<ProtocolException>(() => talk.Decode(messages[^1])).Message + what);
    }

    [Fact]
    public void Each_message_is_refused_when_it_is_cut()
    {
        foreach (var (before, message) in ((byte[][] Before, byte[] Message)[])[
            ([], Begin), ([Begin], Commit), ([], BeginPrepare), ([BeginPrepare], Prepare), ([], StreamStart), ([], StreamCommit), ([], StreamAbort),
            ([Begin], Relation), ([Begin, Relation], Insert), ([Begin, Relation], [(byte)'T', .. Int32(1), 3, .. Int32(99)])])
        {
            for (var length = 0; length < message.Length; length++)
            {
                var talk = new Talk();
                foreach (var one in before)
                    talk.Decode(one);
                Assert.Throws<ProtocolException>(() => talk.Decode(message[..length]));
            }
        }
    }

    [Fact]
    public void The_descriptions_of_tables_are_bounded()
    {
        var talk = new Talk();
        talk.Decode(Begin);
        var wide = new List<byte> { (byte)'R', 0, 0, 0, 0, 0, (byte)'t', 0, (byte)'d', 1600 >> 8, 1600 & 255 };
        for (var i = 0; i < 1600; i++)
            wide.AddRange([0, 0, .. Int32(23), .. Int32(-1)]);
        byte[] message = [.. wide];

        // A table that is described again takes the place of its old description.
        for (var i = 0; i < 2 * RelationCache.MaxColumns / 1600; i++)
            talk.Decode(message);
        Assert.Throws<ProtocolException>(() =>
        {
            for (var i = 0; i < RelationCache.MaxColumns / 1600; i++)
            {
                BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), i);
                talk.Decode(message);
            }
        });
    }

    [Fact]
    public void A_row_costs_no_allocation()
    {
        var talk = new Talk();
        talk.Decode(Begin);
        talk.Decode(Relation);
        talk.Decode(Insert);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++)
            talk.Decode(Insert);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static async Task<int> First(ReplicationTuple row)
    {
        await using var values = row.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await values.MoveNextAsync());
        return await values.Current.Get<int>(TestContext.Current.CancellationToken);
    }

    private static byte[] Int32(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }

    private static byte[] Int64(long value)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(bytes, value);
        return bytes;
    }

    private sealed class Talk
    {
        private readonly PgOutputDecoder _decoder;

        public Talk(bool parallel = false) => _decoder = new(parallel, TypeCatalogue.BuiltIn, Buffer);

        public WalBuffer Buffer { get; } = new();

        public PgOutputReplicationMessage Decode(byte[] message)
        {
            Buffer.Next();
            Buffer.Bytes = message;
            return _decoder.Decode(0, message.Length);
        }
    }
}
