namespace Slipstream.MySql.Codecs;

/// <summary>How a column's values are decoded: what type, character set, flags and length of the definition amount to under the settings.</summary>
internal enum ValueKind : byte
{
    Null,

    // The integers, in an order that lets a range tell them.
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
