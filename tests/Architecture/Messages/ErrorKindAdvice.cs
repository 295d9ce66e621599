using System.Globalization;
using System.Text;
using Slipstream.Core.Errors;

namespace Slipstream.Architecture.Messages;

/// <summary>What the pages of the servers' errors advise for each kind.</summary>
internal static class ErrorKindAdvice
{
    /// <summary>Writes a table with one row for each of <paramref name="kinds"/>.</summary>
    public static void Write(StringBuilder page, IEnumerable<ErrorKind> kinds)
    {
        page.Append("What to do, by kind:\n\n| `Kind` | What to do |\n|---|---|\n");
        foreach (var kind in kinds.Distinct().Where(kind => kind != ErrorKind.Other).Order())
            page.Append(CultureInfo.InvariantCulture, $"| `{kind}` | {Of(kind)} |\n");
        page.Append('\n');
    }

    private static string Of(ErrorKind kind) => kind switch
    {
        ErrorKind.UniqueViolation => "Report that the value exists, or write the row with `ON DUPLICATE KEY UPDATE` (PostgreSQL: `ON CONFLICT`).",
        ErrorKind.ForeignKeyViolation => "Insert the row that is referred to first; delete the rows that refer to this one first.",
        ErrorKind.NotNullViolation => "Give the column a value. Check whether the parameter is `DBNull.Value` or was never set.",
        ErrorKind.CheckViolation => "Compare the value with the table's CHECK constraint, which the message names.",
        ErrorKind.Deadlock => "Run the whole transaction again. Change rows in the same order everywhere. See [transactions](transactions.md).",
        ErrorKind.LockTimeout => "Run the transaction again. Find the transaction that holds the lock, and make it shorter.",
        ErrorKind.SerializationFailure =>
            "Run the whole transaction again: this error is normal at strict isolation levels. See [transactions](transactions.md).",
        ErrorKind.SyntaxError =>
            "Check the place that the message names: MySQL and MariaDB quote the text from the error on. Common causes: "
            + "a missing value, a reserved word without quotes, several "
            + "statements in a text that may have one, and a parameter where the server allows none, such as a table's name.",
        ErrorKind.UndefinedObject =>
            "Check the spelling, its case, and the current database (PostgreSQL: `search_path`; names without quotes are lower-case). "
            + "Run the missing migration.",
        ErrorKind.AuthenticationFailed =>
            "Check the user name, the password, and the host from which this user may log in (MySQL: `'user'@'host'`; PostgreSQL: `pg_hba.conf`). "
            + "See [troubleshooting](troubleshooting.md).",
        ErrorKind.AccessDenied => "Grant the user the permission that the message names (`GRANT`), or connect as another user.",
        ErrorKind.UnknownDatabase => "Check `Database` in the connection string, or create the database.",
        ErrorKind.TooManyConnections =>
            "Add the `Maximum Pool Size` of all processes, and compare the sum with the server's `max_connections`. "
            + "See [connection pooling](connection-pooling.md).",
        ErrorKind.ReadOnly => "Write to the primary server, and in a transaction that is not read-only. After a failover, open a new connection.",
        ErrorKind.Interrupted => "Check who stopped the command: its time-out, a token, `Cancel()`, an administrator, or a time limit of the server.",
        ErrorKind.ConnectionLost =>
            "Open a new connection: the pool has dropped this one. Check whether the work was done before you repeat it, unless `RetrySafety` is `NotSent`.",
        ErrorKind.ResourceExhausted => "Ask the server's administrator: memory, disk space or a limit of the server is exhausted.",
        ErrorKind.ValueTooLarge => "Raise `Max Value Bytes`, or read the value in parts (`SUBSTRING`).",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "This kind has no advice."),
    };
}
