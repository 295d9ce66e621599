using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Creates the error that names the part of a query which needs LATERAL, and the way out.</summary>
internal static class LateralRefusal
{
    public static InvalidOperationException Of(TableExpressionBase join, TableExpressionBase table, ServerVersion version)
    {
        var construct = table switch
        {
            SetOperationBase or SelectExpression { Tables: [SetOperationBase] } => "Union, Concat, Intersect or Except",
            ValuesExpression or SelectExpression { Tables: [ValuesExpression] } => "a list",
            SelectExpression { GroupBy.Count: > 0 } => "GroupBy",
            SelectExpression { IsDistinct: true } => "Distinct",
            SelectExpression { Limit: not null } or SelectExpression { Offset: not null } => "Take, Skip or First",
            _ => "a subquery",
        };
        return join is CrossApplyExpression or OuterApplyExpression
            ? new InvalidOperationException(
                $"The query joins each row with rows that come from {construct} and depend on that row. This needs LATERAL, which {version} does not have. "
                    + "The provider found no join that certainly returns the same rows. Relate the rows by equal keys of tables that have primary keys, or "
                    + "load them with a second query and combine them in memory.")
            : new InvalidOperationException(
                $"The query computes a value for each row from rows that come from {construct} and depend on that row. This needs LATERAL, which {version} "
                    + "does not have. The provider found no join that certainly returns the same rows. Relate the rows by equal keys of tables that have "
                    + "primary keys, or load them with a second query and combine them in memory.");
    }
}
