using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Says what of a query cannot be written without LATERAL, and what to do instead.</summary>
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
                $"The query joins each row with rows of its own by {construct}, which needs LATERAL. {version} does not have it, and the provider "
                    + "found no join that is certain to have the same rows. Relate the rows by equal keys of tables that have primary keys, or load them "
                    + "with a second query and combine them in memory.")
            : new InvalidOperationException(
                $"The query computes a value of each row from rows of its own by {construct}, which needs LATERAL. {version} does not have it, and "
                    + "the provider found no join that is certain to have the same rows. Relate the rows by equal keys of tables that have primary keys, or "
                    + "load them with a second query and combine them in memory.");
    }
}
