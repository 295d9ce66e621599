namespace Slipstream.MySql.Conversations;

/// <summary>How much is held of what the server sends.</summary>
/// <param name="MaxValueBytes">Of one value.</param>
/// <param name="MaxRowBytes">Of one row.</param>
internal readonly record struct RowLimits(long MaxValueBytes, long MaxRowBytes);
