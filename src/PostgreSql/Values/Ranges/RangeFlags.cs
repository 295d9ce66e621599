namespace Slipstream.PostgreSql;

/// <summary>The flags of a range, with the server's numbers. Source: src/include/utils/rangetypes.h.</summary>
[Flags]
internal enum RangeFlags : byte
{
    None = 0,
    Empty = 1,
    LowerInclusive = 2,
    UpperInclusive = 4,
    LowerInfinite = 8,
    UpperInfinite = 16,
}
