using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>JSON_SET(document, path, value).</summary>
/// <param name="document">The document.</param>
/// <param name="path">Where the value goes.</param>
/// <param name="value">The value: a scalar, or the text of a document.</param>
/// <param name="isScalar">Whether the value is a scalar.</param>
/// <param name="mapping">The mapping of the document.</param>
internal sealed class JsonSetExpression(
    SqlExpression document, IReadOnlyList<PathSegment> path, SqlExpression value, bool isScalar, RelationalTypeMapping? mapping)
    : SqlExpression(typeof(string), mapping)
{
    public SqlExpression Document => document;

    public IReadOnlyList<PathSegment> Path => path;

    public SqlExpression Value => value;

    public bool IsScalar => isScalar;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.JsonSet, document, path, value, isScalar, TypeMapping);

    public override bool Equals(object? obj) =>
        obj is JsonSetExpression other && base.Equals(other) && other.Document.Equals(document) && other.Value.Equals(value) && other.Path.SequenceEqual(path);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), document, value, path.Count);

    public JsonSetExpression Update(SqlExpression newDocument, SqlExpression newValue) =>
        ReferenceEquals(newDocument, document) && ReferenceEquals(newValue, value)
            ? this
            : new JsonSetExpression(newDocument, path, newValue, isScalar, TypeMapping);

    protected override Expression VisitChildren(ExpressionVisitor visitor) =>
        Update((SqlExpression)visitor.Visit(document), (SqlExpression)visitor.Visit(value));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("JSON_SET(");
        expressionPrinter.Visit(document);
        expressionPrinter.Append(", ");
        expressionPrinter.Visit(value);
        expressionPrinter.Append(")");
    }
}
