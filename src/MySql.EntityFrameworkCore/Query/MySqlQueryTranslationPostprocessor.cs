using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;
using Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Rewrites a translated query to what the server takes. What it cannot take fails here, and never reaches the server.</summary>
internal sealed class MySqlQueryTranslationPostprocessor(
    QueryTranslationPostprocessorDependencies dependencies, RelationalQueryTranslationPostprocessorDependencies relationalDependencies,
    RelationalQueryCompilationContext queryCompilationContext, MySqlSingletonOptions options)
    : RelationalQueryTranslationPostprocessor(dependencies, relationalDependencies, queryCompilationContext)
{
    public override Expression Process(Expression query)
    {
        query = TemporalTables.Complete(base.Process(query), RelationalQueryCompilationContext.QueryTrackingBehavior);
        query = new LimitInSubquery(RelationalQueryCompilationContext.SqlAliasManager).Visit(query);
        if (!options.Capabilities.Lateral)
        {
            var (factory, aliases) = (RelationalDependencies.SqlExpressionFactory, RelationalQueryCompilationContext.SqlAliasManager);
            query = new RowCounts(factory, aliases).Visit(query);
            query = new LateralJoins(factory, RelationalDependencies.TypeMappingSource, aliases, options.ServerVersion).Visit(query);
        }

        return query;
    }

    protected override Expression ProcessTypeMappings(Expression expression) =>
        new MySqlTypeMappingPostprocessor(Dependencies, RelationalDependencies, RelationalQueryCompilationContext).Process(expression);
}
