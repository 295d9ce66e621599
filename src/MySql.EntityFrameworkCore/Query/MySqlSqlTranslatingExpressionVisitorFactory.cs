using Microsoft.EntityFrameworkCore.Query;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Creates <see cref="MySqlSqlTranslatingExpressionVisitor"/>.</summary>
internal sealed class MySqlSqlTranslatingExpressionVisitorFactory(RelationalSqlTranslatingExpressionVisitorDependencies dependencies)
    : IRelationalSqlTranslatingExpressionVisitorFactory
{
    public RelationalSqlTranslatingExpressionVisitor Create(
        QueryCompilationContext queryCompilationContext, QueryableMethodTranslatingExpressionVisitor queryableMethodTranslatingExpressionVisitor) =>
        new MySqlSqlTranslatingExpressionVisitor(dependencies, queryCompilationContext, queryableMethodTranslatingExpressionVisitor);
}
