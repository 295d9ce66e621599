using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Puts other expressions in the place of columns, in subqueries too.</summary>
internal sealed class ColumnReplacement(Func<ColumnExpression, SqlExpression?> replace) : ExpressionVisitor
{
    public SqlExpression? Of(SqlExpression? expression) => (SqlExpression?)Visit(expression);

    public List<T> Of<T>(IEnumerable<T> expressions)
        where T : Expression => expressions.Select(expression => (T)Visit(expression)!).ToList();

    protected override Expression VisitExtension(Expression node) =>
        node is ColumnExpression column ? replace(column) ?? column : base.VisitExtension(node);
}
