using System.Data.Common;

namespace Slipstream.Contract;

/// <summary>A provider, a server to run the contract against, and the terms in which its SQL differs.</summary>
public sealed record ContractServer(DbProviderFactory Factory, string ConnectionString, string Host)
{
    /// <summary>The database that <see cref="ConnectionString"/> names.</summary>
    public required string Database { get; init; }

    /// <summary>Another database that the user may use; null if a connection cannot change its database.</summary>
    public string? OtherDatabase { get; init; }

    /// <summary>The password in <see cref="ConnectionString"/>.</summary>
    public required string Password { get; init; }

    /// <summary>SQL that returns the id of the server's session.</summary>
    public required string SessionId { get; init; }

    /// <summary>A query of one row that takes ten seconds and ends with an error if it is cancelled.</summary>
    public required string TenSeconds { get; init; }

    /// <summary>SQL that returns the current database's name.</summary>
    public required string CurrentDatabase { get; init; }

    /// <summary>SQLSTATE of a syntax error.</summary>
    public string SyntaxError { get; init; } = "42000";

    /// <summary>SQLSTATE of a second row with the same key.</summary>
    public string UniqueViolation { get; init; } = "23000";

    /// <summary>The keyword that limits the wait for a connection, in seconds.</summary>
    public string ConnectTimeout { get; init; } = "Connection Timeout";

    /// <summary>The column type that stores a CLR type without loss.</summary>
    public required Func<Type, string> ColumnType { get; init; }

    /// <summary>The provider's bulk copy.</summary>
    public required Func<BulkRequest, ContractBulk> Bulk { get; init; }

    /// <summary>Returns the number of rows that each statement of a reader's command has changed.</summary>
    public required Func<DbDataReader, IReadOnlyList<long>> StatementRows { get; init; }

    /// <summary>The type of a column whose values the server generates.</summary>
    public string Identity { get; init; } = "INT AUTO_INCREMENT";

    /// <summary>The keyword for joining the ambient transaction when a connection is opened.</summary>
    public string EnlistOption { get; init; } = "Auto Enlist";

    /// <summary>True if a connection string without a host means this machine.</summary>
    public bool HasDefaultHost { get; init; }

    /// <summary>SQL that ends the session with the id {0}.</summary>
    public required string KillSession { get; init; }

    /// <summary>Returns true if other sessions on the server caused the error at that moment.</summary>
    public Func<DbException, bool> ComesFromOthers { get; init; } = static _ => false;

    /// <summary>SQL that returns the isolation level of the open transaction, in words.</summary>
    public required string IsolationOfTransaction { get; init; }

    /// <summary>True if a batch that fails outside a transaction is rolled back completely.</summary>
    public bool UndoesBatches { get; init; }

    /// <summary>Statements that begin work which the start of a transaction commits. Empty if the driver rejects a transaction after them.</summary>
    public IReadOnlyList<string> BeginsCommittedByNext { get; init; } = [];

    /// <summary>Creates the data sources in place of the factory, for one that options alone cannot describe.</summary>
    public Func<string, DbDataSource>? Source { get; init; }

    public DbDataSource CreateSource(string connectionString) =>
        Source?.Invoke(connectionString) ?? Factory.CreateDataSource(connectionString);

    /// <summary>The type of the exception for an operation on a busy connection.</summary>
    public Type Busy { get; init; } = typeof(InvalidOperationException);

    /// <summary>True if StateChange reports Connecting before Open.</summary>
    public bool ReportsConnecting { get; init; }

    /// <summary>Returns the connection string with further options.</summary>
    public string With(string options) => ConnectionString.TrimEnd(';') + ";" + options;
}
