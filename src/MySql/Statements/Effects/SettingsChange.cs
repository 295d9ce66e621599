namespace Slipstream.MySql.Statements;

/// <summary>
/// Decides whether a change of the session's settings may affect statements prepared before it. MySQL uses some settings at PREPARE (div_precision_increment,
/// default_week_format, lc_time_names, group_concat_max_len, time_zone): after a change, the text must be prepared again. Sources: "Server System Variables" of
/// MySQL 9.7 and MariaDB; PreparedSettingsTests tries every variable of each server.
/// </summary>
internal static class SettingsChange
{
    private const StringComparison AnyCase = StringComparison.OrdinalIgnoreCase;

    // Servers use these at execution, or never for statements that the driver prepares itself. Every other variable counts, also those of later versions.
    private static readonly WordTable Harmless = WordTable.Of("""
        AUTOCOMMIT COMPLETION_TYPE FOREIGN_KEY_CHECKS IDENTITY INNODB_LOCK_WAIT_TIMEOUT INSERT_ID INTERACTIVE_TIMEOUT LAST_INSERT_ID LOCK_WAIT_TIMEOUT MAX_EXECUTION_TIME
        MAX_STATEMENT_TIME NET_READ_TIMEOUT NET_WRITE_TIMEOUT PROFILING RAND_SEED1 RAND_SEED2 SERVER_ID SQL_LOG_BIN SQL_NOTES TIMESTAMP TRANSACTION_ALLOW_BATCHING
        TRANSACTION_ISOLATION TRANSACTION_READ_ONLY TX_ISOLATION TX_READ_ONLY UNIQUE_CHECKS WAIT_TIMEOUT
        SESSION_TRACK_GTIDS SESSION_TRACK_SCHEMA SESSION_TRACK_STATE_CHANGE SESSION_TRACK_SYSTEM_VARIABLES SESSION_TRACK_TRANSACTION_INFO
        """);

    // The words before a statement inside another one.
    private static readonly WordTable Openers = WordTable.Of("BEGIN ATOMIC THEN ELSE DO LOOP REPEAT");

    /// <summary>Returns whether a change of the variable cannot affect prepared statements.</summary>
    public static bool IsHarmless(ReadOnlySpan<char> variable) => Harmless.Has(variable);

    /// <summary>
    /// Returns whether the text itself changes settings that the server need not report: roles and resource groups are not variables, and a procedure may have
    /// switched the reports off.
    /// </summary>
    public static bool IsIn(string sql)
    {
        for (var at = 0; (at = sql.IndexOf("SET", at, AnyCase)) >= 0; at += 3)
        {
            if (IsWord(sql, at, 3) && BeginsStatement(sql.AsSpan(0, at)) && !IsHarmlessSet(sql.AsSpan(at + 3)))
                return true;
        }

        return sql.AsSpan().TrimStart("( \t\r\n").StartsWith("RESET", AnyCase);
    }

    private static bool IsWord(string sql, int at, int length) =>
        (at == 0 || !SqlScanner.IsNameCharacter(sql[at - 1])) && (at + length == sql.Length || !SqlScanner.IsNameCharacter(sql[at + length]));

    // A statement begins at the start of the text, after a semicolon, a comment or a label, or in a block. The SET of an UPDATE follows a name.
    private static bool BeginsStatement(ReadOnlySpan<char> before)
    {
        before = before.TrimEnd();
        if (before.IsEmpty || !SqlScanner.IsNameCharacter(before[^1]))
            return before.IsEmpty || before[^1] is not ('`' or '"' or ')');
        var begin = before.Length;
        while (begin > 0 && SqlScanner.IsNameCharacter(before[begin - 1]))
            begin--;
        var word = before[begin..];
        // Digits are the version in a comment that contains code. The other two cases are the end of a comment without code.
        return Openers.Has(word) || char.IsAsciiDigit(word[0]) || before.Contains("--", StringComparison.Ordinal) || before.Contains('#');
    }

    // One assignment to a user variable, or to a variable that does not affect prepared statements; or SET TRANSACTION.
    private static bool IsHarmlessSet(ReadOnlySpan<char> rest)
    {
        rest = rest.TrimStart();
        if (rest.Contains(',') || rest.TrimEnd("; \t\r\n").Contains(';'))
            return false;
        if (rest.StartsWith("@") && !rest.StartsWith("@@"))
            return true;
        foreach (var scope in (ReadOnlySpan<string>)["@@SESSION.", "@@LOCAL.", "@@", "SESSION ", "LOCAL "])
        {
            if (!rest.StartsWith(scope, AnyCase))
                continue;
            rest = rest[scope.Length..].TrimStart();
            break;
        }

        var length = 0;
        while (length < rest.Length && SqlScanner.IsNameCharacter(rest[length]))
            length++;
        return rest[..length].Equals("TRANSACTION", AnyCase) || IsHarmless(rest[..length]);
    }
}
