using System.Data;
using System.Numerics;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Data;

public class ParameterTests
{
    private enum Small : byte
    {
        One = 1,
    }

    public static TheoryData<object?, DbType, MySqlDbType> Inferred => new()
    {
        { null, DbType.String, MySqlDbType.VarChar }, { DBNull.Value, DbType.String, MySqlDbType.VarChar },
        { true, DbType.Boolean, MySqlDbType.Bool }, { (sbyte)1, DbType.SByte, MySqlDbType.Byte }, { (byte)1, DbType.Byte, MySqlDbType.UByte },
        { (short)1, DbType.Int16, MySqlDbType.Int16 }, { (ushort)1, DbType.UInt16, MySqlDbType.UInt16 }, { 1, DbType.Int32, MySqlDbType.Int32 },
        { 1u, DbType.UInt32, MySqlDbType.UInt32 }, { 1L, DbType.Int64, MySqlDbType.Int64 }, { 1UL, DbType.UInt64, MySqlDbType.UInt64 },
        { 1f, DbType.Single, MySqlDbType.Float }, { 1d, DbType.Double, MySqlDbType.Double }, { 1m, DbType.Decimal, MySqlDbType.NewDecimal },
        { BigInteger.One, DbType.Decimal, MySqlDbType.NewDecimal }, { "1", DbType.String, MySqlDbType.VarChar }, { '1', DbType.String, MySqlDbType.VarChar },
        { new StringBuilder("x"), DbType.String, MySqlDbType.VarChar }, { new byte[1], DbType.Binary, MySqlDbType.Blob },
        { new MemoryStream(), DbType.Binary, MySqlDbType.Blob }, { new float[1], DbType.Object, MySqlDbType.Vector },
        { Guid.Empty, DbType.Guid, MySqlDbType.Guid }, { default(DateTime), DbType.DateTime, MySqlDbType.DateTime },
        { default(DateTimeOffset), DbType.DateTimeOffset, MySqlDbType.DateTime }, { default(DateOnly), DbType.Date, MySqlDbType.Date },
        { default(TimeOnly), DbType.Time, MySqlDbType.Time }, { default(TimeSpan), DbType.Time, MySqlDbType.Time },
        { default(MySqlDateTime), DbType.DateTime, MySqlDbType.DateTime }, { Small.One, DbType.Byte, MySqlDbType.UByte },
        { MySqlGeometry.FromWkb(0, [1, 1, 0, 0, 0]), DbType.Binary, MySqlDbType.Geometry },
    };

    // As documented for MySqlConnector: each type of one list is converted to the first type of the other.
    public static TheoryData<DbType[], MySqlDbType[]> Pairs => new()
    {
        { [DbType.Boolean], [MySqlDbType.Bool] }, { [DbType.SByte], [MySqlDbType.Byte] }, { [DbType.Byte], [MySqlDbType.UByte] },
        { [DbType.Int16], [MySqlDbType.Int16] }, { [DbType.UInt16], [MySqlDbType.UInt16] },
        { [DbType.Int32], [MySqlDbType.Int32, MySqlDbType.Int24, MySqlDbType.Year] }, { [DbType.UInt32], [MySqlDbType.UInt32, MySqlDbType.UInt24] },
        { [DbType.Int64], [MySqlDbType.Int64] }, { [DbType.UInt64], [MySqlDbType.UInt64, MySqlDbType.Bit] },
        { [DbType.Single], [MySqlDbType.Float] }, { [DbType.Double], [MySqlDbType.Double] }, { [DbType.Guid], [MySqlDbType.Guid] },
        { [DbType.Decimal, DbType.Currency, DbType.VarNumeric], [MySqlDbType.NewDecimal, MySqlDbType.Decimal] },
        { [DbType.DateTime, DbType.DateTime2, DbType.DateTimeOffset], [MySqlDbType.DateTime, MySqlDbType.Timestamp] },
        { [DbType.Date], [MySqlDbType.Date, MySqlDbType.Newdate] }, { [DbType.Time], [MySqlDbType.Time] },
        {
            [DbType.Binary],
            [
                MySqlDbType.Blob, MySqlDbType.Binary, MySqlDbType.VarBinary, MySqlDbType.TinyBlob, MySqlDbType.MediumBlob, MySqlDbType.LongBlob,
                MySqlDbType.Geometry
            ]
        },
        { [DbType.StringFixedLength, DbType.AnsiStringFixedLength], [MySqlDbType.String] },
        {
            [DbType.String, DbType.AnsiString, DbType.Xml],
            [
                MySqlDbType.VarChar, MySqlDbType.VarString, MySqlDbType.Text, MySqlDbType.TinyText, MySqlDbType.MediumText, MySqlDbType.LongText,
                MySqlDbType.JSON, MySqlDbType.Enum, MySqlDbType.Set,
            ]
        },
    };

