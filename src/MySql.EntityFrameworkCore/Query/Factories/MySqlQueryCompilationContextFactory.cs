using Microsoft.EntityFrameworkCore.Query;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Factories;

/// <summary>Creates <see cref="MySqlQueryCompilationContext"/>.</summary>
internal sealed class MySqlQueryCompilationContextFactory(
    QueryCompilationContextDependencies dependencies, RelationalQueryCompilationContextDependencies relationalDependencies)
    : IQueryCompilationContextFactory
{
    public QueryCompilationContext Create(bool async) => new MySqlQueryCompilationContext(dependencies, relationalDependencies, async);

#pragma warning disable EF9100 // precompiled queries are experimental in EF Core 10
    public QueryCompilationContext CreatePrecompiled(bool async) => new MySqlQueryCompilationContext(dependencies, relationalDependencies, async, true);
#pragma warning restore EF9100
}
