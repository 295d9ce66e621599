namespace Slipstream.MySql.Statements;

/// <summary>The few words of SQL that the scanner must recognise.</summary>
internal static class Keywords
{
    private static readonly WordTable Kinds = new WordTable(64)
        .Add("SELECT VALUES TABLE", (byte)StatementKind.Select)
        .Add("INSERT", (byte)StatementKind.Insert)
        .Add("REPLACE", (byte)StatementKind.Replace)
        .Add("UPDATE", (byte)StatementKind.Update)
        .Add("DELETE", (byte)StatementKind.Delete)
        .Add("WITH", (byte)StatementKind.With)
        .Add("CALL", (byte)StatementKind.Call)
        .Add("SET", (byte)StatementKind.Set)
        .Add("USE", (byte)StatementKind.Use)
        .Add("SHOW DESCRIBE DESC EXPLAIN HELP", (byte)StatementKind.Show)
        .Add("BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE XA", (byte)StatementKind.Transaction)
        .Add("PREPARE EXECUTE DEALLOCATE", (byte)StatementKind.Prepare)
        .Add("CREATE ALTER DROP TRUNCATE RENAME GRANT REVOKE INSTALL UNINSTALL", (byte)StatementKind.Definition)
        .Add("LOAD", (byte)StatementKind.Load)
        .Add("DO", (byte)StatementKind.Do)
        .Add("LOCK UNLOCK FLUSH", (byte)StatementKind.Lock)
        .Add("DELIMITER", (byte)StatementKind.Delimiter);

    // Reserved words that an expression may follow without white space. Any other word directly before an @ is the name of a user account.
    private static readonly WordTable BeforeExpression = WordTable.Of("""
        SELECT DISTINCT ALL WHERE HAVING ON AND OR XOR NOT IN LIKE RLIKE REGEXP BETWEEN IS DIV MOD CASE WHEN THEN ELSE BY LIMIT OFFSET
        VALUES VALUE SET INTO CALL DO RETURN INTERVAL USING FROM EXECUTE BINARY COLLATE ESCAPE TO IF WHILE UNTIL DEFAULT EXISTS GLOBAL
        SESSION LOCAL FETCH
        """);

    public static StatementKind KindOf(ReadOnlySpan<char> word) => Kinds.Find(word) is var kind && kind != 0 ? (StatementKind)kind : StatementKind.Other;

    public static bool MayPrecedeExpression(ReadOnlySpan<char> word) => BeforeExpression.Has(word);
}
