using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Hosting;

/// <summary>Applies settings to the options of a context.</summary>
internal static class ContextOptions
{
    /// <summary>Returns what <c>UseMySql</c> has set.</summary>
    /// <exception cref="InvalidOperationException">The options are not those of this provider.</exception>
    public static MySqlOptionsExtension Find<TContext>(DbContextOptions options)
        where TContext : DbContext =>
        options.FindExtension<MySqlOptionsExtension>() ?? throw new InvalidOperationException(
            $"The registration of the context '{typeof(TContext).Name}' does not call UseMySql, which EnrichMySqlDbContext needs. Call it in the options of "
                + "AddDbContext or AddDbContextPool, not in OnConfiguring.");

    /// <summary>Returns the version of the settings; null if the provider asks the server.</summary>
    public static ServerVersion? Version(SlipstreamMySqlEntityFrameworkCoreSettings settings) =>
        settings.ServerVersion is { } text ? ServerVersion.Parse(text) : null;

    /// <summary>Sets retries and time limit of a context that has no options yet.</summary>
    public static void Set(MySqlDbContextOptionsBuilder mySql, SlipstreamMySqlEntityFrameworkCoreSettings settings)
    {
        if (!settings.DisableRetry)
            mySql.EnableRetryOnFailure();
        if (settings.CommandTimeout is { } seconds)
            mySql.CommandTimeout(seconds);
    }

    /// <summary>Adds retries, time limit and version to the options that the application has set.</summary>
    /// <exception cref="InvalidOperationException">The options contradict the settings.</exception>
    public static void Enrich<TContext>(DbContextOptionsBuilder options, SlipstreamMySqlEntityFrameworkCoreSettings settings)
        where TContext : DbContext
    {
        var extension = Find<TContext>(options.Options);
        options.UseMySql(extension.ServerVersion ?? Version(settings), mySql =>
        {
            if (!settings.DisableRetry)
                AddRetry(mySql);
            if (settings.CommandTimeout is not { } seconds)
                return;
            if (extension.CommandTimeout is { } own && own != seconds)
                throw new InvalidOperationException(
                    $"The command timeout of the context '{typeof(TContext).Name}' is {own} s in its options, but {seconds} s in the settings of "
                        + "EnrichMySqlDbContext. Remove one of the two.");
            mySql.CommandTimeout(seconds);
        });

        void AddRetry(MySqlDbContextOptionsBuilder mySql)
        {
            if (extension.ExecutionStrategyFactory is { } create)
                mySql.ExecutionStrategy(dependencies => Require(create(dependencies)));
            else
                mySql.EnableRetryOnFailure();
        }

        // Only a real context has what the application's function may need, so it is not called before.
        static IExecutionStrategy Require(IExecutionStrategy strategy) => strategy as MySqlRetryingExecutionStrategy ?? throw new InvalidOperationException(
            $"The context '{typeof(TContext).Name}' has the execution strategy '{strategy.GetType().Name}', which EnrichMySqlDbContext would have to "
                + "replace. Keep it with the setting DisableRetry, or derive it from MySqlRetryingExecutionStrategy.");
    }
}
