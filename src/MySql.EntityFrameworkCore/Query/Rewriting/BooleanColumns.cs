using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Writes a boolean column that is a condition as a comparison: the server uses an index for "b = TRUE", and not for "b".</summary>
internal sealed class BooleanColumns(ISqlExpressionFactory factory) : QueryRewriter
{
    protected override Expression VisitExtension(Expression node)
    {
        node = base.VisitExtension(node);
        return node switch
        {
            SelectExpression select when Condition(select.Predicate) is var predicate && !ReferenceEquals(predicate, select.Predicate) =>
                select.Update(
                    select.Tables, predicate, select.GroupBy, select.Having, select.Projection, select.Orderings, select.Offset, select.Limit),
            InnerJoinExpression join when Condition(join.JoinPredicate) is { } on && !ReferenceEquals(on, join.JoinPredicate) => join.Update(join.Table, on),
            LeftJoinExpression join when Condition(join.JoinPredicate) is { } on && !ReferenceEquals(on, join.JoinPredicate) => join.Update(join.Table, on),
            RightJoinExpression join when Condition(join.JoinPredicate) is { } on && !ReferenceEquals(on, join.JoinPredicate) => join.Update(join.Table, on),
            _ => node,
        };
    }

    private SqlExpression? Condition(SqlExpression? expression) => expression switch
    {
        ColumnExpression { Type: var type } column when type == typeof(bool) => factory.Equal(column, True(column, true)),
        SqlUnaryExpression { OperatorType: ExpressionType.Not, Operand: ColumnExpression column } not when not.Type == typeof(bool) =>
            factory.Equal(column, True(column, false)),
        SqlBinaryExpression { OperatorType: ExpressionType.AndAlso or ExpressionType.OrElse } binary =>
            binary.Update(Condition(binary.Left)!, Condition(binary.Right)!),
        _ => expression,
    };

    private SqlExpression True(ColumnExpression column, bool value) => factory.Constant(value, column.TypeMapping);
}
