namespace Slipstream.MySql.Protocol.Responses;

/// <summary>MYSQL_TYPE_… of a column definition or a parameter ("enum_field_types", field_types.h).</summary>
internal enum ColumnType : byte
{
    /// <summary>DECIMAL before version 5.0.</summary>
    Decimal = 0,
    /// <summary>TINYINT, 1 byte.</summary>
    Tiny = 1,
    /// <summary>SMALLINT, 2 bytes.</summary>
    Short = 2,
    /// <summary>INT, 4 bytes.</summary>
    Long = 3,
    /// <summary>FLOAT, 4 bytes.</summary>
    Float = 4,
    /// <summary>DOUBLE, 8 bytes.</summary>
    Double = 5,
    /// <summary>NULL, without value bytes.</summary>
    Null = 6,
    /// <summary>TIMESTAMP.</summary>
    Timestamp = 7,
    /// <summary>BIGINT, 8 bytes.</summary>
    LongLong = 8,
    /// <summary>MEDIUMINT, 4 bytes.</summary>
    Int24 = 9,
    /// <summary>DATE.</summary>
    Date = 10,
    /// <summary>TIME.</summary>
    Time = 11,
    /// <summary>DATETIME.</summary>
    DateTime = 12,
    /// <summary>YEAR, 2 bytes.</summary>
    Year = 13,
    /// <summary>Used only inside servers.</summary>
    NewDate = 14,
    /// <summary>Used only inside servers. Results have VarString instead.</summary>
    VarChar = 15,
    /// <summary>BIT: bytes, the most significant one first.</summary>
    Bit = 16,
    /// <summary>Used only inside servers.</summary>
    Timestamp2 = 17,
    /// <summary>Used only inside servers.</summary>
    DateTime2 = 18,
    /// <summary>Used only inside servers.</summary>
    Time2 = 19,
    /// <summary>VECTOR: floats of 4 bytes.</summary>
    Vector = 242,
    /// <summary>JSON, as text.</summary>
    Json = 245,
    /// <summary>DECIMAL, as text.</summary>
    NewDecimal = 246,
    /// <summary>ENUM. Results have String with a flag instead.</summary>
    Enum = 247,
    /// <summary>SET. Results have String with a flag instead.</summary>
    Set = 248,
    /// <summary>TINYBLOB and TINYTEXT. Results have Blob instead.</summary>
    TinyBlob = 249,
    /// <summary>MEDIUMBLOB and MEDIUMTEXT. Results have Blob instead.</summary>
    MediumBlob = 250,
    /// <summary>LONGBLOB and LONGTEXT. Results have Blob instead.</summary>
    LongBlob = 251,
    /// <summary>All kinds of BLOB and TEXT.</summary>
    Blob = 252,
    /// <summary>VARCHAR and VARBINARY.</summary>
    VarString = 253,
    /// <summary>CHAR, BINARY, ENUM and SET.</summary>
    String = 254,
    /// <summary>GEOMETRY: 4 bytes of SRID, then WKB.</summary>
    Geometry = 255,
}

/// <summary>The flags of a column definition ("Column Definition Flags", group__group__cs__column__definition__flags).</summary>
[Flags]
internal enum ColumnFlags : ushort
{
    /// <summary>No flag.</summary>
    None = 0,
    /// <summary>NOT NULL.</summary>
    NotNull = 1,
    /// <summary>Part of the primary key.</summary>
    PrimaryKey = 2,
    /// <summary>A unique index on this column alone.</summary>
    UniqueKey = 4,
    /// <summary>The first column of an index that is not unique, or of several columns.</summary>
    MultipleKey = 8,
    /// <summary>BLOB or TEXT.</summary>
    Blob = 16,
    /// <summary>UNSIGNED.</summary>
    Unsigned = 32,
    /// <summary>ZEROFILL.</summary>
    Zerofill = 64,

    /// <summary>A binary collation. Text columns can have the flag too: only the character set distinguishes binary data from text.</summary>
    Binary = 128,
    /// <summary>ENUM.</summary>
    Enum = 256,
    /// <summary>AUTO_INCREMENT.</summary>
    AutoIncrement = 512,
    /// <summary>TIMESTAMP.</summary>
    Timestamp = 1024,
    /// <summary>SET.</summary>
    Set = 2048,
    /// <summary>The column has no default.</summary>
    NoDefaultValue = 4096,
    /// <summary>ON UPDATE CURRENT_TIMESTAMP.</summary>
    OnUpdateNow = 8192,
    /// <summary>A numeric column.</summary>
    Number = 32768,
}
