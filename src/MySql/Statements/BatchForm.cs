using System.Text;

namespace Slipstream.MySql.Statements;

/// <summary>
/// What a batch may do with an SQL text under one set of quoting rules. Everything is decided on the safe side: what is not understood is
/// sent by itself, and nothing changes but the number of round trips.
/// </summary>
internal sealed class BatchForm
{
    private MergedSizes? _sizes;
    private bool _knowsSizes;

    private BatchForm(QuotingRules rules, bool canJoin, bool onlyReads, int rowAt)
    {
        Rules = rules;
        CanJoin = canJoin;
        OnlyReads = onlyReads;
        RowAt = rowAt;
    }

    /// <summary>The rules under which all this holds.</summary>
    public QuotingRules Rules { get; }

    /// <summary>One statement, complete in itself, behind which a semicolon and the next statement may stand.</summary>
    public bool CanJoin { get; }

    /// <summary>
    /// A SELECT that takes no locks. When it leaves no trace in its session either (<see cref="MySqlStatement.IsStateless"/>), running it behind one
    /// that failed cannot be noticed. (A view it reads may call a function that changes something; no text shows that.)
    /// </summary>
    public bool OnlyReads { get; }

    /// <summary>
    /// For a plain <c>INSERT INTO t (…) VALUES (…)</c>: the UTF-8 bytes in front of its row. Rows of several such commands, if they take none of the
    /// parameters for a user variable, may stand in one statement. Otherwise 0.
    /// </summary>
    public int RowAt { get; }

    /// <summary>The same INSERT of many rows, by their number; null when its row has no parameters, or is not understood well enough.</summary>
    /// <param name="sql">The text.</param>
    /// <param name="scanned">The same, scanned under <see cref="Rules"/>.</param>
    public MergedSizes? SizesOf(string sql, ScannedSql scanned)
    {
        if (!_knowsSizes)
        {
            // Two threads may find out at the same time: one of the two notes is lost.
            _sizes = RowAt > 0 && MultiRowInsert.From(sql, scanned) is { } insert ? new(insert) : null;
            Volatile.Write(ref _knowsSizes, true);
        }

        return _sizes;
    }

    /// <summary>Bytes of a statement's last piece without the semicolons and blanks at its end.</summary>
    public static ReadOnlySpan<byte> WithoutEnd(ReadOnlySpan<byte> piece) => piece.TrimEnd(" \t\r\n;"u8);

    public static BatchForm Of(string sql, ScannedSql scanned, QuotingRules rules)
    {
        var text = sql.AsSpan().TrimEnd(" \t\r\n;").ToString();
        var canJoin = CanJoinText(text, scanned, rules);
        return new(rules, canJoin, canJoin && scanned.Kind == StatementKind.Select && !MayLock(text), canJoin && scanned.Kind == StatementKind.Insert ? FindRow(text, scanned) : 0);
    }

    // What changes the rules by which the next text is read (SET, USE) is sent by itself, and so is what only the server's grammar sees the end of.
    private static bool CanJoinText(string text, ScannedSql scanned, QuotingRules rules)
    {
        if (scanned.HasSeveralStatements || text.Contains("/*!", StringComparison.Ordinal) || text.Contains("/*M!", StringComparison.Ordinal))
            return false;
        if (scanned.Kind is not (StatementKind.Select or StatementKind.Insert or StatementKind.Replace or StatementKind.Update or StatementKind.Delete or StatementKind.With
            or StatementKind.Call or StatementKind.Do or StatementKind.Show))
            return false;
        // A text that ends inside a string or a comment would swallow what follows; one with a semicolon in front of a comment has ended already.
        return SqlScanner.Scan(text + "\n;DO 0", rules).HasSeveralStatements && !SqlScanner.Scan(text + "\nDO 0", rules).HasSeveralStatements;
    }

    // FOR UPDATE, LOCK IN SHARE MODE; a sequence's next value in the words of another database. Inside a string or a comment they do no harm but cost a way.
    private static bool MayLock(string text)
    {
        for (var at = 0; at < text.Length; at++)
        {
            var begin = at;
            while (at < text.Length && SqlScanner.IsNameCharacter(text[at]) && text[at] != '.')
                at++;
            var word = text.AsSpan(begin, at - begin);
            if (word.Equals("FOR", StringComparison.OrdinalIgnoreCase) || word.Equals("LOCK", StringComparison.OrdinalIgnoreCase) || word.Equals("NEXTVAL", StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }

    private static int FindRow(string text, ScannedSql scanned)
    {
        var at = scanned.Parameters.Length == 0 ? -1 : InsertText.FindRow(text, out var end) is var row && end == text.Length ? row : -1;
        return at <= 0 ? 0 : Encoding.UTF8.GetByteCount(text.AsSpan(0, at));
    }
}
