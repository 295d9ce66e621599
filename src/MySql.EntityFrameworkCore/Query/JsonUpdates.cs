using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Internal;
using Microsoft.EntityFrameworkCore.Storage.Json;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;
using Slipstream.MySql.EntityFrameworkCore.Query.Translators;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>
/// Makes the value that ExecuteUpdate sets inside a document: in the form in which SaveChanges writes it, and EF Core reads it. A value with the mapping of
/// a document is JSON; any other is a number, a text or a boolean of SQL.
/// </summary>
internal sealed class JsonUpdates(
    MySqlSqlExpressionFactory factory, IRelationalTypeMappingSource mappings, QueryCompilationContext context, MySqlSingletonOptions options)
{
    private const string ParameterPrefix = "json_";

    private static readonly Func<QueryContext, string, JsonValueReaderWriter, string?> JsonText = MySqlPrecompiledQuery.JsonText;

    private readonly Durations _durations = new(factory);

    private RelationalTypeMapping Json => mappings.FindMapping(typeof(JsonTypePlaceholder))!;

    private RelationalTypeMapping Text => mappings.FindMapping(typeof(string))!;

    /// <summary>Returns the value as the document contains it.</summary>
    /// <param name="target">The property of the document.</param>
    /// <param name="value">The value, with a mapping.</param>
    /// <param name="translate">Makes an expression of the query of a parameter.</param>
    /// <exception cref="InvalidOperationException">The server cannot compute it.</exception>
    public SqlExpression Serialize(JsonScalarExpression target, SqlExpression value, Func<Expression, SqlExpression?> translate)
    {
        var mapping = value.TypeMapping!;
        var writer = mapping.JsonValueReaderWriter;
        var type = mapping.ProviderType();
        var isPlain = type == typeof(string) || type == typeof(bool) || IsInteger(type) || type == typeof(float) || type == typeof(double);
        if ((!isPlain || IsOwn(writer)) && writer is not null)
        {
            switch (value)
            {
                case SqlConstantExpression constant:
                    return new SqlConstantExpression(constant.Value is null ? null : writer.ToJsonString(constant.Value), typeof(string), Json);
                case SqlParameterExpression parameter:
                    return factory.ApplyTypeMapping(translate(TextOf(parameter, writer)), Json)!;
            }
        }

        if (value is SqlConstantExpression or SqlParameterExpression && isPlain)
            return type == typeof(float) ? Exact(value) : value;
        // A value of a derived class, as the class of the property.
        var given = value is SqlUnaryExpression { OperatorType: ExpressionType.Convert } cast && cast.Type.IsAssignableFrom(cast.Operand.Type)
            ? cast.Operand
            : value;
        if (given is JsonScalarExpression { Path.Count: > 0 } part && IsSameJson(part.TypeMapping!, target.TypeMapping!))
            return new JsonScalarExpression(part.Json, part.Path, typeof(string), Json, part.IsNullable);
        if (IsOwn(target.TypeMapping!.JsonValueReaderWriter))
            throw Unknown(target);
        return Compute(target, value);
    }

    // ---------------------------------------------------------------- columns and expressions

    private SqlExpression Compute(JsonScalarExpression target, SqlExpression value)
    {
        var (type, wanted) = (value.TypeMapping!.ProviderType(), target.TypeMapping!.ProviderType());
        if (wanted == typeof(TimeSpan) && _durations.Number(value) is { } microseconds)
            return IsRandom(microseconds) ? throw Random(target) : Duration(microseconds);
        if (Durations.IsComputed(value) || Kind(type) != Kind(wanted))
            return Guid(value, type, wanted) ?? throw Different(target, value);
        if (wanted == typeof(Guid))
            return Function("LOWER", value);
        if (wanted == typeof(float))
            return Exact(value);
        if (wanted == typeof(decimal))
            return Decimal(value);
        if (wanted == typeof(byte[]))
            return Base64(value);
        if (wanted == typeof(DateTime))
            return WithoutZeros(Function("DATE_FORMAT", value, Constant("%Y-%m-%dT%H:%i:%s.%f")));
        if (wanted == typeof(DateTimeOffset))
            return Function("CONCAT", WithoutZeros(Function("DATE_FORMAT", value, Constant("%Y-%m-%dT%H:%i:%s.%f"))), Constant("+00:00"));
        if (wanted == typeof(DateOnly))
            return Function("DATE_FORMAT", value, Constant("%Y-%m-%d"));
        if (wanted == typeof(TimeOnly))
            return Function("TIME_FORMAT", value, Constant("%H:%i:%s.%f0"));
        return wanted == typeof(string) || wanted == typeof(bool) || wanted == typeof(double) || IsInteger(wanted) ? value : throw Unknown(target);
    }

    // A Guid in a column of 16 bytes and one that is a text.
    private static SqlExpression? Guid(SqlExpression value, Type type, Type wanted)
    {
        if (value.TypeMapping is not { } mapping || (Nullable.GetUnderlyingType(value.Type) ?? value.Type) != typeof(Guid) || mapping.Converter is null)
            return null;
        return type == typeof(byte[]) && wanted == typeof(Guid) && mapping.StoreTypeNameBase is "binary" && mapping.Size == 16 ? GuidText.Of(value) : null;
    }

    // The text of a duration contains the number several times.
    private static bool IsRandom(SqlExpression value) => Correlation.Contains(value, static node => node is SqlFunctionExpression { Name: "RAND" });

    // Like TimeSpan.ToString("g"): days only if there are any, hours without a zero at the start, a fraction without zeros at the end.
    private SqlExpression Duration(SqlExpression microseconds)
    {
        var day = factory.Constant(MicrosecondsOf.Day);
        var number = factory.Call("ABS", typeof(long), microseconds.TypeMapping, microseconds);
        var time = factory.Call(
            "SEC_TO_TIME", typeof(TimeSpan), mappings.FindMapping(typeof(TimeSpan)),
            factory.Multiply(factory.Modulo(number, day), factory.Constant(0.000001m)));
        return Function(
            "CONCAT", Choice(factory.LessThan(microseconds, factory.Constant(0L)), Constant("-")),
            Choice(factory.GreaterThanOrEqual(number, day), Function("CONCAT", factory.Divide(number, day), Constant(":"))),
            WithoutZeros(Function("TIME_FORMAT", time, Constant("%k:%i:%s.%f"))));

        SqlExpression Choice(SqlExpression condition, SqlExpression text) => factory.Case([new CaseWhenClause(condition, text)], Constant(""));
    }

    // A string if it has more digits than a double, as JsonDecimals writes it.
    private SqlExpression Decimal(SqlExpression value)
    {
        var number = WithoutZeros(new SqlUnaryExpression(ExpressionType.Convert, value, typeof(decimal), MySqlDecimalTypeMapping.Default));
        var digits = new TrimExpression("LEADING", '0', Without(".", Without("-", number)));
        return factory.Case(
            [
                new CaseWhenClause(
                    factory.GreaterThan(factory.Call("CHAR_LENGTH", typeof(int), mappings.FindMapping(typeof(int)), digits),
                        factory.Constant(JsonDecimals.DigitsOfDouble)),
                    factory.ApplyTypeMapping(factory.Call("CONCAT", typeof(string), Json, Constant("\""), number, Constant("\"")), Json)),
            ],
            factory.Call("CONCAT", typeof(string), Json, number));

        SqlExpression Without(string sign, SqlExpression text) => Function("REPLACE", text, Constant(sign), Constant(""));
    }

    // TO_BASE64 breaks lines.
    private SqlExpression Base64(SqlExpression value) => Function("REPLACE", Function("TO_BASE64", value), Constant("\n"), Constant(""));

    // A FLOAT has six digits as a text.
    private SqlExpression Exact(SqlExpression value) => options.Capabilities.JsonType || value is SqlConstantExpression
        ? value
        : new SqlUnaryExpression(ExpressionType.Convert, value, typeof(double), MySqlDoubleTypeMapping.Default);

    // The zeros at the end of a fraction, and the point if nothing else is left.
    private TrimExpression WithoutZeros(SqlExpression text) =>
        new("TRAILING", '.', new TrimExpression("TRAILING", '0', text.TypeMapping == Text ? text : Function("CONCAT", text)));

    private SqlExpression Function(string name, params SqlExpression[] arguments) => factory.Call(name, typeof(string), Text, arguments);

    private SqlExpression Constant(string text) => factory.Constant(text, Text);

    // ---------------------------------------------------------------- parameters

    // The code of a precompiled query makes the writer again.
#pragma warning disable EF9100 // generating code of an expression is marked as experimental
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "EF Core compiles the lambda together with the query, or makes code of it.")]
    private QueryParameterExpression TextOf(SqlParameterExpression parameter, JsonValueReaderWriter writer) => context.RegisterRuntimeParameter(
        $"{ParameterPrefix}{parameter.Name}_{writer.GetType().Name.Replace("`", "", StringComparison.Ordinal)}",
        Expression.Lambda(
            Expression.Call(
                JsonText.Method, QueryCompilationContext.QueryContextParameter, Expression.Constant(parameter.Name),
                context.IsPrecompiling ? writer.ConstructorExpression : Expression.Constant(writer, typeof(JsonValueReaderWriter))),
            QueryCompilationContext.QueryContextParameter));
#pragma warning restore EF9100

    // ---------------------------------------------------------------- mappings

    private static bool IsSameJson(RelationalTypeMapping value, RelationalTypeMapping target) => IsGeometry(value, target)
        || (Kind(value.ProviderType()) == Kind(target.ProviderType()) && value.JsonValueReaderWriter?.GetType() == target.JsonValueReaderWriter?.GetType());

    // Geometries of all classes have the same form.
    private static bool IsGeometry(RelationalTypeMapping value, RelationalTypeMapping target) =>
        target.ClrType.IsAssignableFrom(value.ClrType)
        && value.GetType() is { IsGenericType: true } mapping && target.GetType() is { IsGenericType: true } other
        && mapping.GetGenericTypeDefinition() == other.GetGenericTypeDefinition()
        && mapping.BaseType is { IsGenericType: true } parent && parent.GetGenericTypeDefinition() == typeof(RelationalGeometryTypeMapping<,>)
        && value.JsonValueReaderWriter?.GetType() is { IsGenericType: true } writer
        && target.JsonValueReaderWriter?.GetType() is { IsGenericType: true } otherWriter
        && writer.GetGenericTypeDefinition() == otherWriter.GetGenericTypeDefinition();

    // Written by a class of the application.
#pragma warning disable EF1001 // what a writer is composed of has no public name
    private static bool IsOwn(JsonValueReaderWriter? writer) => writer is ICompositeJsonValueReaderWriter composite
        ? IsOwn(composite.InnerReaderWriter)
        : writer is not (null or JsonDecimals) && writer.GetType().Assembly != typeof(JsonValueReaderWriter).Assembly;
#pragma warning restore EF1001

    private static Type Kind(Type type) => IsInteger(type) || type == typeof(float) || type == typeof(double) ? typeof(decimal) : type;

    private static bool IsInteger(Type type) => Type.GetTypeCode(type) is >= TypeCode.SByte and <= TypeCode.UInt64;

    private static InvalidOperationException Different(JsonScalarExpression target, SqlExpression value) => new(
        $"ExecuteUpdate cannot set '{Name(target)}' in a document: it is stored as {target.TypeMapping!.ProviderType().Name} there, and the new value as "
            + $"{value.TypeMapping!.ProviderType().Name}. Give both the same conversion, set a constant or a parameter, or call SaveChanges.");

    private static InvalidOperationException Unknown(JsonScalarExpression target) => new(
        $"ExecuteUpdate cannot set '{Name(target)}' in a document from a column or an expression: SQL cannot write the JSON of a "
            + $"{target.TypeMapping!.ClrType.Name}. Set a constant or a parameter, or call SaveChanges.");

    private static InvalidOperationException Random(JsonScalarExpression target) => new(
        $"ExecuteUpdate cannot set '{Name(target)}' in a document to a random duration: SQL would compute another random number for each part of its text. "
            + "Set a column to it first, or call SaveChanges.");

    private static string Name(JsonScalarExpression target) =>
        string.Join('.', target.Path.Where(static segment => segment.PropertyName is not null).Select(static segment => segment.PropertyName));
}
