using Slipstream.Core.Statements;

namespace Slipstream.Core.Tests.Statements;

/// <summary>The operation and the target of a text, for the names of spans. The examples of the conventions come first.</summary>
public class QuerySummaryTests
{
    private const SqlDialect Backticks = SqlDialect.BacktickNames | SqlDialect.HashComments | SqlDialect.BlankAfterDashes;
    private const SqlDialect Standard = SqlDialect.DoubleQuotedNames | SqlDialect.NestedComments | SqlDialect.DollarQuotes;

    [Theory]
    [InlineData("SELECT *\nFROM   wuser_table\nWHERE  username = ?", "SELECT wuser_table")]
    [InlineData("INSERT INTO shipping_details (id, address) SELECT id, address FROM orders WHERE id = ?", "INSERT shipping_details SELECT orders")]
    [InlineData("SELECT * FROM songs, artists WHERE songs.artist_id = artists.id", "SELECT songs artists")]
    [InlineData("SELECT order_date FROM (SELECT * FROM orders o JOIN customers c ON o.customer_id = c.customer_id) t", "SELECT SELECT orders customers")]
    [InlineData("SELECT 1", "SELECT")]
    [InlineData("select @a, x from product p left join stock s on p.id = s.id, other", "select product stock other")]
    [InlineData("SELECT EXTRACT(YEAR FROM day), TRIM(LEADING 'x' FROM name) FROM product", "SELECT product")]
    [InlineData("SELECT a IS DISTINCT FROM b FROM t", "SELECT t")]
    [InlineData("SELECT * FROM a, (SELECT 1 FROM b WHERE x IN (SELECT y FROM c)) q, d", "SELECT a SELECT b SELECT c d")]
    [InlineData("SELECT * FROM (a, b) JOIN c", "SELECT a b c")]
    [InlineData("SELECT x FROM t WHERE id IN (1, 2, 3) GROUP BY x, y ORDER BY z, w LIMIT 5", "SELECT t")]
    [InlineData("SELECT x FROM t FOR UPDATE", "SELECT t")]
    [InlineData("(SELECT 1 FROM a) UNION ALL (SELECT 2 FROM b)", "SELECT a SELECT b")]
    [InlineData("SELECT REPLACE(INSERT(x, 1, 2, 'y'), 'a', 'b') FROM t", "SELECT t")]
    [InlineData("SELECT f(REPLACE(x, 'a', 'b')), (INSERT(x, 1, 1, 'z')) FROM t", "SELECT t")]
    [InlineData("UPDATE LOW_PRIORITY stock SET n = n - 1 WHERE id = 7", "UPDATE stock")]
    [InlineData("UPDATE a JOIN b ON a.id = b.id SET a.x = b.x, a.y = 1", "UPDATE a b")]
    [InlineData("UPDATE a SET x = b.x FROM b WHERE a.id = b.id", "UPDATE a b")]
    [InlineData("DELETE FROM stock WHERE id = 7", "DELETE stock")]
    [InlineData("DELETE a FROM a JOIN b ON a.id = b.id", "DELETE a b")]
    [InlineData("INSERT IGNORE stock VALUES (1, 'x') ON DUPLICATE KEY UPDATE n = n + 1", "INSERT stock")]
    [InlineData("INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2 RETURNING id", "INSERT t")]
    [InlineData("REPLACE INTO t VALUES (1)", "REPLACE t")]
    [InlineData("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET x = 1 WHEN NOT MATCHED THEN INSERT VALUES (1)", "MERGE t s")]
    [InlineData("WITH a AS (SELECT 1 FROM x), b AS (SELECT 2 FROM y) DELETE FROM z", "SELECT x SELECT y DELETE z")]
    [InlineData("WITH moved AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM moved", "DELETE a INSERT b SELECT moved")]
    [InlineData("CALL restock(1, 'x')", "CALL restock")]
    [InlineData("EXPLAIN ANALYZE SELECT * FROM t", "EXPLAIN ANALYZE SELECT t")]
    [InlineData("EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM t", "EXPLAIN SELECT t")]
    [InlineData("CREATE TEMPORARY TABLE IF NOT EXISTS t (id int, name varchar(5))", "CREATE TABLE t")]
    [InlineData("CREATE TABLE t AS SELECT * FROM u", "CREATE TABLE t SELECT u")]
    [InlineData("DROP TABLE IF EXISTS a, b", "DROP TABLE a b")]
    [InlineData("CREATE UNIQUE INDEX i ON t (a)", "CREATE INDEX i")]
    [InlineData("CREATE OR REPLACE FUNCTION f() RETURNS int AS $$ SELECT secret FROM hidden $$", "CREATE FUNCTION f")]
    [InlineData("CREATE PROCEDURE p() BEGIN SELECT 1 FROM a; UPDATE b SET x = 1; END", "CREATE PROCEDURE p")]
    [InlineData("TRUNCATE TABLE ONLY a, b RESTART IDENTITY", "TRUNCATE a b")]
    [InlineData("COPY t (a, b) FROM STDIN", "COPY t")]
    [InlineData("USE shop", "USE shop")]
    [InlineData("SET NAMES utf8mb4", "SET")]
    [InlineData("BEGIN", "BEGIN")]
    [InlineData("SELECT 1; UPDATE t SET x = 1;", "SELECT UPDATE t")]
    [InlineData("/* hint */ SELECT -- why\n * FROM t", "SELECT t")]
    [InlineData("SELECT * FROM shop.product", "SELECT shop.product")]
    [InlineData("SELECT * FROM @table", "SELECT")]
    [InlineData("SELECT * FROM generate_series(1, 5) g, t", "SELECT generate_series t")]
    [InlineData("", "")]
    [InlineData("   ;;  ", "")]
    [InlineData("nonsense that nobody knows", "")]
    [InlineData("@a := 5", "")]
    public void Operations_and_targets_stand_in_their_order(string sql, string summary)
    {
        Assert.Equal(summary, QuerySummary.Of(sql, Backticks).Text);
        Assert.Equal(summary, QuerySummary.Of(sql, Standard).Text);
    }

