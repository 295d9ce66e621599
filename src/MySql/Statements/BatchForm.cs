using System.Text;

namespace Slipstream.MySql.Statements;

/// <summary>
/// Describes how a batch may send an SQL text under one set of quoting rules. Every decision errs on the safe side: a text that is not understood is sent
/// alone, which changes only the number of round trips.
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

    /// <summary>Gets the quoting rules for which the other properties are valid.</summary>
    public QuotingRules Rules { get; }

    /// <summary>Gets whether the text is one complete statement that a semicolon and another statement may follow.</summary>
    public bool CanJoin { get; }

    /// <summary>
    /// Gets whether the text is a SELECT that takes no locks. If it also leaves no state in its session (<see cref="MySqlStatement.IsStateless"/>), executing
    /// it after a statement that failed has no visible effect. A view in the SELECT may call a function that changes data; no text shows that.
    /// </summary>
    public bool OnlyReads { get; }

    /// <summary>
    /// Gets, for a plain <c>INSERT INTO t (…) VALUES (…)</c>, the number of UTF-8 bytes before its row; otherwise 0. One statement may contain the rows of
    /// several such commands if none of their parameters is treated as a user variable.
    /// </summary>
    public int RowAt { get; }

    /// <summary>Returns the same INSERT with many rows, by number of rows. Returns null if the row has no parameters or is not fully understood.</summary>
    /// <param name="sql">The SQL text.</param>
    /// <param name="scanned">The same text, scanned under <see cref="Rules"/>.</param>
    public MergedSizes? SizesOf(string sql, ScannedSql scanned)
    {
        if (!_knowsSizes)
        {
            // Two threads may create this at the same time: one of the two objects is lost.
            _sizes = RowAt > 0 && MultiRowInsert.From(sql, scanned) is { } insert ? new(insert) : null;
            Volatile.Write(ref _knowsSizes, true);
        }

        return _sizes;
    }

    /// <summary>Returns the last piece of a statement without the semicolons and white space at its end.</summary>
    public static ReadOnlySpan<byte> WithoutEnd(ReadOnlySpan<byte> piece) => piece.TrimEnd(" \t\r\n;"u8);

    public static BatchForm Of(string sql, ScannedSql scanned, QuotingRules rules)
    {
        var text = sql.AsSpan().TrimEnd(" \t\r\n;").ToString();
        var canJoin = CanJoinText(text, scanned, rules);
        return new(
            rules, canJoin, canJoin && scanned.Kind == StatementKind.Select && !MayLock(text),
            canJoin && scanned.Kind == StatementKind.Insert ? FindRow(text, scanned) : 0);
    }

    // Statements that change how the next text is read (SET, USE) are sent alone, and so are texts whose end only the server's grammar can find.
    private static bool CanJoinText(string text, ScannedSql scanned, QuotingRules rules)
    {
        if (scanned.HasSeveralStatements || text.Contains("/*!", StringComparison.Ordinal) || text.Contains("/*M!", StringComparison.Ordinal))
            return false;
        if (
            scanned.Kind is not (
                StatementKind.Select or StatementKind.Insert or StatementKind.Replace or StatementKind.Update or StatementKind.Delete or StatementKind.With
                or StatementKind.Call or StatementKind.Do or StatementKind.Show))
            return false;
        // A text that ends inside a string or a comment would include the following statement. A text with a semicolon before a comment has ended already.
        return SqlScanner.Scan(text + "\n;DO 0", rules).HasSeveralStatements && !SqlScanner.Scan(text + "\nDO 0", rules).HasSeveralStatements;
    }

    // Finds FOR UPDATE, LOCK IN SHARE MODE, and NEXTVAL (another database's syntax for a sequence). A match in a string or a comment only costs a round trip.
    private static bool MayLock(string text)
    {
        for (var at = 0; at < text.Length; at++)
        {
            var begin = at;
            while (at < text.Length && SqlScanner.IsNameCharacter(text[at]) && text[at] != '.')
                at++;
            var word = text.AsSpan(begin, at - begin);
            if (word.Equals("FOR", StringComparison.OrdinalIgnoreCase)
                || word.Equals("LOCK", StringComparison.OrdinalIgnoreCase)
                || word.Equals("NEXTVAL", StringComparison.OrdinalIgnoreCase))
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
