using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Conventions;
using Microsoft.EntityFrameworkCore.Metadata.Conventions.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Microsoft.EntityFrameworkCore.ValueGeneration;
using Slipstream.MySql.EntityFrameworkCore.Diagnostics;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Migrations;
using Slipstream.MySql.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Factories;
using Slipstream.MySql.EntityFrameworkCore.Query.Temporal;
using Slipstream.MySql.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.ValueGeneration;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Extension methods that register EF Core for MySQL and MariaDB.</summary>
public static class MySqlServiceCollectionExtensions
{
    /// <summary>Registers a context that uses MySQL or MariaDB by a connection string.</summary>
    /// <typeparam name="TContext">The context.</typeparam>
    /// <param name="serviceCollection">The services.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets options of MySQL and MariaDB.</param>
    /// <param name="optionsAction">Sets options of the context.</param>
    /// <returns>The services.</returns>
    public static IServiceCollection AddMySql<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors
            | DynamicallyAccessedMemberTypes.PublicProperties)]
        TContext>(
        this IServiceCollection serviceCollection, string? connectionString, ServerVersion? serverVersion = null,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null, Action<DbContextOptionsBuilder>? optionsAction = null)
        where TContext : DbContext =>
        serviceCollection.AddDbContext<TContext>(options =>
        {
            optionsAction?.Invoke(options);
            options.UseMySql(connectionString, serverVersion, mySqlOptionsAction);
        });

    /// <summary>Registers the services of the provider, for an internal service provider of the caller's own.</summary>
    /// <param name="serviceCollection">The services.</param>
    /// <returns>The services.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static IServiceCollection AddEntityFrameworkMySql(this IServiceCollection serviceCollection)
    {
        new EntityFrameworkRelationalServicesBuilder(serviceCollection)
            .TryAdd<LoggingDefinitions, MySqlLoggingDefinitions>()
            .TryAdd<IDatabaseProvider, DatabaseProvider<MySqlOptionsExtension>>()
            .TryAdd<IRelationalTypeMappingSource, MySqlTypeMappingSource>()
            .TryAdd<ISqlGenerationHelper, MySqlSqlGenerationHelper>()
            .TryAdd<IRelationalAnnotationProvider, MySqlAnnotationProvider>()
            .TryAdd<IModelValidator, MySqlModelValidator>()
            .TryAdd<IProviderConventionSetBuilder, MySqlConventionSetBuilder>()
            .TryAdd<IValueGeneratorSelector, MySqlValueGeneratorSelector>()
            .TryAdd<IUpdateSqlGenerator, MySqlUpdateSqlGenerator>()
            .TryAdd<IBatchExecutor, MySqlBatchExecutor>()
            .TryAdd<IModificationCommandFactory, MySqlModificationCommandFactory>()
            .TryAdd<IModificationCommandBatchFactory, MySqlModificationCommandBatchFactory>()
            .TryAdd<IRelationalConnection, MySqlRelationalConnection>()
            .TryAdd<IRelationalDatabaseCreator, MySqlDatabaseCreator>()
            .TryAdd<IRelationalTransactionFactory, MySqlRelationalTransactionFactory>()
            .TryAdd<IExecutionStrategyFactory, MySqlExecutionStrategyFactory>()
            .TryAdd<IExceptionDetector, MySqlExceptionDetector>()
            .TryAdd<IHistoryRepository, MySqlHistoryRepository>()
            .TryAdd<IMigrationCommandExecutor, MySqlMigrationCommandExecutor>()
            .TryAdd<IMigrationsModelDiffer, MySqlMigrationsModelDiffer>()
            .TryAdd<IMigrationsSqlGenerator, MySqlMigrationsSqlGenerator>()
            .TryAdd<IEvaluatableExpressionFilter, MySqlEvaluatableExpressionFilter>()
            .TryAdd<INavigationExpansionExtensibilityHelper, TemporalNavigations>()
            .TryAdd<IQueryCompilationContextFactory, MySqlQueryCompilationContextFactory>()
            .TryAdd<IQuerySqlGeneratorFactory, MySqlQuerySqlGeneratorFactory>()
            .TryAdd<IRelationalParameterBasedSqlProcessorFactory, MySqlParameterBasedSqlProcessorFactory>()
            .TryAdd<ISqlExpressionFactory, MySqlSqlExpressionFactory>()
            .TryAdd<IMethodCallTranslatorProvider, MySqlMethodCallTranslatorProvider>()
            .TryAdd<IMemberTranslatorProvider, MySqlMemberTranslatorProvider>()
            .TryAdd<IAggregateMethodCallTranslatorProvider, MySqlAggregateMethodCallTranslatorProvider>()
            .TryAdd<IRelationalSqlTranslatingExpressionVisitorFactory, MySqlSqlTranslatingExpressionVisitorFactory>()
            .TryAdd<IQueryableMethodTranslatingExpressionVisitorFactory, MySqlQueryableMethodTranslatingExpressionVisitorFactory>()
            .TryAdd<IQueryTranslationPostprocessorFactory, MySqlQueryTranslationPostprocessorFactory>()
            .TryAdd<ISingletonOptions, MySqlSingletonOptions>(static services => services.GetRequiredService<MySqlSingletonOptions>())
            .TryAddProviderSpecificServices(static services => services
                .TryAddSingleton<MySqlSingletonOptions, MySqlSingletonOptions>()
                .TryAddSingleton<SequenceBlocks>(static _ => SequenceBlocks.Instance)
                .TryAddScoped<IMySqlSpatialCapabilities>(static provider => provider.GetRequiredService<MySqlSingletonOptions>().Capabilities))
            .TryAddCoreServices();
        return serviceCollection;
    }
}
