using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates the parts of dates and times, and the current ones.</summary>
internal sealed class DateMembers(MySqlSqlExpressionFactory factory) : IMemberTranslator
{
    private static readonly Dictionary<string, string> Parts = new()
    {
        [nameof(DateTime.Year)] = "YEAR",
        [nameof(DateTime.Month)] = "MONTH",
        [nameof(DateTime.Day)] = "DAY",
        [nameof(DateTime.Hour)] = "HOUR",
        [nameof(DateTime.Minute)] = "MINUTE",
        [nameof(DateTime.Second)] = "SECOND",
        [nameof(DateTime.DayOfYear)] = "DAYOFYEAR",
    };

    public SqlExpression? Translate(SqlExpression? instance, MemberInfo member, Type returnType, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        var type = member.DeclaringType;
        if (type != typeof(DateTime) && type != typeof(DateTimeOffset) && type != typeof(DateOnly) && type != typeof(TimeOnly))
            return null;
        return instance is null ? Current(type, member.Name, returnType) : OfDate(instance, type, member.Name, returnType);
    }

    private SqlExpression? OfDate(SqlExpression value, Type type, string name, Type returnType) => name switch
    {
        nameof(DateTime.DayOfWeek) => factory.Convert(
            factory.Subtract(factory.Call("DAYOFWEEK", typeof(int), value), factory.Constant(1)), returnType),
        nameof(DateOnly.DayNumber) => factory.Subtract(factory.Call("TO_DAYS", typeof(int), value), factory.Constant(366)),
        nameof(DateTime.Millisecond) => factory.Divide(factory.Call("MICROSECOND", typeof(int), value), factory.Constant(1000)),
        nameof(DateTime.Microsecond) => factory.Modulo(factory.Call("MICROSECOND", typeof(int), value), factory.Constant(1000)),
        nameof(DateTime.Date) when type != typeof(DateTimeOffset) => factory.Convert(factory.Call("DATE", typeof(DateOnly), value), returnType),
        nameof(DateTimeOffset.Date) => factory.Convert(factory.Call("DATE", typeof(DateOnly), value), returnType),
        nameof(DateTime.TimeOfDay) => factory.Call("TIME", returnType, value),
        nameof(DateTimeOffset.DateTime) or nameof(DateTimeOffset.UtcDateTime) when type == typeof(DateTimeOffset) => factory.Convert(value, returnType),
        _ when Parts.TryGetValue(name, out var part) => factory.Call(part, returnType, value),
        _ => null,
    };

    // The functions know no fraction unless asked.
    private SqlExpression? Current(Type type, string name, Type returnType) => (type.Name, name) switch
    {
        (nameof(DateTime), nameof(DateTime.Now)) => Now("NOW", returnType),
        // A DateTimeOffset is stored as UTC.
        (nameof(DateTime), nameof(DateTime.UtcNow)) or (nameof(DateTimeOffset), nameof(DateTimeOffset.UtcNow) or nameof(DateTimeOffset.Now)) =>
            Now("UTC_TIMESTAMP", returnType),
        (nameof(DateTime), nameof(DateTime.Today)) => factory.Convert(
            factory.Function("CURDATE", [], nullable: false, [], typeof(DateOnly)), returnType),
        _ => null,
    };

    private SqlExpression Now(string name, Type returnType) =>
        factory.Function(name, [factory.Constant(6)], nullable: false, [false], returnType);
}
