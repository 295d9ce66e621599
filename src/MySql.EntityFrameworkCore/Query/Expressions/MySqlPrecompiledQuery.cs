using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>
/// Methods that the generated code of precompiled queries calls (<c>dotnet ef dbcontext optimize --precompile-queries</c>). Applications do not call them.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MySqlPrecompiledQuery
{
    /// <summary>Returns the pattern of a LIKE that searches for the text in a parameter of the query.</summary>
    /// <param name="queryContext">The parameters of the query.</param>
    /// <param name="parameter">The name of the parameter with the text.</param>
    /// <param name="place">Where the LIKE searches for the text: <c>Start</c>, <c>End</c> or <c>Anywhere</c>.</param>
    /// <returns>The pattern, or null if the text is null.</returns>
    public static string? LikePattern(QueryContext queryContext, string parameter, string place) =>
        queryContext.Parameters[parameter] switch
        {
            null => null,
            var value => LikePatterns.Pattern(value.ToString()!, Enum.Parse<LikePlace>(place)),
        };

    /// <summary>Creates <c>DATE_ADD(date, INTERVAL amount unit)</c>.</summary>
    /// <param name="date">The date.</param>
    /// <param name="amount">The number of units.</param>
    /// <param name="unit">The unit.</param>
    /// <param name="type">The type of the result.</param>
    /// <param name="mapping">The mapping of the result.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression DateAdd(SqlExpression date, SqlExpression amount, string unit, Type type, RelationalTypeMapping? mapping) =>
        new DateAddExpression(date, amount, unit, type, mapping);

    /// <summary>Creates <c>GROUP_CONCAT(value ORDER BY orderings SEPARATOR 'separator')</c>.</summary>
    /// <param name="distinct">Whether the result contains equal values only once.</param>
    /// <param name="value">The value of each row.</param>
    /// <param name="orderings">The order of the values.</param>
    /// <param name="separator">The text between two values.</param>
    /// <param name="mapping">The mapping of the result.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression GroupConcat(
        bool distinct, SqlExpression value, IReadOnlyList<OrderingExpression> orderings, string separator, RelationalTypeMapping? mapping) =>
        new GroupConcatExpression(distinct, value, orderings, separator, mapping);

    /// <summary>Creates <c>JSON_EXTRACT(document, path)</c>.</summary>
    /// <param name="document">The document.</param>
    /// <param name="path">The path.</param>
    /// <param name="type">The type of the result.</param>
    /// <param name="mapping">The mapping of the result.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression JsonExtract(SqlExpression document, SqlExpression path, Type type, RelationalTypeMapping? mapping) =>
        new JsonExtractExpression(document, path, type, mapping);

    /// <summary>Creates <c>JSON_SET(document, path, value)</c>.</summary>
    /// <param name="document">The document.</param>
    /// <param name="path">The path of the value in the document.</param>
    /// <param name="value">The value: a scalar, or the text of a document.</param>
    /// <param name="scalar">Whether the value is a scalar.</param>
    /// <param name="mapping">The mapping of the document.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression JsonSet(
        SqlExpression document, IReadOnlyList<PathSegment> path, SqlExpression value, bool scalar, RelationalTypeMapping? mapping) =>
        new JsonSetExpression(document, path, value, scalar, mapping);

    /// <summary>Returns the JSON of the value in a parameter of the query.</summary>
    /// <param name="queryContext">The parameters of the query.</param>
    /// <param name="parameter">The name of the parameter with the value.</param>
    /// <param name="writer">Writes the value.</param>
    /// <returns>The JSON, or null if the value is null.</returns>
    public static string? JsonText(QueryContext queryContext, string parameter, JsonValueReaderWriter writer) =>
        queryContext.Parameters[parameter] is { } value ? writer.ToJsonString(value) : null;

    /// <summary>Creates <c>JSON_TABLE(json, path COLUMNS (…))</c>.</summary>
    /// <param name="alias">The name of the table in the query.</param>
    /// <param name="json">The document.</param>
    /// <param name="path">The path of the array in the document.</param>
    /// <param name="names">The names of the columns.</param>
    /// <param name="mappings">The mapping of each column's type, or null for a document.</param>
    /// <param name="properties">The property of the element that each column contains, or null for the element itself.</param>
    /// <returns>The expression.</returns>
    public static TableExpressionBase JsonTable(
        string alias, SqlExpression json, IReadOnlyList<PathSegment> path, IReadOnlyList<string> names, IReadOnlyList<RelationalTypeMapping?> mappings,
        IReadOnlyList<string?> properties) =>
        new JsonTableExpression(alias, json, path, [.. names.Select((name, index) => new JsonTableColumn(name, mappings[index], properties[index]))]);

    /// <summary>Creates <c>MATCH (columns) AGAINST (pattern)</c>.</summary>
    /// <param name="columns">The columns.</param>
    /// <param name="pattern">The search text.</param>
    /// <param name="mode">How the server interprets the search text.</param>
    /// <param name="mapping">The mapping of the result.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression Match(
        IReadOnlyList<SqlExpression> columns, SqlExpression pattern, MySqlMatchSearchMode mode, RelationalTypeMapping? mapping) =>
        new MatchExpression(columns, pattern, mode, mapping);

    /// <summary>Creates <c>text REGEXP pattern</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="pattern">The pattern.</param>
    /// <param name="mapping">The mapping of the result.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression Regexp(SqlExpression text, SqlExpression pattern, RelationalTypeMapping? mapping) =>
        new RegexpExpression(text, pattern, mapping);

    /// <summary>Creates <c>TRIM(where 'character' FROM text)</c>.</summary>
    /// <param name="where"><c>BOTH</c>, <c>LEADING</c> or <c>TRAILING</c>.</param>
    /// <param name="character">The character to remove.</param>
    /// <param name="text">The text.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression Trim(string where, char character, SqlExpression text) => new TrimExpression(where, character, text);

    /// <summary>Creates the expression of a text that the server compares by its bytes.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The expression.</returns>
    public static SqlExpression Bytewise(SqlExpression text) => new BytewiseExpression(text);

#pragma warning disable EF9100 // precompiled queries are experimental in EF Core 10
    /// <summary>Returns the call of one of these methods, with each argument as an expression that generated code can contain.</summary>
    internal static Expression Call(Delegate method, params object?[] arguments) => Expression.Call(
        method.Method, method.Method.GetParameters().Select((parameter, index) => Quote(arguments[index], parameter.ParameterType)));

    private static Expression Quote(object? argument, Type type) => argument switch
    {
        IRelationalQuotableExpression expression => expression.Quote(),
        RelationalTypeMapping mapping => RelationalExpressionQuotingUtilities.QuoteTypeMapping(mapping),
        null or string => Expression.Constant(argument, type),
        System.Collections.IEnumerable list => List(list, type.GetGenericArguments()[0]),
        _ => Expression.Constant(argument, type),
    };

    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Queries are precompiled by a tool, which runs as an ordinary program.")]
    private static NewArrayExpression List(System.Collections.IEnumerable list, Type type) =>
        Expression.NewArrayInit(type, list.Cast<object?>().Select(one => Quote(one, type)));
#pragma warning restore EF9100
}
