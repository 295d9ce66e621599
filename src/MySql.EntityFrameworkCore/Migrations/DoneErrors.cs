namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>The errors with which the server refuses a command that it has executed already. Source: the error references of MySQL and MariaDB.</summary>
internal static class DoneErrors
{
    private const int DuplicateConstraint = 1826;
    private const int DuplicateForeignKeyMariaDb = 1005;
    private const int DuplicateCheck = 3822;
    private const int UnknownCheck = 3821;
    private const int UnknownConstraint = 3940;
    private const int UnknownSequenceMariaDb = 4091;

    /// <summary>
    /// Returns whether the server's answer shows whether the command was executed before. That is so for a command that creates, changes or drops something,
    /// and for rows with a key. Rows that are deleted again are gone in both cases.
    /// </summary>
    public static bool Shows(string text) => FirstWord(text) is "CREATE" or "ALTER" or "DROP" or "RENAME" or "INSERT" or "DELETE";

    /// <summary>Returns whether the error means that the command was executed before.</summary>
    public static bool Of(string text, MySqlException error) => error.ErrorCode switch
    {
        MySqlErrorCode.DuplicateKeyEntry or MySqlErrorCode.DuplicateEntryWithKeyName => FirstWord(text) == "INSERT",
        _ when FirstWord(text) is not ("CREATE" or "ALTER" or "DROP" or "RENAME") => false,
        MySqlErrorCode.TableExists or MySqlErrorCode.BadTable or MySqlErrorCode.DuplicateFieldName or MySqlErrorCode.DuplicateKeyName
            or MySqlErrorCode.MultiplePrimaryKey or MySqlErrorCode.CannotDropFieldOrKey or MySqlErrorCode.DatabaseCreateExists
            or MySqlErrorCode.DatabaseDropExists => true,
        (MySqlErrorCode)DuplicateConstraint or (MySqlErrorCode)DuplicateCheck or (MySqlErrorCode)UnknownCheck or (MySqlErrorCode)UnknownConstraint
            or (MySqlErrorCode)UnknownSequenceMariaDb => true,
        (MySqlErrorCode)DuplicateForeignKeyMariaDb => error.Message.Contains("errno: 121", StringComparison.Ordinal),
        // What had the old name has the new one.
        MySqlErrorCode.NoSuchTable or MySqlErrorCode.BadFieldError or MySqlErrorCode.KeyDoesNotExist =>
            text.Contains("RENAME", StringComparison.Ordinal) || text.Contains(" CHANGE ", StringComparison.Ordinal),
        _ => false,
    };

    private static string FirstWord(string text)
    {
        var start = text.AsSpan().TrimStart();
        var end = start.IndexOfAny(" \t\r\n");
        return (end < 0 ? start : start[..end]).ToString().ToUpperInvariant();
    }
}
