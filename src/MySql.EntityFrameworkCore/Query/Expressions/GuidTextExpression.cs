using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>The text of a Guid that is stored as binary(16).</summary>
internal sealed class GuidTextExpression(SqlExpression guid) : SqlExpression(typeof(string), MySqlStringTypeMapping.Default)
{
    public SqlExpression Guid => guid;

    public override Expression Quote() => throw new InvalidOperationException("The text of a Guid cannot be part of a precompiled query yet.");

    public override bool Equals(object? obj) => obj is GuidTextExpression other && base.Equals(other) && other.Guid.Equals(guid);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), guid);

    public GuidTextExpression Update(SqlExpression newGuid) => ReferenceEquals(newGuid, guid) ? this : new GuidTextExpression(newGuid);

    protected override Expression VisitChildren(ExpressionVisitor visitor) => Update((SqlExpression)visitor.Visit(guid));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("TEXT(");
        expressionPrinter.Visit(guid);
        expressionPrinter.Append(")");
    }
}
