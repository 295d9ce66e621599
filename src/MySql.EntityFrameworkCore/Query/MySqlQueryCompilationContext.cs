using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>The state of a query that is being compiled.</summary>
internal sealed class MySqlQueryCompilationContext : RelationalQueryCompilationContext
{
    public MySqlQueryCompilationContext(
        QueryCompilationContextDependencies dependencies, RelationalQueryCompilationContextDependencies relationalDependencies, bool async)
        : base(dependencies, relationalDependencies, async)
    {
    }

#pragma warning disable EF9100 // precompiled queries are experimental in EF Core 10
    public MySqlQueryCompilationContext(
        QueryCompilationContextDependencies dependencies, RelationalQueryCompilationContextDependencies relationalDependencies, bool async, bool precompiling)
        : base(dependencies, relationalDependencies, async, precompiling)
    {
    }

    public override bool SupportsPrecompiledQuery => true;
#pragma warning restore EF9100

    // A session has one reader at a time: the first reader of a split query must be read to its end before the second is opened.
    public override bool IsBuffering => base.IsBuffering || QuerySplittingBehavior == Microsoft.EntityFrameworkCore.QuerySplittingBehavior.SplitQuery;
}
