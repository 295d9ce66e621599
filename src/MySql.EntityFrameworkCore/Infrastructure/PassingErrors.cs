using Slipstream.Core.Errors;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>Says which errors may be over when the work is repeated.</summary>
internal static class PassingErrors
{
    /// <summary>Returns whether work that failed with an exception may be repeated.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="additionalErrorNumbers">Numbers of errors that count as passing, besides the usual ones.</param>
    public static bool IsPassing(Exception exception, ICollection<int>? additionalErrorNumbers) => exception switch
    {
        MySqlException error when additionalErrorNumbers?.Contains(error.Number) == true => true,
        // A failover: the pool's next session may lead to the new primary.
        MySqlException { Kind: ErrorKind.ReadOnly } => true,
        MySqlException { RetrySafety: RetrySafety.NotSent } => true,
        MySqlException { RetrySafety: RetrySafety.Unknown } => false,
        // Also if the connection was lost before the commit (RolledBack). After a time-out, the same work would time out again.
        MySqlException error => error.IsTransient,
        _ => false,
    };

    /// <summary>Returns whether the answer to work was lost with the connection, so that the work may have been done.</summary>
    /// <param name="exception">The exception.</param>
    public static bool IsLost(Exception exception) => exception is MySqlException { RetrySafety: RetrySafety.Unknown, IsTransient: true };
}
