using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// The columns of the rows that will follow.
/// <code>
/// 'T' | length (int32) | count (int16)
///     | { name\0 | table_oid (int32) | attribute_number (int16) | type_oid (int32) | type_size (int16) | type_modifier (int32) | format (int16) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", RowDescription.
/// </summary>
internal static class RowDescription
{
    /// <summary>MaxTupleAttributeNumber: no server sends more columns.</summary>
    public const int MaxColumns = 1664;

    /// <summary>Bytes of a field after its name.</summary>
    public const int FixedLength = 18;

    /// <summary>Reads the body. The reader fails if it is cut short, has bytes left over, or announces an impossible count or format.</summary>
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

/// <summary>One column. The name is a place in the message, decoded when somebody asks.</summary>
/// <param name="NameAt">Offset of the name in the body.</param>
/// <param name="NameLength">Its length without the zero.</param>
/// <param name="TableOid">The table the column comes from, or 0.</param>
/// <param name="AttributeNumber">Its number there, or 0.</param>
/// <param name="TypeOid">See <see cref="Protocol.TypeOid"/>.</param>
/// <param name="TypeSize">Bytes; negative for variable width.</param>
/// <param name="TypeModifier">For example numeric's precision and scale; −1 for none.</param>
/// <param name="IsBinary">The format is 1, not 0.</param>
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
