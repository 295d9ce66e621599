using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>What a column takes, as far as a copied value's form depends on it.</summary>
internal enum BulkTargetKind : byte
{
    /// <summary>Characters, and types that are read from them.</summary>
    Text,

    /// <summary>MySQL's JSON; MariaDB's is a text.</summary>
    Json,

    /// <summary>Bytes, which would not survive the character set of a line.</summary>
    Bytes,

    Bits,
    Whole,

    Decimal,
    Floating,

    Year,

    /// <summary>DATE, DATETIME, TIMESTAMP.</summary>
    Date,

    Time,
    Enum,
    Set,

    /// <summary>A user variable of LOAD DATA, from which an expression makes something.</summary>
    Variable,
}

/// <summary>What a value is, by the type in which it would be a parameter.</summary>
[Flags]
internal enum BulkValueKinds : byte
{
    None = 0,
    Whole = 1,
    Decimal = 2,
    Floating = 4,
    Date = 8,
    DateTime = 16,
    Time = 32,
    Text = 64,
    Bytes = 128,
}

/// <summary>A column that a bulk copy fills, or a variable.</summary>
/// <param name="Name">The column's name, or the variable's with its mark.</param>
/// <param name="Type">As SHOW COLUMNS writes it; empty for a variable.</param>
/// <param name="Kind">What it takes.</param>
internal sealed record BulkTarget(string Name, string Type, BulkTargetKind Kind)
{
    /// <summary>What LOAD DATA reads from a line as INSERT would take it from a parameter.</summary>
    public BulkValueKinds AsItIs { get; } = Kind switch
    {
        BulkTargetKind.Text => BulkValueKinds.Whole | BulkValueKinds.Decimal | BulkValueKinds.Date | BulkValueKinds.DateTime | BulkValueKinds.Time | BulkValueKinds.Text,
        // INSERT refuses numbers for JSON; a line has none, and what its digits say is the number. Of a DECIMAL the server would make a double.
        BulkTargetKind.Json => BulkValueKinds.Whole | BulkValueKinds.Floating | BulkValueKinds.Date | BulkValueKinds.DateTime | BulkValueKinds.Time | BulkValueKinds.Text,
        BulkTargetKind.Whole => BulkValueKinds.Whole | BulkValueKinds.Decimal | BulkValueKinds.Text,
        BulkTargetKind.Decimal => BulkValueKinds.Whole | BulkValueKinds.Decimal | BulkValueKinds.Floating,
        BulkTargetKind.Floating => BulkValueKinds.Whole | BulkValueKinds.Decimal | BulkValueKinds.Floating | BulkValueKinds.Text,
        BulkTargetKind.Year => BulkValueKinds.Text,
        BulkTargetKind.Date => BulkValueKinds.Date | BulkValueKinds.DateTime | BulkValueKinds.Text,
        BulkTargetKind.Time => BulkValueKinds.DateTime | BulkValueKinds.Time | BulkValueKinds.Text,
        BulkTargetKind.Enum or BulkTargetKind.Set => BulkValueKinds.Date | BulkValueKinds.DateTime | BulkValueKinds.Time | BulkValueKinds.Text,
        BulkTargetKind.Variable => (BulkValueKinds)byte.MaxValue & ~BulkValueKinds.Bytes,
        _ => BulkValueKinds.None,
    };

    /// <summary>A variable holds the value, and an expression of ours puts it into the column.</summary>
    public bool NeedsDigits => Kind is BulkTargetKind.Bytes or BulkTargetKind.Bits;

    /// <summary>Characters, however they are stored: a server that makes them of a date must not leave out its fraction.</summary>
    public bool HoldsText => Kind is BulkTargetKind.Text or BulkTargetKind.Bytes or BulkTargetKind.Json or BulkTargetKind.Enum or BulkTargetKind.Set;

    /// <summary>Characters or bytes that fit; <see cref="int.MaxValue"/> where the type does not say.</summary>
    public int Width { get; } = WidthOf(Type);

    /// <summary>True when no label of an ENUM or SET can be taken for a number, so that a number is one in a line, too.</summary>
    public bool HasPlainLabels { get; } = Kind is BulkTargetKind.Enum or BulkTargetKind.Set && !Type.AsSpan(Type.IndexOf('(', StringComparison.Ordinal) + 1).ContainsAnyInRange('0', '9');

    /// <summary>The column as SHOW COLUMNS tells of it.</summary>
    public static BulkTarget Column(string name, string type) => new(name, type, KindOf(type));

    public static BulkValueKinds KindOf(ColumnType type) => type switch
    {
        ColumnType.Tiny or ColumnType.Short or ColumnType.Long or ColumnType.LongLong => BulkValueKinds.Whole,
        ColumnType.NewDecimal => BulkValueKinds.Decimal,
        ColumnType.Float or ColumnType.Double => BulkValueKinds.Floating,
        ColumnType.Date => BulkValueKinds.Date,
        ColumnType.DateTime => BulkValueKinds.DateTime,
        ColumnType.Time => BulkValueKinds.Time,
        ColumnType.Blob => BulkValueKinds.Bytes,
        _ => BulkValueKinds.Text,
    };

    // "int(10) unsigned", "enum('a','b')", "timestamp(3)"; what is not known is read from text.
    private static BulkTargetKind KindOf(string type)
    {
        var end = type.AsSpan().IndexOfAny('(', ' ');
        var word = (end < 0 ? type : type[..end]).ToUpperInvariant();
        return word switch
        {
            "TINYINT" or "SMALLINT" or "MEDIUMINT" or "INT" or "BIGINT" => BulkTargetKind.Whole,
            "DECIMAL" => BulkTargetKind.Decimal,
            "FLOAT" or "DOUBLE" => BulkTargetKind.Floating,
            "BIT" => BulkTargetKind.Bits,
            "YEAR" => BulkTargetKind.Year,
            "DATE" or "DATETIME" or "TIMESTAMP" => BulkTargetKind.Date,
            "TIME" => BulkTargetKind.Time,
            "ENUM" => BulkTargetKind.Enum,
            "SET" => BulkTargetKind.Set,
            "JSON" => BulkTargetKind.Json,
            "BINARY" or "VARBINARY" or "TINYBLOB" or "BLOB" or "MEDIUMBLOB" or "LONGBLOB" or "VECTOR" => BulkTargetKind.Bytes,
            "GEOMETRY" or "POINT" or "LINESTRING" or "POLYGON" or "MULTIPOINT" or "MULTILINESTRING" or "MULTIPOLYGON" or "GEOMCOLLECTION" or "GEOMETRYCOLLECTION" => BulkTargetKind.Bytes,
            _ => BulkTargetKind.Text,
        };
    }

    private static int WidthOf(string type)
    {
        var at = type.IndexOf('(', StringComparison.Ordinal);
        var end = type.IndexOf(')', at + 1);
        return at > 0 && end > at && int.TryParse(type.AsSpan(at + 1, end - at - 1), out var width) ? width : int.MaxValue;
    }
}
