namespace Slipstream.MySql.Statements;

/// <summary>
/// Finds texts that may change how the server reads the text after them, and texts that can be read in two ways. It looks for words anywhere in the text, so it
/// may return true without need, but never false in error.
/// </summary>
internal static class TextReading
{
    private const StringComparison AnyCase = StringComparison.OrdinalIgnoreCase;

    /// <summary>Returns true if the text may switch off or restrict what the server reports about its session.</summary>
    public static bool MayHideChanges(string sql) => sql.Contains("SESSION_TRACK", AnyCase);

    /// <summary>
    /// Returns true if the text, a single statement, may leave state that START TRANSACTION ends and that no server flag reports: table locks, a SET
    /// TRANSACTION for the next transaction, or a transaction begun without any sign in the text. Some servers execute the content of "/*! …". Functions of
    /// MariaDB may SET TRANSACTION (seen on 10.11; MySQL 9.7 refuses it): if the statement changes no table, no commit undoes that.
    /// </summary>
    public static bool MayHold(string sql, StatementKind kind, bool isMariaDb) => kind switch
    {
        _ when sql.Contains("/*!", StringComparison.Ordinal) || sql.Contains("/*M!", AnyCase) => true,
        StatementKind.Select or StatementKind.With or StatementKind.Do => isMariaDb,
        StatementKind.Insert or StatementKind.Replace or StatementKind.Update or StatementKind.Delete or StatementKind.Load => false,
        StatementKind.Use or StatementKind.Show or StatementKind.Definition => false,
        // Flags report each of these, except an XA branch that has ended and is not prepared.
        StatementKind.Transaction => sql.Contains("XA", AnyCase),
        // SET STATEMENT … FOR executes another statement.
        StatementKind.Set =>
            (isMariaDb && sql.Contains('('))
                || sql.Contains("TRANSACTION", AnyCase)
                || sql.Contains("ISOLATION", AnyCase)
                || sql.Contains("READ_ONLY", AnyCase)
                || sql.Contains("STATEMENT", AnyCase),
        _ => true,
    };

    /// <summary>
    /// Returns true if the text itself may set the client's character set for the text after it. EXECUTE in SQL runs a statement that the text does not show.
    /// Procedures, functions and triggers restore the value when they end (tested with MySQL 9.7, MariaDB 10.11 and 11.8).
    /// </summary>
    public static bool MaySetCharacterSet(string sql) => CharacterChange(sql) >= 0;

    /// <summary>Returns true if parameters are inside or outside of strings depending on what the statements before them set.</summary>
    public static bool ChangesOwnPlaces(string sql) =>
        (ModeChange(sql) is >= 0 and var mode && DependsOnMode(sql.AsSpan(mode)))
            || (CharacterChange(sql) is >= 0 and var set && DependsOnCharacters(sql.AsSpan(set)));

    /// <summary>Returns true if a string ends at another place under sql_mode NO_BACKSLASH_ESCAPES: an odd number of backslashes before a quote.</summary>
    public static bool DependsOnMode(ReadOnlySpan<char> sql)
    {
        var backslashes = 0;
        foreach (var letter in sql)
        {
            if (letter is '\'' or '"' && backslashes % 2 == 1)
                return true;
            backslashes = letter == '\\' ? backslashes + 1 : 0;
        }

        return false;
    }

    /// <summary>
    /// Returns true if the bytes of a non-ASCII character may absorb the end of a string or a name, or the beginning of a parameter. In GBK, Big5 and
    /// Shift-JIS, these characters may be the second half of a character.
    /// </summary>
    public static bool DependsOnCharacters(ReadOnlySpan<char> sql)
    {
        var isForeign = false;
        foreach (var letter in sql)
        {
            if (isForeign && letter is '\\' or '`' or '@')
                return true;
            isForeign = letter > '\x7F';
        }

        return false;
    }

    private static int ModeChange(string sql) => First(sql.IndexOf("SQL_MODE", AnyCase), sql.IndexOf("EXECUTE", AnyCase));

    private static int CharacterChange(string sql)
    {
        var words = First(First(sql.IndexOf("NAMES", AnyCase), sql.IndexOf("CHARSET", AnyCase)), sql.IndexOf("CHARACTER", AnyCase));
        return First(words >= 0 && HasSet(sql) ? 0 : -1, sql.IndexOf("EXECUTE", AnyCase));
    }

    // Finds a SET that does not belong to CHARACTER SET in a definition.
    private static bool HasSet(string sql)
    {
        for (var at = 0; (at = sql.IndexOf("SET", at, AnyCase)) >= 0; at += 3)
        {
            if (at > 0 && (SqlScanner.IsNameCharacter(sql[at - 1]) || sql[at - 1] == '@'))
                continue;
            var before = sql.AsSpan(0, at).TrimEnd();
            if (before.Length == at || !before.EndsWith("CHARACTER", AnyCase) && !before.EndsWith("CHAR", AnyCase))
                return true;
        }

        return false;
    }

    private static int First(int one, int other) => one < 0 ? other : other < 0 ? one : Math.Min(one, other);

    /// <summary>Returns true if the text, a single statement, creates, releases or rolls back to a savepoint.</summary>
    public static bool IsOfSavepoint(string sql)
    {
        var text = sql.AsSpan().TrimStart();
        return text.StartsWith("SAVEPOINT ", AnyCase) || text.StartsWith("RELEASE SAVEPOINT ", AnyCase) || text.StartsWith("ROLLBACK TO ", AnyCase);
    }
}
