using System.Text;
using Weight = Slipstream.PostgreSql.PgTsVector.Lexeme.Weight;
using WordEntryPos = Slipstream.PostgreSql.PgTsVector.Lexeme.WordEntryPos;

namespace Slipstream.PostgreSql.Tests.ValueTypes;

public class TextSearchTests
{
    // The expected texts are what PostgreSQL 15 returns for the same input.
    [Theory]
    [InlineData("", "")]
    [InlineData("   ", "")]
    [InlineData("b a", "'a' 'b'")]
    [InlineData("B a", "'B' 'a'")]
    [InlineData("a b a", "'a' 'b'")]
    [InlineData("'a b':1A,2 c:3", "'a b':1A,2 'c':3")]
    [InlineData("a:3,1,2", "'a':1,2,3")]
    [InlineData("a:1,1B,1A", "'a':1A")]
    [InlineData("a:1 a:2B", "'a':1,2B")]
    [InlineData("'it''s'", "'it''s'")]
    [InlineData("'it\\'s'", "'it''s'")]
    [InlineData("a\\ b", "'a b'")]
    [InlineData("a'b", "'a''b'")]
    [InlineData("'\\\\x'", "'\\\\x'")]
    [InlineData("a:16383", "'a':16383")]
    [InlineData("a:99999999999", "'a':16383")]
    [InlineData("a:1a,2d,3*", "'a':1A,2,3A")]
    [InlineData("é a ab", "'a' 'ab' 'é'")]
    public void Documents_are_read_and_written_in_the_servers_format(string text, string expected)
    {
        var vector = PgTsVector.Parse(text);
        Assert.Equal(expected, vector.ToString());
        Assert.Equal(vector, PgTsVector.Parse(expected));
        Assert.Equal(vector.GetHashCode(), PgTsVector.Parse(expected).GetHashCode());
    }

    [Theory]
    [InlineData("'")]
    [InlineData("'a")]
    [InlineData("''")]
    [InlineData("a\\")]
    [InlineData("'a\\")]
    [InlineData(":1")]
    [InlineData("a:")]
    [InlineData("a:x")]
    [InlineData("a:0")]
    [InlineData("a:-1")]
    [InlineData("a:1,")]
    [InlineData("a:1A2")]
    [InlineData("a:1E")]
    public void Other_texts_are_not_documents(string text) => Assert.Throws<FormatException>(() => PgTsVector.Parse(text));

    [Fact]
    public void A_document_is_a_list_of_lexemes()
    {
        var vector = PgTsVector.Parse("b:1B,7 a");
        Assert.Equal(2, vector.Count);
        Assert.Equal(["a", "b"], vector.Select(lexeme => lexeme.Text));
        Assert.Equal((0, 2), (vector[0].Count, vector[1].Count));
        Assert.Equal((1, Weight.B), (vector[1][0].Pos, vector[1][0].Weight));
        Assert.Throws<ArgumentOutOfRangeException>(() => vector[2]);
        Assert.Throws<ArgumentOutOfRangeException>(() => vector[0][0]);
        Assert.Empty(PgTsVector.Empty);
        Assert.False(vector.Equals(PgTsVector.Parse("b:1,7 a")));
        Assert.False(vector.Equals((PgTsVector?)null));
        Assert.Throws<ArgumentNullException>(() => PgTsVector.Parse(null!));
    }

