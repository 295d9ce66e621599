using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>Creates the strategy of the options, or one that repeats nothing.</summary>
internal sealed class MySqlExecutionStrategyFactory(ExecutionStrategyDependencies dependencies) : RelationalExecutionStrategyFactory(dependencies)
{
    protected override IExecutionStrategy CreateDefaultStrategy(ExecutionStrategyDependencies dependencies) =>
        new NonRetryingExecutionStrategy(dependencies);
}
