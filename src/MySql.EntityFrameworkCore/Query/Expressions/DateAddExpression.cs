using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>DATE_ADD(date, INTERVAL amount unit).</summary>
internal sealed class DateAddExpression(SqlExpression date, SqlExpression amount, string unit, Type type, RelationalTypeMapping? mapping)
    : SqlExpression(type, mapping)
{
    public SqlExpression Date => date;

    public SqlExpression Amount => amount;

    public string Unit => unit;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.DateAdd, date, amount, unit, Type, TypeMapping);

    public override bool Equals(object? obj) =>
        obj is DateAddExpression other && base.Equals(other) && other.Unit == unit && other.Date.Equals(date) && other.Amount.Equals(amount);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), unit, date, amount);

    public DateAddExpression Update(SqlExpression newDate, SqlExpression newAmount) =>
        ReferenceEquals(newDate, date) && ReferenceEquals(newAmount, amount) ? this : new DateAddExpression(newDate, newAmount, unit, Type, TypeMapping);

    protected override Expression VisitChildren(ExpressionVisitor visitor) =>
        Update((SqlExpression)visitor.Visit(date), (SqlExpression)visitor.Visit(amount));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("DATE_ADD(");
        expressionPrinter.Visit(date);
        expressionPrinter.Append(", INTERVAL ");
        expressionPrinter.Visit(amount);
        expressionPrinter.Append($" {unit})");
    }
}
