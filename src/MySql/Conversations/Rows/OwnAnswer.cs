using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Rows that answer the driver's own questions: what cannot be read there is the server's fault, not the caller's,
/// and the session is not to be trusted any more.
/// </summary>
internal static class OwnAnswer
{
    /// <summary>Neither server has tables with more columns, or programs with more parameters.</summary>
    public const int MostRows = 4096;

    /// <summary>True for what getters throw at a row with fewer columns, other types, or values that are none.</summary>
    public static bool IsMisread(Exception exception) =>
        exception is IndexOutOfRangeException or InvalidCastException or FormatException or OverflowException;

    public static ProtocolException Misread(string question, Exception exception) => new($"the columns of {question}", "a row of another form", exception);

    /// <exception cref="ProtocolException">There are more rows than the answer can have.</exception>
    public static void CheckCount(string question, int rows)
    {
        if (rows >= MostRows)
            throw new ProtocolException($"{MostRows:N0} rows at most in answer to {question}", "another");
    }
}
