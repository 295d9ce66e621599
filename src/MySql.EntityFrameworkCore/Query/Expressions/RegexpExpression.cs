using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>text REGEXP pattern.</summary>
internal sealed class RegexpExpression(SqlExpression text, SqlExpression pattern, RelationalTypeMapping? mapping) : SqlExpression(typeof(bool), mapping)
{
    public SqlExpression Text => text;

    public SqlExpression Pattern => pattern;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.Regexp, text, pattern, TypeMapping);

    public override bool Equals(object? obj) =>
        obj is RegexpExpression other && base.Equals(other) && other.Text.Equals(text) && other.Pattern.Equals(pattern);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), text, pattern);

    public RegexpExpression Update(SqlExpression newText, SqlExpression newPattern) =>
        ReferenceEquals(newText, text) && ReferenceEquals(newPattern, pattern) ? this : new RegexpExpression(newText, newPattern, TypeMapping);

    protected override Expression VisitChildren(ExpressionVisitor visitor) =>
        Update((SqlExpression)visitor.Visit(text), (SqlExpression)visitor.Visit(pattern));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Visit(text);
        expressionPrinter.Append(" REGEXP ");
        expressionPrinter.Visit(pattern);
    }
}
