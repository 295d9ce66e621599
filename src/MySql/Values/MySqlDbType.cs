namespace Slipstream.MySql;

/// <summary>Types of columns and parameters. The numbers below 256 are those of the protocol.</summary>
#pragma warning disable CA1069, CA1708 // Datetime is an obsolete second name.
public enum MySqlDbType
{
    /// <summary>TINYINT(1); <see cref="bool"/>.</summary>
    Bool = -1,
    /// <summary>DECIMAL; <see cref="decimal"/>.</summary>
    Decimal = 0,
    /// <summary>TINYINT; <see cref="sbyte"/>.</summary>
    Byte = 1,
    /// <summary>SMALLINT; <see cref="short"/>.</summary>
    Int16 = 2,
    /// <summary>INT; <see cref="int"/>.</summary>
    Int32 = 3,
    /// <summary>FLOAT; <see cref="float"/>.</summary>
    Float = 4,
    /// <summary>DOUBLE; <see cref="double"/>.</summary>
    Double = 5,
    /// <summary>NULL: a column with unknown type.</summary>
    Null = 6,
    /// <summary>TIMESTAMP; <see cref="System.DateTime"/>.</summary>
    Timestamp = 7,
    /// <summary>BIGINT; <see cref="long"/>.</summary>
    Int64 = 8,
    /// <summary>MEDIUMINT; <see cref="int"/>.</summary>
    Int24 = 9,
    /// <summary>DATE; <see cref="System.DateTime"/>, or <see cref="DateOnly"/>.</summary>
    Date = 10,
    /// <summary>TIME; <see cref="TimeSpan"/>.</summary>
    Time = 11,
    /// <summary>DATETIME; <see cref="System.DateTime"/>.</summary>
    DateTime = 12,
    /// <summary>The older name of <see cref="DateTime"/>.</summary>
    [Obsolete("Use DateTime.")]
    Datetime = 12,
    /// <summary>YEAR; <see cref="int"/>.</summary>
    Year = 13,
    /// <summary>The server's internal format of a DATE; it does not occur in results.</summary>
    Newdate = 14,
    /// <summary>VARCHAR, as old servers called it; <see cref="string"/>.</summary>
    VarString = 15,
    /// <summary>BIT; <see cref="ulong"/>.</summary>
    Bit = 16,
    /// <summary>VECTOR; an array of <see cref="float"/>.</summary>
    Vector = 242,
    /// <summary>JSON; <see cref="string"/>.</summary>
    JSON = 245,
    /// <summary>DECIMAL; <see cref="decimal"/>.</summary>
    NewDecimal = 246,
    /// <summary>ENUM; <see cref="string"/>.</summary>
    Enum = 247,
    /// <summary>SET; <see cref="string"/> with commas.</summary>
    Set = 248,
    /// <summary>TINYBLOB, up to 255 bytes.</summary>
    TinyBlob = 249,
    /// <summary>MEDIUMBLOB, up to 16 MiB.</summary>
    MediumBlob = 250,
    /// <summary>LONGBLOB, up to 4 GiB.</summary>
    LongBlob = 251,
    /// <summary>BLOB, up to 64 KiB; an array of <see cref="byte"/>.</summary>
    Blob = 252,
    /// <summary>VARCHAR; <see cref="string"/>.</summary>
    VarChar = 253,
    /// <summary>CHAR; <see cref="string"/>.</summary>
    String = 254,
    /// <summary>GEOMETRY and its kinds; <see cref="MySqlGeometry"/>.</summary>
    Geometry = 255,
    /// <summary>TINYINT UNSIGNED; <see cref="byte"/>.</summary>
    UByte = 501,
    /// <summary>SMALLINT UNSIGNED; <see cref="ushort"/>.</summary>
    UInt16 = 502,
    /// <summary>INT UNSIGNED; <see cref="uint"/>.</summary>
    UInt32 = 503,
    /// <summary>BIGINT UNSIGNED; <see cref="ulong"/>.</summary>
    UInt64 = 508,
    /// <summary>MEDIUMINT UNSIGNED; <see cref="uint"/>.</summary>
    UInt24 = 509,
    /// <summary>BINARY: bytes of fixed length.</summary>
    Binary = 600,
    /// <summary>VARBINARY: bytes of variable length.</summary>
    VarBinary = 601,
    /// <summary>TINYTEXT, up to 255 bytes.</summary>
    TinyText = 749,
    /// <summary>MEDIUMTEXT, up to 16 MiB.</summary>
    MediumText = 750,
    /// <summary>LONGTEXT, up to 4 GiB.</summary>
    LongText = 751,
    /// <summary>TEXT, up to 64 KiB; <see cref="string"/>.</summary>
    Text = 752,
    /// <summary>A <see cref="System.Guid"/>, in the format of the option GUID Format.</summary>
    Guid = 800,
}
#pragma warning restore CA1069, CA1708
