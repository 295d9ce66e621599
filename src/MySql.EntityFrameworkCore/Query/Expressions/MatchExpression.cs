using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>MATCH (columns) AGAINST (pattern …): the relevance.</summary>
internal sealed class MatchExpression(
    IReadOnlyList<SqlExpression> columns, SqlExpression pattern, MySqlMatchSearchMode mode, RelationalTypeMapping? mapping)
    : SqlExpression(typeof(double), mapping)
{
    public IReadOnlyList<SqlExpression> Columns => columns;

    public SqlExpression Pattern => pattern;

    public MySqlMatchSearchMode Mode => mode;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.Match, columns, pattern, mode, TypeMapping);

    public override bool Equals(object? obj) =>
        obj is MatchExpression other && base.Equals(other) && other.Columns.SequenceEqual(columns) && other.Pattern.Equals(pattern) && other.Mode == mode;

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), columns.Count, columns[0], pattern, mode);

    public MatchExpression Update(IReadOnlyList<SqlExpression> newColumns, SqlExpression newPattern) =>
        newColumns.SequenceEqual(columns, ReferenceEqualityComparer.Instance) && ReferenceEquals(newPattern, pattern)
            ? this
            : new MatchExpression(newColumns, newPattern, mode, TypeMapping);

    protected override Expression VisitChildren(ExpressionVisitor visitor) =>
        Update([.. columns.Select(column => (SqlExpression)visitor.Visit(column))], (SqlExpression)visitor.Visit(pattern));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("MATCH (");
        expressionPrinter.VisitCollection(columns);
        expressionPrinter.Append(") AGAINST (");
        expressionPrinter.Visit(pattern);
        expressionPrinter.Append($" {mode})");
    }
}
