using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.Fuzzing.Targets;

/// <summary>A column with a value for both forms of a row.</summary>
internal sealed record ShapeColumn(ColumnType Type, ushort CharacterSet, uint Length, ColumnFlags Flags, byte Decimals, byte[] Text, byte[] Binary);

/// <summary>The result sets of the rows: every type, in the orders for which the driver has shortcuts.</summary>
internal static class MySqlShapes
{
    private const ushort Utf8 = 255;
    private const ushort Bytes = 63;

    private static readonly ShapeColumn Int = Fixed(ColumnType.Long, "-12345", Number(-12345, 4));
    private static readonly ShapeColumn BigInt = Fixed(ColumnType.LongLong, "1234567890123", Number(1234567890123, 8));
    private static readonly ShapeColumn Varchar = new(ColumnType.VarString, Utf8, 400, 0, 0, "text ü"u8.ToArray(), "text ü"u8.ToArray());
    private static readonly ShapeColumn Decimal = new(ColumnType.NewDecimal, Bytes, 12, 0, 2, "-1234567.89"u8.ToArray(), "-1234567.89"u8.ToArray());
    private static readonly ShapeColumn DateTime =
        new(ColumnType.DateTime, Bytes, 26, 0, 6, "2026-11-21 18:25:00.123456"u8.ToArray(), [.. Number(2026, 2), 11, 21, 18, 25, 0, .. Number(123456, 4)]);

    public static IReadOnlyList<ShapeColumn[]> All { get; } =
    [
        // Narrow rows of fixed width, of text, and of both.
        [Int, BigInt, Int],
        [Varchar, Varchar],
        [Int, Varchar, Int, DateTime, Int, Decimal],
        // Every type once.
        [
            Fixed(ColumnType.Tiny, "1", [1]) with { Length = 1 },
            Fixed(ColumnType.Tiny, "-7", [0xF9]),
            Fixed(ColumnType.Tiny, "200", [200]) with { Flags = ColumnFlags.Unsigned },
            Fixed(ColumnType.Short, "-300", Number(-300, 2)),
            Fixed(ColumnType.Short, "60000", Number(60000, 2)) with { Flags = ColumnFlags.Unsigned },
            Fixed(ColumnType.Int24, "70000", Number(70000, 4)),
            Fixed(ColumnType.Long, "4000000000", Number(4000000000, 4)) with { Flags = ColumnFlags.Unsigned },
            Fixed(ColumnType.LongLong, "18446744073709551615", Number(-1, 8)) with { Flags = ColumnFlags.Unsigned },
            Fixed(ColumnType.Year, "2026", Number(2026, 2)) with { Flags = ColumnFlags.Unsigned },
            Fixed(ColumnType.Float, "1.5", BitConverter.GetBytes(1.5f)) with { Decimals = 31 },
            Fixed(ColumnType.Double, "-2.5e10", BitConverter.GetBytes(-2.5e10)) with { Decimals = 31 },
        ],
        [
            Decimal,
            Decimal with { Text = "12345678901234567890123456789012345.678"u8.ToArray(), Binary = "12345678901234567890123456789012345.678"u8.ToArray() },
            new(ColumnType.Bit, Bytes, 16, ColumnFlags.Unsigned, 0, [1, 2], [1, 2]),
            new(ColumnType.Date, Bytes, 10, 0, 0, "2026-11-21"u8.ToArray(), [.. Number(2026, 2), 11, 21]),
            DateTime,
            new(ColumnType.Timestamp, Bytes, 19, 0, 0, "0000-00-00 00:00:00"u8.ToArray(), []),
            new(ColumnType.Time, Bytes, 17, 0, 6, "-838:59:59.000001"u8.ToArray(), [1, .. Number(34, 4), 22, 59, 59, .. Number(1, 4)]),
        ],
        [
            Varchar,
            new(ColumnType.String, Utf8, 144, 0, 0, "01234567-89ab-cdef-0123-456789abcdef"u8.ToArray(), "01234567-89ab-cdef-0123-456789abcdef"u8.ToArray()),
            new(ColumnType.String, Utf8, 20, ColumnFlags.Enum, 0, "two"u8.ToArray(), "two"u8.ToArray()),
            new(ColumnType.Json, Bytes, uint.MaxValue, 0, 0, "{\"a\": [1, 2]}"u8.ToArray(), "{\"a\": [1, 2]}"u8.ToArray()),
            new(ColumnType.Blob, Bytes, 65535, ColumnFlags.Blob, 0, [1, 2, 3, 0, 255], [1, 2, 3, 0, 255]),
            new(ColumnType.String, Bytes, 16, 0, 0, "0123456789abcdef"u8.ToArray(), "0123456789abcdef"u8.ToArray()),
            new(ColumnType.Geometry, Bytes, uint.MaxValue, 0, 0, Point, Point),
            new(ColumnType.Vector, Bytes, 8, 0, 0, [0, 0, 128, 63, 0, 0, 0, 64], [0, 0, 128, 63, 0, 0, 0, 64]),
            new(ColumnType.Null, Bytes, 0, 0, 0, [], []),
        ],
        // More columns than one byte of a bitmap describes.
        [Int, BigInt, Varchar, Int, Varchar, BigInt, Int, Int, Varchar, Int, Int, DateTime, Decimal, Int, Varchar, Int, BigInt, Int, Int],
    ];

