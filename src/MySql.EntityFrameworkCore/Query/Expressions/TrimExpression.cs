using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>TRIM(BOTH|LEADING|TRAILING 'x' FROM text).</summary>
internal sealed class TrimExpression(string where, char character, SqlExpression text) : SqlExpression(typeof(string), text.TypeMapping)
{
    /// <summary>BOTH, LEADING or TRAILING.</summary>
    public string Where => where;

    public char Character => character;

    public SqlExpression Text => text;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.Trim, where, character, text);

    public override bool Equals(object? obj) =>
        obj is TrimExpression other && base.Equals(other) && other.Where == where && other.Character == character && other.Text.Equals(text);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), where, character, text);

    public TrimExpression Update(SqlExpression newText) => ReferenceEquals(newText, text) ? this : new TrimExpression(where, character, newText);

    protected override Expression VisitChildren(ExpressionVisitor visitor) => Update((SqlExpression)visitor.Visit(text));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append($"TRIM({where} '{character}' FROM ");
        expressionPrinter.Visit(text);
        expressionPrinter.Append(")");
    }
}
