namespace Slipstream.MySql.Statements;

/// <summary>
/// Whether a statement can change something of its session that the server's tracker does not tell (<see cref="EffectScanner"/>): found
/// when it is first asked for, and kept with the statement.
/// </summary>
internal struct SessionEffects
{
    // Longer texts are bulk data, where looking at each word costs more than the reset of a session: some 10 ns a word against 25 µs.
    private const int LongestScanned = 16 * 1024;

    private const byte None = 1;
    private const byte Some = 2;

    // Written by whichever thread is first: all find the same.
    private byte _onMySql;
    private byte _onMariaDb;
    private byte _roles;
    private byte _hidden;
    private byte _hides;
    private byte _characters;
    private byte _settings;
    private byte _tables;
    private byte _heldOnMySql;
    private byte _heldOnMariaDb;

    /// <summary>True when nothing but what the tracker tells can remain in the session.</summary>
    public bool LeavesNone(string sql, bool isMariaDb)
    {
        ref var known = ref isMariaDb ? ref _onMariaDb : ref _onMySql;
        if (known == 0)
            known = sql.Length <= LongestScanned && EffectScanner.IsStateless(sql, isMariaDb) ? None : Some;
        return known == None;
    }

    /// <summary>True when the text, which leaves no trace, surely uses a table.</summary>
    public bool UsesTable(string sql)
    {
        if (_tables == 0)
            _tables = EffectScanner.UsesTable(sql) ? Some : None;
        return _tables == Some;
    }

    /// <summary>True when the text may set a role.</summary>
    public bool MaySetRole(string sql)
    {
        if (_roles == 0)
            _roles = FindSetRole(sql) ? Some : None;
        return _roles == Some;
    }

    /// <summary>True when the text may run what is stored elsewhere, and that may set a role. Only of a plain SET it is known that it does not.</summary>
    public bool MayRunStored(string sql)
    {
        if (_hidden == 0)
            _hidden = IsPlainSet(sql) ? None : Some;
        return _hidden == Some;
    }

    /// <summary>True when the text may change what the server tells of its session.</summary>
    public bool MayHideChanges(string sql)
    {
        if (_hides == 0)
            _hides = TextReading.MayHideChanges(sql) ? Some : None;
        return _hides == Some;
    }

    /// <summary>True when the text may set the client's character set.</summary>
    public bool MaySetCharacterSet(string sql)
    {
        if (_characters == 0)
            _characters = TextReading.MaySetCharacterSet(sql) ? Some : None;
        return _characters == Some;
    }

    /// <summary>True when the text changes settings under which statements are prepared.</summary>
    public bool ChangesSettings(string sql)
    {
        if (_settings == 0)
            _settings = SettingsChange.IsIn(sql) ? Some : None;
        return _settings == Some;
    }

    /// <summary>True when the text, a single statement, may leave what START TRANSACTION ends and no flag of the server's tells of.</summary>
    public bool MayHold(string sql, StatementKind kind, bool isMariaDb)
    {
        ref var known = ref isMariaDb ? ref _heldOnMariaDb : ref _heldOnMySql;
        if (known == 0)
            known = TextReading.MayHold(sql, kind, isMariaDb) ? Some : None;
        return known == Some;
    }

    // No function, comment, second statement, or SET STATEMENT … FOR another.
    private static bool IsPlainSet(string sql)
    {
        var text = sql.AsSpan().Trim();
        return text.StartsWith("SET", StringComparison.OrdinalIgnoreCase) && text.Length > 3 && char.IsWhiteSpace(text[3])
            && !text.TrimEnd(';').ContainsAny("(;#") && !text.Contains("/*", StringComparison.Ordinal) && !text.Contains("--", StringComparison.Ordinal)
            && !text.Contains("STATEMENT", StringComparison.OrdinalIgnoreCase);
    }

    // SET, perhaps something that is no word, ROLE; but not the assignment to a column of that name. A comment may hide anything.
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
