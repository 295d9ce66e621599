using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Makes derived tables of subqueries.</summary>
internal static class DerivedTables
{
    /// <summary>Returns SELECT columns FROM (subquery) AS alias.</summary>
    public static SelectExpression Wrap(SelectExpression subquery, SqlAliasManager aliases)
    {
        var alias = aliases.GenerateTableAlias("t");
        var inner = subquery.WithAlias(alias);
        var projections = subquery.Projection
            .Select(projection => new ProjectionExpression(
                new ColumnExpression(projection.Alias, alias, projection.Type, projection.Expression.TypeMapping, IsNullable(projection)), projection.Alias))
            .ToList();
#pragma warning disable EF1001 // the constructor of a select of known parts has no public counterpart
        return new SelectExpression(null, [inner], null, [], null, projections, false, [], null, null, aliases);
#pragma warning restore EF1001
    }

    private static bool IsNullable(ProjectionExpression projection) => projection.Expression is not ColumnExpression { IsNullable: false };
}
