using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>
/// JSON_TABLE(json, path COLUMNS (…)): the elements of a JSON array as rows. MySQL and MariaDB take columns of an outer table in it without LATERAL.
/// </summary>
internal sealed class JsonTableExpression(
    string alias, SqlExpression json, IReadOnlyList<PathSegment> path, IReadOnlyList<JsonTableColumn> columns)
    : TableValuedFunctionExpression(alias, "JSON_TABLE", schema: null, builtIn: true, [json])
{
    /// <summary>
    /// The name of the column that numbers the elements, from 1 on. The other columns have the names of the elements' properties. Column names are not
    /// case-sensitive.
    /// </summary>
    public const string OrdinalityName = "_ord";

    /// <summary>The name of the column of an element that is a value.</summary>
    public const string ValueName = "value";

    public SqlExpression Json => Arguments[0];

    /// <summary>Where the array is in the document.</summary>
    public IReadOnlyList<PathSegment> Path => path;

    public IReadOnlyList<JsonTableColumn> Columns => columns;

    public JsonTableExpression Update(SqlExpression newJson, IReadOnlyList<JsonTableColumn>? newColumns = null) =>
        ReferenceEquals(newJson, Json) && newColumns is null ? this : new JsonTableExpression(Alias, newJson, path, newColumns ?? columns);

    public override TableExpressionBase Clone(string? alias, ExpressionVisitor cloningExpressionVisitor) =>
        new JsonTableExpression(alias!, (SqlExpression)cloningExpressionVisitor.Visit(Json), Visit(cloningExpressionVisitor), columns);

    public override JsonTableExpression WithAlias(string newAlias) => new(newAlias, Json, path, columns);

    public override Expression Quote() => MySqlPrecompiledQuery.Call(
        MySqlPrecompiledQuery.JsonTable, Alias, Json, path, columns.Select(static column => column.Name),
        columns.Select(static column => column.Mapping), columns.Select(static column => column.Property));

    public override bool Equals(object? obj) =>
        obj is JsonTableExpression other && base.Equals(other) && path.SequenceEqual(other.Path) && columns.SequenceEqual(other.Columns);

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), path.Count, columns.Count);

    protected override Expression VisitChildren(ExpressionVisitor visitor)
    {
        var (newJson, newPath) = ((SqlExpression)visitor.Visit(Json), Visit(visitor));
        return ReferenceEquals(newJson, Json) && ReferenceEquals(newPath, path) ? this : new JsonTableExpression(Alias, newJson, newPath, columns);
    }

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        expressionPrinter.Append("JSON_TABLE(");
        expressionPrinter.Visit(Json);
        expressionPrinter.Append($") AS {Alias}");
    }

    private IReadOnlyList<PathSegment> Visit(ExpressionVisitor visitor)
    {
        PathSegment[]? visited = null;
        for (var index = 0; index < path.Count; index++)
        {
            if (path[index].ArrayIndex is not { } arrayIndex || visitor.Visit(arrayIndex) is not SqlExpression newIndex
                || ReferenceEquals(newIndex, arrayIndex))
                continue;
            visited ??= [.. path];
            visited[index] = new(newIndex);
        }

        return visited ?? path;
    }
}

/// <summary>A column of JSON_TABLE.</summary>
/// <param name="Name">The name of the column.</param>
/// <param name="Mapping">The mapping of its type, or null for a document.</param>
/// <param name="Property">The name of the property of the element, or null for the element itself.</param>
internal sealed record JsonTableColumn(string Name, RelationalTypeMapping? Mapping, string? Property);
