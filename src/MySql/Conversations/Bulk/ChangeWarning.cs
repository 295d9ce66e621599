namespace Slipstream.MySql.Conversations;

/// <summary>The warnings about a changed value that both servers treat as errors in strict mode.</summary>
internal static class ChangeWarning
{
    /// <summary>
    /// Returns whether a warning is one of them: NULL for NOT NULL, out of range, truncated, invalid date or number, too long, no default.
    /// </summary>
    public static bool Is(int warning) =>
        warning is 1048 or 1261 or 1262 or 1263 or 1264 or 1265 or 1292 or 1364 or 1365 or 1366 or 1367 or 1406 or 1411 or 1416 or 1441 or 3140 or 3144 or 3156
            or 3752 or 3903;

    /// <summary>Returns the SQLSTATE that the error has. SHOW WARNINGS does not contain it.</summary>
    public static string SqlStateOf(int warning) => warning switch
    {
        1048 or 1062 or 1451 or 1452 => "23000",
        1264 or 1367 or 1416 or 3752 => "22003",
        1292 or 1411 => "22007",
        1365 => "22012",
        1406 => "22001",
        3140 or 3144 or 3903 => "22032",
        1441 => "22008",
        _ => "HY000",
    };
}
