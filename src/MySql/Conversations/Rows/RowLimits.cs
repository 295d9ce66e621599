namespace Slipstream.MySql.Conversations;

/// <summary>The limits of data that the driver keeps in memory from the server.</summary>
/// <param name="MaxValueBytes">The limit of one value in bytes.</param>
/// <param name="MaxRowBytes">The limit of one row in bytes.</param>
internal readonly record struct RowLimits(long MaxValueBytes, long MaxRowBytes);
