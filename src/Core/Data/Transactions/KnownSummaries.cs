using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>Names of a transaction's statements in spans and metrics. They are the same for every database, whatever its syntax.</summary>
internal static class KnownSummaries
{
    public static readonly QuerySummary Begin = QuerySummary.Of("BEGIN", null);
    public static readonly QuerySummary Commit = QuerySummary.Of("COMMIT", null);
    public static readonly QuerySummary Rollback = QuerySummary.Of("ROLLBACK", null);
    public static readonly QuerySummary Savepoint = QuerySummary.Of("SAVEPOINT", null);
    public static readonly QuerySummary RollbackToSavepoint = QuerySummary.Of("ROLLBACK TO SAVEPOINT", null);
    public static readonly QuerySummary ReleaseSavepoint = QuerySummary.Of("RELEASE SAVEPOINT", null);

    /// <summary>Name of a command whose text is the name of a table.</summary>
    public static readonly QuerySummary Table = QuerySummary.Of("SELECT", null);
}
