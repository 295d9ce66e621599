using System.Buffers.Binary;
using System.Numerics;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Codecs;

public class PgRowTests
{
    [Fact]
    public void Columns_are_found_in_any_order()
    {
        var row = Row([TypeOid.Int4, TypeOid.Text, TypeOid.Int4], ["7", null, "-9"]);
        Assert.Equal(-9, row.GetInt32(2));
        Assert.True(row.IsNull(1));
        Assert.Equal(7, row.GetInt32(0));
        Assert.Equal(DBNull.Value, row.GetValue(1));
        Assert.Throws<InvalidCastException>(() => row.GetString(1));
    }

    [Fact]
    public void Wide_rows_are_walked_in_runs()
    {
        var row = Row([.. Enumerable.Repeat(TypeOid.Int4, 40)], [.. Enumerable.Range(0, 40).Select(i => (string?)$"{i}")]);
        for (var i = 39; i >= 0; i--)
            Assert.Equal(i, row.GetInt32(i));
    }

    [Fact]
    public void A_row_of_another_count_is_refused()
    {
        var row = new PgRow();
        row.Begin(Describe([TypeOid.Int4, TypeOid.Int4], binary: false));
        Assert.Throws<ProtocolException>(() => row.Set([0, 1, 0, 0, 0, 0], 0, 6));
        Assert.Throws<ProtocolException>(() => row.Set([0], 0, 1));
    }

    [Fact]
    public void A_row_cut_anywhere_is_refused_when_the_column_is_asked_for()
    {
        var body = Body(["12", "3"]);
        for (var length = 2; length < body.Length; length++)
        {
            var row = new PgRow();
            row.Begin(Describe([TypeOid.Int4, TypeOid.Int4], binary: false));
            row.Set(body[..length], 0, length);
            Assert.Throws<ProtocolException>(() => row.GetInt32(1));
        }
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    public void A_lying_length_is_refused(int length)
    {
        var body = Body(["12"]);
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(2), length);
        var row = new PgRow();
        row.Begin(Describe([TypeOid.Int4], binary: false));
        row.Set(body, 0, body.Length);
        Assert.Throws<ProtocolException>(() => row.IsNull(0));
    }

    [Fact]
    public void There_is_no_column_outside_the_result()
    {
        var row = Row([TypeOid.Int4], ["1"]);
        Assert.Throws<IndexOutOfRangeException>(() => row.GetInt32(1));
        Assert.Throws<IndexOutOfRangeException>(() => row.GetInt32(-1));
        Assert.Throws<IndexOutOfRangeException>(() => row.GetName(1));
        Assert.Throws<IndexOutOfRangeException>(() => row.GetOrdinal("other"));
    }

    [Fact]
    public void Names_match_exactly_first()
    {
        var row = new PgRow();
        row.Begin(Describe([TypeOid.Int4, TypeOid.Int4], binary: false, ["ID", "id"]));
        Assert.Equal(1, row.GetOrdinal("id"));
        Assert.Equal(0, row.GetOrdinal("ID"));
        Assert.Equal(0, row.GetOrdinal("Id"));
    }

    [Fact]
    public void Large_values_are_read_from_their_own_arrays()
    {
        var row = new PgRow();
        row.Begin(Describe([TypeOid.Int4, TypeOid.Bytea, TypeOid.Bytea], binary: true));
        byte[] small = [0, 3, 0, 0, 0, 4, 0, 0, 0, 7, 255, 255, 255, 255, 255, 255, 255, 255];
        byte[] large = [1, 2, 3];
        row.SetLarge(small, small.Length, [null, large, null]);
        Assert.Equal(7, row.GetInt32(0));
        Assert.Same(large, row.GetByteArray(1));
        Assert.False(row.IsNull(1));
        Assert.True(row.IsNull(2));
        Assert.Equal(large, row.GetFieldValue<ReadOnlyMemory<byte>>(1).ToArray());
    }

    [Fact]
    public void Typed_reads_convert_where_nothing_is_lost()
    {
        var row = Row([TypeOid.Int8, TypeOid.Numeric, TypeOid.Numeric, TypeOid.Text], ["5", "3.00", "1.5", "x"]);
        Assert.Equal(5, row.GetFieldValue<int>(0));
        Assert.Equal((byte)5, row.GetByte(0));
        Assert.Equal(5L, row.GetFieldValue<long?>(0));
        Assert.Equal(DayOfWeek.Friday, row.GetFieldValue<DayOfWeek>(0));
        Assert.Equal(DayOfWeek.Friday, row.GetFieldValue<DayOfWeek?>(0));
        Assert.Equal(3, row.GetInt32(1));
        Assert.Equal(1.5m, row.GetFieldValue<decimal>(2));
        Assert.Throws<InvalidCastException>(() => row.GetInt32(2));
        Assert.Throws<InvalidCastException>(() => row.GetInt32(3));
        Assert.Throws<InvalidCastException>(() => row.GetFieldValue<Version>(3));
        Assert.Equal('x', row.GetFieldValue<char>(3));
        Assert.Equal("x"u8.ToArray(), row.GetFieldValue<byte[]>(3));
    }

