using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Translates <see cref="MySqlJsonDbFunctionsExtensions"/>. A translator of methods would not get the array of paths.</summary>
internal sealed class JsonFunctions(MySqlSqlExpressionFactory factory, IRelationalTypeMappingSource mappings, Func<Expression, Expression?> visit)
{
    public static bool IsJson(MethodCallExpression call) => call.Method.DeclaringType == typeof(MySqlJsonDbFunctionsExtensions);

    /// <summary>Returns the translation, or null if a part has none.</summary>
    public SqlExpression? Translate(MethodCallExpression call)
    {
        var arguments = new List<SqlExpression>();
        foreach (var argument in call.Arguments.Skip(1))
        {
            if (argument.Type == typeof(string[]))
            {
                IEnumerable<Expression> paths = argument switch
                {
                    NewArrayExpression array => array.Expressions,
                    ConstantExpression { Value: string[] known } => known.Select(static path => Expression.Constant(path)),
                    _ => [],
                };
                var count = arguments.Count;
                foreach (var path in paths)
                    if (!Add(path))
                        return null;
                if (arguments.Count == count)
                    throw new InvalidOperationException(
                        $"EF.Functions.{call.Method.Name} needs at least one path, and paths that are written in the query, not an array of paths.");
            }
            else if (!Add(argument))
            {
                return null;
            }
        }

        return Function(call.Method.Name, call.Method.ReturnType, arguments);

        bool Add(Expression expression)
        {
            if (visit(expression) is not SqlExpression translated)
                return false;
            arguments.Add(factory.ApplyDefaultTypeMapping(translated));
            return true;
        }
    }

    private SqlExpression? Function(string name, Type type, List<SqlExpression> arguments)
    {
        var json = Document(arguments[0]);
        return (name, arguments) switch
        {
            // Where JSON is not a type, a document is its text.
            (nameof(MySqlJsonDbFunctionsExtensions.AsJson), [var text]) => new SqlUnaryExpression(
                ExpressionType.Convert, text, type, mappings.FindMapping(typeof(string), "json")),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonType), _) => Call("JSON_TYPE", type, json),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonQuote), [var text]) => Call("JSON_QUOTE", type, text),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonUnquote), _) => Call("JSON_UNQUOTE", type, json),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonExtract), [_, var path]) when type != typeof(string) => Scalar(json, path, type),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonExtract), _) when type != typeof(string) => throw new InvalidOperationException(
                $"EF.Functions.JsonExtract with several paths returns a JSON array, not a value of type {type.Name}. Use JsonExtract<string>, or call "
                    + "JsonExtract once for each path."),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonExtract), [_, .. var paths]) => Call("JSON_EXTRACT", type, [json, .. paths]),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonOverlaps), [_, var other]) => Call("JSON_OVERLAPS", type, json, Document(other)),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonContains), [_, var candidate, .. var path]) =>
                Text(candidate) is { } text ? Call("JSON_CONTAINS", type, [json, text, .. path]) : null,
            (nameof(MySqlJsonDbFunctionsExtensions.JsonContainsPath) or nameof(MySqlJsonDbFunctionsExtensions.JsonContainsPathAny), [_, .. var paths]) =>
                Call("JSON_CONTAINS_PATH", type, [json, factory.Constant("one"), .. paths]),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonContainsPathAll), [_, .. var paths]) =>
                Call("JSON_CONTAINS_PATH", type, [json, factory.Constant("all"), .. paths]),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonSearchAny), [_, var sought]) =>
                factory.IsNotNull(Call("JSON_SEARCH", typeof(string), json, factory.Constant("one"), sought)),
            (nameof(MySqlJsonDbFunctionsExtensions.JsonSearchAny), [_, var sought, var path, .. var escape]) => factory.IsNotNull(
                Call("JSON_SEARCH", typeof(string), json, factory.Constant("one"), sought, escape is [var one] ? one : factory.Fragment("NULL"), path)),
            _ => null,
        };
    }

    // NULL also where no argument is NULL: at a path that the document does not have.
    private SqlExpression Call(string name, Type type, params SqlExpression[] arguments) =>
        factory.Function(name, arguments, nullable: true, Enumerable.Repeat(false, arguments.Length), type);

    private JsonExtractExpression Scalar(SqlExpression json, SqlExpression path, Type type)
    {
        var mapping = mappings.FindMapping(type)
            ?? throw new InvalidOperationException($"EF.Functions.JsonExtract returns a text, a number, a date or a boolean, not a {type.Name}.");
        return JsonValues.CanRead(mapping)
            ? new JsonExtractExpression(json, path, type, mapping)
            : throw new InvalidOperationException(JsonValues.Refusal(mapping));
    }

    // Inside another function, what was extracted is JSON.
    private SqlExpression Document(SqlExpression json) =>
        json is JsonExtractExpression extracted ? Call("JSON_EXTRACT", typeof(string), extracted.Document, extracted.Path) : json;

    // JSON of a number or a boolean, which MySQL does not take as such.
    private SqlExpression? Text(SqlExpression candidate)
    {
        candidate = Document(candidate);
        var type = Nullable.GetUnderlyingType(candidate.Type) ?? candidate.Type;
        if (type == typeof(string) || type == typeof(MySqlJsonString))
            return candidate;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => factory.Case(
                [
                    new(factory.Equal(candidate, factory.Constant(true)), factory.Constant("true")),
                    new(factory.Equal(candidate, factory.Constant(false)), factory.Constant("false")),
                ],
                null),
            >= TypeCode.SByte and <= TypeCode.Decimal => factory.Convert(candidate, typeof(string)),
            _ => null,
        };
    }
}
