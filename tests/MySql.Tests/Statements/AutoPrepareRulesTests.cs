using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class AutoPrepareRulesTests
{
    [Theory]
    [InlineData("SELECT 1")]
    [InlineData("select a, b from t where id = @id;")]
    [InlineData("SELECT * FROM `a b`.`t` AS x WHERE x.id = ? AND `x`.`n` <> ? OR NOT x.c >= ?")]
    [InlineData("SELECT * FROM t WHERE (a = ? OR (b = ? AND c <=> ?)) ORDER BY a LIMIT ?, ?")]
    [InlineData("SELECT * FROM t WHERE a IN (?, ?, 3) AND b NOT IN (?) AND c LIKE ? AND d NOT LIKE ? AND e BETWEEN ? AND ? LIMIT ? OFFSET ?")]
    [InlineData("SELECT a FROM t JOIN u ON t.id = u.id AND u.x = ? WHERE t.id IN (SELECT id FROM v WHERE y < ?) GROUP BY a HAVING n > ?")]
    [InlineData("INSERT INTO t (a, b) VALUES (?, ?), (?, NOW())")]
    [InlineData("INSERT INTO t VALUES (@a, @b) ON DUPLICATE KEY UPDATE a = @a, b = VALUES(b)")]
    [InlineData("INSERT INTO t SET a = ?, b = ?")]
    [InlineData("REPLACE INTO t VALUES (?) -- it's a comment\n")]
    [InlineData("UPDATE t SET a = ?, b = b + 1 WHERE id = ? LIMIT ?")]
    [InlineData("DELETE FROM t WHERE id = ? /* it's ? a comment */")]
    [InlineData("WITH x AS (SELECT id FROM t WHERE a = ?) SELECT * FROM x WHERE id > ? FOR UPDATE")]
    [InlineData("SELECT 'it''s \\' ? @x', \"a ? b\" FROM t WHERE s = ?")]
    [InlineData("SELECT a FROM t WHERE d > NOW() - INTERVAL 1 DAY AND b = ?")]
    [InlineData("SELECT a FROM t UNION ALL SELECT a FROM u WHERE a = ?")]
    public void Texts_that_prepare_themselves(string sql) => Assert.True(SqlScanner.Scan(sql, QuotingRules.None).MayPrepareItself);

    [Theory]
    [InlineData("SELECT ?")]
    [InlineData("SELECT a + ? FROM t")]
    [InlineData("SELECT a FROM t WHERE a + 1 = ?")]
    [InlineData("SELECT a FROM t WHERE a = ? + 1")]
    [InlineData("SELECT a FROM t WHERE a = -?")]
    [InlineData("SELECT a FROM t WHERE ? = a")]
    [InlineData("SELECT a FROM t WHERE a IS ?")]
    [InlineData("SELECT a FROM t WHERE a = ANY (?)")]
    [InlineData("SELECT a FROM t WHERE f(a) = ?")]
    [InlineData("SELECT a FROM t WHERE a = f(?)")]
    [InlineData("SELECT a FROM t WHERE f(a = ?)")]
    [InlineData("SELECT a FROM t WHERE a LIKE ? ESCAPE '|'")]
    [InlineData("SELECT a FROM t WHERE (a, b) = (?, ?)")]
    [InlineData("SELECT a FROM t WHERE 1 IN (?)")]
    [InlineData("SELECT a FROM t WHERE a = ? COLLATE utf8mb4_bin")]
    [InlineData("SELECT a FROM t WHERE BINARY a = ?")]
    [InlineData("SELECT a FROM t WHERE d > NOW() - INTERVAL ? DAY")]
    [InlineData("SELECT a FROM t WHERE CASE WHEN a = ? THEN 1 END")]
    [InlineData("SELECT a FROM t ORDER BY ?")]
    [InlineData("SELECT a FROM t GROUP BY ?")]
    [InlineData("SELECT a FROM (SELECT ? AS a) x")]
    [InlineData("SELECT a FROM t WHERE b = (SELECT ?)")]
    [InlineData("SELECT a FROM t UNION SELECT ?")]
    [InlineData("INSERT INTO t VALUES (JSON_OBJECT('k', ?))")]
    [InlineData("INSERT INTO t VALUES (? + 1)")]
    [InlineData("INSERT INTO t SELECT ?, a FROM u")]
    [InlineData("INSERT INTO t VALUES (1) RETURNING ?")]
    [InlineData("UPDATE t SET a = a + ?")]
    [InlineData("UPDATE t SET a = IF(b = ?, 1, 2)")]
    [InlineData("SELECT a FROM t WHERE a = ? /*! AND b = 1 */")]
    [InlineData("SELECT a INTO @x FROM t")]
    [InlineData("SELECT @@version")]
    [InlineData("SELECT FOUND_ROWS()")]
    [InlineData("SELECT ROW_COUNT()")]
    [InlineData("SELECT LAST_INSERT_ID()")]
    [InlineData("SELECT SQL_CALC_FOUND_ROWS a FROM t")]
    [InlineData("SELECT \"a\\\"b\"")]
    [InlineData("SELECT 5--3")]
    [InlineData("SELECT 1; SELECT 2")]
    [InlineData("CALL p(?)")]
    [InlineData("SET a = ?")]
    [InlineData("SHOW TABLES LIKE ?")]
    [InlineData("BEGIN")]
    [InlineData("COMMIT")]
    [InlineData("CREATE TABLE t (a int)")]
    [InlineData("DO f(?)")]
    [InlineData("EXPLAIN SELECT 1")]
    [InlineData("")]
    [InlineData("SELECT (((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))")]
    [InlineData("SELECT 1)")]
    [InlineData("SELECT 'open")]
    public void Texts_that_stay_text(string sql) => Assert.False(SqlScanner.Scan(sql, QuotingRules.None).MayPrepareItself);

    [Fact]
    public void A_user_variable_stays_text()
    {
        var scanned = SqlScanner.Scan("SELECT a FROM t WHERE a = @p AND b = @v", QuotingRules.AllowUserVariables).Without(name => name == "p");
        Assert.False(scanned.MayPrepareItself);
    }

    [Theory]
    [InlineData("SELECT a FROM t WHERE b = @p LIMIT @q", new[] { 1 })]
    [InlineData("SELECT a FROM t LIMIT @p, @q", new[] { 0, 1 })]
    [InlineData("SELECT a FROM t LIMIT @p OFFSET @q", new[] { 0, 1 })]
    [InlineData("SELECT a FROM t WHERE b IN (@p, @q)", new int[0])]
    public void What_counts_rows_is_known(string sql, int[] counts)
    {
        var scanned = SqlScanner.Scan(sql, QuotingRules.None);
        Assert.True(scanned.MayPrepareItself);
        Assert.Equal(counts, scanned.Counts.ToArray());
    }

    [Fact]
    public void A_generated_text_stays_text() =>
        Assert.False(SqlScanner.Scan("SELECT '" + new string('x', 16 * 1024) + "'", QuotingRules.None).MayPrepareItself);

    [Theory]
    [InlineData("SELECT 1", true)]
    [InlineData("UPDATE t SET a = 1", true)]
    [InlineData("BEGIN", true)]
    [InlineData("SHOW TABLES", true)]
    [InlineData("SET sql_mode = ''", false)]
    [InlineData("USE b", false)]
    [InlineData("CALL p()", false)]
    [InlineData("ALTER TABLE t ADD b int", false)]
    [InlineData("SELECT 1; USE b", false)]
    public void What_is_prepared_outlives_queries_and_changes_of_data(string sql, bool keeps) =>
        Assert.Equal(keeps, SqlScanner.Scan(sql, QuotingRules.None).KeepsPrepared);
}
