using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Protocol.Responses;

public class ResponseTests
{
    [Fact]
    public void Reads_ok()
    {
        // UPDATE of 251 rows: FC announces a two-byte integer.
        byte[] packet = [0xFC, 0xFB, 0x00, 0x07, 0x02, 0x40, 0x01, 0x00];
        Assert.Equal(new Ok(251, 7, ServerStatus.Autocommit | ServerStatus.SessionStateChanged, 1), Cut.Whole(packet, Ok.Read));
        Cut.Everywhere(packet, Ok.Read);
    }

    [Theory]
    [InlineData("", true, "")]
    [InlineData("024142", true, "AB")]
    [InlineData("4142", false, "AB")]
    public void Reads_the_info_behind_ok(string bytes, bool sessionTrack, string info)
    {
        var reader = new ByteReader(Convert.FromHexString(bytes));
        Assert.Equal(info, Ok.ReadInfo(ref reader, sessionTrack));
        Assert.False(reader.Failed);
    }

    // MySQL sends an encoding before the set. MariaDB sends a variable, which no statement sets: it is not a change of the session.
    [Theory, InlineData(false), InlineData(true)]
    public void Reads_the_identifiers_of_transactions(bool isMariaDb)
    {
        var data = new ByteWriter();
        if (isMariaDb)
            data.LengthEncodedText("last_gtid");
        else
            data.Byte(0);
        data.LengthEncodedText("0-1-5");
        var all = new ByteWriter();
        all.Byte((byte)(isMariaDb ? 0 : 3));
        all.LengthEncodedBytes(data.Written);
        var writer = new ByteWriter();
        writer.LengthEncodedText("");
        writer.LengthEncodedBytes(all.Written);
        var changes = Cut.Whole(writer.Written, SessionChanges.Read);
        Assert.Equal("0-1-5", changes.Gtids);
        Assert.Null(changes.Variables);
        Assert.False(changes.StateChanged);
        Cut.Everywhere(writer.Written, SessionChanges.Read);
    }

    [Fact]
    public void Reads_what_changed_in_the_session()
    {
        var writer = new ByteWriter();
        writer.LengthEncodedText("info");
        var all = new ByteWriter();
        Entry(all, 0, "autocommit", "OFF");
        Entry(all, 1, "db");
        // The state change has no separate length inside its entry.
        all.Bytes([2, 1, (byte)'1']);
        Entry(all, 3, "a GTID");
        Entry(all, 4, "START TRANSACTION;");
        Entry(all, 5, "T_______");
        Entry(all, 99, "of a later server");
        Entry(all, 0, "a", "1", "b", "2");
        writer.LengthEncodedBytes(all.Written);

        var changes = Cut.Whole(writer.Written, SessionChanges.Read);

        Assert.Equal("db", changes.Schema);
        Assert.True(changes.StateChanged);
        Assert.Equal("T_______", changes.TransactionState);
        Assert.Equal("START TRANSACTION;", changes.TransactionCharacteristics);
        Assert.Equal([new("autocommit", "OFF"), new("a", "1"), new("b", "2")], changes.Variables!);
        Cut.Everywhere(writer.Written, SessionChanges.Read);

        // The total length is correct, but an entry is truncated.
        for (var length = 1; length < all.Length; length++)
        {
            var cut = new ByteWriter();
            cut.Byte(0);
            cut.LengthEncodedBytes(all.Written[..length]);
            var reader = new ByteReader(cut.Written);
            SessionChanges.Read(ref reader);
            Assert.Equal(!EntryEnds(all.Written, length), reader.Failed);
        }

        static void Entry(ByteWriter all, byte type, params string[] texts)
        {
            var data = new ByteWriter();
            foreach (var text in texts)
                data.LengthEncodedText(text);
            all.Byte(type);
            all.LengthEncodedBytes(data.Written);
        }

        static bool EntryEnds(ReadOnlySpan<byte> all, int length)
        {
            var at = 0;
            while (at < length)
                at += 2 + all[at + 1];
            return at == length;
        }
    }

    [Fact]
    public void Reads_errors_with_and_without_state()
    {
        byte[] packet = [0x15, 0x04, (byte)'#', .. "28000Access denied"u8];
        Assert.Equal(new Err(1045, "28000", "Access denied"), Cut.Whole(packet, Err.Read));
        Assert.Equal(new Err(1040, "", "Too many connections"), Cut.Whole((byte[])[0x10, 0x04, .. "Too many connections"u8], Err.Read));
        Assert.Equal(new Err(1040, "", ""), Cut.Whole((byte[])[0x10, 0x04], Err.Read));
        // Two bytes are an error without a text; the text may end anywhere.
        Cut.Everywhere(packet.AsSpan(0, 8), Err.Read, allowed: 2);
    }

    [Fact]
    public void Reads_eof()
    {
        byte[] packet = [1, 0, 8, 0];
        Assert.Equal(new Eof(1, ServerStatus.MoreResultsExist), Cut.Whole(packet, Eof.Read));
        Cut.Everywhere(packet, Eof.Read);
    }

    [Fact]
    public void Reads_prepare_ok()
    {
        byte[] packet = [4, 3, 2, 1, 5, 0, 6, 0, 0, 7, 0];
        Assert.Equal(new PrepareOk(0x01020304, 5, 6, 7), Cut.Whole(packet, PrepareOk.Read));
        Cut.Everywhere(packet, PrepareOk.Read);
    }

    [Fact]
    public void Reads_the_name_of_a_local_file() => Assert.Equal("a/ä", Cut.Whole("a/ä"u8, LocalInfileRequest.Read).FileName);

    [Fact]
    public void Reads_a_column_definition()
    {
        var packet = Definitions.Definition(new(ColumnType.NewDecimal, 63, 67, ColumnFlags.NotNull | ColumnFlags.Unsigned, 30));
        Assert.Equal(
            new ColumnDefinition(63, 67, ColumnType.NewDecimal, ColumnFlags.NotNull | ColumnFlags.Unsigned, 30),
            Cut.Whole(packet, ColumnDefinition.Read));
        Cut.Everywhere(packet, ColumnDefinition.Read);
        packet[^13] = 11;
        var reader = new ByteReader(packet);
        ColumnDefinition.Read(ref reader);
        Assert.True(reader.Failed);
    }
}
