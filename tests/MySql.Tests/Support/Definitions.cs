using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Tests.Support;

/// <summary>A column as a server would define it.</summary>
internal sealed record ColumnSpec(ColumnType Type, ushort CharacterSet = 63, uint Length = 11, ColumnFlags Flags = 0, byte Decimals = 0, string Name = "c");

/// <summary>Column definitions and rows, written the way servers write them.</summary>
internal static class Definitions
{
    public const ushort Utf8 = 255;

    public static byte[] Raw(params ColumnSpec[] columns)
    {
        var writer = new ByteWriter();
        byte sequence = 2;
        foreach (var column in columns)
        {
            var at = writer.Begin(sequence++);
            writer.Bytes(Definition(column));
            writer.End(at);
        }

        return writer.Written.ToArray();
    }

    public static byte[] Definition(ColumnSpec column)
    {
        var writer = new ByteWriter();
        foreach (var name in (string[])["def", "schema", "alias", "table", column.Name, "org_" + column.Name])
            writer.LengthEncodedText(name);
        writer.LengthEncoded(12);
        writer.UInt16(column.CharacterSet);
        writer.UInt32(column.Length);
        writer.Byte((byte)column.Type);
        writer.UInt16((ushort)column.Flags);
        writer.Byte(column.Decimals);
        writer.UInt16(0);
        return writer.Written.ToArray();
    }

    public static ResultMetadata Metadata(CodecSettings settings, params ColumnSpec[] columns) => ResultMetadata.Read(Raw(columns), columns.Length, settings);

    /// <summary>A text row; null is NULL.</summary>
    public static byte[] TextRow(params byte[]?[] values)
    {
        var writer = new ByteWriter();
        foreach (var value in values)
        {
            if (value is null)
                writer.Byte(0xFB);
            else
                writer.LengthEncodedBytes(value);
        }

        return writer.Written.ToArray();
    }

    /// <summary>A binary row; null is NULL. Values of fixed width are written unchanged, others after their length.</summary>
    public static byte[] BinaryRow(ColumnSpec[] columns, params byte[]?[] values)
    {
        var writer = new ByteWriter();
        writer.Byte(0);
        var bitmap = writer.Length;
        writer.Zeros((columns.Length + 9) / 8);
        for (var i = 0; i < values.Length; i++)
        {
            if (values[i] is not { } value)
                writer.Written[bitmap + (i + 2) / 8] |= (byte)(1 << ((i + 2) & 7));
            else if (Column.WidthOf(columns[i].Type) == 0)
                writer.LengthEncodedBytes(value);
            else
                writer.Bytes(value);
        }

        return writer.Written.ToArray();
    }
}
