using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Tests.Protocol.Commands;

public class CommandTests
{
    [Fact]
    public void Commands_are_the_bytes_of_the_protocol_document()
    {
        Is("0100000001", Quit.Write);
        Is("010000000E", Ping.Write);
        Is("010000001F", ResetConnection.Write);
        Is("0300000002C3A4", writer => InitDatabase.Write(writer, "ä"));
        Is("0300000003" + "4142", writer => Query.Write(writer, "AB"u8));
        Is("0300000016" + "3F3F", writer => StatementPrepare.Write(writer, "??"u8));
        Is("0A0000001704030201" + "00" + "01000000", writer => StatementExecute.Write(writer, 0x01020304));
        Is("050000001904030201", writer => StatementClose.Write(writer, 0x01020304));
        Is("050000001A04030201", writer => StatementReset.Write(writer, 0x01020304));
        Is("0900000018040302010605AABB", writer => StatementSendLongData.Write(writer, 0x01020304, 0x0506, [0xAA, 0xBB]));
        Is("030000001B0000", writer => SetOption.Write(writer, multiStatements: true));
        Is("030000001B0100", writer => SetOption.Write(writer, multiStatements: false));
        Is("0D00000011" + "7500" + "02AABB" + "6400" + "2D00" + "7000" + "01", writer => ChangeUser.Write(
            writer, Capabilities.PluginAuthentication | Capabilities.ConnectionAttributes, 45, "u", [0xAA, 0xBB], "d", "p", [1]));
        Is("0800000011" + "7500" + "00" + "00" + "2D00" + "00", writer =>
        {
            ChangeUser.Write(writer, Capabilities.None, 45, "u", [], "", "p", [1]);
            // Without the plugin capability the packet ends here: one more byte to show that nothing follows.
            writer.Byte(0);
            writer.Written[0]++;
        });
    }

    [Fact]
    public void Parameters_of_an_execution_stand_behind_bitmap_and_types()
    {
        var writer = new ByteWriter();
        var at = StatementExecute.Begin(writer, 1);
        var bitmap = StatementExecute.BeginParameters(writer, 9, typesFollow: true);
        StatementExecute.SetNull(writer, bitmap, 0);
        StatementExecute.SetNull(writer, bitmap, 8);
        writer.UInt16(3);
        writer.End(at);
        Assert.Equal("0F000000" + "1701000000" + "00" + "01000000" + "0101" + "01" + "0300", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void A_query_can_be_written_in_pieces()
    {
        var writer = new ByteWriter();
        var at = Query.Begin(writer);
        writer.Bytes("A"u8);
        writer.Bytes("B"u8);
        writer.End(at);
        Assert.Equal("03000000034142", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Changing_the_user_refuses_what_does_not_fit()
    {
        Assert.Throws<ArgumentException>(() => ChangeUser.Write(new ByteWriter(), 0, 45, "u", new byte[256], "", "", []));
        Assert.Throws<ArgumentException>(() => ChangeUser.Write(new ByteWriter(), 0, 45, "u\0", [], "", "", []));
        Assert.Throws<ArgumentException>(() => ChangeUser.Write(new ByteWriter(), 0, 45, "u", [], "\0", "", []));
    }

    private static void Is(string bytes, Action<ByteWriter> write)
    {
        var writer = new ByteWriter();
        write(writer);
        Assert.Equal(bytes, Convert.ToHexString(writer.Written));
    }
}
