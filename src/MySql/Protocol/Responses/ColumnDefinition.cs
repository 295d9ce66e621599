using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// Protocol::ColumnDefinition41 without its names. The names stay in the received bytes and are decoded on demand.
/// <code>
/// catalog | schema | table | org_table | name | org_name (lenenc strings) | length of the rest (lenenc, 0C)
/// | character_set (2) | column_length (4) | type (1) | flags (2) | decimals (1) | filler (2)
/// </code>
/// Source: page_protocol_com_query_response_text_resultset_column_definition.
/// </summary>
internal readonly record struct ColumnDefinition(ushort CharacterSet, uint Length, ColumnType Type, ColumnFlags Flags, byte Decimals)
{
    /// <summary>The character set of binary data. A string column with this character set is not text.</summary>
    public const ushort BinaryCharacterSet = 63;

    /// <summary>The number of names before the other fields: catalog, schema, table, org_table, name, org_name.</summary>
    internal const int NameCount = 6;

    /// <summary>Gets whether the column is UNSIGNED.</summary>
    public bool IsUnsigned => (Flags & ColumnFlags.Unsigned) != 0;

    /// <summary>Reads the whole payload.</summary>
    public static ColumnDefinition Read(ref ByteReader reader)
    {
        for (var i = 0; i < NameCount; i++)
            reader.LengthEncodedBytes();
        if (reader.LengthEncoded() < 12)
            reader.Fail();
        var definition = new ColumnDefinition(
            CharacterSet: reader.UInt16(),
            Length: reader.UInt32(),
            Type: (ColumnType)reader.Byte(),
            Flags: (ColumnFlags)reader.UInt16(),
            Decimals: reader.Byte());
        reader.Skip(2);
        return definition;
    }
}
