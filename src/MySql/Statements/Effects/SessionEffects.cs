namespace Slipstream.MySql.Statements;

/// <summary>
/// Finds whether a statement can make changes to its session that the server's session tracker does not report (<see cref="EffectScanner"/>). Each property is
/// computed at its first use and kept with the statement.
/// </summary>
internal struct SessionEffects
{
    // Longer texts are bulk data: scanning a word costs about 10 ns, and a reset of the session 25 µs.
    private const int LongestScanned = 16 * 1024;

    private const byte None = 1;
    private const byte Some = 2;

    // Written by the first thread that needs them; all threads compute the same values.
    private byte _onMySql;
    private byte _onMariaDb;
    private byte _roles;
    private byte _hidden;
    private byte _hides;
    private byte _characters;
    private byte _settings;
    private byte _tables;
    private byte _comments;
    private byte _heldOnMySql;
    private byte _heldOnMariaDb;

    /// <summary>Returns true if the text can leave only state that the session tracker reports.</summary>
    public bool LeavesNone(string sql, bool isMariaDb)
    {
        ref var known = ref isMariaDb ? ref _onMariaDb : ref _onMySql;
        if (known == 0)
            known = sql.Length <= LongestScanned && EffectScanner.IsStateless(sql, isMariaDb) ? None : Some;
        return known == None;
    }

    /// <summary>Returns true if the text, which is stateless, surely uses a table.</summary>
    public bool UsesTable(string sql)
    {
        if (_tables == 0)
            _tables = EffectScanner.UsesTable(sql) ? Some : None;
        return _tables == Some;
    }

    /// <summary>Returns true if the text may set a role.</summary>
    public bool MaySetRole(string sql)
    {
        if (_roles == 0)
            _roles = FindSetRole(sql) ? Some : None;
        return _roles == Some;
    }

    /// <summary>Returns true if the text may run stored code that sets a role. Only a plain SET is known not to.</summary>
    public bool MayRunStored(string sql)
    {
        if (_hidden == 0)
            _hidden = IsPlainSet(sql) ? None : Some;
        return _hidden == Some;
    }

    /// <summary>Returns true if the text may change what the server reports about its session.</summary>
    public bool MayHideChanges(string sql)
    {
        if (_hides == 0)
            _hides = TextReading.MayHideChanges(sql) ? Some : None;
        return _hides == Some;
    }

    /// <summary>Returns true if the text may set the client's character set.</summary>
    public bool MaySetCharacterSet(string sql)
    {
        if (_characters == 0)
            _characters = TextReading.MaySetCharacterSet(sql) ? Some : None;
        return _characters == Some;
    }

    /// <summary>Returns true if some servers may execute a comment of the text.</summary>
    public bool RunsComments(string sql)
    {
        if (_comments == 0)
            _comments = sql.Contains("/*!", StringComparison.Ordinal) || sql.Contains("/*M!", StringComparison.OrdinalIgnoreCase) ? Some : None;
        return _comments == Some;
    }

    /// <summary>Returns true if the text changes settings that affect the preparation of statements.</summary>
    public bool ChangesSettings(string sql)
    {
        if (_settings == 0)
            _settings = SettingsChange.IsIn(sql) ? Some : None;
        return _settings == Some;
    }

    /// <summary>Returns true if the text, a single statement, may leave state that START TRANSACTION ends and that no server flag reports.</summary>
    public bool MayHold(string sql, StatementKind kind, bool isMariaDb)
    {
        ref var known = ref isMariaDb ? ref _heldOnMariaDb : ref _heldOnMySql;
        if (known == 0)
            known = TextReading.MayHold(sql, kind, isMariaDb) ? Some : None;
        return known == Some;
    }

    // A plain SET has no function, comment, second statement, or SET STATEMENT … FOR another statement.
    private static bool IsPlainSet(string sql)
    {
        var text = sql.AsSpan().Trim();
        return text.StartsWith("SET", StringComparison.OrdinalIgnoreCase) && text.Length > 3 && char.IsWhiteSpace(text[3])
            && !text.TrimEnd(';').ContainsAny("(;#") && !text.Contains("/*", StringComparison.Ordinal) && !text.Contains("--", StringComparison.Ordinal)
            && !text.Contains("STATEMENT", StringComparison.OrdinalIgnoreCase);
    }

    // Finds SET, optional characters that are not a word, and ROLE, but not the assignment to a column of that name. A comment may hide any word.
    private static bool FindSetRole(string sql)
    {
        for (var at = 0; (at = sql.IndexOf("ROLE", at, StringComparison.OrdinalIgnoreCase)) >= 0; at += 4)
        {
            var before = sql.AsSpan(0, at).TrimEnd();
            if (before.EndsWith("/"))
                return true;
            if (before.Length < at && before.EndsWith("SET", StringComparison.OrdinalIgnoreCase) && !sql.AsSpan(at + 4).TrimStart().StartsWith("="))
                return true;
        }

        return false;
    }
}
