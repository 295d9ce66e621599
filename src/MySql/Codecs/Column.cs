using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>A column of a result set: its definition, and what the driver derives from it for decoding.</summary>
internal readonly struct Column
{
    // The result character set is always utf8mb4, so the lengths of text columns are in units of four bytes.
    private const int BytesPerCharacter = 4;

    /// <summary>The offset in a binary row without NULLs, from the row's first byte; 0 after a column of variable width.</summary>
    public readonly int FixedAt;

    /// <summary>How values are decoded.</summary>
    public readonly ValueKind Kind;

    /// <summary>The number of bytes in a binary row; 0 if a length precedes the value.</summary>
    public readonly byte Width;

    /// <summary>The definition that the server sent.</summary>
    public readonly ColumnDefinition Definition;

    public Column(in ColumnDefinition definition, int fixedAt, CodecSettings settings)
    {
        Definition = definition;
        FixedAt = fixedAt;
        Width = WidthOf(definition.Type);
        Kind = KindOf(definition, settings);
    }

    /// <summary>Whether a string column contains text rather than bytes: the character set shows it, for all kinds of strings.</summary>
    public bool IsText => Definition.CharacterSet != ColumnDefinition.BinaryCharacterSet;

    /// <summary>The maximum number of characters of a text column.</summary>
    public long Characters => Definition.Length / BytesPerCharacter;

    /// <summary>
    /// Returns the number of bytes of a type in a binary row; 0 if a length precedes the value ("Binary Protocol Value", page_protocol_binary_resultset).
    /// </summary>
    public static byte WidthOf(ColumnType type) => type switch
    {
        ColumnType.Tiny => 1,
        ColumnType.Short or ColumnType.Year => 2,
        ColumnType.Long or ColumnType.Int24 or ColumnType.Float => 4,
        ColumnType.LongLong or ColumnType.Double => 8,
        _ => 0,
    };

    private static ValueKind KindOf(in ColumnDefinition definition, CodecSettings settings) => definition.Type switch
    {
        ColumnType.Tiny when settings.TreatTinyAsBoolean && definition.Length == 1 && !definition.IsUnsigned => ValueKind.Boolean,
        ColumnType.Tiny => definition.IsUnsigned ? ValueKind.Byte : ValueKind.SByte,
        ColumnType.Short => definition.IsUnsigned ? ValueKind.UInt16 : ValueKind.Int16,
        ColumnType.Long or ColumnType.Int24 => definition.IsUnsigned ? ValueKind.UInt32 : ValueKind.Int32,
        ColumnType.LongLong => definition.IsUnsigned ? ValueKind.UInt64 : ValueKind.Int64,
        ColumnType.Year => ValueKind.Year,
        ColumnType.Float => ValueKind.Float,
        ColumnType.Double => ValueKind.Double,
        ColumnType.Decimal or ColumnType.NewDecimal => ValueKind.Decimal,
        ColumnType.Bit => ValueKind.Bit,
        ColumnType.Date or ColumnType.NewDate => ValueKind.Date,
        ColumnType.DateTime or ColumnType.Timestamp or ColumnType.DateTime2 or ColumnType.Timestamp2 => ValueKind.DateTime,
        ColumnType.Time or ColumnType.Time2 => ValueKind.Time,
        ColumnType.Null => ValueKind.Null,
        ColumnType.Vector => ValueKind.Vector,
        ColumnType.Geometry => ValueKind.Bytes,
        // MySQL sends JSON with the binary character set although it is text.
        ColumnType.Json or ColumnType.Enum or ColumnType.Set => ValueKind.Text,
        ColumnType.String or ColumnType.VarString or ColumnType.VarChar
            or ColumnType.Blob or ColumnType.TinyBlob or ColumnType.MediumBlob or ColumnType.LongBlob => OfString(definition, settings),
        // A type of a later server: the value can be read as its bytes.
        _ => definition.CharacterSet == ColumnDefinition.BinaryCharacterSet ? ValueKind.Bytes : ValueKind.Text,
    };

    private static ValueKind OfString(in ColumnDefinition definition, CodecSettings settings)
    {
        if (definition.CharacterSet == ColumnDefinition.BinaryCharacterSet)
        {
            return definition is { Length: Guids.BinaryLength, Type: ColumnType.String or ColumnType.VarString } && Guids.IsBinary(settings.GuidFormat)
                ? ValueKind.GuidBytes
                : ValueKind.Bytes;
        }

        var characters = settings.GuidFormat switch
        {
            MySqlGuidFormat.Char36 => Guids.Char36Length,
            MySqlGuidFormat.Char32 => Guids.Char32Length,
            _ => -1,
        };
        return definition.Type == ColumnType.String
            && (definition.Flags & (ColumnFlags.Enum | ColumnFlags.Set)) == 0
            && definition.Length == characters * BytesPerCharacter
            ? ValueKind.GuidText
            : ValueKind.Text;
    }
}