    [Fact]
    public void No_getter_of_integers_drops_a_fraction()
    {
        var row = Row([TypeOid.Numeric, TypeOid.Numeric], ["3.50", "3.00"]);
        Check<byte>(3);
        Check<sbyte>(3);
        Check<short>(3);
        Check<ushort>(3);
        Check<int>(3);
        Check<uint>(3);
        Check<long>(3);
        Check<ulong>(3);
        Check<BigInteger>(3);
        Check(DayOfWeek.Wednesday);
        Check(Wide.Three);

        void Check<T>(T whole) where T : struct
        {
            Assert.Throws<InvalidCastException>(() => row.GetFieldValue<T>(0));
            Assert.Throws<InvalidCastException>(() => row.GetFieldValue<T?>(0));
            Assert.Throws<InvalidCastException>(() => new ScalarTarget<T>().Take(row));
            Assert.Throws<InvalidCastException>(() => new ScalarTarget<T?>().Take(row));
            Assert.Equal(whole, row.GetFieldValue<T>(1));
            Assert.Equal(whole, row.GetFieldValue<T?>(1));
        }
    }

    [Fact]
    public void An_enumeration_takes_no_number_that_its_own_type_cannot_hold()
    {
        var row = Row([TypeOid.Int4, TypeOid.Int4, TypeOid.Numeric, TypeOid.Int4], ["300", "-1", "18446744073709551615", "3"]);
        Assert.Throws<OverflowException>(() => row.GetFieldValue<Narrow>(0));
        Assert.Throws<OverflowException>(() => row.GetFieldValue<Narrow?>(0));
        Assert.Throws<OverflowException>(() => row.GetFieldValue<Narrow>(1));
        Assert.Throws<OverflowException>(() => row.GetFieldValue<Wide>(1));
        Assert.Equal(Wide.Last, row.GetFieldValue<Wide>(2));
        Assert.Equal(Wide.Last, row.GetFieldValue<Wide?>(2));
        Assert.Equal((DayOfWeek)(-1), row.GetFieldValue<DayOfWeek>(1));
        Assert.Equal(Narrow.Three, row.GetFieldValue<Narrow>(3));
    }

    [Fact]
    public void What_came_in_a_form_that_nobody_can_read_says_that_executing_again_helps()
    {
        var row = new PgRow();
        row.Begin(Describe([1033], binary: true));
        byte[] body = [0, 1, 0, 0, 0, 8, 2, 32, 0, 4, 10, 0, 0, 1];
        row.Set(body, 0, body.Length);
        Action[] getters =
            [() => row.GetValue(0), () => row.GetString(0), () => row.GetInt32(0), () => row.GetByteArray(0), () => row.GetFieldValue<ReadOnlyMemory<byte>>(0)];
        foreach (var get in getters)
        {
            var message = Assert.Throws<InvalidCastException>(get).Message;
            Assert.Contains("'c0' is of type aclitem", message);
            Assert.EndsWith("Execute the command again.", message);
        }
    }

    private enum Narrow : byte
    {
        Three = 3,
    }

    private enum Wide : ulong
    {
        Three = 3,
        Last = ulong.MaxValue,
    }

    [Fact]
    public void A_description_is_recognised_by_its_bytes()
    {
        var body = Protocol.ResponseTests.TwoColumns;
        var first = ResultMetadata.From(body, null, TypeCatalogue.BuiltIn);
        Assert.Same(first, ResultMetadata.From([.. body], first, TypeCatalogue.BuiltIn));
        Assert.False(first.Columns[0].IsBinary);
        Assert.True(first.Best.Columns[0].IsBinary);
        Assert.False(first.Best.Columns[1].IsBinary);
        Assert.Equal([1, 0], first.Best.Formats);
        Assert.Equal("name", first.Best.Name(1));
        Assert.Same(first.Best, first.Best.Best);
    }

    internal static PgRow Row(uint[] types, string?[] values)
    {
        var row = new PgRow();
        row.Begin(Describe(types, binary: false));
        var body = Body(values);
        row.Set(body, 0, body.Length);
        return row;
    }

    private static byte[] Body(string?[] values)
    {
        var body = new List<byte> { 0, (byte)values.Length };
        foreach (var value in values)
        {
            var length = new byte[4];
            BinaryPrimitives.WriteInt32BigEndian(length, value is null ? -1 : Encoding.UTF8.GetByteCount(value));
            body.AddRange(length);
            body.AddRange(Encoding.UTF8.GetBytes(value ?? ""));
        }

        return [.. body];
    }

    private static ResultMetadata Describe(uint[] types, bool binary, string[]? names = null)
    {
        var body = new List<byte> { 0, (byte)types.Length };
        for (var i = 0; i < types.Length; i++)
        {
            var oid = new byte[4];
            BinaryPrimitives.WriteUInt32BigEndian(oid, types[i]);
            body.AddRange(
                [.. Encoding.UTF8.GetBytes(names?[i] ?? $"c{i}"), 0, 0, 0, 0, 0, 0, 0, .. oid, 0, 4, 255, 255, 255, 255, 0, binary ? (byte)1 : (byte)0]);
        }

        return ResultMetadata.From([.. body], null, TypeCatalogue.BuiltIn);
    }
}
