using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class TraceScannerTests
{
    public static TheoryData<string> Understood =>
    [
        "SELECT 1",
        "select id, name from users where id = @id and name in ('a', 'b') order by name limit 10;",
        "SELECT COUNT(*), MAX(t.v), COALESCE(a, 'x'), DATE_FORMAT(d, '%Y') FROM db.t AS t LEFT JOIN u USING (id) WHERE (a OR b) AND NOT (c) AND d BETWEEN (1) "
            + "AND (2)",
        "SELECT * FROM `into` WHERE `t`.`role` = 1 AND t.into = 2 AND t.next=3",
        "(SELECT 1) UNION ALL (SELECT 2)",
        "WITH c AS (SELECT 1 AS one) SELECT one FROM c",
        "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) FROM t",
        "INSERT INTO t (a, b) VALUES (1, NOW()), (?, ?)",
        "INSERT INTO t(a) VALUES(1) ON DUPLICATE KEY UPDATE a = VALUES(a)",
        "INSERT IGNORE INTO db.`t` (a) SELECT b FROM u",
        "INSERT t VALUES (1)",
        "REPLACE INTO t SET a = 1",
        "UPDATE t SET a = a + 1, role = 'x' WHERE id IN (SELECT id FROM u)",
        "DELETE FROM t WHERE id=1",
        "SELECT 'it''s; SET @a := 1', \"GET_LOCK('a', 1)\", `x;y`",
        "SELECT 1 -- ; SET @x = 1",
        "SELECT 1 /* CALL p() */ + 2 # FLUSH TABLES",
        "SELECT /*+ MAX_EXECUTION_TIME(1000) */ 1",
        "SELECT 5--5, 1.5, .5, 1., 1e5, 1.5e-7, 0x1F, 0b01, t.e5, x'1F', _utf8mb4'a' FROM t",
        "SELECT @user, @@sql_mode",
        "SELECT 1 FOR UPDATE",
        "INSERT INTO t VALUES (1); SELECT 2",
        "SELECT 'a\\\\', 'b\\n'",
        "SELECT a->'$.b' FROM t WHERE LOWER(name) LIKE CONCAT(@p, '%')",
    ];

    public static TheoryData<string> Tracing =>
    [
        "SET @a = 1", "SET NAMES latin1", "SET ROLE admin", "USE other", "CALL p()", "DO GET_LOCK('a', 1)", "HANDLER t OPEN", "FLUSH TABLES WITH READ LOCK",
        "XA START 'x'",
        "LOCK TABLES t READ", "CREATE TEMPORARY TABLE t (a INT)", "PREPARE s FROM 'SELECT 1'", "EXECUTE IMMEDIATE 'SET @a = 1'",
        "LOAD DATA INFILE 'x' INTO TABLE t (@v)", "SHOW WARNINGS",
        "START TRANSACTION", "BEGIN", "COMMIT", "EXPLAIN SELECT 1", "SET STATEMENT max_statement_time=1 FOR SELECT 1", "BEGIN NOT ATOMIC SET @a = 1; END",
        "SELECT @a := 1", "SELECT @a:=1", "SELECT 1 INTO @a", "SELECT 1 INTO OUTFILE 'x'", "SELECT 1.INTO @a", "SELECT 1.5into @a", "SELECT .5into @a",
        "SELECT 1.e5into @a", "SELECT 1e+5into @a", "SELECT 0x1into @a", "SELECT 1 .into @a", "SELECT f(1).into @a", "SELECT db .e5(1)", "SELECT `db` .e5(1)",
        "SELECT db/**/.e5(1)", "SELECT db. e5(1)", "SELECT a, db\t.E5(1)", "INSERT INTO t SELECT 1 INTO @a",
        "SELECT GET_LOCK('a', 1)", "SELECT get_lock ('a', 1)", "SELECT GET_LOCK/**/('a', 1)", "SELECT RELEASE_ALL_LOCKS()", "SELECT LAST_INSERT_ID(5)",
        "SELECT LAST_INSERT_ID()",
        "UPDATE t SET a = LAST_INSERT_ID(a + 1)", "SELECT ROW_COUNT()", "SELECT FOUND_ROWS()",
        "SELECT my_function(1)", "SELECT db.abs(1)", "SELECT `abs`(1)", "SELECT COUNT (1)", "SELECT db . f (1)", "INSERT INTO t (a) VALUES (f(1))",
        "INSERT INTO t SET a = f(1)", "INSERT INTO t SELECT f(1)",
        "SELECT NEXT VALUE FOR s", "SELECT PREVIOUS VALUE FOR s", "SELECT NEXTVAL(s)", "SELECT LASTVAL(s)", "SELECT SETVAL(s, 1)",
        "SELECT 1; SET @a = 1", "SELECT 1;CALL p()", "INSERT INTO t VALUES (1); SELECT LAST_INSERT_ID()",
        "/*! SET @a = 1 */", "SELECT 1 /*!50000 INTO @a */", "SELECT 1 /*M!100000 INTO @a */", "SELECT /*+ SET_VAR(sql_mode='') */ 1", "SELECT 1 /* open",
        // The same text has a different meaning under NO_BACKSLASH_ESCAPES.
        "SELECT '\\' INTO @a -- '", "SELECT \"\\\" INTO @a -- \"",
        "SELECT 'open", "SELECT 1 \0 INTO @a", "SELECT * FROM t PROCEDURE ANALYSE()", "SELECT --\u00a0\n1 INTO @a",
    ];

    [Theory]
    [MemberData(nameof(Understood))]
    public void What_leaves_no_trace_is_understood(string sql)
    {
        Assert.True(EffectScanner.IsStateless(sql, isMariaDb: false));
        Assert.True(EffectScanner.IsStateless(sql, isMariaDb: true));
    }

    [Theory]
    [MemberData(nameof(Tracing))]
    public void What_may_leave_a_trace_is_found(string sql)
    {
        Assert.False(EffectScanner.IsStateless(sql, isMariaDb: false));
        Assert.False(EffectScanner.IsStateless(sql, isMariaDb: true));
    }

    [Theory]
    [MemberData(nameof(Tracing))]
    public void Case_and_blanks_hide_nothing(string sql)
    {
        Assert.False(EffectScanner.IsStateless(sql.ToLowerInvariant(), false));
        Assert.False(EffectScanner.IsStateless(sql.ToUpperInvariant(), false));
        Assert.False(EffectScanner.IsStateless(" \t\r\n(" + sql, false));
        Assert.False(EffectScanner.IsStateless("/* first */ " + sql, false));
        Assert.False(EffectScanner.IsStateless("-- first\n" + sql, false));
        Assert.False(EffectScanner.IsStateless("SELECT 1;" + sql, false));
    }

    [Fact]
    public void A_function_of_one_server_may_be_anybodys_on_the_other()
    {
        Assert.True(EffectScanner.IsStateless("SELECT UUID_TO_BIN(@a)", isMariaDb: false));
        Assert.False(EffectScanner.IsStateless("SELECT UUID_TO_BIN(@a)", isMariaDb: true));
        Assert.True(EffectScanner.IsStateless("SELECT NVL(a, b)", isMariaDb: true));
        Assert.False(EffectScanner.IsStateless("SELECT NVL(a, b)", isMariaDb: false));
    }

    [Theory]
    [InlineData("SELECT JSON_VALUE(a, '$.b') FROM t")]
    [InlineData("SELECT JSON_OVERLAPS(a, b) FROM t")]
    [InlineData("SELECT MD5(a) FROM t")]
    public void A_function_of_some_versions_may_be_anybodys_on_the_others(string sql) => Assert.False(EffectScanner.IsStateless(sql, isMariaDb: false));

    [Theory]
    [InlineData("SELECT @@last_gtid")]
    [InlineData("SELECT @@session.identity")]
    [InlineData("SELECT @@warning_count, 1")]
    public void Variables_of_the_last_statement_are_no_constants(string sql)
    {
        Assert.False(EffectScanner.IsStateless(sql, isMariaDb: false));
        Assert.False(EffectScanner.IsStateless(sql, isMariaDb: true));
    }

    [Fact]
    public void Texts_of_any_kind_come_to_an_end()
    {
        const string Alphabet = "'\"`\\-#/*!+@:;().,aSI \n\0é1=";
        var random = new Random(5);
        for (var round = 0; round < 50_000; round++)
        {
            var sql = "SELECT " + new string(Enumerable.Range(0, random.Next(24)).Select(_ => Alphabet[random.Next(Alphabet.Length)]).ToArray());
            if (EffectScanner.IsStateless(sql, false))
                Assert.DoesNotContain(":", Outside(sql), StringComparison.Ordinal);
        }

        // Removes quoted text and comments roughly: cuts at the first of their marks.
        static string Outside(string sql) => sql.IndexOfAny(['\'', '"', '`', '#', '-', '/']) is var at and >= 0 ? sql[..at] : sql;
    }

    [Theory]
    [InlineData("SET ROLE admin", true)]
    [InlineData("set\n role none", true)]
    [InlineData("SET /* */ ROLE admin", true)]
    [InlineData("SELECT 1; SET ROLE admin", true)]
    [InlineData("UPDATE users SET role = 'x'; SELECT LAST_INSERT_ID()", false)]
    [InlineData("SET @role = 1", false)]
    public void A_role_is_noticed(string sql, bool expected) => Assert.Equal(expected, new MySqlStatement(sql).MaySetRole);

    [Fact]
    public void A_long_text_is_not_looked_at()
    {
        Assert.True(new MySqlStatement("SELECT '" + new string('x', 16_000) + "'").IsStateless(false));
        Assert.False(new MySqlStatement("SELECT '" + new string('x', 17_000) + "'").IsStateless(false));
    }
}
