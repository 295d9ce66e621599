using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// Describes the columns of the rows that follow.
/// <code>
/// 'T' | length (int32) | count (int16)
///     | { name\0 | table_oid (int32) | attribute_number (int16) | type_oid (int32) | type_size (int16) | type_modifier (int32) | format (int16) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", RowDescription.
/// </summary>
internal static class RowDescription
{
    /// <summary>The most columns that a server sends (MaxTupleAttributeNumber).</summary>
    public const int MaxColumns = 1664;

    /// <summary>The length of a field after its name, in bytes.</summary>
    public const int FixedLength = 18;

    /// <summary>Reads the body. The reader fails if it is truncated, has excess bytes, or contains an impossible count or format.</summary>
    public static FieldDescription[] Read(ref ByteReader reader)
    {
        var count = reader.Int16BigEndian();
        if (count is < 0 or > MaxColumns || count > reader.Remaining / (FixedLength + 1))
            reader.Fail();
        if (reader.Failed)
            return [];

        var fields = new FieldDescription[count];
        for (var i = 0; i < fields.Length; i++)
            fields[i] = FieldDescription.Read(ref reader);
        if (reader.Remaining != 0)
            reader.Fail();
        return fields;
    }
}

/// <summary>One column. Its name is a range of the message, which is decoded on request.</summary>
/// <param name="NameAt">Offset of the name in the body, in bytes.</param>
/// <param name="NameLength">Length of the name without the zero, in bytes.</param>
/// <param name="TableOid">Object id of the column's table, or 0.</param>
/// <param name="AttributeNumber">Number of the column in its table, or 0.</param>
/// <param name="TypeOid">Object id of the column's type; see <see cref="Protocol.TypeOid"/>.</param>
/// <param name="TypeSize">Size of the type in bytes; negative if it varies.</param>
/// <param name="TypeModifier">The type's modifier, for example the precision and scale of numeric; −1 for none.</param>
/// <param name="IsBinary">True if the format is 1, false if it is 0.</param>
internal readonly record struct FieldDescription(
    int NameAt, int NameLength, uint TableOid, short AttributeNumber, uint TypeOid, short TypeSize, int TypeModifier, bool IsBinary)
{
    internal static FieldDescription Read(ref ByteReader reader)
    {
        var nameAt = reader.Position;
        var nameLength = reader.BytesToZero().Length;
        var tableOid = (uint)reader.Int32BigEndian();
        var attributeNumber = reader.Int16BigEndian();
        var typeOid = (uint)reader.Int32BigEndian();
        var typeSize = reader.Int16BigEndian();
        var typeModifier = reader.Int32BigEndian();
        var format = reader.Int16BigEndian();
        if (format is not (0 or 1))
            reader.Fail();
        return new(nameAt, nameLength, tableOid, attributeNumber, typeOid, typeSize, typeModifier, format == 1);
    }
}
