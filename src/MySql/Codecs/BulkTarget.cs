using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>The kinds of columns that differ in the format of a copied value.</summary>
internal enum BulkTargetKind : byte
{
    /// <summary>Characters, and types that are read from characters.</summary>
    Text,

    /// <summary>MySQL's JSON; MariaDB's is a text.</summary>
    Json,

    /// <summary>Bytes, which the character set of a line would change.</summary>
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

    /// <summary>A user variable of LOAD DATA, which an expression uses.</summary>
    Variable,
}

/// <summary>The kinds of values, by the type that a value has as a parameter.</summary>
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

/// <summary>A column that a bulk copy fills, or a user variable.</summary>
/// <param name="Name">The column's name, or the variable's name with its prefix.</param>
/// <param name="Type">The type as in SHOW COLUMNS; empty for a variable.</param>
/// <param name="Kind">The kind of column.</param>
internal sealed record BulkTarget(string Name, string Type, BulkTargetKind Kind)
{
    /// <summary>The kinds of values that LOAD DATA reads from a line in the same way as INSERT from a parameter.</summary>
    public BulkValueKinds Unchanged { get; } = Kind switch
    {
        BulkTargetKind.Text =>
            BulkValueKinds.Whole | BulkValueKinds.Decimal | BulkValueKinds.Date | BulkValueKinds.DateTime | BulkValueKinds.Time | BulkValueKinds.Text,
        // INSERT refuses numbers for JSON. In a line, every value is a text, and its digits become the number. The server would convert a DECIMAL to a double.
        BulkTargetKind.Json =>
            BulkValueKinds.Whole | BulkValueKinds.Floating | BulkValueKinds.Date | BulkValueKinds.DateTime | BulkValueKinds.Time | BulkValueKinds.Text,
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

    /// <summary>Whether a user variable receives the value as hexadecimal digits, and the driver's expression assigns it to the column.</summary>
    public bool NeedsDigits => Kind is BulkTargetKind.Bytes or BulkTargetKind.Bits;

    /// <summary>Whether the column stores characters, in any format: if the server converts a date to text, it must keep the fraction.</summary>
    public bool HoldsText => Kind is BulkTargetKind.Text or BulkTargetKind.Bytes or BulkTargetKind.Json or BulkTargetKind.Enum or BulkTargetKind.Set;

    /// <summary>The length limit in characters or bytes; <see cref="int.MaxValue"/> if the type does not contain one.</summary>
    public int Width { get; } = WidthOf(Type);

    /// <summary>Whether no label of an ENUM or SET looks like a number, so that a number in a line is treated as one.</summary>
    public bool HasPlainLabels { get; } =
        Kind is BulkTargetKind.Enum or BulkTargetKind.Set && !Type.AsSpan(Type.IndexOf('(', StringComparison.Ordinal) + 1).ContainsAnyInRange('0', '9');

    /// <summary>Creates a column as described by SHOW COLUMNS.</summary>
    public static BulkTarget Column(string name, string type) => new(name, type, KindOf(type));

    /// <summary>Returns the kind of values with this parameter type.</summary>
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

    // "int(10) unsigned", "enum('a','b')", "timestamp(3)"; unknown types are read from text.
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
            "GEOMETRY" or "POINT" or "LINESTRING" or "POLYGON" or "MULTIPOINT" or "MULTILINESTRING" or "MULTIPOLYGON" or "GEOMCOLLECTION"
                or "GEOMETRYCOLLECTION" =>
                BulkTargetKind.Bytes,
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
