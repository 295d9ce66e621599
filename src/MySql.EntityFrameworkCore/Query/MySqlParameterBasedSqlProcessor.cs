using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Finishes a query when the values of its parameters are known.</summary>
internal sealed class MySqlParameterBasedSqlProcessor(
    RelationalParameterBasedSqlProcessorDependencies dependencies, RelationalParameterBasedSqlProcessorParameters parameters,
    MySqlSingletonOptions options)
    : RelationalParameterBasedSqlProcessor(dependencies, parameters)
{
    protected override Expression ProcessSqlNullability(Expression queryExpression, ParametersCacheDecorator parametersDecorator)
    {
        var processed = new MySqlSqlNullabilityProcessor(Dependencies, Parameters).Process(queryExpression, parametersDecorator);
        // After the processing, which makes "b" of "b = TRUE".
        return options.Values.IndexOptimizedBooleanColumns ? new BooleanColumns(Dependencies.SqlExpressionFactory).Visit(processed) : processed;
    }
}
