using Slipstream.Core.Statements;

namespace Slipstream.Core.Tests.Data;

public class QualifiedNameTests
{
    [Theory]
    [InlineData(
        "orders"), InlineData("shop.orders"), InlineData(" shop . orders "), InlineData("a.b.c"), InlineData("`my table`"), InlineData("shop.`a``;b`"),
        InlineData("\"My\".\"T\"\"x\"")]
    [InlineData("größe"), InlineData("$1"), InlineData("t_1")]
    public void A_name_stays_as_it_is(string name) => Assert.Same(name, Names.CheckedQualified(name, "`\"", "table's name"));

    [Theory]
    [InlineData(
        "p(); drop table canary; -- "), InlineData("p;q"), InlineData("a b"), InlineData("a.b.c.d"), InlineData("a."), InlineData(".a"), InlineData(""),
        InlineData(" ")]
    [InlineData(
        "`a"), InlineData("`a``"), InlineData("`a`b"), InlineData("``x`"), InlineData("a#b"), InlineData("a--b"), InlineData("a/*b*/"), InlineData("a,b"),
        InlineData("a(1)"), InlineData("(select 1)")]
    [InlineData("a\\b"), InlineData("'a'"), InlineData("a\nb"), InlineData("a\0b")]
    public void More_or_less_than_a_name_is_refused(string name) =>
        Assert.Throws<ArgumentException>(() => Names.CheckedQualified(name, "`\"", "table's name", "argument"));

    [Fact]
    public void A_quote_of_another_database_is_none() => Assert.Throws<ArgumentException>(() => Names.CheckedQualified("`a`", "\"", "table's name"));
}
