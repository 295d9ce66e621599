namespace Slipstream.MySql.Codecs;

/// <summary>How a column's values are decoded: determined by the type, character set, flags and length of the definition and by the settings.</summary>
internal enum ValueKind : byte
{
    Null,

    // The integers, in an order that allows range checks.
    Boolean,
    SByte,
    Byte,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    Year,
    UInt64,

    Float,
    Double,
    Decimal,
    Bit,
    Date,
    DateTime,
    Time,
    Text,
    Bytes,
    Vector,
    GuidText,
    GuidBytes,
}
