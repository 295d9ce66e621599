using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class ScriptTests
{
    // Statements are shown with | between.
    [Theory]
    [InlineData("", "")]
    [InlineData(" \n ", "")]
    [InlineData("-- only a comment", "")]
    [InlineData(";;", "")]
    [InlineData("select 1", "select 1")]
    [InlineData("select 1;", "select 1")]
    [InlineData(" select 1 ;\n select 2 ; ", "select 1|select 2")]
    [InlineData("select ';'; select \"a;b\"; select `;`", "select ';'|select \"a;b\"|select `;`")]
    [InlineData("select 'it''s;', 'a\\';'; x", "select 'it''s;', 'a\\';'|x")]
    [InlineData("a -- ;\n; b # ;\n; c /* ; */; d", "a -- ;|b # ;|c /* ; */|d")]
    [InlineData("a --1; b", "a --1|b")]
    [InlineData("-- one\n# two\n/* three; */ a; b", "a|b")]
    [InlineData("/*!50000 a */; /*M! b */", "/*!50000 a */|/*M! b */")]
    [InlineData("DELIMITER $$\na; b$$ c$$\ndelimiter ;\nd;e", "a; b|c|d|e")]
    [InlineData("-- before\nDELIMITER //\na//\r\nb; // DELIMITER ;\r\nc;", "a|b;|c")]
    [InlineData("DELIMITER -- \na;-- b", "a;|b")]
    [InlineData("delimiterless; b", "delimiterless|b")]
    [InlineData("a delimiter ; b", "a delimiter|b")]
    [InlineData("DELIMITER $$ and more\na$$b", "a|b")]
    [InlineData("a 'cut; b", "a 'cut; b")]
    [InlineData("a /* cut; b", "a /* cut; b")]
    public void Statements_end_at_delimiters_outside_of_quotes_and_comments(string script, string expected) =>
        Assert.Equal(expected, string.Join('|', Split(script, QuotingRules.None)));

    [Fact]
    public void Backslashes_and_quotes_are_read_as_the_session_reads_them()
    {
        Assert.Equal(["a 'x\\'", "b'"], Split("a 'x\\'; b'", QuotingRules.NoBackslashEscapes));
        Assert.Equal(["a 'x\\'; b'"], Split("a 'x\\'; b'", QuotingRules.None));
        Assert.Equal(["a \"x\\\"", "b\""], Split("a \"x\\\"; b\"", QuotingRules.AnsiQuotes));
    }

    [Theory]
    [InlineData("DELIMITER")]
    [InlineData("a; delimiter  \nb")]
    public void A_delimiter_line_must_name_one(string script) => Assert.Throws<FormatException>(() => Split(script, QuotingRules.None));

    [Fact]
    public void Every_prefix_of_a_script_comes_to_an_end()
    {
        const string Script = "/* a */ DELIMITER $$\nselect 'x', \"y\", `z` -- w\n/*! 1 */ $$ DELIMITER ; \n# end\n--";
        for (var length = 0; length <= Script.Length; length++)
        {
            var text = Script[..length];
            if (Record.Exception(() => Split(text, QuotingRules.None)) is { } exception)
                Assert.IsType<FormatException>(exception);
        }
    }

    private static List<string> Split(string script, QuotingRules rules)
    {
        var statements = new List<string>();
        var delimiter = ";";
        var at = 0;
        while (SqlScanner.NextOfScript(script, ref at, ref delimiter, rules, out var begin) is { } statement)
        {
            Assert.Equal(statement, script.Substring(begin, statement.Length));
            statements.Add(statement);
            Assert.True(statements.Count <= script.Length);
        }

        return statements;
    }
}
