using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql.Tests.Protocol;

public class CommandTests
{
    private readonly ByteWriter _writer = new();

    private void Wrote(ReadOnlySpan<byte> expected) => Assert.Equal(expected.ToArray(), _writer.Written.ToArray());

    [Fact]
    public void Parse_names_the_statement_its_text_and_types()
    {
        Parse.Write(_writer, "s"u8, "select $1"u8, [23, 25]);
        Wrote([(byte)'P', 0, 0, 0, 26, .. "s\0select $1\0"u8, 0, 2, 0, 0, 0, 23, 0, 0, 0, 25]);
    }

    [Fact]
    public void Bind_holds_binary_values_and_one_format_for_all_columns()
    {
        var start = Bind.Begin(_writer, "s"u8, 2);
        _writer.Bytes([0, 0, 0, 1, 7]);
        Bind.Null(_writer);
        Bind.End(_writer, start, Bind.Binary);
        Wrote([(byte)'B', 0, 0, 0, 26, 0, (byte)'s', 0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 1, 7, 255, 255, 255, 255, 0, 1, 0, 1]);
    }

    [Fact]
    public void Bind_without_parameters_has_no_formats_for_them()
    {
        var start = Bind.Begin(_writer, [], 0);
        Bind.End(_writer, start, [1, 0]);
        Wrote([(byte)'B', 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0]);
    }

    [Fact]
    public void Bind_refuses_more_parameters_than_can_be_counted()
    {
        Assert.Throws<InvalidOperationException>(() => Bind.Begin(_writer, [], 65536));
        Bind.Begin(new ByteWriter(), [], 65535);
    }

    [Fact]
    public void Describe_and_execute_take_the_unnamed_portal()
    {
        Describe.Portal(_writer);
        Execute.Write(_writer);
        Execute.Write(_writer, 1);
        Wrote([(byte)'D', 0, 0, 0, 6, (byte)'P', 0, (byte)'E', 0, 0, 0, 9, 0, 0, 0, 0, 0, (byte)'E', 0, 0, 0, 9, 0, 0, 0, 0, 1]);
    }

    [Fact]
    public void Describe_and_close_name_a_statement()
    {
        Describe.Statement(_writer, "ab"u8);
        Close.Statement(_writer, "ab"u8);
        Wrote([(byte)'D', 0, 0, 0, 8, (byte)'S', (byte)'a', (byte)'b', 0, (byte)'C', 0, 0, 0, 8, (byte)'S', (byte)'a', (byte)'b', 0]);
    }

    [Fact]
    public void Messages_without_a_body_have_length_four()
    {
        Sync.Write(_writer);
        Flush.Write(_writer);
        Terminate.Write(_writer);
        Wrote([(byte)'S', 0, 0, 0, 4, (byte)'H', 0, 0, 0, 4, (byte)'X', 0, 0, 0, 4]);
    }

    [Fact]
    public void Query_and_copy_fail_end_with_a_zero()
    {
        Query.Write(_writer, "a"u8);
        CopyFail.Write(_writer, "no");
        Wrote([(byte)'Q', 0, 0, 0, 6, (byte)'a', 0, (byte)'f', 0, 0, 0, 7, (byte)'n', (byte)'o', 0]);
    }

    [Theory]
    [InlineData(4, 0)]
    [InlineData(0x3FFF_FFFF, 0x3FFF_FFFB)]
    [InlineData(3, -1)]
    [InlineData(0x4000_0000, -1)]
    [InlineData(-1, -1)]
    public void A_length_no_server_sends_is_no_length(int announced, int body)
    {
        var header = new byte[5];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(1), announced);
        Assert.Equal(body, Frame.BodyLength(header));
    }
}
