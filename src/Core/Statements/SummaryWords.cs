namespace Slipstream.Core.Statements;

/// <summary>The kind of object that a statement defines, by what may follow its name.</summary>
internal enum ObjectKind
{
    /// <summary>A query may follow.</summary>
    Table,

    /// <summary>The rest does not matter for a summary.</summary>
    Other,

    /// <summary>Statements may follow.</summary>
    Routine,

    /// <summary>A password may follow.</summary>
    Account,
}

/// <summary>The words of all dialects that summaries depend on. A separate class, initialized when the first text is summarized.</summary>
internal static class SummaryWords
{
    private static readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> Statements = Of(
        "ALTER ANALYZE BACKUP BEGIN BINLOG CACHE CALL CHANGE CHECK CHECKPOINT CHECKSUM CLONE CLOSE CLUSTER COMMENT COMMIT COPY CREATE DEALLOCATE DECLARE "
        + "DELETE DESC DESCRIBE DISCARD DO DROP END EXECUTE EXPLAIN FETCH FLUSH GET GRANT HANDLER HELP IMPORT INSERT INSTALL KILL LISTEN LOAD LOCK "
        + "MERGE MOVE NOTIFY OPTIMIZE PREPARE PURGE REASSIGN REFRESH REINDEX RELEASE RENAME "
        + "REPAIR REPLACE RESET RESIGNAL RESTART REVOKE ROLLBACK SAVEPOINT SELECT SET SHOW "
        + "SHUTDOWN SIGNAL START STOP TABLE TRUNCATE UNINSTALL UNLISTEN UNLOCK UPDATE USE VACUUM VALUES WITH XA");

    private static readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> EndOfTables = Of(
        "WHERE GROUP ORDER HAVING LIMIT OFFSET FETCH FOR WINDOW QUALIFY SET VALUES VALUE RETURNING UNION EXCEPT INTERSECT LOCK PROCEDURE");

    private static readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> BeforeTarget = Of(
        "INTO LOW_PRIORITY HIGH_PRIORITY DELAYED IGNORE QUICK ONLY LATERAL TABLE IF NOT EXISTS CONCURRENTLY ON");

    private static readonly Dictionary<string, ObjectKind>.AlternateLookup<ReadOnlySpan<char>> Objects = Kinds();

    /// <summary>Whether a text contains a word after which a password may follow.</summary>
    public static bool NamesPassword(string sql) =>
        sql.Contains("PASSWORD", StringComparison.OrdinalIgnoreCase) || sql.Contains("IDENTIFIED", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether the word begins a statement.</summary>
    public static bool BeginsStatement(ReadOnlySpan<char> word) => Statements.Contains(word);

    /// <summary>Whether the word ends a list of tables.</summary>
    public static bool EndsTables(ReadOnlySpan<char> word) => EndOfTables.Contains(word);

    /// <summary>Whether the word may precede the name of a target.</summary>
    public static bool StandsBeforeTarget(ReadOnlySpan<char> word) => BeforeTarget.Contains(word);

    /// <summary>Whether the kind of an object follows the word.</summary>
    public static bool DefinesObject(ReadOnlySpan<char> word) =>
        word.Equals("CREATE", StringComparison.OrdinalIgnoreCase)
        || word.Equals("ALTER", StringComparison.OrdinalIgnoreCase)
        || word.Equals("DROP", StringComparison.OrdinalIgnoreCase);

    /// <summary>The kind of object that the word after CREATE, ALTER or DROP names; null for other words, such as TEMPORARY.</summary>
    public static ObjectKind? ObjectOf(ReadOnlySpan<char> word) => Objects.TryGetValue(word, out var kind) ? kind : null;

    private static HashSet<string>.AlternateLookup<ReadOnlySpan<char>> Of(string words) =>
        new HashSet<string>(words.Split(' '), StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();

    private static Dictionary<string, ObjectKind>.AlternateLookup<ReadOnlySpan<char>> Kinds()
    {
        var kinds = new Dictionary<string, ObjectKind>(StringComparer.OrdinalIgnoreCase);
        Add("TABLE VIEW", ObjectKind.Table);
        Add("AGGREGATE COLLATION CONVERSION DATABASE DOMAIN EXTENSION INDEX OPERATOR POLICY PUBLICATION RULE SCHEMA SEQUENCE STATISTICS "
            + "TABLESPACE TYPE", ObjectKind.Other);
        Add("EVENT FUNCTION PACKAGE PROCEDURE TRIGGER", ObjectKind.Routine);
        Add("GROUP ROLE SERVER SUBSCRIPTION USER", ObjectKind.Account);
        return kinds.GetAlternateLookup<ReadOnlySpan<char>>();

        void Add(string words, ObjectKind kind)
        {
            foreach (var word in words.Split(' '))
                kinds.Add(word, kind);
        }
    }
}
