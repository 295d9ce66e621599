namespace Microsoft.EntityFrameworkCore;

/// <summary>
/// Functions for JSON of MySQL and MariaDB, for example <c>EF.Functions.JsonContains(o.Document, "1", "$.a")</c>. A path begins with <c>$</c>. Write
/// several paths as arguments in the query itself, not as one array variable; each path may be a variable.
/// </summary>
public static class MySqlJsonDbFunctionsExtensions
{
    /// <summary>Converts a text to JSON: CAST(… AS JSON) on MySQL. MariaDB has no type for JSON: there, the result is the text itself.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="value">The text of a document.</param>
    /// <returns>The document.</returns>
    public static MySqlJsonString AsJson(this DbFunctions _, string? value) => throw OnlyInQueries(nameof(AsJson));

    /// <summary>Returns the type of a document: JSON_TYPE, such as <c>OBJECT</c>, <c>ARRAY</c>, <c>STRING</c> or <c>INTEGER</c>.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <returns>The type.</returns>
    public static string JsonType(this DbFunctions _, object? json) => throw OnlyInQueries(nameof(JsonType));

    /// <summary>Converts a text to a JSON string, in quotes: JSON_QUOTE.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="value">The text.</param>
    /// <returns>The text in quotes.</returns>
    public static string JsonQuote(this DbFunctions _, string? value) => throw OnlyInQueries(nameof(JsonQuote));

    /// <summary>Converts a JSON string to its text, without quotes: JSON_UNQUOTE.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <returns>The text without quotes.</returns>
    public static string JsonUnquote(this DbFunctions _, object? json) => throw OnlyInQueries(nameof(JsonUnquote));

    /// <summary>
    /// Returns a part of a document: JSON_EXTRACT. With the type string, or with several paths, the result is JSON, so that a text has its quotes (see
    /// <see cref="JsonUnquote"/>). With another type, it is the value.
    /// </summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="paths">The paths of the parts. Several parts are returned as an array.</param>
    /// <returns>The part; null if there is none.</returns>
    public static T JsonExtract<T>(this DbFunctions _, object? json, params string[] paths) => throw OnlyInQueries(nameof(JsonExtract));

    /// <summary>Returns whether two documents have a value or a key in common: JSON_OVERLAPS of MySQL, and of MariaDB 10.9 and later.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json1">A column or value of JSON.</param>
    /// <param name="json2">A column or value of JSON.</param>
    /// <returns>Whether they overlap.</returns>
    public static bool JsonOverlaps(this DbFunctions _, object? json1, object? json2) => throw OnlyInQueries(nameof(JsonOverlaps));

    /// <summary>Returns whether a document contains another one: JSON_CONTAINS.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="candidate">The other document: a text of JSON, a number or a boolean.</param>
    /// <returns>Whether the document contains it.</returns>
    public static bool JsonContains(this DbFunctions _, object? json, object? candidate) => throw OnlyInQueries(nameof(JsonContains));

    /// <summary>Returns whether a document contains another one at a path: JSON_CONTAINS.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="candidate">The other document: a text of JSON, a number or a boolean.</param>
    /// <param name="path">The path.</param>
    /// <returns>Whether the document contains it.</returns>
    public static bool JsonContains(this DbFunctions _, object? json, object? candidate, string? path) => throw OnlyInQueries(nameof(JsonContains));

    /// <summary>Returns whether a document has a path: JSON_CONTAINS_PATH.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="path">The path.</param>
    /// <returns>Whether the path exists.</returns>
    public static bool JsonContainsPath(this DbFunctions _, object? json, string? path) => throw OnlyInQueries(nameof(JsonContainsPath));

    /// <summary>Returns whether a document has at least one of several paths: JSON_CONTAINS_PATH.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="paths">The paths.</param>
    /// <returns>Whether one of the paths exists.</returns>
    public static bool JsonContainsPathAny(this DbFunctions _, object? json, params string[] paths) => throw OnlyInQueries(nameof(JsonContainsPathAny));

    /// <summary>Returns whether a document has all of several paths: JSON_CONTAINS_PATH.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="paths">The paths.</param>
    /// <returns>Whether all paths exist.</returns>
    public static bool JsonContainsPathAll(this DbFunctions _, object? json, params string[] paths) => throw OnlyInQueries(nameof(JsonContainsPathAll));

    /// <summary>Returns whether a document contains a text that matches a pattern: JSON_SEARCH.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="searchString">The pattern: <c>%</c> is any text, <c>_</c> one character.</param>
    /// <returns>Whether the document contains it.</returns>
    public static bool JsonSearchAny(this DbFunctions _, object? json, string? searchString) => throw OnlyInQueries(nameof(JsonSearchAny));

    /// <summary>Returns whether a document contains a text that matches a pattern, at or below a path: JSON_SEARCH.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="searchString">The pattern: <c>%</c> is any text, <c>_</c> one character.</param>
    /// <param name="path">The path.</param>
    /// <returns>Whether the document contains it.</returns>
    public static bool JsonSearchAny(this DbFunctions _, object? json, string? searchString, string? path) => throw OnlyInQueries(nameof(JsonSearchAny));

    /// <summary>Returns whether a document contains a text that matches a pattern, at or below a path: JSON_SEARCH.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="json">A column or value of JSON: a text, or a result of another function of JSON.</param>
    /// <param name="searchString">The pattern: <c>%</c> is any text, <c>_</c> one character.</param>
    /// <param name="path">The path.</param>
    /// <param name="escapeChar">The character after which <c>%</c> and <c>_</c> are themselves; null or empty for the backslash.</param>
    /// <returns>Whether the document contains it.</returns>
    public static bool JsonSearchAny(this DbFunctions _, object? json, string? searchString, string? path, string? escapeChar) =>
        throw OnlyInQueries(nameof(JsonSearchAny));

    private static InvalidOperationException OnlyInQueries(string name) => MySqlDbFunctionsExtensions.OnlyInQueries(name);
}
