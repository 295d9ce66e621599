using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates <see cref="MySqlServerFunctionsExtensions"/>.</summary>
internal sealed class ServerFunctions(MySqlSqlExpressionFactory factory, IRelationalTypeMappingSource mappings) : IMethodCallTranslator
{
    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType != typeof(MySqlServerFunctionsExtensions))
            return null;
        var value = arguments[1];
        return method.Name switch
        {
            nameof(MySqlServerFunctionsExtensions.Hex) => factory.Call("HEX", typeof(string), value),
            // UNHEX returns bytes, and NULL for what is not hexadecimal.
            nameof(MySqlServerFunctionsExtensions.Unhex) => factory.Convert(
                factory.Function("UNHEX", [value], nullable: true, [false], typeof(byte[])), typeof(string)),
            nameof(MySqlServerFunctionsExtensions.Degrees) => factory.Call("DEGREES", method.ReturnType, value.TypeMapping, value),
            nameof(MySqlServerFunctionsExtensions.Radians) => factory.Call("RADIANS", method.ReturnType, value.TypeMapping, value),
            nameof(MySqlServerFunctionsExtensions.Like) => Like(value, arguments[2], arguments.Count > 3 ? arguments[3] : null),
            nameof(MySqlServerFunctionsExtensions.ConvertTimeZone) => ConvertTimeZone(value, arguments.Count > 3 ? arguments[2] : null, arguments[^1]),
            _ => null,
        };
    }

    // The pattern is a text, even if the value is not.
    private LikeExpression Like(SqlExpression value, SqlExpression pattern, SqlExpression? escape)
    {
        var mapping = value.Type == typeof(string) ? value.TypeMapping : null;
        return new(
            factory.ApplyDefaultTypeMapping(value), mapping is null ? factory.ApplyDefaultTypeMapping(pattern) : factory.ApplyTypeMapping(pattern, mapping),
            escape is null ? null : factory.ApplyDefaultTypeMapping(escape), mappings.FindMapping(typeof(bool)));
    }

    private SqlExpression ConvertTimeZone(SqlExpression value, SqlExpression? from, SqlExpression to)
    {
        var type = Nullable.GetUnderlyingType(value.Type) ?? value.Type;
        from ??= type == typeof(DateTimeOffset) ? factory.Constant("+00:00") : factory.Fragment("@@session.time_zone", typeof(string));
        // NULL, if the server does not know the zone.
        var converted = factory.Function("CONVERT_TZ", [value, from, to], nullable: true, [false, false, false], typeof(DateTime));
        return type == typeof(DateOnly) ? factory.Function("DATE", [converted], nullable: true, [true], typeof(DateOnly)) : converted;
    }
}