    [Theory]
    [MemberData(nameof(Inferred))]
    public void The_type_follows_from_the_value(object? value, DbType dbType, MySqlDbType mySqlDbType)
    {
        var parameter = new MySqlParameter { Value = value };
        Assert.Equal((dbType, mySqlDbType, false), (parameter.DbType, parameter.MySqlDbType, parameter.IsTypeSet));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public void Setting_one_type_sets_the_other(DbType[] dbTypes, MySqlDbType[] mySqlDbTypes)
    {
        foreach (var dbType in dbTypes)
            Assert.Equal(mySqlDbTypes[0], new MySqlParameter { DbType = dbType }.MySqlDbType);
        foreach (var mySqlDbType in mySqlDbTypes)
            Assert.Equal(dbTypes[0], new MySqlParameter { MySqlDbType = mySqlDbType }.DbType);
    }

    [Fact]
    public void Every_DbType_has_a_MySqlDbType()
    {
        foreach (var type in Enum.GetValues<DbType>())
            Assert.True(type == DbType.Object == (ParameterTypes.FromDbType(type) is null));
        Assert.Throws<ArgumentOutOfRangeException>(() => new MySqlParameter { DbType = (DbType)99 });
    }

    [Fact]
    public void A_DbType_that_was_set_reads_back_until_another_type_is()
    {
        foreach (var type in Enum.GetValues<DbType>())
        {
            var parameter = new MySqlParameter { DbType = type, Value = 1.5m };
            Assert.Equal((type, type), (parameter.DbType, parameter.Clone().DbType));
            parameter.MySqlDbType = MySqlDbType.Int16;
            Assert.Equal(DbType.Int16, parameter.DbType);
            parameter.DbType = type;
            parameter.ResetDbType();
            Assert.Equal((DbType.Decimal, MySqlDbType.NewDecimal), (parameter.DbType, parameter.MySqlDbType));
        }
    }

    [Fact]
    public void A_type_that_was_set_stays_when_the_value_changes()
    {
        var parameter = new MySqlParameter("@a", MySqlDbType.Int64) { Value = "5" };
        Assert.Equal(MySqlDbType.Int64, parameter.MySqlDbType);
        parameter.ResetDbType();
        Assert.Equal(MySqlDbType.VarChar, parameter.MySqlDbType);
        parameter.DbType = DbType.Int16;
        parameter.DbType = DbType.Object;
        Assert.False(parameter.IsTypeSet);
    }

    [Fact]
    public void Is_empty_when_new()
    {
        var parameter = new MySqlParameter();
        Assert.Equal(("", "", DataRowVersion.Current), (parameter.ParameterName, parameter.SourceColumn, parameter.SourceVersion));
        Assert.Equal((ParameterDirection.Input, 0, (byte)0, (byte)0), (parameter.Direction, parameter.Size, parameter.Precision, parameter.Scale));
        Assert.False(parameter.IsNullable || parameter.SourceColumnNullMapping);
        Assert.Null(parameter.Value);
        Assert.True(parameter.IsNull);
    }

    [Fact]
    public void The_long_constructor_sets_everything_and_a_clone_has_it_all()
    {
        var parameter = new MySqlParameter("@a", MySqlDbType.Decimal, 7, ParameterDirection.InputOutput, true, 5, 2, "column", DataRowVersion.Original, 1.5m)
        {
            SourceColumnNullMapping = true
        };
        var clone = parameter.Clone();
        parameter.SourceColumn = "other";
        Assert.Equal(("@a", MySqlDbType.Decimal, 7, ParameterDirection.InputOutput), (clone.ParameterName, clone.MySqlDbType, clone.Size, clone.Direction));
        Assert.Equal(
            (true, (byte)5, (byte)2, "column", DataRowVersion.Original, true),
            (clone.IsNullable, clone.Precision, clone.Scale, clone.SourceColumn, clone.SourceVersion, clone.SourceColumnNullMapping));
        Assert.Equal(1.5m, clone.Value);
    }

    [Fact]
    public void A_clone_is_in_no_collection()
    {
        var collection = new MySqlParameterCollection { new MySqlParameter("@a", 1) };
        collection[0].Clone().ParameterName = "@b";
        Assert.Equal(0, collection.IndexOf("@a"));
    }

    [Theory]
    [InlineData((ParameterDirection)0)]
    [InlineData((ParameterDirection)99)]
    public void There_are_only_four_directions(ParameterDirection direction) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new MySqlParameter { Direction = direction });

