using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>The tables and the condition of a select that is being rewritten, and of those around it.</summary>
internal sealed class Scope(Scope? parent, IEnumerable<TableExpressionBase> tables, SqlExpression? predicate)
{
    public Scope? Parent => parent;

    public List<TableExpressionBase> Tables { get; } = [.. tables];

    public SqlExpression? Predicate { get; set; } = predicate;

    /// <summary>Finds a table by its alias, and whether an outer join may have found no row of it.</summary>
    public (TableExpressionBase Table, bool IsOptional, Scope Scope)? Find(string alias)
    {
        for (var scope = this; scope is not null; scope = scope.Parent)
        {
            for (var index = 0; index < scope.Tables.Count; index++)
            {
                if (Correlation.Unwrap(scope.Tables[index]) is { } table && table.Alias == alias)
                    return (table, Correlation.IsOptional(scope.Tables, index), scope);
            }
        }

        return null;
    }

    /// <summary>Returns the column of a table in the database that a column of a derived table passes on.</summary>
    public static (TableExpression Table, string Name)? Trace(TableExpressionBase table, string name)
    {
        switch (table)
        {
            case TableExpression one:
                return (one, name);
            case SelectExpression { IsDistinct: false, GroupBy: [], Having: null } select
                when select.Projection.FirstOrDefault(projection => projection.Alias == name)?.Expression is { } expression
                    && Equalities.Shown(expression) is ColumnExpression column:
                for (var index = 0; index < select.Tables.Count; index++)
                {
                    if (Correlation.Unwrap(select.Tables[index]) is { } inner && inner.Alias == column.TableAlias)
                        return Correlation.IsOptional(select.Tables, index) ? null : Trace(inner, column.Name);
                }

                return null;
            default:
                return null;
        }
    }
}
