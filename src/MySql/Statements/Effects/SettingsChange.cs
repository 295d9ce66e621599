namespace Slipstream.MySql.Statements;

/// <summary>
/// Whether a change of the session's settings may be noticed by what was prepared before it. MySQL computes with some of them when it prepares
/// (div_precision_increment, default_week_format, lc_time_names, group_concat_max_len, time_zone): a text behind the change is another statement.
/// Sources: "Server System Variables" of MySQL 9.7 and MariaDB; PreparedSettingsTests tries every variable of each server.
/// </summary>
internal static class SettingsChange
{
    private const StringComparison AnyCase = StringComparison.OrdinalIgnoreCase;

    // Looked at when a statement is executed, or never by one that prepares itself. Everything else counts, also what later versions bring.
    private static readonly WordTable Harmless = WordTable.Of("""
        AUTOCOMMIT COMPLETION_TYPE FOREIGN_KEY_CHECKS IDENTITY INNODB_LOCK_WAIT_TIMEOUT INSERT_ID INTERACTIVE_TIMEOUT LAST_INSERT_ID LOCK_WAIT_TIMEOUT MAX_EXECUTION_TIME
        MAX_STATEMENT_TIME NET_READ_TIMEOUT NET_WRITE_TIMEOUT PROFILING RAND_SEED1 RAND_SEED2 SERVER_ID SQL_LOG_BIN SQL_NOTES TIMESTAMP TRANSACTION_ALLOW_BATCHING
        TRANSACTION_ISOLATION TRANSACTION_READ_ONLY TX_ISOLATION TX_READ_ONLY UNIQUE_CHECKS WAIT_TIMEOUT
        SESSION_TRACK_GTIDS SESSION_TRACK_SCHEMA SESSION_TRACK_STATE_CHANGE SESSION_TRACK_SYSTEM_VARIABLES SESSION_TRACK_TRANSACTION_INFO
        """);

    // In front of a statement inside another one.
    private static readonly WordTable Openers = WordTable.Of("BEGIN ATOMIC THEN ELSE DO LOOP REPEAT");

    /// <summary>Whether nothing that was prepared can notice the variable's change.</summary>
    public static bool IsHarmless(ReadOnlySpan<char> variable) => Harmless.Has(variable);

    /// <summary>
    /// Whether the text itself changes settings, which the server need not tell: roles and resource groups are no variables, and a procedure may have
    /// switched the telling off.
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

    // At the text's beginning, behind a semicolon, a comment or a label, or in a block. The SET of an UPDATE stands behind a name.
    private static bool BeginsStatement(ReadOnlySpan<char> before)
    {
        before = before.TrimEnd();
        if (before.IsEmpty || !SqlScanner.IsNameCharacter(before[^1]))
            return before.IsEmpty || before[^1] is not ('`' or '"' or ')');
        var begin = before.Length;
        while (begin > 0 && SqlScanner.IsNameCharacter(before[begin - 1]))
            begin--;
        var word = before[begin..];
        // The version of a comment that holds code, the end of one that does not.
        return Openers.Has(word) || char.IsAsciiDigit(word[0]) || before.Contains("--", StringComparison.Ordinal) || before.Contains('#');
    }

    // One assignment, to a user's variable or to one that nothing prepared looks at; SET TRANSACTION.
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
