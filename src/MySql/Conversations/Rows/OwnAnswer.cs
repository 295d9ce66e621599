using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Checks rows that answer the driver's own queries. If such a row cannot be read, the fault is the server's and not the caller's, and the session cannot be
/// trusted any longer.
/// </summary>
internal static class OwnAnswer
{
    /// <summary>The maximum number of rows. Neither server has tables with more columns, or programs with more parameters.</summary>
    public const int MaxRows = 4096;

    /// <summary>Returns true for the exceptions that getters throw for a row with fewer columns, other types, or invalid values.</summary>
    public static bool IsMisread(Exception exception) =>
        exception is IndexOutOfRangeException or ArgumentOutOfRangeException or InvalidCastException or FormatException or OverflowException;

    public static ProtocolException Misread(string question, Exception exception) => new($"the columns of {question}", "a row with other columns", exception);

    /// <summary>Checks the number of rows.</summary>
    /// <exception cref="ProtocolException">There are more rows than the answer can have.</exception>
    public static void CheckCount(string question, int rows)
    {
        if (rows >= MaxRows)
            throw new ProtocolException($"at most {MaxRows:N0} rows in answer to {question}", "another row");
    }
}
