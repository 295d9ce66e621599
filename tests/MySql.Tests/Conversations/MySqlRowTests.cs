using System.Text;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Tests.Support;
using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Conversations;

public class MySqlRowTests
{
    private static readonly ColumnSpec Int = new(ColumnType.Long);
    private static readonly ColumnSpec BigInt = new(ColumnType.LongLong, Length: 20);
    private static readonly ColumnSpec Text = new(ColumnType.VarString, Definitions.Utf8, 400);
    private static readonly ColumnSpec Blob = new(ColumnType.Blob, Length: uint.MaxValue);

    private static readonly ColumnSpec[] Mixed = [Int, BigInt, Text, Int, Text, Blob, BigInt, Int, Text, Int, Int];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Columns_can_be_read_in_any_order_and_again(bool isBinary)
    {
        var random = new Random(1);
        for (var round = 0; round < 300; round++)
        {
            var nulls = round % 3 == 0 ? [] : Enumerable.Range(0, Mixed.Length).Where(_ => random.Next(3) == 0).ToArray();
            var expected = new object[Mixed.Length];
            var row = RowOf(Mixed, Values(random, isBinary, nulls, expected), isBinary);
            for (var read = 0; read < 30; read++)
            {
                var i = random.Next(Mixed.Length);
                Assert.Equal(nulls.Contains(i), row.IsNull(i));
                Assert.Equal(expected[i], row.GetValue(i));
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Bytes_behind_the_last_column_are_told_whatever_the_columns_are(bool isBinary)
    {
        ColumnSpec[][] shapes = [Mixed, [Int], [Int, BigInt], [Text], [Int, Text], [Text, Int], [Int, Int, Int, Int, Int, Int, Int, Int]];
        foreach (var shape in shapes)
        {
            foreach (var nulls in new int[][] { [], [0], [shape.Length - 1] })
            {
                var whole = Bytes(shape, shape.Length == Mixed.Length
                    ? Values(new Random(3), isBinary, nulls, new object[Mixed.Length])
                    : [.. shape.Select((column, i) => nulls.Contains(i) ? null : Short(column, isBinary))],
                    isBinary);
                foreach (var more in new byte[][] { [0], [1, (byte)'1'], new byte[300] })
                {
                    byte[] longer = [.. whole, .. more];
                    Assert.Throws<ProtocolException>(() =>
                    {
                        var row = new MySqlRow(CodecSettings.Default);
                        row.Describe(Definitions.Metadata(CodecSettings.Default, shape), isBinary);
                        row.Set(longer, 0, longer.Length);
                        for (var i = 0; i < shape.Length; i++)
                        {
                            if (shape[i] == Int && !row.IsNull(i))
                                row.GetInt32(i);
                            else
                                row.GetValue(i);
                        }
                    });
                }
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_row_cut_anywhere_is_told_and_nothing_behind_it_is_read(bool isBinary)
    {
        var expected = new object[Mixed.Length];
        var whole = Bytes(Mixed, Values(new Random(2), isBinary, [1, 7], expected), isBinary);
        for (var length = 0; length < whole.Length; length++)
        {
            var row = new MySqlRow(CodecSettings.Default);
            row.Describe(Definitions.Metadata(CodecSettings.Default, Mixed), isBinary);
            // The rest of the row follows in the buffer: the reader must not use it as this value.
            Assert.Throws<ProtocolException>(() =>
            {
                row.Set(whole, 0, length);
                for (var i = 0; i < Mixed.Length; i++)
                    Assert.Equal(expected[i], row.GetValue(i));
            });
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_fixed_row_cut_anywhere_is_told_too(bool isBinary)
    {
        ColumnSpec[] columns = [Int, BigInt, Int];
        var whole = isBinary
            ? Definitions.BinaryRow(columns, new byte[4], new byte[8], new byte[4])
            : Definitions.TextRow("1"u8.ToArray(), "22"u8.ToArray(), "333"u8.ToArray());
        for (var length = 0; length < whole.Length; length++)
        {
            var row = new MySqlRow(CodecSettings.Default);
            row.Describe(Definitions.Metadata(CodecSettings.Default, columns), isBinary);
            Assert.Throws<ProtocolException>(() =>
            {
                row.Set(whole, 0, length);
                row.GetInt32(0);
                row.GetInt64(1);
                row.GetInt32(2);
            });
        }
    }

    [Theory]
    [InlineData("FC0200" + "41")]
    [InlineData("FD000001" + "41")]
    [InlineData("FE0200000000000000" + "41")]
    [InlineData("FEFFFFFFFFFFFFFFFF" + "41")]
    [InlineData("FEFFFFFFFFFFFFFF7F" + "41")]
    [InlineData("FE0000000001000000" + "41")]
    [InlineData("FEFBFFFFFF00000000" + "41")]
    [InlineData("FF")]
    [InlineData("FA")]
    [InlineData("FC")]
    [InlineData("FC00")]
    [InlineData("FD0000")]
    [InlineData("FE00000000000000")]
    [InlineData("")]
    public void A_length_that_lies_never_reads_past_the_row(string bytes)
    {
        foreach (var isBinary in new[] { false, true })
        {
            var row = new MySqlRow(CodecSettings.Default);
            row.Describe(Definitions.Metadata(CodecSettings.Default, Text), isBinary);
            byte[] payload = isBinary ? [0, 0, .. Convert.FromHexString(bytes)] : Convert.FromHexString(bytes);
            row.Set([.. payload, .. new byte[300]], 0, payload.Length);
            Assert.Throws<ProtocolException>(() => row.GetString(0));
            Assert.Throws<ProtocolException>(() => row.IsNull(0));
        }
    }

    [Fact]
    public void A_null_mark_outside_the_bitmap_of_a_binary_row_is_told()
    {
        var row = new MySqlRow(CodecSettings.Default);
        row.Describe(Definitions.Metadata(CodecSettings.Default, Text), isBinary: true);
        row.Set([0, 0, 0xFB], 0, 3);
        Assert.Throws<ProtocolException>(() => row.IsNull(0));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Lengths_of_all_forms_are_read(bool isBinary)
    {
        foreach (var length in new[] { 0, 1, 250, 251, 65535, 65536, 17_000_000 })
        {
            var value = new byte[length];
            new Random(length).NextBytes(value);
            var row = RowOf([Blob, Int], [value, isBinary ? [7, 0, 0, 0] : [(byte)'7']], isBinary);
            Assert.True(value.AsSpan().SequenceEqual(row.GetByteArray(0)));
            Assert.Equal(7, row.GetInt32(1));
        }
    }

    [Fact]
    public void Values_in_arrays_of_their_own_are_handed_out_as_they_are()
    {
        var row = new MySqlRow(CodecSettings.Default);
        row.Describe(Definitions.Metadata(CodecSettings.Default, Int, Blob, Text, Blob, Int), isBinary: false);
        var large = Encoding.UTF8.GetBytes(new string('x', 2_000_000));
        row.SetLarge("42abc7"u8.ToArray(), [0, 0, 2, 0, 5], [2, large.Length, 3, -1, 1], [null, large, null, null, null]);
        Assert.Equal(42, row.GetInt32(0));
        Assert.Same(large, row.GetByteArray(1));
        Assert.Same(large, row.GetFieldValue<byte[]>(1));
        Assert.Equal("abc", row.GetString(2));
        Assert.True(row.IsNull(3));
        Assert.Equal(7, row.GetInt32(4));
        Assert.Throws<IndexOutOfRangeException>(() => row.GetInt32(5));

        var next = Definitions.TextRow("1"u8.ToArray(), "b"u8.ToArray(), null, null, null);
        row.Set(next, 0, next.Length);
        Assert.Equal((1, "b"), (row.GetInt32(0), Encoding.UTF8.GetString(row.GetByteArray(1))));
        Assert.True(row.IsNull(2));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void A_wrong_ordinal_is_an_error_that_says_which_there_are(int ordinal)
    {
        foreach (var isBinary in new[] { false, true })
        {
            var row = RowOf([Int], isBinary ? [new byte[4]] : ["0"u8.ToArray()], isBinary);
            foreach (var get in new Action[]
            {
                () => row.GetInt32(ordinal), () => row.GetInt64(ordinal), () => row.IsNull(ordinal), () => row.GetValue(ordinal), () => row.GetName(ordinal),
                () => row.GetFieldType(ordinal), () => row.GetString(ordinal), () => row.Describe(ordinal), () => row.GetFieldValue<int?>(ordinal),
                () => row.GetSpan(ordinal),
            })
            {
                var error = Assert.Throws<IndexOutOfRangeException>(get);
                Assert.Contains("0 to 0", error.Message, StringComparison.Ordinal);
            }

            row.Clear();
            Assert.Equal(0, row.FieldCount);
            Assert.Throws<IndexOutOfRangeException>(() => row.GetInt32(0));
            Assert.Throws<IndexOutOfRangeException>(() => row.GetOrdinal("c"));
        }
    }

    [Fact]
    public void Messages_name_the_column_and_the_type()
    {
        var row = RowOf([new(ColumnType.VarString, Definitions.Utf8, 40, Name: "title")], ["x"u8.ToArray()], isBinary: false);
        Assert.Equal(
            "Column 'title' of type VARCHAR cannot be read as Int32: read it as String, or cast it in SQL.",
            Assert.Throws<InvalidCastException>(() => row.GetInt32(0)).Message);
        row = RowOf([new(ColumnType.Long, Name: "n")], ["300"u8.ToArray()], isBinary: false);
        Assert.Equal("The value of column 'n' of type INT is outside the range of Byte.", Assert.Throws<OverflowException>(() => row.GetByte(0)).Message);
        row = RowOf([new(ColumnType.Null, Name: "n")], [null], isBinary: false);
        Assert.Contains("'n' is NULL", Assert.Throws<InvalidCastException>(() => row.GetString(0)).Message, StringComparison.Ordinal);
        row = RowOf([new(ColumnType.Long, Name: "n")], [null], isBinary: false);
        Assert.Contains("'n' is NULL", Assert.Throws<InvalidCastException>(() => row.GetByte(0)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_decimal_that_does_not_fit_says_how_to_read_it()
    {
        var digits = new string('9', 35) + "." + new string('9', 30);
        var row = RowOf([new(ColumnType.NewDecimal, Length: 67, Decimals: 30)], [Encoding.ASCII.GetBytes(digits)], isBinary: true);
        Assert.Contains("GetString", Assert.Throws<OverflowException>(() => row.GetDecimal(0)).Message, StringComparison.Ordinal);
        Assert.Equal(digits, row.GetString(0));
        Assert.Equal(digits, row.GetMySqlDecimal(0).ToString());
        Assert.Equal(1e35, row.GetDouble(0));
    }

    [Fact]
    public void Zero_dates_are_refused_with_the_options_that_read_them()
    {
        foreach (var isBinary in new[] { false, true })
        {
            var row = RowOf([new(ColumnType.Date, Length: 10)], [isBinary ? [] : "0000-00-00"u8.ToArray()], isBinary);
            var error = Assert.Throws<InvalidCastException>(() => row.GetValue(0));
            Assert.Contains("Convert Zero DateTime", error.Message, StringComparison.Ordinal);
            Assert.Equal(default, row.GetMySqlDateTime(0));
        }
    }

    [Fact]
    public void Enumerations_are_read_by_number_and_by_name()
    {
        var row = RowOf([Int, Text], ["5"u8.ToArray(), "friday"u8.ToArray()], isBinary: false);
        Assert.Equal(DayOfWeek.Friday, row.GetFieldValue<DayOfWeek>(0));
        Assert.Equal(DayOfWeek.Friday, row.GetFieldValue<DayOfWeek?>(1));
        row = RowOf([Text], ["noday"u8.ToArray()], isBinary: false);
        Assert.Throws<InvalidCastException>(() => row.GetFieldValue<DayOfWeek>(0));
    }

    [Fact]
    public void Describes_a_column_in_neutral_words()
    {
        var row = RowOf([new(ColumnType.NewDecimal, 63, 12, ColumnFlags.NotNull | ColumnFlags.PrimaryKey, 2, "price")], ["1.00"u8.ToArray()], isBinary: false);
        var column = row.Describe(0);
        Assert.Equal(
            ("price", "org_price", "table", "schema", "def", "DECIMAL", (int)MySqlDbType.NewDecimal, typeof(decimal)),
            (column.Name, column.BaseName, column.TableName, column.SchemaName, column.CatalogName, column.TypeName, column.ProviderType, column.Type));
        Assert.Equal((10, 2, false, true, false, true), (column.Precision, column.Scale, column.IsNullable, column.IsKey, column.IsUnique, column.IsAliased));
        Assert.Equal(100, RowOf([Text], ["x"u8.ToArray()], isBinary: false).Describe(0).Size);
    }

    [Fact]
    public void Typed_getters_allocate_nothing()
    {
        var row =
            RowOf([Int, BigInt, new(ColumnType.Double), new(ColumnType.DateTime)], [[1, 0, 0, 0], new byte[8], new byte[8], [0xD1, 7, 2, 3]], isBinary: true);
        var text = RowOf(
            [Int, BigInt, new(ColumnType.Double), new(ColumnType.DateTime)],
            ["1"u8.ToArray(), "2"u8.ToArray(), "3"u8.ToArray(), "2001-02-03 00:00:00"u8.ToArray()], isBinary: false);
        Read(row);
        Read(text);
        Assert.Equal(0, Allocations.Of(() =>
        {
            Read(row);
            Read(text);
        }));

        static void Read(MySqlRow row)
        {
            row.GetInt32(0);
            row.GetInt64(1);
            row.GetDouble(2);
            row.GetDateTime(3);
            row.GetFieldValue<int>(0);
            row.GetFieldValue<long?>(1);
            row.GetFieldValue<DateOnly>(3);
            row.GetBoolean(0);
            row.GetByte(0);
        }
    }

    private static byte[]?[] Values(Random random, bool isBinary, int[] nulls, object[] expected)
    {
        var values = new byte[]?[Mixed.Length];
        for (var i = 0; i < values.Length; i++)
        {
            expected[i] = DBNull.Value;
            if (nulls.Contains(i))
                continue;
            switch (Mixed[i].Type)
            {
                case ColumnType.Long:
                    var number = random.Next(int.MinValue, int.MaxValue);
                    (values[i], expected[i]) = (isBinary ? BitConverter.GetBytes(number) : Encoding.ASCII.GetBytes($"{number}"), number);
                    break;
                case ColumnType.LongLong:
                    var large = random.NextInt64(long.MinValue, long.MaxValue);
                    (values[i], expected[i]) = (isBinary ? BitConverter.GetBytes(large) : Encoding.ASCII.GetBytes($"{large}"), large);
                    break;
                case ColumnType.VarString:
                    var text = new string((char)random.Next('a', 'z'), random.Next(5) == 0 ? 300 : random.Next(20));
                    (values[i], expected[i]) = (Encoding.UTF8.GetBytes(text), text);
                    break;
                default:
                    var bytes = new byte[random.Next(300)];
                    random.NextBytes(bytes);
                    (values[i], expected[i]) = (bytes, bytes);
                    break;
            }
        }

        return values;
    }

    private static byte[] Short(ColumnSpec column, bool isBinary) => column switch
    {
        { Type: ColumnType.Long } when isBinary => [7, 0, 0, 0],
        { Type: ColumnType.LongLong } when isBinary => [7, 0, 0, 0, 0, 0, 0, 0],
        _ => "7"u8.ToArray(),
    };

    private static byte[] Bytes(ColumnSpec[] columns, byte[]?[] values, bool isBinary) =>
        isBinary ? Definitions.BinaryRow(columns, values) : Definitions.TextRow(values);

    private static MySqlRow RowOf(ColumnSpec[] columns, byte[]?[] values, bool isBinary)
    {
        var row = new MySqlRow(CodecSettings.Default);
        row.Describe(Definitions.Metadata(CodecSettings.Default, columns), isBinary);
        var bytes = Bytes(columns, values, isBinary);
        row.Set([9, .. bytes, 9], 1, bytes.Length);
        return row;
    }
}
