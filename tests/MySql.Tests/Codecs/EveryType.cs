using System.Text;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Codecs;

/// <summary>One value of one column type: its form in both protocols, and its .NET value.</summary>
internal sealed record Sample(
    string Name, ColumnSpec Column, byte[] Text, byte[] Binary, object Value, string TypeName, MySqlDbType DbType, CodecSettings? Settings = null)
{
    public override string ToString() => Name;
}

/// <summary>Samples of every column type of MySQL 9.7 and MariaDB 10.11, as these servers define and send them.</summary>
internal static class EveryType
{
    private const ColumnFlags Unsigned = ColumnFlags.Unsigned;
    private const ColumnFlags Zerofill = ColumnFlags.Unsigned | ColumnFlags.Zerofill;
    private static readonly Guid SomeGuid = new("00112233-4455-6677-8899-aabbccddeeff");

    public static readonly Sample[] All =
    [
        Fixed("tinyint", new(ColumnType.Tiny, Length: 4), "-128", "80", (sbyte)-128, "TINYINT", MySqlDbType.Byte),
        Fixed("tinyint unsigned", new(ColumnType.Tiny, Length: 3, Flags: Unsigned), "255", "FF", (byte)255, "TINYINT", MySqlDbType.UByte),
        Fixed("tinyint zerofill", new(ColumnType.Tiny, Length: 3, Flags: Zerofill), "007", "07", (byte)7, "TINYINT", MySqlDbType.UByte),
        Fixed("bool", new(ColumnType.Tiny, Length: 1), "1", "01", true, "BOOL", MySqlDbType.Bool),
        Fixed("bool false", new(ColumnType.Tiny, Length: 1), "0", "00", false, "BOOL", MySqlDbType.Bool),
        Fixed("bool -1", new(ColumnType.Tiny, Length: 1), "-1", "FF", true, "BOOL", MySqlDbType.Bool),
        Fixed("tinyint(1) unsigned", new(ColumnType.Tiny, Length: 1, Flags: Unsigned), "1", "01", (byte)1, "TINYINT", MySqlDbType.UByte),
        Fixed("tinyint(1) as number", new(ColumnType.Tiny, Length: 1), "1", "01", (sbyte)1, "TINYINT", MySqlDbType.Byte, new() { TreatTinyAsBoolean = false }),
        Fixed("smallint", new(ColumnType.Short, Length: 6), "-32768", "0080", short.MinValue, "SMALLINT", MySqlDbType.Int16),
        Fixed("smallint unsigned", new(ColumnType.Short, Length: 5, Flags: Unsigned), "65535", "FFFF", ushort.MaxValue, "SMALLINT", MySqlDbType.UInt16),
        Fixed("mediumint", new(ColumnType.Int24, Length: 9), "-8388608", "000080FF", -8388608, "MEDIUMINT", MySqlDbType.Int24),
        Fixed("mediumint unsigned", new(ColumnType.Int24, Length: 8, Flags: Unsigned), "16777215", "FFFFFF00", 16777215u, "MEDIUMINT", MySqlDbType.UInt24),
        Fixed("int", new(ColumnType.Long), "-2147483648", "00000080", int.MinValue, "INT", MySqlDbType.Int32),
        Fixed("int unsigned", new(ColumnType.Long, Length: 10, Flags: Unsigned), "4294967295", "FFFFFFFF", uint.MaxValue, "INT", MySqlDbType.UInt32),
        Fixed("int(30) zerofill", new(ColumnType.Long, Length: 30, Flags: Zerofill), new string('0', 28) + "42", "2A000000", 42u, "INT", MySqlDbType.UInt32),
        Fixed("bigint", new(ColumnType.LongLong, Length: 20), "-9223372036854775808", "0000000000000080", long.MinValue, "BIGINT", MySqlDbType.Int64),
        Fixed("bigint max", new(ColumnType.LongLong, Length: 20), "9223372036854775807", "FFFFFFFFFFFFFF7F", long.MaxValue, "BIGINT", MySqlDbType.Int64),
        Fixed("bigint 42", new(ColumnType.LongLong, Length: 20), "42", "2A00000000000000", 42L, "BIGINT", MySqlDbType.Int64),
        Fixed(
            "bigint unsigned", new(ColumnType.LongLong, Length: 20, Flags: Unsigned), "18446744073709551615", "FFFFFFFFFFFFFFFF", ulong.MaxValue, "BIGINT",
            MySqlDbType.UInt64),
        Fixed(
            "bigint unsigned zerofill", new(ColumnType.LongLong, Length: 30, Flags: Zerofill), new string('0', 29) + "7", "0700000000000000", 7ul, "BIGINT",
            MySqlDbType.UInt64),
        Fixed("year", new(ColumnType.Year, Length: 4, Flags: Zerofill), "2155", "6B08", 2155, "YEAR", MySqlDbType.Year),
        Fixed("year 0", new(ColumnType.Year, Length: 4, Flags: Zerofill), "0000", "0000", 0, "YEAR", MySqlDbType.Year),
        Fixed("float", new(ColumnType.Float, Length: 12, Decimals: 31), "-1.5", "0000C0BF", -1.5f, "FLOAT", MySqlDbType.Float),
        Fixed("float large", new(ColumnType.Float, Length: 12, Decimals: 31), "1e20", "EC78AD60", 1e20f, "FLOAT", MySqlDbType.Float),
        Fixed("double", new(ColumnType.Double, Length: 22, Decimals: 31), "0.1", "9A9999999999B93F", 0.1, "DOUBLE", MySqlDbType.Double),
        Fixed(
            "double large", new(ColumnType.Double, Length: 22, Decimals: 31), "-1.7976931348623157e308", "FFFFFFFFFFFFEFFF", double.MinValue, "DOUBLE",
            MySqlDbType.Double),
        Fixed("double 7", new(ColumnType.Double, Length: 22, Decimals: 31), "7", "0000000000001C40", 7.0, "DOUBLE", MySqlDbType.Double),
        Same("decimal", new(ColumnType.NewDecimal, Length: 12, Decimals: 2), "-12345.60", -12345.60m, "DECIMAL", MySqlDbType.NewDecimal),
        Same("decimal 7", new(ColumnType.NewDecimal, Length: 12), "7", 7m, "DECIMAL", MySqlDbType.NewDecimal),
        Same(
            "decimal of 28 digits", new(ColumnType.NewDecimal, Length: 30, Decimals: 10), "123456789012345678.0123456789", 123456789012345678.0123456789m,
            "DECIMAL", MySqlDbType.NewDecimal),
        Same("decimal largest", new(ColumnType.NewDecimal, Length: 30), "79228162514264337593543950335", decimal.MaxValue, "DECIMAL", MySqlDbType.NewDecimal),
        Same(
            "decimal zerofill", new(ColumnType.NewDecimal, Length: 65, Flags: Zerofill, Decimals: 1), new string('0', 60) + ".5", 0.5m, "DECIMAL",
            MySqlDbType.NewDecimal),
        Same(
            "decimal with 30 digits behind the point", new(ColumnType.NewDecimal, Length: 67, Decimals: 30), "1.333333333333333333333333333333",
            1.3333333333333333333333333333m, "DECIMAL", MySqlDbType.NewDecimal),
        Raw("bit(1)", new(ColumnType.Bit, Length: 1, Flags: Unsigned), "01", 1ul, "BIT", MySqlDbType.Bit),
        Raw("bit(10)", new(ColumnType.Bit, Length: 10, Flags: Unsigned), "0102", 0x0102ul, "BIT", MySqlDbType.Bit),
        Raw("bit(64)", new(ColumnType.Bit, Length: 64, Flags: Unsigned), "FFFFFFFFFFFFFFFE", ulong.MaxValue - 1, "BIT", MySqlDbType.Bit),
        Other("date", new(ColumnType.Date, Length: 10), "2024-02-29", "E807021D", new DateTime(2024, 2, 29), "DATE", MySqlDbType.Date),
        Other("date 9999", new(ColumnType.Date, Length: 10), "9999-12-31", "0F270C1F", new DateTime(9999, 12, 31), "DATE", MySqlDbType.Date),
        Other(
            "datetime", new(ColumnType.DateTime, Length: 19), "2001-02-03 04:05:06", "D1070203040506", new DateTime(2001, 2, 3, 4, 5, 6), "DATETIME",
            MySqlDbType.DateTime),
        Other(
            "datetime midnight", new(ColumnType.DateTime, Length: 19), "2001-02-03 00:00:00", "D1070203", new DateTime(2001, 2, 3), "DATETIME",
            MySqlDbType.DateTime),
        Other(
            "datetime(6)", new(ColumnType.DateTime, Length: 26, Decimals: 6), "9999-12-31 23:59:59.999999", "0F270C1F173B3B3F420F00",
            new DateTime(9999, 12, 31, 23, 59, 59).AddTicks(9_999_990), "DATETIME", MySqlDbType.DateTime),
        Other(
            "datetime(3)", new(ColumnType.DateTime, Length: 23, Decimals: 3), "2001-02-03 04:05:06.120", "D1070203040506C0D40100",
            new DateTime(2001, 2, 3, 4, 5, 6, 120), "DATETIME", MySqlDbType.DateTime),
        Other(
            "timestamp", new(ColumnType.Timestamp, Length: 19), "1970-01-01 00:00:01", "B2070101000001", new DateTime(1970, 1, 1, 0, 0, 1), "TIMESTAMP",
            MySqlDbType.Timestamp),
        Other(
            "timestamp in utc", new(ColumnType.Timestamp, Length: 19), "1970-01-01 00:00:01", "B2070101000001",
            new DateTime(1970, 1, 1, 0, 0, 1, DateTimeKind.Utc), "TIMESTAMP", MySqlDbType.Timestamp, new() { DateTimeKind = DateTimeKind.Utc }),
        Other(
            "zero date converted", new(ColumnType.Date, Length: 10), "0000-00-00", "", DateTime.MinValue, "DATE", MySqlDbType.Date,
            new() { ConvertZeroDateTime = true }),
        Other(
            "zero datetime converted", new(ColumnType.DateTime, Length: 19), "0000-00-00 00:00:00", "", DateTime.MinValue, "DATETIME", MySqlDbType.DateTime,
            new() { ConvertZeroDateTime = true }),
        Other(
            "zero date allowed", new(ColumnType.Date, Length: 10), "0000-00-00", "", default(MySqlDateTime), "DATE", MySqlDbType.Date,
            new() { AllowZeroDateTime = true }),
        Other(
            "date without a day allowed", new(ColumnType.DateTime, Length: 19), "2001-02-00 00:00:00", "D1070200", new MySqlDateTime(2001, 2, 0, 0, 0, 0, 0),
            "DATETIME", MySqlDbType.DateTime, new() { AllowZeroDateTime = true }),
        Other("time", new(ColumnType.Time, Length: 10), "12:34:56", "00000000000C2238", new TimeSpan(12, 34, 56), "TIME", MySqlDbType.Time),
        Other("time 0", new(ColumnType.Time, Length: 10), "00:00:00", "", TimeSpan.Zero, "TIME", MySqlDbType.Time),
        Other("time lowest", new(ColumnType.Time, Length: 10), "-838:59:59", "0122000000163B3B", -new TimeSpan(838, 59, 59), "TIME", MySqlDbType.Time),
        Other(
            "time(6)", new(ColumnType.Time, Length: 17, Decimals: 6), "-00:00:00.000001", "010000000000000001000000", TimeSpan.FromMicroseconds(-1), "TIME",
            MySqlDbType.Time),
        Other(
            "time(2)", new(ColumnType.Time, Length: 13, Decimals: 2), "100:00:00.50", "0004000000040000" + "20A10700",
            new TimeSpan(100, 0, 0) + TimeSpan.FromMilliseconds(500), "TIME", MySqlDbType.Time),
        Characters("char", new(ColumnType.String, Definitions.Utf8, 40), "a€😀", "CHAR", MySqlDbType.String),
        Characters("varchar", new(ColumnType.VarString, Definitions.Utf8, 400), "it's", "VARCHAR", MySqlDbType.VarChar),
        Characters("varchar empty", new(ColumnType.VarString, Definitions.Utf8, 400), "", "VARCHAR", MySqlDbType.VarChar),
        Characters("varchar of 300", new(ColumnType.VarString, Definitions.Utf8, 4000), new string('x', 300), "VARCHAR", MySqlDbType.VarChar),
        Characters("varchar(36)", new(ColumnType.VarString, Definitions.Utf8, 144), SomeGuid.ToString(), "VARCHAR", MySqlDbType.VarChar),
        Characters("tinytext", new(ColumnType.Blob, Definitions.Utf8, 1020, ColumnFlags.Blob), "t", "TINYTEXT", MySqlDbType.TinyText),
        Characters("text", new(ColumnType.Blob, Definitions.Utf8, 262140, ColumnFlags.Blob), "t", "TEXT", MySqlDbType.Text),
        Characters(
            "mediumtext", new(ColumnType.Blob, Definitions.Utf8, 67108860, ColumnFlags.Blob), new string('y', 70000), "MEDIUMTEXT", MySqlDbType.MediumText),
        Characters("longtext", new(ColumnType.Blob, Definitions.Utf8, uint.MaxValue, ColumnFlags.Blob), "t", "LONGTEXT", MySqlDbType.LongText),
        Characters("enum", new(ColumnType.String, Definitions.Utf8, 40, ColumnFlags.Enum), "Friday", "ENUM", MySqlDbType.Enum),
        Characters("enum of 36", new(ColumnType.String, Definitions.Utf8, 144, ColumnFlags.Enum), "Friday", "ENUM", MySqlDbType.Enum),
        Characters("set", new(ColumnType.String, Definitions.Utf8, 40, ColumnFlags.Set), "a,b", "SET", MySqlDbType.Set),
        Characters("json", new(ColumnType.Json, 63, uint.MaxValue, ColumnFlags.Blob | ColumnFlags.Binary), "{\"a\": 1}", "JSON", MySqlDbType.JSON),
        Characters("inet6", new(ColumnType.String, Definitions.Utf8, 156), "2001:db8::ff00:42:8329", "CHAR", MySqlDbType.String),
        Raw("binary", new(ColumnType.String, Length: 3, Flags: ColumnFlags.Binary), "000102", new byte[] { 0, 1, 2 }, "BINARY", MySqlDbType.Binary),
        Raw(
            "binary(16)", new(ColumnType.String, Length: 16, Flags: ColumnFlags.Binary), "00112233445566778899AABBCCDDEEFF",
            SomeGuid.ToByteArray(bigEndian: true), "BINARY", MySqlDbType.Binary),
        Raw("varbinary", new(ColumnType.VarString, Length: 30, Flags: ColumnFlags.Binary), "FF", new byte[] { 255 }, "VARBINARY", MySqlDbType.VarBinary),
        Raw("tinyblob", new(ColumnType.Blob, Length: 255, Flags: ColumnFlags.Blob), "", Array.Empty<byte>(), "TINYBLOB", MySqlDbType.TinyBlob),
        Raw("blob", new(ColumnType.Blob, Length: 65535, Flags: ColumnFlags.Blob), "27", new byte[] { 0x27 }, "BLOB", MySqlDbType.Blob),
        Raw("mediumblob", new(ColumnType.Blob, Length: 16777215, Flags: ColumnFlags.Blob), "27", new byte[] { 0x27 }, "MEDIUMBLOB", MySqlDbType.MediumBlob),
        Raw("longblob", new(ColumnType.Blob, Length: uint.MaxValue, Flags: ColumnFlags.Blob), "27", new byte[] { 0x27 }, "LONGBLOB", MySqlDbType.LongBlob),
        Raw(
            "geometry", new(ColumnType.Geometry, Length: uint.MaxValue, Flags: ColumnFlags.Blob | ColumnFlags.Binary),
            "000000000101000000000000000000F03F0000000000000040", Convert.FromHexString("000000000101000000000000000000F03F0000000000000040"), "GEOMETRY",
            MySqlDbType.Geometry),
        Raw(
            "vector", new(ColumnType.Vector, Length: 8192, Flags: ColumnFlags.Blob | ColumnFlags.Binary), "0000803F000000C0", new[] { 1f, -2f }, "VECTOR",
            MySqlDbType.Vector),
        Text("guid char(36)", new(ColumnType.String, Definitions.Utf8, 144), "00112233-4455-6677-8899-AABBccddeeff", SomeGuid, "CHAR(36)", MySqlDbType.Guid),
        Text(
            "guid char(32)", new(ColumnType.String, Definitions.Utf8, 128), "00112233445566778899aabbccddeeff", SomeGuid, "CHAR(32)", MySqlDbType.Guid,
            new() { GuidFormat = MySqlGuidFormat.Char32 }),
        Text(
            "no guid", new(ColumnType.String, Definitions.Utf8, 144), SomeGuid.ToString(), SomeGuid.ToString(), "CHAR", MySqlDbType.String,
            new() { GuidFormat = MySqlGuidFormat.None }),
        Raw(
            "guid binary(16)", new(ColumnType.String, Length: 16, Flags: ColumnFlags.Binary), "00112233445566778899AABBCCDDEEFF", SomeGuid, "BINARY",
            MySqlDbType.Guid, new() { GuidFormat = MySqlGuidFormat.Binary16 }),
        Raw(
            "guid time-swapped", new(ColumnType.String, Length: 16, Flags: ColumnFlags.Binary), "66774455001122338899AABBCCDDEEFF", SomeGuid, "BINARY",
            MySqlDbType.Guid, new() { GuidFormat = MySqlGuidFormat.TimeSwapBinary16 }),
        Raw(
            "guid little-endian", new(ColumnType.VarString, Length: 16, Flags: ColumnFlags.Binary), "33221100554477668899AABBCCDDEEFF", SomeGuid, "VARBINARY",
            MySqlDbType.Guid, new() { GuidFormat = MySqlGuidFormat.LittleEndianBinary16 }),
    ];

