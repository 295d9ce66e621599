using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>The options that <c>UseMySql</c> sets, besides those of every relational provider.</summary>
internal sealed record MySqlOptions
{
    /// <summary>The data source, if the context takes its connections from one.</summary>
    public DbDataSource? DataSource { get; init; }

    /// <summary>The version of the server; null if the provider asks the server when it first needs the version.</summary>
    public ServerVersion? ServerVersion { get; init; }

    /// <summary>What happens to schemas.</summary>
    public MySqlSchemaBehavior SchemaBehavior { get; init; }

    /// <summary>The function that makes one name of a schema's and an object's.</summary>
    public MySqlSchemaNameTranslator? SchemaNameTranslator { get; init; }

    /// <summary>How the driver writes a Guid: the option GUID Format of the connection string.</summary>
    public MySqlGuidFormat GuidFormat { get; init; }

    /// <summary>Whether the server's SQL mode has NO_BACKSLASH_ESCAPES.</summary>
    public bool NoBackslashEscapes { get; init; }

    /// <summary>Whether methods with <see cref="StringComparison"/> are translated.</summary>
    public bool StringComparisonTranslations { get; init; }

    /// <summary>Whether a condition on a boolean column is written as a comparison, which can use an index.</summary>
    public bool IndexOptimizedBooleanColumns { get; init; } = true;

    /// <summary>Whether strings without a length in keys and indexes are limited to what a key can hold.</summary>
    public bool LimitKeyedOrIndexedStringColumnLength { get; init; } = true;

    /// <summary>Whether a transaction that SaveChanges begins is in the texts of its commands.</summary>
    public bool TransactionsInText { get; init; }

    /// <summary>Whether the lock for migrations is a row of a table instead of a lock by name.</summary>
    public bool TableForMigrationsLock { get; init; }

    /// <summary>How often, and after which pauses, a question for the version is repeated; null: never.</summary>
    public RetryLimits? Retries { get; init; }

    /// <summary>Returns a context's options.</summary>
    public static MySqlOptions Of(IDbContextOptions options) => options.Extensions.OfType<IHolder>().FirstOrDefault()?.Options ?? new();

    /// <summary>The extension that holds the options.</summary>
    internal interface IHolder
    {
        MySqlOptions Options { get; }

        /// <summary>The version of the server, as it was given or asked.</summary>
        ServerVersion Version { get; }
    }
}
