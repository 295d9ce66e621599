namespace Slipstream.MySql.Statements;

/// <summary>The few words of SQL that the scanner must know.</summary>
internal static class Keywords
{
    private static readonly Dictionary<string, StatementKind> Kinds = new(StringComparer.OrdinalIgnoreCase)
    {
        ["SELECT"] = StatementKind.Select,
        ["VALUES"] = StatementKind.Select,
        ["TABLE"] = StatementKind.Select,
        ["INSERT"] = StatementKind.Insert,
        ["REPLACE"] = StatementKind.Replace,
        ["UPDATE"] = StatementKind.Update,
        ["DELETE"] = StatementKind.Delete,
        ["WITH"] = StatementKind.With,
        ["CALL"] = StatementKind.Call,
        ["SET"] = StatementKind.Set,
        ["USE"] = StatementKind.Use,
        ["SHOW"] = StatementKind.Show,
        ["DESCRIBE"] = StatementKind.Show,
        ["DESC"] = StatementKind.Show,
        ["EXPLAIN"] = StatementKind.Show,
        ["ANALYZE"] = StatementKind.Other,
        ["HELP"] = StatementKind.Show,
        ["BEGIN"] = StatementKind.Transaction,
        ["START"] = StatementKind.Transaction,
        ["COMMIT"] = StatementKind.Transaction,
        ["ROLLBACK"] = StatementKind.Transaction,
        ["SAVEPOINT"] = StatementKind.Transaction,
        ["RELEASE"] = StatementKind.Transaction,
        ["XA"] = StatementKind.Transaction,
        ["PREPARE"] = StatementKind.Prepare,
        ["EXECUTE"] = StatementKind.Prepare,
        ["DEALLOCATE"] = StatementKind.Prepare,
        ["CREATE"] = StatementKind.Definition,
        ["ALTER"] = StatementKind.Definition,
        ["DROP"] = StatementKind.Definition,
        ["TRUNCATE"] = StatementKind.Definition,
        ["RENAME"] = StatementKind.Definition,
        ["GRANT"] = StatementKind.Definition,
        ["REVOKE"] = StatementKind.Definition,
        ["INSTALL"] = StatementKind.Definition,
        ["UNINSTALL"] = StatementKind.Definition,
        ["LOAD"] = StatementKind.Load,
        ["DO"] = StatementKind.Do,
        ["LOCK"] = StatementKind.Lock,
        ["UNLOCK"] = StatementKind.Lock,
        ["FLUSH"] = StatementKind.Lock,
        ["DELIMITER"] = StatementKind.Delimiter,
    };

    // Reserved words behind which an expression may follow without a blank; any other word directly in front of an @ is a user's name.
    private static readonly HashSet<string> BeforeExpression = new(StringComparer.OrdinalIgnoreCase)
    {
        "SELECT", "DISTINCT", "ALL", "WHERE", "HAVING", "ON", "AND", "OR", "XOR", "NOT", "IN", "LIKE", "RLIKE", "REGEXP", "BETWEEN", "IS", "DIV", "MOD",
        "CASE", "WHEN", "THEN", "ELSE", "BY", "LIMIT", "OFFSET", "VALUES", "VALUE", "SET", "INTO", "CALL", "DO", "RETURN", "INTERVAL", "USING", "FROM", "EXECUTE",
        "BINARY", "COLLATE", "ESCAPE", "TO", "IF", "WHILE", "UNTIL", "DEFAULT", "EXISTS", "GLOBAL", "SESSION", "LOCAL", "FETCH",
    };

    private static readonly Dictionary<string, StatementKind>.AlternateLookup<ReadOnlySpan<char>> KindLookup = Kinds.GetAlternateLookup<ReadOnlySpan<char>>();
    private static readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> ExpressionLookup = BeforeExpression.GetAlternateLookup<ReadOnlySpan<char>>();

    public static StatementKind KindOf(ReadOnlySpan<char> word) => KindLookup.TryGetValue(word, out var kind) ? kind : StatementKind.Other;

    public static bool MayPrecedeExpression(ReadOnlySpan<char> word) => ExpressionLookup.Contains(word);
}
