using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates methods of <see cref="Math"/> and <see cref="MathF"/>, and those of numbers that do the same.</summary>
internal sealed class MathMethods(MySqlSqlExpressionFactory factory) : IMethodCallTranslator
{
    private static readonly Dictionary<string, string> Functions = new()
    {
        [nameof(Math.Abs)] = "ABS",
        [nameof(Math.Acos)] = "ACOS",
        [nameof(Math.Asin)] = "ASIN",
        [nameof(Math.Atan)] = "ATAN",
        [nameof(Math.Atan2)] = "ATAN2",
        [nameof(Math.Ceiling)] = "CEILING",
        [nameof(Math.Cos)] = "COS",
        [nameof(Math.Exp)] = "EXP",
        [nameof(Math.Floor)] = "FLOOR",
        [nameof(Math.Log10)] = "LOG10",
        [nameof(Math.Log2)] = "LOG2",
        [nameof(Math.Pow)] = "POWER",
        [nameof(Math.Sign)] = "SIGN",
        [nameof(Math.Sin)] = "SIN",
        [nameof(Math.Sqrt)] = "SQRT",
        [nameof(Math.Tan)] = "TAN",
        [nameof(double.DegreesToRadians)] = "RADIANS",
        [nameof(double.RadiansToDegrees)] = "DEGREES",
    };

    private static readonly HashSet<Type> Types = [typeof(Math), typeof(MathF), typeof(double), typeof(float), typeof(decimal)];

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (instance is not null || method.DeclaringType is not { } type || !Types.Contains(type) || arguments.Count == 0)
            return null;
        var mapping = arguments[0].TypeMapping is { } first && arguments[0].Type == method.ReturnType ? first : null;
        return (method.Name, arguments) switch
        {
            (nameof(Math.Log), [var value]) => factory.Call("LOG", method.ReturnType, mapping, value),
            (nameof(Math.Log), [var value, var ofBase]) => factory.Call("LOG", method.ReturnType, mapping, ofBase, value),
            (nameof(Math.Round), [var value]) => factory.Call("ROUND", method.ReturnType, mapping, value),
            (nameof(Math.Round), [var value, { Type: var digits } second]) when digits == typeof(int) =>
                factory.Call("ROUND", method.ReturnType, mapping, value, second),
            (nameof(Math.Truncate), [var value]) => factory.Call("TRUNCATE", method.ReturnType, mapping, value, factory.Constant(0)),
            (nameof(Math.Max), [var left, var right]) => Extreme("GREATEST", method, left, right),
            (nameof(Math.Min), [var left, var right]) => Extreme("LEAST", method, left, right),
            _ when Functions.TryGetValue(method.Name, out var name) => factory.Call(name, method.ReturnType, mapping, [.. arguments]),
            _ => null,
        };
    }

    private SqlExpression Extreme(string name, MethodInfo method, SqlExpression left, SqlExpression right)
    {
        var mapping = Microsoft.EntityFrameworkCore.Query.ExpressionExtensions.InferTypeMapping(left, right);
        return factory.Call(name, method.ReturnType, mapping, factory.ApplyTypeMapping(left, mapping), factory.ApplyTypeMapping(right, mapping));
    }
}
