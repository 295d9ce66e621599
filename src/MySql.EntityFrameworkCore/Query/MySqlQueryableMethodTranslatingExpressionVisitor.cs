using System.Diagnostics.CodeAnalysis;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Translates LINQ's methods on queries.</summary>
internal sealed class MySqlQueryableMethodTranslatingExpressionVisitor : RelationalQueryableMethodTranslatingExpressionVisitor
{
    public MySqlQueryableMethodTranslatingExpressionVisitor(
        QueryableMethodTranslatingExpressionVisitorDependencies dependencies,
        RelationalQueryableMethodTranslatingExpressionVisitorDependencies relationalDependencies, RelationalQueryCompilationContext queryCompilationContext)
        : base(dependencies, relationalDependencies, queryCompilationContext)
    {
    }

    private MySqlQueryableMethodTranslatingExpressionVisitor(MySqlQueryableMethodTranslatingExpressionVisitor parentVisitor)
        : base(parentVisitor)
    {
    }

    protected override QueryableMethodTranslatingExpressionVisitor CreateSubqueryVisitor() => new MySqlQueryableMethodTranslatingExpressionVisitor(this);

    protected override bool IsValidSelectExpressionForExecuteDelete(SelectExpression selectExpression) => CanChange(selectExpression);

    protected override bool IsValidSelectExpressionForExecuteUpdate(
        SelectExpression selectExpression, TableExpressionBase targetTable, [NotNullWhen(true)] out TableExpression? tableExpression)
    {
        tableExpression = CanChange(selectExpression) ? (targetTable as JoinExpressionBase)?.Table as TableExpression ?? targetTable as TableExpression : null;
        return tableExpression is not null;
    }

    // UPDATE and DELETE take joins of every kind.
    private static bool CanChange(SelectExpression select) =>
        select is { Tables.Count: > 0, Orderings: [], Offset: null, Limit: null, GroupBy: [], Having: null, IsDistinct: false };
}