    [Fact]
    public void A_lexeme_sorts_its_positions_and_keeps_256()
    {
        var positions = new List<WordEntryPos> { new(5, Weight.A), new(3), new(3, Weight.C) };
        var lexeme = new PgTsVector.Lexeme("a'\\", positions);
        Assert.Equal("'a''\\\\':3C,5A", lexeme.ToString());
        Assert.Equal(new WordEntryPos(5, Weight.A), positions[0]);
        Assert.True(lexeme == new PgTsVector.Lexeme("a'\\", [new(3, Weight.C), new(5, Weight.A)]));
        Assert.True(lexeme != new PgTsVector.Lexeme("a'\\"));
        Assert.True(new PgTsVector.Lexeme("a") == new PgTsVector.Lexeme("a", []));
        lexeme.Text = "b";
        Assert.Equal("'b':3C,5A", lexeme.ToString());
        Assert.Equal(256, new PgTsVector.Lexeme("a", [.. Enumerable.Range(1, 300).Select(number => new WordEntryPos(number))]).Count);
        Assert.Equal(("''", 0), (default(PgTsVector.Lexeme).ToString(), default(PgTsVector.Lexeme).Count));
        Assert.Equal(default(PgTsVector.Lexeme).GetHashCode(), new PgTsVector.Lexeme("").GetHashCode());
    }

