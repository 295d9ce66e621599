using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

#pragma warning disable EF1001 // the constructors of a select of known parts have no public counterpart

/// <summary>Counts the rows of a subquery with LIMIT or DISTINCT without a table of them: LEAST((SELECT COUNT(*) …), n) and COUNT(DISTINCT …).</summary>
internal sealed class RowCounts(ISqlExpressionFactory factory, SqlAliasManager aliases) : QueryRewriter
{
    protected override Expression VisitExtension(Expression node)
    {
        // A count in HAVING is not certain (see LateralJoins), and is refused.
        var having = (node as SelectExpression)?.Having;
        node = base.VisitExtension(node);
        if (node is SelectExpression { Having: { } changed } grouped && !ReferenceEquals(changed, having))
            return grouped.Update(
                grouped.Tables, grouped.Predicate, grouped.GroupBy, having, grouped.Projection, grouped.Orderings, grouped.Offset, grouped.Limit);
        return node is ScalarSubqueryExpression { Subquery: { } select } && IsCount(select) && select.Tables is [SelectExpression rows]
            && !Correlation.IsOneRow(rows) && !Correlation.HasRanks(rows) && !Correlation.HasRanksInside(rows)
            && rows.GroupBy.Count == 0 && Correlation.FreeAliases(rows).Count > 0
                ? (Expression?)Count(rows, select.Projection[0]) ?? node
                : node;
    }

    private static bool IsCount(SelectExpression select) => select is
    {
        Predicate: null, GroupBy: [], Having: null, IsDistinct: false, Limit: null, Offset: null,
        Projection: [{ Expression: SqlFunctionExpression { Name: "COUNT", Arguments: [SqlFragmentExpression { Sql: "*" }] } }],
    };

    private SqlExpression? Count(SelectExpression rows, ProjectionExpression count)
    {
        var isLimited = rows.Limit is not null || rows.Offset is not null;
        var free = Correlation.FreeAliases(rows);
        // An aggregate of outer columns alone would be an aggregate of the outer query.
        if (rows.IsDistinct && rows.Projection.Any(projection => Correlation.FreeAliases(projection.Expression).IsSubsetOf(free)))
            return null;
        if (rows.IsDistinct)
            return isLimited || rows.Projection is not [var value] ? null : Of(rows, Distinct(value.Expression, count.Expression), count.Alias);
        if (!isLimited)
            return null;
        SqlExpression result = Of(rows, count.Expression, count.Alias);
        if (rows.Offset is { } offset)
            result = Greatest(factory, factory.Subtract(result, NotNegative(factory, offset)));
        return rows.Limit is { } limit ? Function(factory, "LEAST", result, NotNegative(factory, limit)) : result;
    }

    /// <summary>Returns the number of Skip or Take, where LINQ takes a negative one for zero.</summary>
    public static SqlExpression NotNegative(ISqlExpressionFactory factory, SqlExpression number) =>
        number is SqlConstantExpression { Value: >= 0 } ? number : Greatest(factory, number);

    // COUNT(DISTINCT x) leaves NULL out, and DISTINCT does not.
    private SqlExpression Distinct(SqlExpression value, SqlExpression count)
    {
        var mapping = count.TypeMapping;
        var distinct = factory.Function("COUNT", [new DistinctExpression(value)], nullable: false, [false], count.Type, mapping);
        if (value is ColumnExpression { IsNullable: false })
            return distinct;
        var isNull = factory.Case(
            [new CaseWhenClause(factory.IsNull(value), factory.Constant(1, mapping))], factory.Constant(0, mapping));
        var any = factory.Function("MAX", [isNull], nullable: true, [false], count.Type, mapping);
        return factory.Add(distinct, factory.Coalesce(any, factory.Constant(0, mapping)));
    }

    private ScalarSubqueryExpression Of(SelectExpression rows, SqlExpression value, string name) => new ScalarSubqueryExpression(new SelectExpression(
        null, rows.Tables, rows.Predicate, [], null, [new(value, name)], false, [], null, null, aliases));

    private static SqlExpression Greatest(ISqlExpressionFactory factory, SqlExpression number) =>
        Function(factory, "GREATEST", number, factory.Constant(0, number.TypeMapping));

    private static SqlExpression Function(ISqlExpressionFactory factory, string name, SqlExpression left, SqlExpression right) =>
        factory.Function(name, [left, right], nullable: false, [false, false], left.Type, left.TypeMapping);
}
