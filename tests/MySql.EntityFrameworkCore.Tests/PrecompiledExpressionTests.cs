#pragma warning disable EF9100 // precompiled queries are experimental in EF Core 10
using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>Expressions that only this provider has, in precompiled queries: the generated code creates equal ones.</summary>
public sealed class PrecompiledExpressionTests
{
    private static readonly SqlExpression Text = new SqlConstantExpression("text", typeof(string), null);
    private static readonly SqlExpression Other = new SqlConstantExpression("other", typeof(string), null);
    private static readonly SqlExpression Number = new SqlConstantExpression(3, typeof(int), null);
    private static readonly PathSegment[] Path = [new("name"), new(Number)];

    private static readonly Expression[] Expressions =
    [
        new BytewiseExpression(Text),
        new DateAddExpression(Text, Number, "DAY", typeof(DateTime), null),
        new GroupConcatExpression(true, Text, [new OrderingExpression(Other, ascending: false)], "', '", null),
        new GroupConcatExpression(false, Text, [], ",", null),
        new JsonExtractExpression(Text, Other, typeof(int?), null),
        new JsonSetExpression(Text, Path, Other, true, null),
        new JsonTableExpression("j", Text, Path, [new("value", null, null), new("a", null, "A")]),
        new MatchExpression([Text, Other], Number, MySqlMatchSearchMode.Boolean, null),
        new RegexpExpression(Text, Other, null),
        new TrimExpression("LEADING", 'x', Text),
    ];

    public static TheoryData<int> Indexes => [.. Enumerable.Range(0, Expressions.Length)];

    [Theory, MemberData(nameof(Indexes))]
    public void The_generated_code_creates_an_equal_expression(int index)
    {
        var quoted = ((IRelationalQuotableExpression)Expressions[index]).Quote();
        var created = Expression.Lambda<Func<object>>(quoted).Compile()();
        Assert.NotSame(Expressions[index], created);
        Assert.Equal((object)Expressions[index], created);
    }

    [Fact]
    public void The_generated_code_calls_public_methods_only()
    {
        foreach (var expression in Expressions)
            Assert.True(Assert.IsType<MethodCallExpression>(((IRelationalQuotableExpression)expression).Quote(), exactMatch: false).Method is
            {
                IsPublic: true, DeclaringType.IsVisible: true,
            });
    }

    [Fact]
    public void Every_expression_of_the_provider_is_tested() => Assert.Equal(
        typeof(TrimExpression).Assembly.GetTypes().Where(static type => type.IsAssignableTo(typeof(IRelationalQuotableExpression)) && !type.IsAbstract)
            .Select(static type => type.Name).Order(StringComparer.Ordinal),
        Expressions.Select(static expression => expression.GetType().Name).Distinct().Order(StringComparer.Ordinal));
}