    [Fact]
    public void A_size_is_minus_one_or_more()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new MySqlParameter { Size = -2 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new MySqlParameter("@a", MySqlDbType.VarChar, -2));
        Assert.Equal(-1, new MySqlParameter("@a", MySqlDbType.VarChar, -1).Size);
        Assert.Equal("'abc'", Literal(new MySqlParameter("@a", "abc") { Size = -1 }));
    }

    [Fact]
    public void A_size_cuts_no_value()
    {
        object[] texts = ["abcdef", "abcdef".ToCharArray(), "abcdef".AsMemory(), new StringBuilder("abcdef")];
        foreach (var text in texts)
            Assert.Equal("'abcdef'", Literal(new MySqlParameter("@a", text) { Size = 3 }));
        Assert.Equal("'0123456789'", Literal(new MySqlParameter("@s", MySqlDbType.VarChar, 5) { Value = "0123456789" }));
        Assert.Equal("'abcdef'", Literal(new MySqlParameter<string>("@a", "abcdef") { Size = 3 }));

        byte[] bytes = [1, 2, 3, 4];
        object[] binaries = [bytes, bytes.AsMemory(), (ReadOnlyMemory<byte>)bytes, new ArraySegment<byte>(bytes)];
        foreach (var binary in binaries)
            Assert.Equal([4, 1, 2, 3, 4], Binary(new MySqlParameter("@a", binary) { Size = 2 }));
        Assert.Equal([57, 48, 0, 0], Binary(new MySqlParameter("@a", 12345) { Size = 2 }));
    }

    [Fact]
    public void An_enumeration_is_its_number_unless_its_type_is_char_or_varchar()
    {
        Assert.Equal("1", Literal(new MySqlParameter("@a", Small.One)));
        Assert.Equal("1", Literal(new MySqlParameter<Small>("@a", Small.One)));
        Assert.Equal("'One'", Literal(new MySqlParameter("@a", MySqlDbType.VarChar) { Value = Small.One }));
        Assert.Equal("'One'", Literal(new MySqlParameter<Small>("@a", MySqlDbType.VarChar) { TypedValue = Small.One }));
        Assert.Equal("1", Literal(new MySqlParameter<Small>("@a", MySqlDbType.Enum) { TypedValue = Small.One }));
        Assert.Equal("1", Literal(new MySqlParameter("@a", MySqlDbType.Text) { Value = Small.One }));
        Assert.Equal([3, .. "One"u8], Binary(new MySqlParameter("@a", MySqlDbType.String) { Value = Small.One }));
    }

    [Fact]
    public void A_typed_parameter_sends_what_an_untyped_one_sends()
    {
        Same(7);
        Same(7L);
        Same((byte)7);
        Same(true);
        Same(1.5);
        Same(1.5m);
        Same("text");
        Same(new byte[] { 1, 2 });
        Same<int?>(5);
        Same(new DateTime(2001, 2, 3, 4, 5, 6));
        Same(new DateOnly(2001, 2, 3));
        Same(new TimeSpan(1, 2, 3));
        Same(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"));
        Assert.Equal("NULL", Literal(new MySqlParameter<int?>("@a", null)));
        Assert.Equal("NULL", Literal(new MySqlParameter("@a", DBNull.Value)));

        static void Same<T>(T value)
        {
            var untyped = new MySqlParameter("@a", (object?)value);
            foreach (var size in (int[])[0, 1000])
            {
                var typed = new MySqlParameter<T>("@a", value) { Size = size };
                Assert.Equal(Literal(untyped), Literal(typed));
                Assert.Equal(Binary(untyped), Binary(typed));
                Assert.Equal(untyped.WireType(CodecSettings.Default), typed.WireType(CodecSettings.Default));
            }
        }
    }

    [Fact]
    public void Writing_a_typed_value_allocates_nothing()
    {
        var writer = new ByteWriter();
        MySqlParameter[] parameters =
            [
                new MySqlParameter<long>("@a", MySqlDbType.Int64) { TypedValue = 5, Size = 8 },
                new MySqlParameter<decimal>("@b", MySqlDbType.Decimal) { TypedValue = 5 }
            ];
        Write(100);
        Assert.Equal(0, Allocations.Of(() => Write(100)));

        void Write(int times)
        {
            for (var i = 0; i < times; i++)
            {
                writer.Clear();
                foreach (var parameter in parameters)
                {
                    parameter.WriteText(writer, LiteralRules.None, CodecSettings.Default);
                    parameter.WriteBinary(writer, CodecSettings.Default);
                    _ = parameter.WireType(CodecSettings.Default);
                }
            }
        }
    }

    [Fact]
    public void A_typed_parameter_knows_its_type_without_a_value()
    {
        var parameter = new MySqlParameter<int?>("@a", null);
        Assert.True(parameter.IsNull);
        Assert.Equal(MySqlDbType.Int32, parameter.MySqlDbType);
        parameter.TypedValue = 7;
        Assert.Equal(7, parameter.Value);
        parameter.Value = DBNull.Value;
        Assert.Null(parameter.TypedValue);
    }

    [Fact]
    public void A_typed_parameter_takes_only_its_type()
    {
        var parameter = new MySqlParameter<long>("@a", 1L);
        var error = Assert.Throws<InvalidCastException>(() => parameter.Value = "text");
        Assert.Equal("The parameter '@a' takes values of type Int64, not String.", error.Message);
        Assert.Equal(1L, ((MySqlParameter<long>)parameter.Clone()).TypedValue);
    }

    [Fact]
    public void Setting_a_typed_value_allocates_nothing()
    {
        var parameter = new MySqlParameter<int>("@a", 0);
        parameter.TypedValue = 1;
        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
                parameter.TypedValue = i;
        }));
    }

    [Fact]
    public void A_parameter_is_small()
    {
        MySqlParameter[] kept = [new(), new()];
        Assert.InRange(Allocations.Of(() => kept[0] = new()), 1, 64);
        GC.KeepAlive(kept);
    }

    private static string Literal(MySqlParameter parameter)
    {
        var writer = new ByteWriter();
        parameter.WriteText(writer, LiteralRules.None, CodecSettings.Default);
        return Encoding.UTF8.GetString(writer.Written);
    }

    private static byte[] Binary(MySqlParameter parameter)
    {
        var writer = new ByteWriter();
        parameter.WriteBinary(writer, CodecSettings.Default);
        return writer.Written.ToArray();
    }
}