    private static Sample Fixed(
        string name, ColumnSpec column, string text, string binary, object value, string typeName, MySqlDbType type, CodecSettings? settings = null) =>
        new(name, column, Encoding.ASCII.GetBytes(text), Convert.FromHexString(binary), value, typeName, type, settings);

    private static Sample Other(
        string name, ColumnSpec column, string text, string binary, object value, string typeName, MySqlDbType type, CodecSettings? settings = null) =>
        Fixed(name, column, text, binary, value, typeName, type, settings);

    private static Sample Same(string name, ColumnSpec column, string text, object value, string typeName, MySqlDbType type) =>
        Text(name, column, text, value, typeName, type);

    private static Sample Text(string name, ColumnSpec column, string text, object value, string typeName, MySqlDbType type, CodecSettings? settings = null) =>
        new(name, column, Encoding.UTF8.GetBytes(text), Encoding.UTF8.GetBytes(text), value, typeName, type, settings);

    private static Sample Characters(string name, ColumnSpec column, string text, string typeName, MySqlDbType type) =>
        Text(name, column, text, text, typeName, type);

    private static Sample Raw(string name, ColumnSpec column, string hex, object value, string typeName, MySqlDbType type, CodecSettings? settings = null) =>
        new(name, column, Convert.FromHexString(hex), Convert.FromHexString(hex), value, typeName, type, settings);
}
