using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates methods of dates and times.</summary>
internal sealed class DateMethods(MySqlSqlExpressionFactory factory) : IMethodCallTranslator
{
    // The method, the unit of the interval, and what the argument is multiplied by.
    private static readonly Dictionary<string, (string Unit, int Factor)> Additions = new()
    {
        [nameof(DateTime.AddYears)] = ("YEAR", 1),
        [nameof(DateTime.AddMonths)] = ("MONTH", 1),
        [nameof(DateTime.AddDays)] = ("DAY", 1),
        [nameof(DateTime.AddHours)] = ("HOUR", 1),
        [nameof(DateTime.AddMinutes)] = ("MINUTE", 1),
        [nameof(DateTime.AddSeconds)] = ("SECOND", 1),
        [nameof(DateTime.AddMilliseconds)] = ("MICROSECOND", 1000),
        [nameof(DateTime.AddMicroseconds)] = ("MICROSECOND", 1),
    };

    // What a fraction of a unit is, in microseconds: INTERVAL 1.5 DAY would be two days.
    private static readonly Dictionary<string, long> Microseconds = new()
    {
        ["DAY"] = MicrosecondsOf.Day,
        ["HOUR"] = MicrosecondsOf.Hour,
        ["MINUTE"] = MicrosecondsOf.Minute,
        ["SECOND"] = MicrosecondsOf.Second,
        ["MICROSECOND"] = 1,
    };

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        var type = method.DeclaringType;
        if (type != typeof(DateTime) && type != typeof(DateTimeOffset) && type != typeof(DateOnly) && type != typeof(TimeOnly))
            return null;
        if (instance is null)
            return (method.Name, arguments) switch
            {
                (nameof(DateOnly.FromDateTime), [var value]) when type == typeof(DateOnly) => factory.Call("DATE", typeof(DateOnly), value),
                (nameof(TimeOnly.FromDateTime), [var value]) when type == typeof(TimeOnly) => factory.Call("TIME", typeof(TimeOnly), value),
                (nameof(TimeOnly.FromTimeSpan), [var value]) when type == typeof(TimeOnly) => factory.Convert(value, typeof(TimeOnly)),
                _ => null,
            };
        if (arguments is [var amount] && Additions.TryGetValue(method.Name, out var addition) && type != typeof(TimeOnly))
            return Add(instance, amount, addition.Unit, addition.Factor);
        return (method.Name, arguments) switch
        {
            (nameof(DateOnly.ToDateTime), [var time]) when type == typeof(DateOnly) =>
                factory.Call("TIMESTAMP", typeof(DateTime), instance, time),
            (nameof(TimeOnly.ToTimeSpan), []) when type == typeof(TimeOnly) => factory.Convert(instance, typeof(TimeSpan)),
            (nameof(TimeOnly.IsBetween), [var start, var end]) when type == typeof(TimeOnly) => IsBetween(instance, start, end),
            (nameof(DateTimeOffset.ToUnixTimeSeconds), []) when type == typeof(DateTimeOffset) => Since("SECOND", instance, 1),
            (nameof(DateTimeOffset.ToUnixTimeMilliseconds), []) when type == typeof(DateTimeOffset) => Since("MICROSECOND", instance, 1000),
            _ => null,
        };
    }

    private DateAddExpression Add(SqlExpression date, SqlExpression amount, string unit, int scale)
    {
        if (amount is SqlConstantExpression { Value: double or int or float } constant
            && Convert.ToDouble(constant.Value, System.Globalization.CultureInfo.InvariantCulture) is var number && double.IsInteger(number))
            return Interval(date, factory.Constant((long)number * scale), unit);
        if (amount.Type == typeof(int) || !Microseconds.TryGetValue(unit, out var microseconds))
            return Interval(date, scale == 1 ? amount : factory.Multiply(amount, factory.Constant(scale)), unit);
        var total = factory.Call("ROUND", typeof(double), factory.Multiply(amount, factory.Constant((double)microseconds * scale)));
        return Interval(date, total, "MICROSECOND");
    }

    private DateAddExpression Interval(SqlExpression date, SqlExpression amount, string unit)
    {
        date = factory.ApplyDefaultTypeMapping(date);
        return new(date, factory.ApplyDefaultTypeMapping(amount), unit, date.Type, date.TypeMapping);
    }

    // An interval whose end is before its start spans midnight.
    private SqlExpression IsBetween(SqlExpression time, SqlExpression start, SqlExpression end)
    {
        var mapping = Microsoft.EntityFrameworkCore.Query.ExpressionExtensions.InferTypeMapping(time, start, end);
        (time, start, end) = (factory.ApplyTypeMapping(time, mapping), factory.ApplyTypeMapping(start, mapping), factory.ApplyTypeMapping(end, mapping));
        var (hasBegun, hasNotEnded) = (factory.GreaterThanOrEqual(time, start), factory.LessThan(time, end));
        return (start, end) switch
        {
            (SqlConstantExpression { Value: TimeOnly from }, SqlConstantExpression { Value: TimeOnly to }) =>
                from <= to ? factory.AndAlso(hasBegun, hasNotEnded) : factory.OrElse(hasBegun, hasNotEnded),
            _ => factory.Case(
                [new(factory.LessThanOrEqual(start, end), factory.AndAlso(hasBegun, hasNotEnded))], factory.OrElse(hasBegun, hasNotEnded)),
        };
    }

    private SqlExpression Since(string unit, SqlExpression value, int divisor)
    {
        var difference = factory.Difference(unit, factory.Epoch, value, typeof(long));
        return divisor == 1 ? difference : factory.Divide(difference, factory.Constant((long)divisor));
    }
}