    [Theory]
    [InlineData("SELECT * FROM `song list`, `a``b`.`c`", nameof(Backticks), "SELECT `song list` `a``b`.`c`")]
    [InlineData("SELECT * FROM \"song list\"", nameof(Standard), "SELECT \"song list\"")]
    [InlineData("SELECT * FROM \"song list\", t", nameof(Backticks), "SELECT t")]
    [InlineData("SELECT 1 # FROM a\n FROM b", nameof(Backticks), "SELECT b")]
    [InlineData("SELECT 5--1 FROM t", nameof(Backticks), "SELECT t")]
    [InlineData("SELECT 5--1 FROM t", nameof(Standard), "SELECT")]
    [InlineData("SELECT /* /* */ FROM a */ 1 FROM b", nameof(Standard), "SELECT b")]
    [InlineData("SELECT $tag$ FROM a $tag$ FROM b WHERE c = $1", nameof(Standard), "SELECT b")]
    [InlineData("SELECT x::int FROM t WHERE id = :id", nameof(Standard), "SELECT t")]
    public void Each_dialect_writes_names_and_comments_its_own_way(string sql, string dialect, string summary) =>
        Assert.Equal(summary, QuerySummary.Of(sql, dialect == nameof(Standard) ? Standard : Backticks).Text);

    [Theory]
    [InlineData("SELECT 1", "SELECT")]
    [InlineData("INSERT INTO a SELECT * FROM b", "INSERT")]
    [InlineData("WITH a AS (SELECT 1) UPDATE t SET x = 1", "UPDATE")]
    [InlineData("(SELECT 1) UNION (SELECT 2)", "SELECT")]
    [InlineData("SELECT 1; SELECT 2", null)]
    [InlineData("SELECT 1;", "SELECT")]
    [InlineData("nonsense", null)]
    public void A_single_statement_has_an_operation(string sql, string? operation) => Assert.Equal(operation, QuerySummary.Of(sql, Standard).Operation);

    [Theory]
    [InlineData("SELECT 'a FROM secret' FROM t", "SELECT t")]
    [InlineData("SELECT 'it''s FROM secret' FROM t", "SELECT t")]
    [InlineData("SELECT 'a\\' FROM secret ' FROM t", "SELECT")]
    [InlineData("SELECT \"a\\\" FROM secret \" FROM t", "SELECT")]
    [InlineData("SELECT * FROM 'secret'", "SELECT")]
    [InlineData("SELECT * FROM `secret", "SELECT")]
    [InlineData("CREATE USER bob IDENTIFIED BY 'secret'", "CREATE USER")]
    [InlineData("ALTER ROLE secret PASSWORD 'secret'", "ALTER ROLE")]
    [InlineData("SET PASSWORD FOR secret = secret", "SET")]
    [InlineData("GRANT ALL ON secret TO secret", "GRANT")]
    [InlineData("secret FROM secret JOIN secret", "")]
    [InlineData("SELECT 0x5EC7E7 FROM 5secret", "SELECT")]
    public void Nothing_of_a_string_becomes_a_name(string sql, string summary)
    {
        Assert.Equal(summary, QuerySummary.Of(sql, Backticks).Text);
        if (!sql.Contains('"'))
            Assert.Equal(summary, QuerySummary.Of(sql.Replace('`', '"'), Standard).Text);
    }

