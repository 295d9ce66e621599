using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates the statistical functions of <c>EF.Functions</c> over a group.</summary>
internal sealed class StatisticalAggregates(MySqlSqlExpressionFactory factory) : IAggregateMethodCallTranslator
{
    private static readonly Dictionary<string, string> Functions = new()
    {
        [nameof(MySqlDbFunctionsExtensions.StandardDeviationSample)] = "STDDEV_SAMP",
        [nameof(MySqlDbFunctionsExtensions.StandardDeviationPopulation)] = "STDDEV_POP",
        [nameof(MySqlDbFunctionsExtensions.VarianceSample)] = "VAR_SAMP",
        [nameof(MySqlDbFunctionsExtensions.VariancePopulation)] = "VAR_POP",
    };

    public SqlExpression? Translate(
        MethodInfo method, EnumerableExpression source, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType != typeof(MySqlDbFunctionsExtensions) || !Functions.TryGetValue(method.Name, out var name)
            || source.Selector is not SqlExpression value)
            return null;
        // MariaDB answers for integers with four decimals.
        value = value.Type == typeof(double) ? value : factory.Convert(value, typeof(double));
        if (source.Predicate is { } predicate)
            value = factory.Case([new(predicate, value)], null);
        if (source.IsDistinct)
            value = new DistinctExpression(value);
        return factory.Function(name, [value], nullable: true, [false], typeof(double));
    }
}
