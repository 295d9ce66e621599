using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>The parts of the code that creates an SQL expression again, in the program of a precompiled query.</summary>
internal static class Quoted
{
    public static Expression Call(string method, params Expression[] arguments) =>
        Expression.Call(typeof(MySqlQuotedExpressions).GetMethod(method)!, arguments);

    public static Expression Type(Type type) => Expression.Constant(type, typeof(Type));

#pragma warning disable EF9100 // precompiled queries are experimental in EF Core 10
    public static Expression Mapping(RelationalTypeMapping? mapping) => RelationalExpressionQuotingUtilities.QuoteTypeMapping(mapping);
#pragma warning restore EF9100

    public static Expression Array(IEnumerable<SqlExpression> expressions) => Array(typeof(SqlExpression), expressions.Select(static one => one.Quote()));

    public static Expression Array(IEnumerable<OrderingExpression> orderings) =>
        Array(typeof(OrderingExpression), orderings.Select(static one => one.Quote()));

    public static Expression Array(IEnumerable<PathSegment> path) => Array(typeof(PathSegment), path.Select(static one => one.Quote()));

    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Queries are precompiled by the tools of EF Core, and not in the application.")]
    public static Expression Array(Type element, IEnumerable<Expression> elements) => Expression.NewArrayInit(element, elements);
}
