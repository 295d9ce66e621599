using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates EF.Functions.DateDiff…: the number of whole units between two dates.</summary>
internal sealed class DateDifferences(MySqlSqlExpressionFactory factory) : IMethodCallTranslator
{
    private const string Prefix = "DateDiff";

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType != typeof(MySqlDbFunctionsExtensions) || !method.Name.StartsWith(Prefix, StringComparison.Ordinal))
            return null;
        var unit = method.Name[Prefix.Length..].ToUpperInvariant();
        var mapping = Microsoft.EntityFrameworkCore.Query.ExpressionExtensions.InferTypeMapping(arguments[1], arguments[2]);
        var (start, end) = (factory.ApplyTypeMapping(arguments[1], mapping), factory.ApplyTypeMapping(arguments[2], mapping));
        var type = Nullable.GetUnderlyingType(method.ReturnType) ?? method.ReturnType;
        return unit switch
        {
            "MILLISECOND" => factory.Convert(factory.Divide(Microseconds(), factory.Constant(1000L)), type),
            "TICK" => factory.Convert(factory.Multiply(Microseconds(), factory.Constant(TimeSpan.TicksPerMicrosecond)), type),
            "NANOSECOND" => factory.Convert(factory.Multiply(Microseconds(), factory.Constant(1000L)), type),
            _ => factory.Difference(unit, start, end, type),
        };

        SqlExpression Microseconds() => factory.Difference("MICROSECOND", start, end, typeof(long));
    }
}
