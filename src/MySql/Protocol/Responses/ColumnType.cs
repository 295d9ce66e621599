namespace Slipstream.MySql.Protocol.Responses;

/// <summary>MYSQL_TYPE_… of a column definition or a parameter ("enum_field_types", field_types.h).</summary>
public enum ColumnType : byte
{
    Decimal = 0,
    Tiny = 1,
    Short = 2,
    Long = 3,
    Float = 4,
    Double = 5,
    Null = 6,
    Timestamp = 7,
    LongLong = 8,
    Int24 = 9,
    Date = 10,
    Time = 11,
    DateTime = 12,
    Year = 13,
    NewDate = 14,
    VarChar = 15,
    Bit = 16,
    Timestamp2 = 17,
    DateTime2 = 18,
    Time2 = 19,
    Vector = 242,
    Json = 245,
    NewDecimal = 246,
    Enum = 247,
    Set = 248,
    TinyBlob = 249,
    MediumBlob = 250,
    LongBlob = 251,
    Blob = 252,
    VarString = 253,
    String = 254,
    Geometry = 255,
}

/// <summary>Flags of a column definition ("Column Definition Flags", group__group__cs__column__definition__flags).</summary>
[Flags]
public enum ColumnFlags : ushort
{
    None = 0,
    NotNull = 1,
    PrimaryKey = 2,
    UniqueKey = 4,
    MultipleKey = 8,
    Blob = 16,
    Unsigned = 32,
    Zerofill = 64,

    /// <summary>A binary collation: also set on text, so the character set tells bytes from text, not this.</summary>
    Binary = 128,
    Enum = 256,
    AutoIncrement = 512,
    Timestamp = 1024,
    Set = 2048,
    NoDefaultValue = 4096,
    OnUpdateNow = 8192,
    Number = 32768,
}