    [Theory]
    [InlineData("CREATE USER bob IDENTIFIED BY 'x'", true)]
    [InlineData("SELECT 1; ALTER ROLE bob PASSWORD 'x'", true)]
    [InlineData("SET PASSWORD = 'x'", true)]
    [InlineData("GRANT ALL ON *.* TO bob IDENTIFIED BY 'x'", true)]
    [InlineData("CREATE USER MAPPING FOR bob SERVER s OPTIONS (password 'x')", true)]
    [InlineData("/*!50100 CREATE USER bob IDENTIFIED BY 'x' */", true)]
    [InlineData("SELECT 'a\\' ; CREATE USER bob IDENTIFIED BY 'x'", true)]
    [InlineData("nonsense password", true)]
    [InlineData("SELECT * FROM account WHERE password = @hash", false)]
    [InlineData("UPDATE account SET password = @hash", false)]
    [InlineData("CREATE USER bob", false)]
    [InlineData("SET NAMES utf8mb4", false)]
    public void A_text_that_may_set_a_password_is_known(string sql, bool mayHold)
    {
        Assert.Equal(mayHold, QuerySummary.Of(sql, Backticks).MayHoldPassword);
        Assert.Equal(mayHold, QuerySummary.Of(sql, Standard).MayHoldPassword);
        Assert.Equal(mayHold, QuerySummary.Of(sql, Standard).InBatch.MayHoldPassword);
    }

    [Fact]
    public void It_ends_in_front_of_a_name_that_would_make_it_too_long()
    {
        var names = string.Join(", ", Enumerable.Range(100, 100).Select(i => $"table_{i}"));
        var text = QuerySummary.Of("SELECT * FROM " + names, Standard).Text;
        Assert.InRange(text.Length, QuerySummary.Longest - 10, QuerySummary.Longest);
        Assert.Matches("table_[0-9]{3}$", text);
        Assert.Equal("SELECT", QuerySummary.Of("SELECT * FROM " + new string('x', 300), Standard).Text);
    }

    [Fact]
    public void Only_the_beginning_of_a_long_text_is_read()
    {
        var rows = string.Join(", ", Enumerable.Repeat("(1, 'x')", 100_000));
        Assert.Equal("INSERT t", QuerySummary.Of("INSERT INTO t VALUES " + rows, Standard).Text);
        // A truncated name is not a name.
        var blanks = new string(' ', 8192 - "SELECT * FROM pro".Length);
        Assert.Equal("SELECT", QuerySummary.Of($"SELECT * FROM {blanks}product", Standard).Text);
    }

    [Fact]
    public void Nesting_without_end_is_no_trouble()
    {
        var deep = new string('(', 100_000) + "SELECT 1";
        Assert.Equal("", QuerySummary.Of(deep, Standard).Text);
        Assert.Equal("SELECT", QuerySummary.Of("SELECT " + new string('(', 100_000), Standard).Text);
        Assert.Equal("SELECT t", QuerySummary.Of("SELECT 1)))) FROM t", Standard).Text);
    }

    [Fact]
    public void A_text_cut_anywhere_says_no_more_than_the_whole()
    {
        const string Sql = "WITH a AS (SELECT `x` FROM \"b\".c WHERE d = 'e''f' /* g */) "
            + "INSERT INTO h (i, j) SELECT 1.5, $$k$$ FROM l JOIN m USING (n); DELETE FROM o";
        foreach (var dialect in new[] { Backticks, Standard })
            for (var length = 0; length <= Sql.Length; length++)
            {
                var text = QuerySummary.Of(Sql[..length], dialect).Text;
                Assert.DoesNotContain("e", text.Replace("SELECT", "").Replace("INSERT", "").Replace("DELETE", ""), StringComparison.Ordinal);
            }
    }

    [Fact]
    public void A_batch_has_what_its_commands_have_in_common()
    {
        var insert = QuerySummary.Of("INSERT INTO t VALUES (1)", Standard);
        Assert.Equal(("BATCH INSERT", "BATCH INSERT t"), (insert.InBatch.Operation, insert.InBatch.Text));
        Assert.Equal(("BATCH INSERT", "BATCH INSERT"), (insert.OperationInBatch.Operation, insert.OperationInBatch.Text));
        Assert.Same(insert.InBatch, insert.InBatch);
        Assert.Equal(("BATCH", "BATCH"), (QuerySummary.None.InBatch.Operation, QuerySummary.None.InBatch.Text));
    }
}
