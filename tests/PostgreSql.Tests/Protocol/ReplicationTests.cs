using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Protocol.PgOutput;
using Slipstream.PostgreSql.Protocol.Replication;

namespace Slipstream.PostgreSql.Tests.Protocol;

/// <summary>The messages of replication, whole and truncated at every length.</summary>
public class ReplicationTests
{
    private static byte[] Bytes(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

    private static string Hex(string text) => Convert.ToHexString(System.Text.Encoding.UTF8.GetBytes(text + "\0"));

    [Fact]
    public void A_status_update_has_three_locations_and_a_time()
    {
        var writer = new ByteWriter();
        StandbyStatusUpdate.Write(writer, 0x1_0000_0010, 0x1_0000_0008, 7, -1, requestsReply: true);
        Assert.Equal(
            "64" + "00000026" + "72" + "0000000100000010" + "0000000100000008" + "0000000000000007" + "FFFFFFFFFFFFFFFF" + "01",
            Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Data_of_the_log_begins_with_two_locations_and_a_time()
    {
        var message = Cut.Read(Bytes("0000000000000001 0000000000000002 FFFFFFFFFFFFFFFD"), XLogData.Read);
        Assert.Equal((1UL, 2UL, -3L), (message.WalStart, message.WalEnd, message.ServerClock));
    }

    [Theory]
    [InlineData("00", false)]
    [InlineData("01", true)]
    public void A_keepalive_may_request_a_reply(string flag, bool requests)
    {
        var message = Cut.Read(Bytes("00000000000000FF 0000000000000002" + flag), PrimaryKeepalive.Read);
        Assert.Equal((255UL, 2L, requests), (message.WalEnd, message.ServerClock, message.RequestsReply));
        Cut.Refuse(Bytes("00000000000000FF 0000000000000002 00 00"), PrimaryKeepalive.Read);
    }

    [Fact]
    public void Begin_and_commit_frame_a_transaction()
    {
        var begin = Cut.Read(Bytes("000000000000000A 000000000000000B 0000000C"), Begin.Read);
        Assert.Equal(new Begin(10, 11, 12), begin);
        var commit = Cut.Read(Bytes("00 000000000000000A 000000000000000B 000000000000000C"), Commit.Read);
        Assert.Equal(new Commit(0, 10, 11, 12), commit);
        Cut.Refuse(Bytes("000000000000000A 000000000000000B 0000000C 00"), Begin.Read);
        Cut.Refuse(Bytes("00 000000000000000A 000000000000000B 000000000000000C 00"), Commit.Read);
    }

    [Fact]
    public void An_origin_has_a_name() =>
        Assert.Equal(new Origin(10, "far"), Cut.Read(Bytes("000000000000000A" + Hex("far")), Origin.Read));

    [Fact]
    public void Blocks_of_a_streamed_transaction_name_it()
    {
        Assert.Equal(new StreamStart(10, 1), Cut.Read(Bytes("0000000A 01"), StreamStart.Read));
        Assert.Equal(
            new StreamCommit(10, 0, 11, 12, 13),
            Cut.Read(Bytes("0000000A 00 000000000000000B 000000000000000C 000000000000000D"), StreamCommit.Read));
    }

    [Fact]
    public void A_rollback_in_the_parallel_mode_says_where_it_is()
    {
        Assert.Equal(new StreamAbort(10, 11, 0, 0), Cut.Read(Bytes("0000000A 0000000B"), static (ref r) => StreamAbort.Read(ref r, false)));
        Assert.Equal(
            new StreamAbort(10, 11, 12, 13),
            Cut.Read(Bytes("0000000A 0000000B 000000000000000C 000000000000000D"), static (ref r) => StreamAbort.Read(ref r, true)));
    }

    [Fact]
    public void Messages_of_two_phase_commits_name_the_transaction()
    {
        const string Rest = "000000000000000A 000000000000000B 000000000000000C";
        var end = "0000000D" + Hex("gid");
        Assert.Equal(new BeginPrepare(10, 11, 12, 13, "gid"), Cut.Read(Bytes(Rest + end), BeginPrepare.Read));
        Assert.Equal(new Prepare(1, 10, 11, 12, 13, "gid"), Cut.Read(Bytes("01" + Rest + end), Prepare.Read));
        Assert.Equal(new StreamPrepare(1, 10, 11, 12, 13, "gid"), Cut.Read(Bytes("01" + Rest + end), StreamPrepare.Read));
        Assert.Equal(new CommitPrepared(1, 10, 11, 12, 13, "gid"), Cut.Read(Bytes("01" + Rest + end), CommitPrepared.Read));
        Assert.Equal(
            new RollbackPrepared(1, 10, 11, 12, 14, 13, "gid"),
            Cut.Read(Bytes("01" + Rest + "000000000000000E" + end), RollbackPrepared.Read));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Content_names_its_transaction_only_inside_a_block(bool isStreamed)
    {
        var xid = isStreamed ? "00000063" : "";
        uint? expected = isStreamed ? 99 : null;
        var type = Cut.Read(
            Bytes(xid + "0000000A" + Hex("public") + Hex("mood")), (ref r) => Slipstream.PostgreSql.Protocol.PgOutput.Type.Read(ref r, isStreamed));
        Assert.Equal((expected, 10U, "public", "mood"), (type.Xid, type.TypeId, type.Namespace, type.Name));

        var relation = Cut.Read(
            Bytes(xid + "0000000A" + Hex("public") + Hex("t") + "64 0002 01" + Hex("id") + "00000017 FFFFFFFF 00" + Hex("v") + "00000413 00000008"),
            (ref r) => Relation.Read(ref r, isStreamed));
        Assert.Equal(
            (expected, 10U, "public", "t", (byte)'d'), (relation.Xid, relation.RelationId, relation.Namespace, relation.Name, relation.ReplicaIdentity));
        Assert.Equal([new(1, "id", 23, -1), new(0, "v", 1043, 8)], relation.Columns);

        var truncate = Cut.Read(Bytes(xid + "00000002 03 0000000A 0000000B"), (ref r) => Truncate.Read(ref r, isStreamed));
        Assert.Equal((expected, (byte)3), (truncate.Xid, truncate.Options));
        Assert.Equal([10U, 11U], truncate.RelationIds);

        var reader = new ByteReader(Bytes(xid + "01 000000000000000A" + Hex("prefix") + "00000003 010203"));
        Assert.Equal(new Message(expected, 1, 10, "prefix", 3), Message.Read(ref reader, isStreamed));
        Assert.False(reader.Failed);
        Assert.Equal([1, 2, 3], reader.Rest().ToArray());

        var change = Cut.Read(Bytes(xid + "0000000A"), (ref r) => RowChange.Read(ref r, isStreamed));
        Assert.Equal(new RowChange(expected, 10), change);
    }

    [Theory]
    [InlineData("0000000A 00 00 78 0000")]
    [InlineData("0000000A 00 00 64 FFFF")]
    [InlineData("0000000A 00 00 64 0681")]
    [InlineData("0000000A 00 00 64 0001 00 6100 00000017")]
    [InlineData("0000000A 00 00 64 0000 00")]
    public void A_relation_with_impossible_values_is_refused(string hex) => Cut.Refuse(Bytes(hex), static (ref r) => Relation.Read(ref r, false));

    [Theory]
    [InlineData("00000002 00 0000000A")]
    [InlineData("FFFFFFFF 00")]
    [InlineData("40000000 00")]
    [InlineData("00000000 04")]
    public void A_truncation_of_an_impossible_number_of_tables_is_refused(string hex) => Cut.Refuse(Bytes(hex), static (ref r) => Truncate.Read(ref r, false));

    [Theory]
    [InlineData("00 000000000000000A 00 00000004 010203")]
    [InlineData("00 000000000000000A 00 FFFFFFFF")]
    [InlineData("02 000000000000000A 00 00000000")]
    public void A_message_of_another_length_is_refused(string hex) => Cut.Refuse(Bytes(hex), static (ref r) => Message.Read(ref r, false));

    [Fact]
    public void A_row_says_where_its_values_are()
    {
        var bytes = Bytes("0004 6E 75 74 00000002 3132 62 00000001 07");
        for (var length = 0; length < bytes.Length; length++)
        {
            var cut = new ByteReader(bytes.AsSpan(0, length));
            var refused = new TupleData();
            refused.Read(ref cut, 0, 4);
            Assert.True(cut.Failed);
            Assert.Equal(0, refused.Count);
        }

        var reader = new ByteReader(bytes);
        var row = new TupleData();
        row.Read(ref reader, 100, 4);
        Assert.False(reader.Failed);
        Assert.Equal("nutb"u8.ToArray(), row.Kinds.ToArray());
        Assert.Equal([-1, -1, 2, 1], row.Lengths.ToArray());
        Assert.Equal((109, 116), (row.At[2], row.At[3]));
    }

    [Theory]
    [InlineData("0001 78", 1)]
    [InlineData("0001 74 FFFFFFFF", 1)]
    [InlineData("0001 74 7FFFFFFF 00", 1)]
    [InlineData("0002 6E 6E", 1)]
    [InlineData("FFFF", 1)]
    public void A_row_with_impossible_values_is_refused(string hex, int columns)
    {
        var reader = new ByteReader(Bytes(hex));
        var row = new TupleData();
        row.Read(ref reader, 0, columns);
        Assert.True(reader.Failed);
        Assert.Equal(0, row.Count);
    }
}
