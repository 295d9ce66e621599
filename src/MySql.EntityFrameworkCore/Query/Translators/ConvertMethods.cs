using System.Linq.Expressions;
using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates <see cref="Convert"/> and <see cref="object.ToString"/> of numbers, dates and the like.</summary>
internal sealed class ConvertMethods(MySqlSqlExpressionFactory factory) : IMethodCallTranslator
{
    private static readonly HashSet<string> Names =
    [
        nameof(Convert.ToByte), nameof(Convert.ToDecimal), nameof(Convert.ToDouble), nameof(Convert.ToInt16), nameof(Convert.ToInt32), nameof(Convert.ToInt64),
        nameof(Convert.ToString), nameof(Convert.ToSingle),
    ];

    private static readonly HashSet<Type> Texts =
    [
        typeof(sbyte), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong), typeof(decimal), typeof(Guid),
        typeof(DateOnly), typeof(char), typeof(double), typeof(float),
    ];

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType == typeof(Convert) && Names.Contains(method.Name) && arguments is [var value])
            return method.ReturnType == value.Type ? value : factory.Convert(value, method.ReturnType);
        if (method.DeclaringType == typeof(Convert) && method.Name == nameof(Convert.ToBoolean) && arguments is [var truth])
            return ToBoolean(truth);
        if (instance is null || method.Name != nameof(ToString) || arguments.Count > 0)
            return null;
        var type = Nullable.GetUnderlyingType(instance.Type) ?? instance.Type;
        if (type == typeof(string))
            return instance;
        if (type == typeof(bool))
            return factory.Case(
                [
                    new(factory.Equal(instance, factory.Constant(true)), factory.Constant("True")),
                    new(factory.Equal(instance, factory.Constant(false)), factory.Constant("False")),
                ],
                factory.Constant(""));
        if (type == typeof(Guid) && instance.TypeMapping?.Converter is not null)
            return GuidText.Of(instance) is { } text ? factory.Coalesce(text, factory.Constant("")) : null;
        // object.ToString() of a nullable value that is null is "".
        return Texts.Contains(type) && instance.TypeMapping?.Converter is null
            ? factory.Coalesce(factory.Convert(instance, typeof(string)), factory.Constant(""))
            : null;
    }

    // A number is true if it is not 0. The words of a text are not those of SQL.
    private SqlExpression? ToBoolean(SqlExpression value) => Type.GetTypeCode(value.Type) switch
    {
        _ when value is SqlUnaryExpression { OperatorType: ExpressionType.Convert, Operand: var operand, Type: var type } && type == typeof(object) =>
            ToBoolean(operand),
        TypeCode.Boolean => value,
        >= TypeCode.SByte and <= TypeCode.Decimal when !value.Type.IsEnum => factory.NotEqual(
            value, factory.Constant(Convert.ChangeType(0, value.Type, System.Globalization.CultureInfo.InvariantCulture), value.TypeMapping)),
        _ => null,
    };
}
