using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class PreparedStatementTests
{
    private static readonly ScannedSql Sql = SqlScanner.Scan("select @a, @b", QuotingRules.AllowUserVariables);

    [Fact]
    public void Is_for_the_text_that_was_prepared_and_no_other()
    {
        var prepared = new PreparedStatement(1, 2, null, Sql);
        Assert.True(prepared.IsFor(Sql));
        Assert.True(prepared.IsFor(SqlScanner.Scan("select @c, @d", QuotingRules.None)));
        Assert.False(prepared.IsFor(Sql.Without(name => name == "a")));
        Assert.False(new PreparedStatement(1, 1, null, Sql.Without(name => name == "a")).IsFor(Sql.Without(name => name == "b")));
    }

    [Theory]
    [InlineData(5, 5L, true)]
    [InlineData((short)5, true, true)]
    [InlineData(1.5f, 1.5, true)]
    [InlineData("a", "b", true)]
    [InlineData(5, "a", false)]
    [InlineData("a", 5, false)]
    [InlineData(5, 1.5, false)]
    [InlineData(5L, 5UL, false)]
    [InlineData(null, "a", true)]
    [InlineData("a", null, true)]
    public void Takes_what_the_server_settled_at_the_first_execution(object? first, object? then, bool expected)
    {
        var prepared = new PreparedStatement(1, 2, null, Sql);
        Assert.True(prepared.Takes(Type(first), 1));
        prepared.Remember(Type("elsewhere"), 0);
        prepared.Remember(Type(first), 1);
        Assert.Equal(expected, prepared.Takes(Type(then), 1));
    }

    [Fact]
    public void Null_in_between_does_not_unsettle_a_type()
    {
        var prepared = new PreparedStatement(1, 2, null, Sql);
        prepared.Remember(Type(5), 0);
        prepared.Remember(Type(null), 0);
        Assert.False(prepared.Takes(Type("a"), 0));
        Assert.True(prepared.Takes((ushort)ColumnType.Null, 0));
    }

    private static ushort Type(object? value) => ParameterWriter.WireType(value, CodecSettings.Default);
}
