using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Factories;

/// <summary>Creates <see cref="MySqlParameterBasedSqlProcessor"/>.</summary>
internal sealed class MySqlParameterBasedSqlProcessorFactory(
    RelationalParameterBasedSqlProcessorDependencies dependencies, MySqlSingletonOptions options)
    : IRelationalParameterBasedSqlProcessorFactory
{
    public RelationalParameterBasedSqlProcessor Create(RelationalParameterBasedSqlProcessorParameters parameters) =>
        new MySqlParameterBasedSqlProcessor(dependencies, parameters, options);
}
