using System.Linq.Expressions;
using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates methods that compute with <see cref="TimeSpan"/>, and those of <see cref="TimeOnly"/> that move it.</summary>
internal sealed class DurationMethods(Durations durations) : IMethodCallTranslator
{
    private static readonly Dictionary<string, long> Units = new()
    {
        [nameof(TimeSpan.FromDays)] = MicrosecondsOf.Day,
        [nameof(TimeSpan.FromHours)] = MicrosecondsOf.Hour,
        [nameof(TimeSpan.FromMinutes)] = MicrosecondsOf.Minute,
        [nameof(TimeSpan.FromSeconds)] = MicrosecondsOf.Second,
        [nameof(TimeSpan.FromMilliseconds)] = MicrosecondsOf.Millisecond,
        [nameof(TimeSpan.FromMicroseconds)] = 1,
    };

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        var type = method.DeclaringType;
        if (type == typeof(TimeOnly) && instance is not null)
            return (method.Name, arguments) switch
            {
                (nameof(TimeOnly.Add), [var duration]) => durations.Turn(instance, duration),
                (nameof(TimeOnly.AddHours), [var hours]) => durations.Turn(instance, durations.Of(hours, MicrosecondsOf.Hour)),
                (nameof(TimeOnly.AddMinutes), [var minutes]) => durations.Turn(instance, durations.Of(minutes, MicrosecondsOf.Minute)),
                _ => null,
            };
        if (type != typeof(TimeSpan) && type != typeof(DateTime) && type != typeof(DateTimeOffset))
            return null;
        return (instance, method.Name, arguments) switch
        {
            (null, _, [var number]) when type == typeof(TimeSpan) && Units.TryGetValue(method.Name, out var unit) => durations.Of(number, unit),
            (not null, nameof(TimeSpan.Negate), []) => durations.Negate(instance),
            (not null, nameof(TimeSpan.Duration), []) => durations.Absolute(instance),
            (not null, nameof(TimeSpan.Add), [var other]) => durations.Compute(ExpressionType.Add, instance, other),
            (not null, nameof(TimeSpan.Subtract), [var other]) => durations.Compute(ExpressionType.Subtract, instance, other),
            (not null, nameof(TimeSpan.Multiply), [var factor]) => durations.Compute(ExpressionType.Multiply, instance, factor),
            (not null, nameof(TimeSpan.Divide), [var divisor]) => durations.Compute(ExpressionType.Divide, instance, divisor),
            _ => null,
        };
    }
}
