using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates the parts and totals of <see cref="TimeSpan"/>.</summary>
internal sealed class DurationMembers(MySqlSqlExpressionFactory factory) : IMemberTranslator
{
    // A part: the microseconds of its unit, and how many of it are one of the next unit; 0: there is no next one.
    private static readonly Dictionary<string, (long Unit, int Modulus)> Parts = new()
    {
        [nameof(TimeSpan.Days)] = (MicrosecondsOf.Day, 0),
        [nameof(TimeSpan.Hours)] = (MicrosecondsOf.Hour, 24),
        [nameof(TimeSpan.Minutes)] = (MicrosecondsOf.Minute, 60),
        [nameof(TimeSpan.Seconds)] = (MicrosecondsOf.Second, 60),
        [nameof(TimeSpan.Milliseconds)] = (MicrosecondsOf.Millisecond, 1000),
        [nameof(TimeSpan.Microseconds)] = (1, 1000),
    };

    private static readonly Dictionary<string, long> Totals = new()
    {
        [nameof(TimeSpan.TotalDays)] = MicrosecondsOf.Day,
        [nameof(TimeSpan.TotalHours)] = MicrosecondsOf.Hour,
        [nameof(TimeSpan.TotalMinutes)] = MicrosecondsOf.Minute,
        [nameof(TimeSpan.TotalSeconds)] = MicrosecondsOf.Second,
        [nameof(TimeSpan.TotalMilliseconds)] = MicrosecondsOf.Millisecond,
        [nameof(TimeSpan.TotalMicroseconds)] = 1,
    };

    private static readonly Dictionary<string, string> Functions = new()
    {
        [nameof(TimeSpan.Hours)] = "HOUR",
        [nameof(TimeSpan.Minutes)] = "MINUTE",
        [nameof(TimeSpan.Seconds)] = "SECOND",
    };

    private readonly Durations _durations = new(factory);

    public SqlExpression? Translate(SqlExpression? instance, MemberInfo member, Type returnType, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (instance is null || member.DeclaringType != typeof(TimeSpan))
            return null;
        if (Functions.TryGetValue(member.Name, out var function) && instance.TypeMapping is MySqlTimeSpanTypeMapping { Converter: null })
            return PartOfTime(instance, function, returnType);
        if (_durations.Number(instance) is not { } number)
            return null;
        if (Totals.TryGetValue(member.Name, out var unit))
            return factory.Divide(factory.Convert(number, typeof(double)), factory.Constant((double)unit));
        if (member.Name == nameof(TimeSpan.Ticks))
            return factory.Multiply(number, factory.Constant(TimeSpan.TicksPerMicrosecond));
        if (!Parts.TryGetValue(member.Name, out var part))
            return null;
        var whole = part.Unit == 1 ? number : factory.Divide(number, factory.Constant(part.Unit));
        return factory.Convert(part.Modulus == 0 ? whole : factory.Modulo(whole, factory.Constant((long)part.Modulus)), returnType);
    }

    // The functions return the parts without their sign.
    private SqlExpression PartOfTime(SqlExpression time, string function, Type returnType)
    {
        var part = factory.Call(function, returnType, time);
        part = function == "HOUR" ? factory.Modulo(part, factory.Constant(24)) : part;
        return factory.Case([new(factory.LessThan(time, factory.Constant(TimeSpan.Zero)), factory.Negate(part))], part);
    }
}
