using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class WordTableTests
{
    private static readonly WordTable Table = new WordTable(4).Add("SELECT VALUES", 1).Add("\r\n  SQL_CACHE\n LOG10\r\n", 2);

    [Theory]
    [InlineData("SELECT", 1)]
    [InlineData("select", 1)]
    [InlineData("VaLuEs", 1)]
    [InlineData("sql_cache", 2)]
    [InlineData("log10", 2)]
    [InlineData("log1", 0)]
    [InlineData("log100", 0)]
    [InlineData("selec\u017F", 0)]
    [InlineData("SELECT VALUES", 0)]
    [InlineData("sql\u007Fcache", 0)]
    [InlineData("", 0)]
    public void A_word_is_found_in_any_case_and_nothing_else_is(string word, int value)
    {
        Assert.Equal(value, Table.Find(word));
        Assert.Equal(value != 0, Table.Has(word));
    }

    [Fact]
    public void A_full_table_knows_all_its_words()
    {
        var words = Enumerable.Range(0, 500).Select(static number => "WORD_" + number).ToArray();
        var table = WordTable.Of(string.Join(' ', words));
        Assert.All(words, word => Assert.True(table.Has(word.ToLowerInvariant())));
        Assert.False(table.Has("WORD_500"));
    }
}
