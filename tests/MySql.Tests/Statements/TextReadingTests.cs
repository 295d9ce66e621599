using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class TextReadingTests
{
    [Theory]
    [InlineData("SET NAMES gbk", true)]
    [InlineData("set/**/charset gbk", true)]
    [InlineData("SET @@session.`character_set_client` = gbk", true)]
    [InlineData("SET CHARACTER SET gbk", true)]
    [InlineData("EXECUTE x", true)]
    [InlineData("CREATE TABLE t (a TEXT) CHARACTER SET utf8mb4; CREATE TABLE u (a TEXT CHARACTER  SET latin1)", false)]
    [InlineData("CREATE TABLE t (a TEXT) CHARSET utf8mb4; SET @a = 1", true)]
    [InlineData("SET time_zone = '+00:00'", false)]
    public void A_text_may_set_the_clients_character_set(string sql, bool may) => Assert.Equal(may, TextReading.MaySetCharacterSet(sql));

    [Theory]
    [InlineData("SELECT f(1)", true)]
    [InlineData("DO f(1)", true)]
    [InlineData("SET @a = f(1)", true)]
    [InlineData("SET @a = 1", false)]
    [InlineData("UPDATE t SET a = f(1)", false)]
    public void MariaDBs_functions_may_leave_what_START_TRANSACTION_ends(string sql, bool may)
    {
        var statement = new MySqlStatement(sql);
        statement.Scan(QuotingRules.None);
        Assert.Equal(may, statement.MayHold(isMariaDb: true));
    }

    [Theory]
    [InlineData("LOCK TABLES t WRITE", true)]
    [InlineData("FLUSH TABLES t FOR EXPORT", true)]
    [InlineData("CALL p()", true)]
    [InlineData("EXECUTE x", true)]
    [InlineData("SET @a = 1; SET @b = 2", true)]
    [InlineData("SELECT 1 /*! , 2 */", true)]
    [InlineData("SELECT 1 /*m! , 2 */", true)]
    [InlineData("SET TRANSACTION READ ONLY", true)]
    [InlineData("set @@tx_isolation = 'SERIALIZABLE'", true)]
    [InlineData("SET @@tx_read_only = 1", true)]
    [InlineData("SET STATEMENT max_statement_time = 1 FOR CALL p()", true)]
    [InlineData("XA END 'x'", true)]
    [InlineData("ANALYZE TABLE t", true)]
    [InlineData("SET autocommit = 0;", false)]
    [InlineData("-- a note\nSELECT @a := f(1)", false)]
    [InlineData("INSERT INTO locks VALUES ('LOCK TABLES; x')", false)]
    [InlineData("START TRANSACTION", false)]
    [InlineData("CREATE TABLE t (a INT)", false)]
    [InlineData("SET @a = f(1)", false)]
    public void A_text_may_leave_what_START_TRANSACTION_ends(string sql, bool may)
    {
        var statement = new MySqlStatement(sql);
        statement.Scan(QuotingRules.None);
        Assert.Equal(may, statement.MayHold(isMariaDb: false));
    }

    [Theory]
    [InlineData(@"'\'", true)]
    [InlineData(@"'\\'", false)]
    [InlineData(@"'\\\'", true)]
    [InlineData(@"""\""", true)]
    [InlineData(@"'\n'' '", false)]
    [InlineData(@"`\`", false)]
    public void An_odd_number_of_backslashes_in_front_of_a_quote_depends_on_the_mode(string sql, bool depends) =>
        Assert.Equal(depends, TextReading.DependsOnMode(sql));

    [Theory]
    [InlineData(@"'中\'", true)]
    [InlineData("`中`", true)]
    [InlineData("中@p", true)]
    [InlineData("'中', @p", false)]
    [InlineData(@"'a\'中'", false)]
    public void What_a_character_may_swallow_depends_on_the_character_set(string sql, bool depends) =>
        Assert.Equal(depends, TextReading.DependsOnCharacters(sql));

    [Theory]
    [InlineData(@"SET sql_mode = ''; SELECT '\'', @p", true)]
    [InlineData(@"SELECT '\'', @p; SET sql_mode = ''", false)]
    [InlineData(@"SELECT '\'', @p; CALL p()", false)]
    [InlineData(@"EXECUTE x; SELECT '\'', @p", true)]
    [InlineData("SET NAMES gbk; SELECT `中`, @p", true)]
    public void A_text_changes_the_places_of_its_own_parameters(string sql, bool changes) => Assert.Equal(changes, TextReading.ChangesOwnPlaces(sql));
}
