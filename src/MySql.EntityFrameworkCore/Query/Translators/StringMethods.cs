using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using ExpressionExtensions = Microsoft.EntityFrameworkCore.Query.ExpressionExtensions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates methods of <see cref="string"/>.</summary>
internal sealed class StringMethods(MySqlSqlExpressionFactory factory) : IMethodCallTranslator
{
    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType == typeof(string))
            return instance is null ? Static(method, arguments) : OnText(instance, method, arguments);
        if (method.DeclaringType == typeof(Enumerable) && arguments is [{ Type: var type } text] && type == typeof(string))
            return method.Name switch
            {
                nameof(Enumerable.FirstOrDefault) => factory.Call("SUBSTRING", typeof(char), text, factory.Constant(1), factory.Constant(1)),
                nameof(Enumerable.LastOrDefault) => factory.Call("RIGHT", typeof(char), text, factory.Constant(1)),
                _ => null,
            };
        return null;
    }

    private SqlExpression? Static(MethodInfo method, IReadOnlyList<SqlExpression> arguments) => method.Name switch
    {
        nameof(string.IsNullOrWhiteSpace) => factory.OrElse(
            factory.IsNull(arguments[0]),
            new RegexpExpression(
                factory.ApplyDefaultTypeMapping(arguments[0]), factory.ApplyDefaultTypeMapping(factory.Constant($"^{CharacterClasses.WhiteSpace}*$")),
                factory.ApplyDefaultTypeMapping(factory.Constant(true)).TypeMapping)),
        nameof(string.IsNullOrEmpty) => factory.OrElse(
            factory.IsNull(arguments[0]), factory.Equal(arguments[0], factory.Constant("", arguments[0].TypeMapping))),
        _ => null,
    };

    private SqlExpression? OnText(SqlExpression text, MethodInfo method, IReadOnlyList<SqlExpression> arguments) => (method.Name, arguments) switch
    {
        (nameof(string.ToLower) or nameof(string.ToLowerInvariant), []) => factory.Call("LOWER", typeof(string), text.TypeMapping, text),
        (nameof(string.ToUpper) or nameof(string.ToUpperInvariant), []) => factory.Call("UPPER", typeof(string), text.TypeMapping, text),
        (nameof(string.Substring), [var start]) => factory.Call("SUBSTRING", typeof(string), text.TypeMapping, text, Next(start)),
        (nameof(string.Substring), [var start, var length]) => factory.Call("SUBSTRING", typeof(string), text.TypeMapping, text, Next(start), length),
        (nameof(string.IndexOf), [var sought]) when IsText(sought) => IndexOf(text, sought, null),
        (nameof(string.IndexOf), [var sought, var start]) when IsText(sought) && start.Type == typeof(int) => IndexOf(text, sought, start),
        (nameof(string.Replace), [var old, var next]) when IsText(old) && IsText(next) => Replace(text, old, next),
        (nameof(string.Trim), _) => Trim("BOTH", text, arguments),
        (nameof(string.TrimStart), _) => Trim("LEADING", text, arguments),
        (nameof(string.TrimEnd), _) => Trim("TRAILING", text, arguments),
        (nameof(string.PadLeft), [var width]) => Pad("LPAD", text, width, factory.Constant(" ")),
        (nameof(string.PadLeft), [var width, var fill]) => Pad("LPAD", text, width, fill),
        (nameof(string.PadRight), [var width]) => Pad("RPAD", text, width, factory.Constant(" ")),
        (nameof(string.PadRight), [var width, var fill]) => Pad("RPAD", text, width, fill),
        _ => null,
    };

    private static bool IsText(SqlExpression expression) => expression.Type == typeof(string) || expression.Type == typeof(char);

    private SqlExpression Next(SqlExpression index) =>
        index is SqlConstantExpression { Value: int number } ? factory.Constant(number + 1) : factory.Add(index, factory.Constant(1));

    private SqlExpression IndexOf(SqlExpression text, SqlExpression sought, SqlExpression? start)
    {
        var mapping = ExpressionExtensions.InferTypeMapping(text, sought);
        (text, sought) = (factory.ApplyTypeMapping(text, mapping), Text(sought, mapping));
        return factory.Subtract(Position.Of(factory, sought, text, start is null ? null : Next(start)), factory.Constant(1));
    }

    private SqlExpression Replace(SqlExpression text, SqlExpression old, SqlExpression next)
    {
        var mapping = ExpressionExtensions.InferTypeMapping(text, old, next);
        return factory.Call(
            "REPLACE", typeof(string), mapping, factory.ApplyTypeMapping(text, mapping), Text(old, mapping), Text(next, mapping));
    }

    // LPAD cuts a longer text, and PadLeft does not.
    private SqlExpression Pad(string name, SqlExpression text, SqlExpression width, SqlExpression fill) =>
        factory.Call(
            name, typeof(string), text.TypeMapping, text, factory.Call("GREATEST", typeof(int), factory.Call("CHAR_LENGTH", typeof(int), text), width),
            Text(fill, text.TypeMapping));

    // A char is mapped with a converter, which a text's mapping does not have.
    private SqlExpression Text(SqlExpression value, RelationalTypeMapping? mapping) => value switch
    {
        SqlConstantExpression { Value: char character } => factory.Constant(character.ToString(), mapping),
        { Type: var type } when type == typeof(char) => factory.ApplyDefaultTypeMapping(value),
        _ => factory.ApplyTypeMapping(value, mapping),
    };

    // TRIM takes off a text, not a set of characters: one character is the same.
    private SqlExpression? Trim(string where, SqlExpression text, IReadOnlyList<SqlExpression> arguments) => arguments switch
    {
        [] or [SqlConstantExpression { Value: char[] { Length: 0 } }] => CharacterClasses.Trim(factory, where, CharacterClasses.WhiteSpace, text),
        [SqlConstantExpression { Value: char single }] => new TrimExpression(where, single, text),
        [SqlConstantExpression { Value: char[] { Length: 1 } characters }] => new TrimExpression(where, characters[0], text),
        // Half of a character is not one for the server.
        [SqlConstantExpression { Value: char[] characters }] when !Array.Exists(characters, char.IsSurrogate) =>
            CharacterClasses.Trim(factory, where, CharacterClasses.Of(characters), text),
        _ => null,
    };
}
