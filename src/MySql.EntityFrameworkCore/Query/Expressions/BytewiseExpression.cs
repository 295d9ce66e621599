using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>
/// CONVERT(text USING utf8mb4) COLLATE utf8mb4_0900_bin: a text that is compared by its bytes. A column of another character set has no collation of utf8mb4.
/// </summary>
internal sealed class BytewiseExpression(SqlExpression text) : SqlExpression(typeof(string), text.TypeMapping)
{
    public SqlExpression Text => text;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.Bytewise, text);

    public override bool Equals(object? obj) => obj is BytewiseExpression other && base.Equals(other) && other.Text.Equals(text);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), text);

    public BytewiseExpression Update(SqlExpression newText) => ReferenceEquals(newText, text) ? this : new BytewiseExpression(newText);

    protected override Expression VisitChildren(ExpressionVisitor visitor) => Update((SqlExpression)visitor.Visit(text));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Visit(text);
        expressionPrinter.Append(" COLLATE utf8mb4_0900_bin");
    }
}
