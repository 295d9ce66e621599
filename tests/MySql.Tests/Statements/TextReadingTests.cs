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
    [InlineData(@"'\'", true)]
    [InlineData(@"'\\'", false)]
    [InlineData(@"'\\\'", true)]
    [InlineData(@"""\""", true)]
    [InlineData(@"'\n'' '", false)]
    [InlineData(@"`\`", false)]
    public void An_odd_number_of_backslashes_in_front_of_a_quote_depends_on_the_mode(string sql, bool depends) => Assert.Equal(depends, TextReading.DependsOnMode(sql));

    [Theory]
    [InlineData(@"'中\'", true)]
    [InlineData("`中`", true)]
    [InlineData("中@p", true)]
    [InlineData("'中', @p", false)]
    [InlineData(@"'a\'中'", false)]
    public void What_a_character_may_swallow_depends_on_the_character_set(string sql, bool depends) => Assert.Equal(depends, TextReading.DependsOnCharacters(sql));

    [Theory]
    [InlineData(@"SET sql_mode = ''; SELECT '\'', @p", true)]
    [InlineData(@"SELECT '\'', @p; SET sql_mode = ''", false)]
    [InlineData(@"SELECT '\'', @p; CALL p()", false)]
    [InlineData(@"EXECUTE x; SELECT '\'', @p", true)]
    [InlineData("SET NAMES gbk; SELECT `中`, @p", true)]
    public void A_text_changes_the_places_of_its_own_parameters(string sql, bool changes) => Assert.Equal(changes, TextReading.ChangesOwnPlaces(sql));
}
