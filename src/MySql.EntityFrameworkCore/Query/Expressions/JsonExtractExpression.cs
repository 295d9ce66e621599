using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>A scalar value at a path of a document, which the query says as a text.</summary>
internal sealed class JsonExtractExpression(SqlExpression document, SqlExpression path, Type type, RelationalTypeMapping? mapping)
    : SqlExpression(type, mapping)
{
    public SqlExpression Document => document;

    public SqlExpression Path => path;

    public override Expression Quote() => MySqlPrecompiledQuery.Call(MySqlPrecompiledQuery.JsonExtract, document, path, Type, TypeMapping);

    public override bool Equals(object? obj) =>
        obj is JsonExtractExpression other && base.Equals(other) && other.Document.Equals(document) && other.Path.Equals(path);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), document, path);

    public JsonExtractExpression Update(SqlExpression newDocument, SqlExpression newPath) =>
        ReferenceEquals(newDocument, document) && ReferenceEquals(newPath, path) ? this : new JsonExtractExpression(newDocument, newPath, Type, TypeMapping);

    protected override Expression VisitChildren(ExpressionVisitor visitor) =>
        Update((SqlExpression)visitor.Visit(document), (SqlExpression)visitor.Visit(path));

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("JSON_EXTRACT(");
        expressionPrinter.Visit(document);
        expressionPrinter.Append(", ");
        expressionPrinter.Visit(path);
        expressionPrinter.Append(")");
    }
}
