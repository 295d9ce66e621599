using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>A table that no longer reads outer tables, and what its rows must fulfil to be the rows of the subquery for a row of the outer tables.</summary>
/// <param name="Table">The table.</param>
/// <param name="Keys">Pairs of a column of the table and an expression over outer tables: they must be equal.</param>
/// <param name="OwnConditions">Conditions on the table alone: the ranks.</param>
/// <param name="OtherConditions">Conditions on the table and outer tables.</param>
/// <param name="Substitutions">Columns of the subquery that are expressions over outer tables now, by name.</param>
internal sealed record Lifted(
    TableExpressionBase Table, List<(SqlExpression Inner, SqlExpression Outer)> Keys, List<SqlExpression> OwnConditions,
    List<SqlExpression> OtherConditions, Dictionary<string, SqlExpression> Substitutions);
