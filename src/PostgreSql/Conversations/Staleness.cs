using System.Text;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>How certainly an error shows that a prepared statement is stale.</summary>
internal enum Staleness : byte
{
    /// <summary>The error has another cause.</summary>
    None,

    /// <summary>The SQLSTATE fits. A function that the statement calls may also have raised it.</summary>
    Suspected,

    /// <summary>The server itself reported it, about this statement, before it executed anything.</summary>
    Proven,
}

/// <summary>Recognizes the errors of stale prepared statements.</summary>
internal static class StaleErrors
{
    // 26000: the prepared statement no longer exists. 0A000, "cached plan must not change result type": its columns have changed.
    // Class 42, Syntax Error or Access Rule Violation: the text is no longer valid with the types that its parameters had.
    private static bool IsSuspect(string sqlState) => sqlState is "26000" or "0A000" || sqlState.StartsWith("42", StringComparison.Ordinal);

    /// <summary>Judges the answer to the Bind of a prepared statement.</summary>
    /// <param name="error">The answer.</param>
    /// <param name="name">The statement's name on the server.</param>
    /// <remarks>
    /// The SQLSTATE alone proves nothing: Bind also runs functions of the user (checks of a domain, functions that the planner evaluates). They may RAISE any
    /// SQLSTATE after effects that no rollback undoes, such as nextval. The error then contains a call stack. The server never translates the name of one of
    /// its routines or of a statement.
    /// </remarks>
    public static Staleness Classify(ErrorFields error, byte[] name)
    {
        if (!IsSuspect(error.SqlState))
            return Staleness.None;
        var isProven = error is { Where: null, InternalQuery: null } && error.SqlState switch
        {
            "26000" => error.Routine == "FetchPreparedStatement" && error.MessageText.Contains(Encoding.ASCII.GetString(name), StringComparison.Ordinal),
            "0A000" => error.Routine == "RevalidateCachedQuery",
            _ => true,
        };
        return isProven ? Staleness.Proven : Staleness.Suspected;
    }
}
