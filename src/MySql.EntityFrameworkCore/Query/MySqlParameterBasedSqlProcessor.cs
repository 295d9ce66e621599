using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Finishes a query when the values of its parameters are known.</summary>
internal sealed class MySqlParameterBasedSqlProcessor(
    RelationalParameterBasedSqlProcessorDependencies dependencies, RelationalParameterBasedSqlProcessorParameters parameters)
    : RelationalParameterBasedSqlProcessor(dependencies, parameters)
{
    protected override Expression ProcessSqlNullability(Expression queryExpression, ParametersCacheDecorator parametersDecorator) =>
        new MySqlSqlNullabilityProcessor(Dependencies, Parameters).Process(queryExpression, parametersDecorator);
}
