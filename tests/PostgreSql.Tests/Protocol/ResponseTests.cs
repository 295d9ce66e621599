using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.Tests.Protocol;

public class ResponseTests
{
    internal static readonly byte[] TwoColumns =
    [
        0, 2,
        .. "id\0"u8, 0, 0, 0x40, 0, 0, 1, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0,
        .. "name\0"u8, 0, 0, 0x40, 0, 0, 2, 0, 0, 4, 0x13, 255, 255, 0, 0, 0, 24, 0, 1,
    ];

    [Fact]
    public void Reads_a_row_description()
    {
        var fields = Cut.Read(TwoColumns, RowDescription.Read);
        Assert.Equal(new FieldDescription(2, 2, 0x4000, 1, 23, 4, -1, false), fields[0]);
        Assert.Equal(new FieldDescription(23, 4, 0x4000, 2, 1043, -1, 24, true), fields[1]);
    }

    [Theory]
    [InlineData(0xFF, 0xFF)]
    [InlineData(0x06, 0x81)]
    [InlineData(0x00, 0x05)]
    public void Refuses_a_count_of_columns_that_cannot_be(byte high, byte low)
    {
        byte[] body = [high, low, .. TwoColumns[2..]];
        Cut.Refuse(body, RowDescription.Read);
    }

    [Fact]
    public void Refuses_bytes_behind_the_last_column() => Cut.Refuse([.. TwoColumns, 0], RowDescription.Read);

    [Fact]
    public void Refuses_a_format_that_is_neither_text_nor_binary()
    {
        byte[] body = [.. TwoColumns];
        body[^1] = 2;
        Cut.Refuse(body, RowDescription.Read);
    }

    [Theory]
    [InlineData("INSERT 0 5", "Insert", 5, 5)]
    [InlineData("UPDATE 12345678901", "Update", 12345678901, 12345678901)]
    [InlineData("DELETE 0", "Delete", 0, 0)]
    [InlineData("MERGE 2", "Merge", 2, 2)]
    [InlineData("COPY 3", "Copy", 3, 3)]
    [InlineData("SELECT 9", "Select", 9, -1)]
    [InlineData("FETCH 1", "Fetch", 1, -1)]
    [InlineData("MOVE 4", "Move", 4, 4)]
    [InlineData("CALL", "Call", 0, -1)]
    [InlineData("CREATE TABLE", "Other", 0, -1)]
    [InlineData("SELECTED", "Other", 0, -1)]
    public void Reads_rows_from_a_tag(string tag, string kind, long rows, long affected)
    {
        var complete = Cut.Read([.. System.Text.Encoding.UTF8.GetBytes(tag), 0], CommandComplete.Read);
        Assert.Equal((Enum.Parse<CommandKind>(kind), rows), (complete.Kind, complete.Rows));
        Assert.Equal(affected, complete.RecordsAffected);
    }

    [Fact]
    public void Refuses_a_tag_whose_count_is_no_number() => Cut.Refuse([.. "INSERT 0 x\0"u8], CommandComplete.Read);

    [Fact]
    public void Reads_every_field_of_an_error()
    {
        var fields = Cut.Read(
            [
                .. ("SFEHLER\0VERROR\0C23505\0Mduplicate key\0DKey "u8
                    + "(id)\0Hhint\0P7\0p8\0qselect\0Wwhere\0sschema\0ttable\0ccolumn\0dtype\0nconstraint\0Ffile.c\0L12\0Rroutine\0\0"u8)
            ],
            ErrorResponse.Read);
        Assert.Equal(("FEHLER", "ERROR", "23505", "duplicate key"), (fields.Severity, fields.InvariantSeverity, fields.SqlState, fields.MessageText));
        Assert.Equal(("Key (id)", "hint", 7, 8), (fields.Detail, fields.Hint, fields.Position, fields.InternalPosition));
        Assert.Equal(("select", "where", "schema", "table"), (fields.InternalQuery, fields.Where, fields.SchemaName, fields.TableName));
        Assert.Equal(("column", "type", "constraint"), (fields.ColumnName, fields.DataTypeName, fields.ConstraintName));
        Assert.Equal(("file.c", "12", "routine"), (fields.File, fields.Line, fields.Routine));
        Assert.False(fields.EndsSession);
        Assert.Equal(("23505", "duplicate key"), (fields.ToServerError().SqlState, fields.ToServerError().Message));
    }

    [Fact]
    public void Ignores_fields_it_does_not_know_and_defaults_those_not_sent()
    {
        var fields = Cut.Read([.. "SPANIC\0?later\0Px\0\0"u8], NoticeResponse.Read);
        Assert.Equal(("PANIC", "", 0), (fields.InvariantSeverity, fields.SqlState, fields.Position));
        Assert.Null(fields.Detail);
        Assert.True(fields.EndsSession);
    }

    [Fact]
    public void Refuses_an_error_of_nothing_but_fields()
    {
        var body = new List<byte>();
        for (var i = 0; i < 65; i++)
            body.AddRange([(byte)(128 + i), (byte)'x', 0]);
        Cut.Refuse([.. body, 0], ErrorResponse.Read);
    }

    [Theory]
    [InlineData('I')]
    [InlineData('T')]
    [InlineData('E')]
    public void Reads_the_transaction_status(char status) => Assert.Equal((TransactionStatus)status, Cut.Read([(byte)status], ReadyForQuery.Read));

    [Fact]
    public void Refuses_a_status_that_is_none() => Cut.Refuse([(byte)'X'], ReadyForQuery.Read);

    [Fact]
    public void Reads_the_types_of_parameters()
    {
        Assert.Equal([23u, 25u], Cut.Read([0, 2, 0, 0, 0, 23, 0, 0, 0, 25], ParameterDescription.Read));
        Cut.Refuse([0xFF, 0xFF, 0, 0, 0, 23], ParameterDescription.Read);
    }

    [Fact]
    public void Reads_what_a_copy_waits_for()
    {
        Assert.Equal(new CopyInResponse(false, 2), Cut.Read([0, 0, 2, 0, 0, 0, 0], CopyInResponse.Read));
        Cut.Refuse([0, 0x7F, 0xFF, 0, 0], CopyInResponse.Read);
    }
}
