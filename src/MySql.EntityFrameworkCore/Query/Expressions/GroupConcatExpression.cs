using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>GROUP_CONCAT(DISTINCT value ORDER BY … SEPARATOR 'x').</summary>
internal sealed class GroupConcatExpression(
    bool isDistinct, SqlExpression value, IReadOnlyList<OrderingExpression> orderings, string separator, RelationalTypeMapping? mapping)
    : SqlExpression(typeof(string), mapping)
{
    public bool IsDistinct => isDistinct;

    public SqlExpression Value => value;

    public IReadOnlyList<OrderingExpression> Orderings => orderings;

    public string Separator => separator;

    public override Expression Quote() =>
        MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.GroupConcat, isDistinct, value, orderings, separator, TypeMapping);

    public override bool Equals(object? obj) =>
        obj is GroupConcatExpression other && base.Equals(other) && other.IsDistinct == isDistinct && other.Separator == separator
        && other.Value.Equals(value) && other.Orderings.SequenceEqual(orderings);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), isDistinct, separator, value, orderings.Count);

    public GroupConcatExpression Update(SqlExpression newValue, IReadOnlyList<OrderingExpression> newOrderings) =>
        ReferenceEquals(newValue, value) && newOrderings.SequenceEqual(orderings, ReferenceEqualityComparer.Instance)
            ? this
            : new GroupConcatExpression(isDistinct, newValue, newOrderings, separator, TypeMapping);

    protected override Expression VisitChildren(ExpressionVisitor visitor) => Update(
        (SqlExpression)visitor.Visit(value), orderings.Select(ordering => (OrderingExpression)visitor.Visit(ordering)).ToList());

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("GROUP_CONCAT(");
        expressionPrinter.Visit(value);
        expressionPrinter.Append(")");
    }
}
