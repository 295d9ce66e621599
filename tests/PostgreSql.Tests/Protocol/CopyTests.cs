using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql.Tests.Protocol;

public class CopyTests
{
    [Fact]
    public void Rows_of_the_binary_format_are_the_bytes_of_the_document()
    {
        var writer = new ByteWriter();
        var at = CopyData.Begin(writer);
        CopyData.Signature(writer);
        writer.Int16BigEndian(1);
        writer.Int32BigEndian(-1);
        CopyData.Trailer(writer);
        writer.End(at);
        Assert.Equal(
            "64" + "0000001F" + "5047434F50590AFF0D0A00" + "00000000" + "00000000" + "0001" + "FFFFFFFF" + "FFFF", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void The_end_has_no_body()
    {
        var writer = new ByteWriter();
        CopyDone.Write(writer);
        Assert.Equal("6300000004", Convert.ToHexString(writer.Written));
    }

    [Theory]
    [InlineData("COPY points, line 3, column name: \"x 7\"", 3)]
    [InlineData("COPY points, line 1234567", 1234567)]
    [InlineData("COPY points, Zeile 12, Spalte a", 12)]
    [InlineData("COPY t7, line 5", 5)]
    [InlineData("SQL statement \"SELECT 1\"\nCOPY points, line 3", 0)]
    [InlineData("COPY points", 0)]
    [InlineData("COPY points, line", 0)]
    [InlineData("", 0)]
    [InlineData(null, 0)]
    public void The_line_of_an_error_stands_in_its_context(string? context, long line) => Assert.Equal(line, CopyExchange.LineOf(context));
}
