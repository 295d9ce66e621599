using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates methods of <see cref="Guid"/>, <see cref="Regex"/> and <c>EF.Functions</c>, and those of bytes.</summary>
internal sealed class OtherMethods(MySqlSqlExpressionFactory factory, IRelationalTypeMappingSource mappings) : IMethodCallTranslator
{
    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        var type = method.DeclaringType;
        if (type == typeof(Guid) && method.Name == nameof(Guid.NewGuid))
            return factory.Function("UUID", [], nullable: false, [], typeof(Guid), mappings.FindMapping(typeof(Guid), "char(36)"));
        if (type == typeof(Regex) && method.Name == nameof(Regex.IsMatch) && arguments is [var input, var pattern])
            return new RegexpExpression(
                factory.ApplyDefaultTypeMapping(input), factory.ApplyDefaultTypeMapping(pattern), mappings.FindMapping(typeof(bool)));
        if (type == typeof(DbFunctionsExtensions) && method.Name == nameof(DbFunctionsExtensions.Random))
            return factory.Function("RAND", [], nullable: false, [], typeof(double));
        if (type == typeof(Enumerable) && arguments is [{ Type: var bytes } array, ..] && bytes == typeof(byte[]))
            return OnBytes(method.Name, array, arguments);
        return null;
    }

    private SqlExpression? OnBytes(string name, SqlExpression array, IReadOnlyList<SqlExpression> arguments) => (name, arguments) switch
    {
        (nameof(Enumerable.Contains), [_, var item]) => factory.GreaterThan(
            factory.Call(
                "LOCATE", typeof(int), item is SqlConstantExpression { Value: byte value }
                    ? factory.Constant(new byte[] { value }, array.TypeMapping)
                    : factory.Call("CHAR", typeof(byte[]), item), array),
            factory.Constant(0)),
        (nameof(Enumerable.First), [_]) => factory.Call("ASCII", typeof(byte), array),
        (nameof(Enumerable.ElementAt), [_, var index]) when index.Type == typeof(int) => factory.ByteAt(array, index),
        (nameof(Enumerable.SequenceEqual), [_, { Type: var other } second]) when other == typeof(byte[]) => factory.Equal(array, second),
        _ => null,
    };
}