    [Fact]
    public void Positions_have_the_servers_limits()
    {
        Assert.Equal("1", new WordEntryPos(1).ToString());
        Assert.Equal("16383C", new WordEntryPos(70000, Weight.C).ToString());
        Assert.True(new WordEntryPos(1, Weight.A) == new WordEntryPos(1, Weight.A) && new WordEntryPos(1, Weight.A) != new WordEntryPos(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new WordEntryPos(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new WordEntryPos(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new WordEntryPos(1, (Weight)4));
    }

    // The expected texts are what PostgreSQL 15 returns for the same input.
    [Theory]
    [InlineData("", "", PgTsQuery.NodeKind.Empty)]
    [InlineData("a", "'a'", PgTsQuery.NodeKind.Lexeme)]
    [InlineData("a & b", "'a' & 'b'", PgTsQuery.NodeKind.And)]
    [InlineData("a&b|c", "'a' & 'b' | 'c'", PgTsQuery.NodeKind.Or)]
    [InlineData("a | b & c", "'a' | 'b' & 'c'", PgTsQuery.NodeKind.Or)]
    [InlineData("(a | b) & c", "( 'a' | 'b' ) & 'c'", PgTsQuery.NodeKind.And)]
    [InlineData("!a & !b", "!'a' & !'b'", PgTsQuery.NodeKind.And)]
    [InlineData("!!a", "!!'a'", PgTsQuery.NodeKind.Not)]
    [InlineData("!(a & b)", "!( 'a' & 'b' )", PgTsQuery.NodeKind.Not)]
    [InlineData("!a | b", "!'a' | 'b'", PgTsQuery.NodeKind.Or)]
    [InlineData("a <-> b", "'a' <-> 'b'", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a<2>b", "'a' <2> 'b'", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a <0> b", "'a' <0> 'b'", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a <16384> b", "'a' <16384> 'b'", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a <-> b <-> c", "'a' <-> 'b' <-> 'c'", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a <-> (b <-> c)", "'a' <-> ( 'b' <-> 'c' )", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a <-> (b | c)", "'a' <-> ( 'b' | 'c' )", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a & b <-> c", "'a' & 'b' <-> 'c'", PgTsQuery.NodeKind.And)]
    [InlineData("!a <-> b", "!'a' <-> 'b'", PgTsQuery.NodeKind.Phrase)]
    [InlineData("a & (b & c)", "'a' & 'b' & 'c'", PgTsQuery.NodeKind.And)]
    [InlineData("((a))", "'a'", PgTsQuery.NodeKind.Lexeme)]
    [InlineData("a:*AB", "'a':*AB", PgTsQuery.NodeKind.Lexeme)]
    [InlineData("a:ba*", "'a':*AB", PgTsQuery.NodeKind.Lexeme)]
    [InlineData("a:abcd", "'a':ABCD", PgTsQuery.NodeKind.Lexeme)]
    [InlineData("'a b' & 'it''s'", "'a b' & 'it''s'", PgTsQuery.NodeKind.And)]
    [InlineData("'a\\\\b'", "'a\\\\b'", PgTsQuery.NodeKind.Lexeme)]
    [InlineData("a\\ b", "'a b'", PgTsQuery.NodeKind.Lexeme)]
    public void Queries_are_read_and_written_in_the_servers_format(string text, string expected, PgTsQuery.NodeKind kind)
    {
        var query = PgTsQuery.Parse(text);
        Assert.Equal(expected, query.ToString());
        Assert.Equal(kind, query.Kind);
        Assert.True(query == PgTsQuery.Parse(text));
        Assert.Equal(query.GetHashCode(), PgTsQuery.Parse(text).GetHashCode());
        var written = new StringBuilder("x");
        query.Write(written);
        Assert.Equal("x" + expected, written.ToString());
    }

    [Theory]
    [InlineData("a &")]
    [InlineData("& a")]
    [InlineData("a b")]
    [InlineData("(a")]
    [InlineData("a)")]
    [InlineData("()")]
    [InlineData("!")]
    [InlineData("a:x")]
    [InlineData("a:1")]
    [InlineData("'a")]
    [InlineData("''")]
    [InlineData("a <x> b")]
    [InlineData("a <-1> b")]
    [InlineData("a <> b")]
    [InlineData("a <16385> b")]
    [InlineData("a <99999999999> b")]
    [InlineData("a <1 b")]
    [InlineData("a <->")]
    [InlineData("a & & b")]
    [InlineData("a !b")]
    [InlineData("a\\")]
    public void Other_texts_are_not_queries(string text) => Assert.Throws<FormatException>(() => PgTsQuery.Parse(text));

    [Fact]
    public void Queries_differ_by_their_parts()
    {
        string[] texts = ["", "a", "b", "a:*", "a:A", "!a", "a & b", "b & a", "a | b", "a <-> b", "a <2> b", "a & !b"];
        foreach (var left in texts)
        {
            foreach (var right in texts)
                Assert.Equal(left == right, PgTsQuery.Parse(left) == PgTsQuery.Parse(right));
        }

        Assert.True((PgTsQuery?)null == null && PgTsQuery.Parse("a") != null);
    }

    [Fact]
    public void A_tree_can_be_built_in_code()
    {
        var query = new PgTsQueryAnd(
            new PgTsQueryOr(new PgTsQueryLexeme("a"), new PgTsQueryNot(new PgTsQueryLexeme("b", PgTsQueryLexeme.Weight.A))),
            new PgTsQueryFollowedBy(new PgTsQueryLexeme("c", PgTsQueryLexeme.Weight.None, true), 3, new PgTsQueryLexeme("d")));
        Assert.Equal("( 'a' | !'b':A ) & 'c':* <3> 'd'", query.ToString());
        Assert.True(query == PgTsQuery.Parse(query.ToString()));
        query.Left = new PgTsQueryEmpty();
        Assert.Equal(" & 'c':* <3> 'd'", query.ToString());
        Assert.Throws<ArgumentOutOfRangeException>(() => new PgTsQueryFollowedBy(query, -1, query));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PgTsQueryLexeme("a", (PgTsQueryLexeme.Weight)16));
        Assert.Throws<ArgumentNullException>(() => new PgTsQueryLexeme(null!));
        Assert.Throws<ArgumentNullException>(() => query.Write(null!));
    }

    [Fact]
    public void A_deep_query_does_not_overflow_the_stack()
    {
        const int depth = 1_000_000;
        var query = PgTsQuery.Parse(new string('!', depth) + "a");
        Assert.Throws<InsufficientExecutionStackException>(() => query.ToString());
        Assert.Throws<InsufficientExecutionStackException>(() => query.GetHashCode());
        // Optimised code compares the operands by a tail call, which needs no stack: then the queries are equal.
        var error = Record.Exception(() => Assert.True(query == PgTsQuery.Parse(new string('!', depth) + "a")));
        Assert.True(error is null or InsufficientExecutionStackException, error?.ToString());
        Assert.Throws<FormatException>(() => PgTsQuery.Parse(new string('(', depth)));
    }
}
