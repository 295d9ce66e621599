using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class BatchFormTests
{
    [Theory]
    [InlineData("SELECT 1")]
    [InlineData("SELECT 1;")]
    [InlineData("SELECT 1 ; \r\n;")]
    [InlineData("SELECT ';' -- done")]
    [InlineData("/* why */ SELECT 1 # done;")]
    [InlineData("UPDATE t SET a = 'x;' WHERE b = @b")]
    [InlineData("CALL p(@a)")]
    [InlineData("WITH a AS (SELECT 1) SELECT * FROM a")]
    public void One_complete_statement_may_stand_in_front_of_another(string sql) => Assert.True(FormOf(sql).CanJoin);

    [Theory]
    [InlineData("SELECT 1; SELECT 2")]
    [InlineData("SELECT 'open")]
    [InlineData("SELECT 'open;")]
    [InlineData("SELECT 1 /* open")]
    [InlineData("SELECT `open")]
    [InlineData("SELECT 1; -- done")]
    [InlineData("SELECT 1 /*!50000 + 1")]
    [InlineData("SELECT 1 /*!50000 + 1 */")]
    [InlineData("SET sql_mode = 'NO_BACKSLASH_ESCAPES'")]
    [InlineData("USE other")]
    [InlineData("CREATE PROCEDURE p() BEGIN SELECT 1; END")]
    [InlineData("CREATE TABLE t (a int)")]
    [InlineData("LOAD DATA LOCAL INFILE 'x' INTO TABLE t")]
    [InlineData("BEGIN")]
    [InlineData("PREPARE s FROM 'SELECT 1'")]
    [InlineData("-- nothing")]
    public void What_is_not_surely_one_complete_statement_travels_alone(string sql) => Assert.False(FormOf(sql).CanJoin);

    [Theory]
    [InlineData("SELECT 1")]
    [InlineData("SELECT id, randomNumber FROM world WHERE id = @id;")]
    [InlineData("(SELECT a FROM t) UNION (SELECT b FROM u)")]
    [InlineData("SELECT COUNT(*), MAX(a) FROM t JOIN u USING (id) WHERE (a + 1) * (b) IN (1, 2) AND c = CONCAT('a', ?)")]
    [InlineData("select cast(@a as decimal(10,2))")]
    public void A_select_that_changes_nothing_is_a_pure_read(string sql) => Assert.True(IsPureRead(sql));

    [Theory]
    [InlineData("INSERT INTO t VALUES (1)")]
    [InlineData("SELECT my_function(1)")]
    [InlineData("SELECT db.my_function (1)")]
    [InlineData("SELECT `my_function`(1)")]
    [InlineData("SELECT \"my_function\"(1)")]
    [InlineData("SELECT my_function /* IN */ (1)")]
    [InlineData("SELECT my_function -- IN\n(1)")]
    [InlineData("SELECT my_function # IN\n(1)")]
    [InlineData("SELECT GET_LOCK('a', 1)")]
    [InlineData("SELECT LAST_INSERT_ID(5)")]
    [InlineData("SELECT NEXTVAL(s)")]
    [InlineData("SELECT NEXT VALUE FOR s")]
    [InlineData("SELECT s.nextval")]
    [InlineData("SELECT a FROM t INTO OUTFILE 'x'")]
    [InlineData("SELECT a FROM t FOR UPDATE")]
    [InlineData("SELECT a FROM t LOCK IN SHARE MODE")]
    [InlineData("SELECT @x := 1")]
    [InlineData("WITH a AS (SELECT 1) UPDATE t SET b = 1")]
    [InlineData("SHOW TABLES")]
    public void What_may_change_something_is_none(string sql) => Assert.False(IsPureRead(sql));

    [Theory]
    [InlineData("INSERT INTO t VALUES (@a)", "INSERT INTO t VALUES ")]
    [InlineData("insert into `my t` (a, `b c`) values (@a, @b);", "insert into `my t` (a, `b c`) values ")]
    [InlineData("INSERT INTO db.t(a,b,c,d)VALUES(?,?, NULL, 5.0)", "INSERT INTO db.t(a,b,c,d)VALUES")]
    [InlineData("INSERT INTO `d`.`t` (é) VALUES (@a, DEFAULT)", "INSERT INTO `d`.`t` (é) VALUES ")]
    public void The_row_of_a_plain_insert_is_found(string sql, string head) => Assert.Equal(System.Text.Encoding.UTF8.GetByteCount(head), FormOf(sql).RowAt);

    [Theory]
    [InlineData("INSERT INTO t VALUES (1)")]
    [InlineData("INSERT IGNORE INTO t VALUES (@a)")]
    [InlineData("INSERT INTO t VALUES (@a), (@b)")]
    [InlineData("INSERT INTO t VALUES (@a) ON DUPLICATE KEY UPDATE a = (@b)")]
    [InlineData("INSERT INTO t VALUES (@a) RETURNING (id)")]
    [InlineData("INSERT INTO t VALUES (@a) AS new(a)")]
    [InlineData("INSERT INTO t VALUES (@a, LAST_INSERT_ID())")]
    [InlineData("INSERT INTO t VALUES (@a, NOW())")]
    [InlineData("INSERT INTO t VALUES ((SELECT MAX(a) FROM t), @b)")]
    [InlineData("INSERT INTO t SELECT @a")]
    [InlineData("INSERT INTO t SET a = (@a)")]
    [InlineData("REPLACE INTO t VALUES (@a)")]
    [InlineData("INSERT INTO t VALUES (@a) -- )")]
    public void Other_inserts_are_not_merged(string sql) => Assert.Equal(0, FormOf(sql).RowAt);

    [Fact]
    public void The_end_of_a_text_is_cut_of_semicolons_and_blanks() => Assert.Equal("SELECT 1"u8, BatchForm.WithoutEnd("SELECT 1 ;\r\n; "u8));

    private static bool IsPureRead(string sql) =>
        FormOf(sql).OnlyReads && new MySqlStatement(sql).IsStateless(isMariaDb: true) && new MySqlStatement(sql).IsStateless(isMariaDb: false);

    private static BatchForm FormOf(string sql) => BatchForm.Of(sql, SqlScanner.Scan(sql, QuotingRules.None), QuotingRules.None);
}