    private static byte[] Point => [0, 0, 0, 0, 1, 1, 0, 0, 0, .. BitConverter.GetBytes(1.0), .. BitConverter.GetBytes(2.0)];

    /// <summary>Returns the definitions with the headers of their packets.</summary>
    public static byte[] Raw(IReadOnlyList<ShapeColumn> columns)
    {
        var writer = new ByteWriter();
        byte sequence = 2;
        foreach (var column in columns)
        {
            var at = writer.Begin(sequence);
            foreach (var name in (string[])["def", "schema", "t", "table", $"c{sequence}", "original"])
                writer.LengthEncodedText(name);
            writer.LengthEncoded(12);
            writer.UInt16(column.CharacterSet);
            writer.UInt32(column.Length);
            writer.Byte((byte)column.Type);
            writer.UInt16((ushort)column.Flags);
            writer.Byte(column.Decimals);
            writer.UInt16(0);
            writer.End(at);
            sequence++;
        }

        return writer.Written.ToArray();
    }

    public static ResultMetadata Metadata(IReadOnlyList<ShapeColumn> columns, CodecSettings settings) =>
        ResultMetadata.Read(Raw(columns), columns.Count, settings);

    /// <summary>Returns a row with these values. A column is NULL if its bit is set.</summary>
    public static byte[] Row(IReadOnlyList<ShapeColumn> columns, bool isBinary, int nulls)
    {
        var writer = new ByteWriter();
        if (isBinary)
            writer.Zeros(1 + (columns.Count + 9) / 8);
        for (var i = 0; i < columns.Count; i++)
        {
            var value = isBinary ? columns[i].Binary : columns[i].Text;
            if ((nulls >> i & 1) == 0)
            {
                if (isBinary && Column.WidthOf(columns[i].Type) != 0)
                    writer.Bytes(value);
                else
                    writer.LengthEncodedBytes(value);
            }
            else if (isBinary)
                writer.Written[1 + (i + 2) / 8] |= (byte)(1 << ((i + 2) & 7));
            else
                writer.Byte(0xFB);
        }

        return writer.Written.ToArray();
    }

    private static ShapeColumn Fixed(ColumnType type, string text, byte[] binary) =>
        new(type, Bytes, 11, 0, 0, System.Text.Encoding.ASCII.GetBytes(text), binary);

    private static byte[] Number(long value, int size)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        return bytes[..size];
    }
}
