namespace Slipstream.MySql.Statements;

/// <summary>
/// What in an SQL text may change how the server reads what comes behind it, and which texts are read in two ways. By words, wherever they stand: too often
/// true, never too rarely.
/// </summary>
internal static class TextReading
{
    private const StringComparison AnyCase = StringComparison.OrdinalIgnoreCase;

    /// <summary>True when the text may switch off, or narrow, what the server tells of its session.</summary>
    public static bool MayHideChanges(string sql) => sql.Contains("SESSION_TRACK", AnyCase);

    /// <summary>
    /// True when the text, a single statement, may leave what START TRANSACTION ends and no flag of the server's tells of: table locks, a SET TRANSACTION for
    /// the next one, or a transaction that is begun where no text shows it. What stands in "/*! …" is for some servers another statement. MariaDB's functions
    /// may SET TRANSACTION (seen on 10.11; MySQL 9.7 refuses it): where no table is changed, no commit takes that back.
    /// </summary>
    public static bool MayHold(string sql, StatementKind kind, bool isMariaDb) => kind switch
    {
        _ when sql.Contains("/*!", StringComparison.Ordinal) || sql.Contains("/*M!", AnyCase) => true,
        StatementKind.Select or StatementKind.With or StatementKind.Do => isMariaDb,
        StatementKind.Insert or StatementKind.Replace or StatementKind.Update or StatementKind.Delete or StatementKind.Load => false,
        StatementKind.Use or StatementKind.Show or StatementKind.Definition => false,
        // Flags tell of each but an XA branch that has ended and is not prepared.
        StatementKind.Transaction => sql.Contains("XA", AnyCase),
        // SET STATEMENT … FOR another statement.
        StatementKind.Set => (isMariaDb && sql.Contains('(')) || sql.Contains("TRANSACTION", AnyCase) || sql.Contains("ISOLATION", AnyCase) || sql.Contains("READ_ONLY", AnyCase) || sql.Contains("STATEMENT", AnyCase),
        _ => true,
    };

    /// <summary>
    /// True when the text itself may set the client's character set for what comes behind it. SQL's EXECUTE runs what no text shows; a procedure, a function
    /// and a trigger give back what they set (tested with MySQL 9.7, MariaDB 10.11 and 11.8).
    /// </summary>
    public static bool MaySetCharacterSet(string sql) => CharacterChange(sql) >= 0;

    /// <summary>True when parameters stand in strings or outside, depending on what the statements in front of them set.</summary>
    public static bool ChangesOwnPlaces(string sql) =>
        (ModeChange(sql) is >= 0 and var mode && DependsOnMode(sql.AsSpan(mode))) || (CharacterChange(sql) is >= 0 and var set && DependsOnCharacters(sql.AsSpan(set)));

    /// <summary>True when a string ends elsewhere under sql_mode NO_BACKSLASH_ESCAPES: an odd number of backslashes in front of a quote.</summary>
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
    /// True when the bytes of a character that is not ASCII may swallow what ends a string or a name, or begins a parameter: in GBK, Big5 and Shift-JIS the
    /// second half of a character may be any of these.
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

    // A SET that is not the one of CHARACTER SET, in a definition.
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
}
