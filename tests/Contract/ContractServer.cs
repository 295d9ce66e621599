using System.Data.Common;

namespace Slipstream.Contract;

/// <summary>A provider, a server to run the contract against, and the words in which its SQL differs.</summary>
public sealed record ContractServer(DbProviderFactory Factory, string ConnectionString, string Host)
{
    /// <summary>The database that <see cref="ConnectionString"/> names.</summary>
    public required string Database { get; init; }

    /// <summary>Another database that the user may enter; null when a connection cannot change its database.</summary>
    public string? OtherDatabase { get; init; }

    /// <summary>The password in <see cref="ConnectionString"/>.</summary>
    public required string Password { get; init; }

    /// <summary>SQL that names the server's session.</summary>
    public required string SessionId { get; init; }

    /// <summary>A query of one row that lasts ten seconds and ends with an error when it is cancelled.</summary>
    public required string TenSeconds { get; init; }

    /// <summary>SQL of the default database's name.</summary>
    public required string CurrentDatabase { get; init; }

    /// <summary>SQLSTATE of a syntax error.</summary>
    public string SyntaxError { get; init; } = "42000";

    /// <summary>SQLSTATE of a second row with the same key.</summary>
    public string UniqueViolation { get; init; } = "23000";

    /// <summary>The keyword that bounds the wait for a connection, in seconds.</summary>
    public string ConnectTimeout { get; init; } = "Connection Timeout";

    /// <summary>The column type in which a CLR type is kept without loss.</summary>
    public required Func<Type, string> ColumnType { get; init; }

    /// <summary>The provider's bulk copy.</summary>
    public required Func<BulkRequest, ContractBulk> Bulk { get; init; }

    /// <summary>The type of a column that counts by itself.</summary>
    public string Identity { get; init; } = "INT AUTO_INCREMENT";

    /// <summary>The keyword of joining the ambient transaction at Open.</summary>
    public string EnlistOption { get; init; } = "Auto Enlist";

    /// <summary>Whether a connection string that names no host means this machine.</summary>
    public bool HasDefaultHost { get; init; }

    /// <summary>SQL that ends the session with number {0}.</summary>
    public required string KillSession { get; init; }

    /// <summary>Whether a refusal is owed to what others do on the server in the same moment.</summary>
    public Func<DbException, bool> ComesFromOthers { get; init; } = static _ => false;

    /// <summary>SQL of the isolation level of the open transaction, in words.</summary>
    public required string IsolationOfTransaction { get; init; }

    /// <summary>Whether a batch that fails outside a transaction is undone whole.</summary>
    public bool UndoesBatches { get; init; }

    /// <summary>Statements that begin work which the beginning of a transaction commits; none where a transaction is refused behind them.</summary>
    public IReadOnlyList<string> BeginsCommittedByNext { get; init; } = [];

    /// <summary>Makes the data sources in place of the factory: for one that cannot be had by options alone.</summary>
    public Func<string, DbDataSource>? Source { get; init; }

    public DbDataSource CreateSource(string connectionString) =>
        Source?.Invoke(connectionString) ?? Factory.CreateDataSource(connectionString);

    /// <summary>Whether StateChange tells of Connecting on the way to Open.</summary>
    public bool TellsConnecting { get; init; }

    /// <summary>The connection string with further options.</summary>
    public string With(string options) => ConnectionString.TrimEnd(';') + ";" + options;
}
