using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>
/// Computes with durations as numbers of microseconds: TIME ends at 838:59:59, which the server puts in the place of a longer duration, and a difference of
/// dates has no such limit.
/// </summary>
internal sealed class Durations(MySqlSqlExpressionFactory factory)
{
    private const string Microsecond = "MICROSECOND";

    /// <summary>The mapping of a computed duration: a number of microseconds.</summary>
    public static RelationalTypeMapping Mapping { get; } = (RelationalTypeMapping)new LongTypeMapping("bigint").WithComposedConverter(
        new ValueConverter<TimeSpan, long>(
            static duration => duration.Ticks / TimeSpan.TicksPerMicrosecond, static number => new TimeSpan(number * TimeSpan.TicksPerMicrosecond)));

    /// <summary>Returns whether a value is a duration, stored or computed.</summary>
    public static bool IsDuration(Expression expression) => Plain(expression.Type) == typeof(TimeSpan);

    /// <summary>Returns whether a value is a computed duration.</summary>
    public static bool IsComputed(SqlExpression expression) => ReferenceEquals(expression.TypeMapping?.Converter, Mapping.Converter);

    /// <summary>Returns whether an operator computes with durations, dates or times.</summary>
    public static bool IsArithmetic(BinaryExpression binary)
    {
        var (left, right) = (Plain(binary.Left.Type), Plain(binary.Right.Type));
        return binary.NodeType switch
        {
            ExpressionType.Add => right == typeof(TimeSpan) && (left == typeof(TimeSpan) || IsDate(left)),
            ExpressionType.Subtract => (left == typeof(TimeSpan) || IsDate(left) || left == typeof(TimeOnly)) && (right == typeof(TimeSpan) || right == left),
            ExpressionType.Multiply => left == typeof(TimeSpan) || right == typeof(TimeSpan),
            ExpressionType.Divide => left == typeof(TimeSpan),
            _ => false,
        };
    }

    /// <summary>Translates <c>left + right</c> and the like; null: there is no SQL for it.</summary>
    public SqlExpression? Compute(ExpressionType operatorType, SqlExpression left, SqlExpression right) =>
        (operatorType, IsDuration(left), IsDuration(right)) switch
        {
            (ExpressionType.Add, true, true) => Combine(ExpressionType.Add, left, right),
            (ExpressionType.Subtract, true, true) => Combine(ExpressionType.Subtract, left, right),
            (ExpressionType.Add, false, true) => Move(left, right, isBack: false),
            (ExpressionType.Subtract, false, true) => Move(left, right, isBack: true),
            (ExpressionType.Subtract, false, false) => Difference(left, right),
            (ExpressionType.Multiply, true, false) => Scale(left, right, ExpressionType.Multiply),
            (ExpressionType.Multiply, false, true) => Scale(right, left, ExpressionType.Multiply),
            (ExpressionType.Divide, true, false) => Scale(left, right, ExpressionType.Divide),
            (ExpressionType.Divide, true, true) when Number(left) is { } number && Number(right) is { } divisor =>
                factory.Divide(factory.Convert(number, typeof(double)), factory.Convert(divisor, typeof(double))),
            _ => null,
        };

    /// <summary>Translates <c>-duration</c>.</summary>
    public SqlExpression? Negate(SqlExpression duration) =>
        Microseconds(duration) is { } value ? new SqlUnaryExpression(ExpressionType.Negate, value, typeof(TimeSpan), Mapping) : null;

    /// <summary>Translates <c>duration.Duration()</c>.</summary>
    public SqlExpression? Absolute(SqlExpression duration) =>
        Microseconds(duration) is { } value ? factory.Call("ABS", typeof(TimeSpan), Mapping, value) : null;

    /// <summary>Translates <c>time.Add(duration)</c>, which begins again at midnight; null: the time or the duration is stored in a way of its own.</summary>
    public SqlExpression? Turn(SqlExpression time, SqlExpression duration)
    {
        time = factory.ApplyDefaultTypeMapping(time);
        if (time.TypeMapping is not MySqlTimeOnlyTypeMapping { Converter: null } || Number(duration) is not { } number)
            return null;
        var day = factory.Constant(MicrosecondsOf.Day);
        var sum = factory.Add(SinceEpoch(time, typeof(long), LongTypeMapping.Default), factory.Add(factory.Modulo(number, day), day));
        return factory.Call("SEC_TO_TIME", time.Type, time.TypeMapping, factory.Multiply(factory.Modulo(sum, day), factory.Constant(0.000001m)));
    }

    /// <summary>Returns the duration of a number of units.</summary>
    public SqlExpression Of(SqlExpression number, long microsecondsOfUnit)
    {
        number = factory.ApplyDefaultTypeMapping(number);
        return IsFraction(number)
            ? Rounded(factory.Multiply(factory.Convert(number, typeof(double)), factory.Constant((double)microsecondsOfUnit)))
            : Duration(factory.Multiply(factory.Convert(number, typeof(long)), factory.Constant(microsecondsOfUnit)));
    }

