using System.ComponentModel;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Creates this provider's SQL expressions in the code of precompiled queries. Applications do not call these methods.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MySqlQuotedExpressions
{
    /// <summary>Creates a text that is compared by its bytes.</summary>
    public static SqlExpression Bytewise(SqlExpression text) => new BytewiseExpression(text);

    /// <summary>Creates <c>DATE_ADD(date, INTERVAL amount unit)</c>.</summary>
    public static SqlExpression DateAdd(SqlExpression date, SqlExpression amount, string unit, Type type, RelationalTypeMapping? mapping) =>
        new DateAddExpression(date, amount, unit, type, mapping);

    /// <summary>Creates <c>GROUP_CONCAT(…)</c>.</summary>
    public static SqlExpression GroupConcat(
        bool isDistinct, SqlExpression value, OrderingExpression[] orderings, string separator, RelationalTypeMapping? mapping) =>
        new GroupConcatExpression(isDistinct, value, orderings, separator, mapping);

    /// <summary>Creates the scalar value at a path of a JSON document.</summary>
    public static SqlExpression JsonExtract(SqlExpression document, SqlExpression path, Type type, RelationalTypeMapping? mapping) =>
        new JsonExtractExpression(document, path, type, mapping);

    /// <summary>Creates <c>JSON_SET(document, path, value)</c>.</summary>
    public static SqlExpression JsonSet(SqlExpression document, PathSegment[] path, SqlExpression value, bool isScalar, RelationalTypeMapping? mapping) =>
        new JsonSetExpression(document, path, value, isScalar, mapping);

    /// <summary>Creates <c>JSON_TABLE(json, path COLUMNS (…))</c>.</summary>
    /// <param name="alias">The alias of the table.</param>
    /// <param name="json">The document.</param>
    /// <param name="path">Where the array is in the document.</param>
    /// <param name="names">The names of the columns.</param>
    /// <param name="mappings">The mapping of each column; null for a document.</param>
    /// <param name="properties">The property that each column reads; null for the element itself.</param>
    public static TableExpressionBase JsonTable(
        string alias, SqlExpression json, PathSegment[] path, string[] names, RelationalTypeMapping?[] mappings, string?[] properties) =>
        new JsonTableExpression(
            alias, json, path, [.. names.Select((name, index) => new JsonTableColumn(name, mappings[index], properties[index]))]);

    /// <summary>Creates <c>MATCH (columns) AGAINST (pattern …)</c>.</summary>
    public static SqlExpression Match(SqlExpression[] columns, SqlExpression pattern, MySqlMatchSearchMode mode, RelationalTypeMapping? mapping) =>
        new MatchExpression(columns, pattern, mode, mapping);

    /// <summary>Creates <c>text REGEXP pattern</c>.</summary>
    public static SqlExpression Regexp(SqlExpression text, SqlExpression pattern, RelationalTypeMapping? mapping) =>
        new RegexpExpression(text, pattern, mapping);

    /// <summary>Creates <c>TRIM(where 'character' FROM text)</c>.</summary>
    public static SqlExpression Trim(string where, char character, SqlExpression text) => new TrimExpression(where, character, text);
}
