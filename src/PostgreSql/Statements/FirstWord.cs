using System.Text;

namespace Slipstream.PostgreSql.Statements;

/// <summary>Determines the kind of a statement from its first word.</summary>
internal static class FirstWord
{
    /// <summary>
    /// Returns true for statements that the server plans, which therefore benefit from preparation: SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES, WITH, TABLE.
    /// All others are utility statements, which have no plan. Source: PostgreSQL 18, PREPARE, "statement".
    /// </summary>
    public static bool IsPlanned(ReadOnlySpan<byte> sql)
    {
        var word = Of(sql);
        return Is(word, "select"u8) || Is(word, "insert"u8) || Is(word, "update"u8) || Is(word, "delete"u8)
            || Is(word, "with"u8) || Is(word, "values"u8) || Is(word, "merge"u8) || Is(word, "table"u8);
    }

    /// <summary>
    /// Returns false for statements that surely cannot commit an open transaction. A CALL or DO in a transaction cannot either, but other servers that speak
    /// the protocol may not refuse the COMMIT inside. Source: PostgreSQL 18, CALL and DO, "Notes".
    /// </summary>
    public static bool MayCommit(ReadOnlySpan<byte> sql)
    {
        if (IsPlanned(sql))
            return false;
        var word = Of(sql);
        return !(Is(word, "copy"u8) || Is(word, "declare"u8) || Is(word, "fetch"u8) || Is(word, "move"u8) || Is(word, "close"u8)
            || Is(word, "set"u8) || Is(word, "show"u8) || Is(word, "reset"u8) || Is(word, "explain"u8) || Is(word, "lock"u8)
            || Is(word, "listen"u8) || Is(word, "unlisten"u8) || Is(word, "notify"u8) || Is(word, "analyze"u8) || Is(word, "truncate"u8)
            || Is(word, "create"u8) || Is(word, "alter"u8) || Is(word, "drop"u8) || Is(word, "comment"u8) || Is(word, "grant"u8)
            || Is(word, "revoke"u8) || Is(word, "refresh"u8) || Is(word, "deallocate"u8));
    }

    /// <summary>
    /// Returns false for INSERT, UPDATE, DELETE and MERGE without RETURNING. If the word RETURNING appears in another role, only time is lost.
    /// </summary>
    public static bool MayReturnRows(ReadOnlySpan<byte> sql)
    {
        var word = Of(sql);
        if (!Is(word, "insert"u8) && !Is(word, "update"u8) && !Is(word, "delete"u8) && !Is(word, "merge"u8))
            return true;
        for (var at = 0; at + "returning".Length <= sql.Length; at++)
            if (Is(sql.Slice(at, "returning".Length), "returning"u8))
                return true;
        return false;
    }

    /// <summary>Returns true for COPY, which reverses the roles of server and client.</summary>
    public static bool IsCopy(ReadOnlySpan<byte> sql) => Is(Of(sql), "copy"u8);

    /// <summary>Returns true for COPY … FROM STDIN, after which the server accepts nothing but data.</summary>
    public static bool CopiesFromClient(ReadOnlySpan<byte> sql)
    {
        if (!IsCopy(sql))
            return false;
        for (var at = EndIn(sql); at + "stdin".Length <= sql.Length; at++)
        {
            if (!Is(sql.Slice(at, "stdin".Length), "stdin"u8))
                continue;
            var before = sql[..at].TrimEnd(" \t\r\n\f\v"u8);
            if (before.Length < at && before.Length > "from".Length && Is(before[^"from".Length..], "from"u8))
                return true;
        }

        return false;
    }

    /// <summary>
    /// Returns true for statements that define an object with parameters of its own: PREPARE, CREATE [OR REPLACE] FUNCTION or PROCEDURE.
    /// </summary>
    public static bool HasOwnParameters(ReadOnlySpan<byte> sql)
    {
        if (!IsFirst(sql, "create"u8))
            return IsFirst(sql, "prepare"u8);
        var what = sql[EndIn(sql)..];
        if (IsFirst(what, "or"u8))
            what = what[EndIn(what)..];
        if (IsFirst(what, "replace"u8))
            what = what[EndIn(what)..];
        return IsFirst(what, "function"u8) || IsFirst(what, "procedure"u8);
    }

    /// <summary>Returns true if the first word is <paramref name="lower"/>.</summary>
    public static bool IsFirst(ReadOnlySpan<byte> sql, ReadOnlySpan<byte> lower) => Is(Of(sql), lower);

    /// <summary>Returns the position after the first word.</summary>
    public static int EndIn(ReadOnlySpan<byte> sql)
    {
        var end = SkipToCode(sql);
        while (end < sql.Length && char.IsAsciiLetter((char)sql[end]))
            end++;
        return end;
    }

    private static ReadOnlySpan<byte> Of(ReadOnlySpan<byte> sql) => sql[SkipToCode(sql)..EndIn(sql)];

    private static bool Is(ReadOnlySpan<byte> word, ReadOnlySpan<byte> lower) => Ascii.EqualsIgnoreCase(word, lower);

    // Skips white space, comments, and the parentheses before a query.
    private static int SkipToCode(ReadOnlySpan<byte> sql)
    {
        var at = 0;
        while (at < sql.Length)
        {
            var rest = sql[at..];
            if (rest[0] is (byte)' ' or (byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)'\f' or (byte)'\v' or (byte)'(')
                at++;
            else if (rest.StartsWith("--"u8))
                at += rest.IndexOfAny((byte)'\n', (byte)'\r') is >= 0 and var line ? line : rest.Length;
            else if (rest.StartsWith("/*"u8))
                at += CommentLength(rest);
            else
                break;
        }

        return at;
    }

    // Comments nest.
    private static int CommentLength(ReadOnlySpan<byte> sql)
    {
        var depth = 0;
        for (var at = 0; at < sql.Length;)
        {
            if (sql[at..].StartsWith("/*"u8))
                (depth, at) = (depth + 1, at + 2);
            else if (sql[at..].StartsWith("*/"u8))
            {
                (depth, at) = (depth - 1, at + 2);
                if (depth == 0)
                    return at;
            }
            else
                at++;
        }

        return sql.Length;
    }
}
