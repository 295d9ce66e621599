using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

/// <summary>Recognises the error of a server that could not convert the characters of a parameter. Its message proves it, not the number.</summary>
internal static class UnconvertedValue
{
    // ER_IMPOSSIBLE_STRING_CONVERSION
    private const int ImpossibleConversion = 3988;

    /// <summary>Returns whether the error proves that nothing was executed: the server reads the parameters before it executes anything.</summary>
    public static bool IsProven(ServerError error) =>
        error is { Number: ImpossibleConversion, SqlState: "HY000" } && error.Message.StartsWith("Conversion from collation ", StringComparison.Ordinal)
        && error.Message.EndsWith(" impossible for parameter", StringComparison.Ordinal);
}