    /// <summary>Compares two durations of which one is computed; null if none is.</summary>
    public SqlExpression? Compare(ExpressionType operatorType, SqlExpression left, SqlExpression right)
    {
        if (operatorType == ExpressionType.Coalesce || !IsDuration(left) || !IsDuration(right) || !(IsComputed(left) || IsComputed(right)))
            return null;
        return Microseconds(left) is { } first && Microseconds(right) is { } second ? factory.MakeBinary(operatorType, first, second, null) : null;
    }

    /// <summary>Returns the duration as a number of microseconds of the type Int64; null if it is stored in a way of its own.</summary>
    public SqlExpression? Number(SqlExpression duration) =>
        Microseconds(duration) is { } value ? factory.Convert(value, typeof(long)) : null;

    // ---------------------------------------------------------------- parts

    private SqlExpression? Microseconds(SqlExpression duration) => duration switch
    {
        _ when IsComputed(duration) => duration,
        SqlConstantExpression constant => factory.Constant(constant.Value, typeof(TimeSpan), Mapping),
        { TypeMapping: null } => factory.ApplyTypeMapping(duration, Mapping),
        { TypeMapping: MySqlTimeSpanTypeMapping { Converter: null } } => SinceEpoch(duration, typeof(TimeSpan), Mapping),
        _ => null,
    };

    // Keeps the sign and the fraction, which TIME_TO_SEC does not.
    private SqlExpression SinceEpoch(SqlExpression time, Type type, RelationalTypeMapping mapping) =>
        factory.Difference(Microsecond, factory.Epoch, factory.Call("ADDTIME", typeof(DateTime), factory.Epoch, time), type, mapping);

    private SqlUnaryExpression Duration(SqlExpression number) =>
        new(ExpressionType.Convert, factory.ApplyDefaultTypeMapping(number), typeof(TimeSpan), Mapping);

    private SqlBinaryExpression? Combine(ExpressionType operatorType, SqlExpression left, SqlExpression right) =>
        Microseconds(left) is { } first && Microseconds(right) is { } second
            ? new SqlBinaryExpression(operatorType, first, second, typeof(TimeSpan), Mapping)
            : null;

    private SqlExpression? Move(SqlExpression date, SqlExpression duration, bool isBack)
    {
        date = factory.ApplyDefaultTypeMapping(date);
        if (!IsStoredAsDate(date))
            return null;
        if (duration.TypeMapping is MySqlTimeSpanTypeMapping { Converter: null })
            return factory.Call(isBack ? "SUBTIME" : "ADDTIME", date.Type, date.TypeMapping, factory.Convert(date, date.Type, date.TypeMapping), duration);
        return Microseconds(duration) is { } value
            ? new DateAddExpression(
                date, isBack ? new SqlUnaryExpression(ExpressionType.Negate, value, typeof(TimeSpan), Mapping) : value, Microsecond, date.Type,
                date.TypeMapping)
            : null;
    }

    private SqlExpression? Difference(SqlExpression left, SqlExpression right)
    {
        (left, right) = (factory.ApplyDefaultTypeMapping(left), factory.ApplyDefaultTypeMapping(right));
        if (left.Type == typeof(TimeOnly))
        {
            // A difference of times is of one day at most, and not negative.
            if (left.TypeMapping?.Converter is not null || right.TypeMapping?.Converter is not null)
                return null;
            var day = factory.Constant(MicrosecondsOf.Day);
            var number = factory.Subtract(
                SinceEpoch(left, typeof(long), LongTypeMapping.Default), SinceEpoch(right, typeof(long), LongTypeMapping.Default));
            return Duration(factory.Modulo(factory.Add(number, day), day));
        }

        return IsStoredAsDate(left) && IsStoredAsDate(right)
            ? factory.Difference(Microsecond, right, left, typeof(TimeSpan), Mapping)
            : null;
    }

    private SqlUnaryExpression? Scale(SqlExpression duration, SqlExpression factor, ExpressionType operatorType)
    {
        if (Number(duration) is not { } number || factory.ApplyDefaultTypeMapping(factor) is not { TypeMapping: not null } by)
            return null;
        var scaled = factory.MakeBinary(operatorType, factory.Convert(number, typeof(double)), factory.Convert(by, typeof(double)), null);
        return scaled is null ? null : Rounded(scaled);
    }

    private SqlUnaryExpression Rounded(SqlExpression number) => Duration(factory.Call("ROUND", typeof(double), number));

    private static bool IsStoredAsDate(SqlExpression date) => date.TypeMapping is MySqlDateTimeTypeMapping { Converter: null }
        or MySqlDateTimeOffsetTypeMapping { Converter: null };

    private static bool IsDate(Type type) => type == typeof(DateTime) || type == typeof(DateTimeOffset);

    private static bool IsFraction(SqlExpression number) => Type.GetTypeCode(Plain(number.Type)) is TypeCode.Double or TypeCode.Single or TypeCode.Decimal;

    private static Type Plain(Type type) => Nullable.GetUnderlyingType(type) ?? type;
}
