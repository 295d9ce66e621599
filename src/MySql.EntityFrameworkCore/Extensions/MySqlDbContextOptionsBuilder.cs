using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Storage;

namespace Microsoft.EntityFrameworkCore.Infrastructure;

/// <summary>The options of MySQL and MariaDB, as <c>UseMySql</c> passes them to its action.</summary>
/// <param name="optionsBuilder">The builder of the context's options.</param>
public class MySqlDbContextOptionsBuilder(DbContextOptionsBuilder optionsBuilder)
    : RelationalDbContextOptionsBuilder<MySqlDbContextOptionsBuilder, MySqlOptionsExtension>(optionsBuilder)
{
    /// <summary>Repeats work that failed for a passing reason: up to 6 times, with growing pauses.</summary>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder EnableRetryOnFailure() =>
        ExecutionStrategy(static dependencies => new MySqlRetryingExecutionStrategy(dependencies)).AskAgain(RetryLimits.Default);

    /// <summary>Repeats work that failed for a passing reason.</summary>
    /// <param name="maxRetryCount">The highest number of repetitions.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder EnableRetryOnFailure(int maxRetryCount) =>
        ExecutionStrategy(dependencies => new MySqlRetryingExecutionStrategy(dependencies, maxRetryCount))
            .AskAgain(RetryLimits.Default with { MaxCount = maxRetryCount });

    /// <summary>Repeats work that failed for a passing reason.</summary>
    /// <param name="maxRetryCount">The highest number of repetitions.</param>
    /// <param name="maxRetryDelay">The longest pause between two tries.</param>
    /// <param name="errorNumbersToAdd">Numbers of errors that count as passing, besides the usual ones.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder EnableRetryOnFailure(int maxRetryCount, TimeSpan maxRetryDelay, ICollection<int>? errorNumbersToAdd) =>
        ExecutionStrategy(dependencies => new MySqlRetryingExecutionStrategy(dependencies, maxRetryCount, maxRetryDelay, errorNumbersToAdd))
            .AskAgain(new(maxRetryCount, maxRetryDelay, errorNumbersToAdd));

    /// <summary>Says what happens to schemas. By default, a model with one is refused.</summary>
    /// <param name="behavior">The behavior.</param>
    /// <param name="translator">The function that makes one name of a schema's and an object's, for <see cref="MySqlSchemaBehavior.Translate"/> only.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder SchemaBehavior(MySqlSchemaBehavior behavior, MySqlSchemaNameTranslator? translator = null)
    {
        if (behavior == MySqlSchemaBehavior.Translate != translator is not null)
            throw new ArgumentException("A translator belongs to MySqlSchemaBehavior.Translate, and to nothing else.", nameof(translator));
        return WithOption(extension => extension.With(options => options with { SchemaBehavior = behavior, SchemaNameTranslator = translator }));
    }

    /// <summary>Writes a backslash in a literal as one character: for servers whose SQL mode has NO_BACKSLASH_ESCAPES.</summary>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder DisableBackslashEscaping() =>
        WithOption(static extension => extension.With(static options => options with { NoBackslashEscapes = true }));

    /// <summary>Translates string methods with a <see cref="StringComparison"/> to comparisons with a collation, which cannot use most indexes.</summary>
    /// <param name="enable">Whether to translate them. Otherwise, such a query is refused.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder EnableStringComparisonTranslations(bool enable = true) =>
        WithOption(extension => extension.With(options => options with { StringComparisonTranslations = enable }));

    /// <summary>Writes a condition on a boolean column as a comparison with TRUE, which can use an index. This is the default.</summary>
    /// <param name="enable">Whether to write it so.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder EnableIndexOptimizedBooleanColumns(bool enable = true) =>
        WithOption(extension => extension.With(options => options with { IndexOptimizedBooleanColumns = enable }));

    /// <summary>Limits strings without a length to 255 characters where they are in a key or an index. This is the default.</summary>
    /// <param name="enable">Whether to limit them.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder LimitKeyedOrIndexedStringColumnLength(bool enable = true) =>
        WithOption(extension => extension.With(options => options with { LimitKeyedOrIndexedStringColumnLength = enable }));

    /// <summary>
    /// Puts the transactions that SaveChanges begins by itself into the texts of its commands: START TRANSACTION in front of the first one, and COMMIT behind
    /// the last one if it only inserts. This saves one round trip. EF Core does not tell its log and its interceptors of these transactions, so a context with
    /// an <c>IDbTransactionInterceptor</c> is refused when it saves.
    /// </summary>
    /// <param name="enable">Whether to put them there. The default without this call is false.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder EnableTransactionsInText(bool enable = true) =>
        WithOption(extension => extension.With(options => options with { TransactionsInText = enable }));

    /// <summary>
    /// Locks the database for migrations by a row in the table __EFMigrationsLock instead of GET_LOCK, which locks on one node of a cluster only (Galera) or is
    /// forbidden there (Percona XtraDB Cluster in its strict mode). If a program ends while it holds the lock, the row stays: delete it by hand.
    /// </summary>
    /// <param name="enable">Whether to use the table. The default without this call is false.</param>
    /// <returns>This builder.</returns>
    public virtual MySqlDbContextOptionsBuilder UseTableForMigrationsLock(bool enable = true) =>
        WithOption(extension => extension.With(options => options with { TableForMigrationsLock = enable }));

    // EF Core's strategy does not apply to the question for the server's version, which comes before there are services.
    private MySqlDbContextOptionsBuilder AskAgain(RetryLimits limits) =>
        WithOption(extension => extension.With(options => options with { Retries = limits }));
}
