using System.Data.Common;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>A context's connection: from its data source, or by its connection string.</summary>
internal sealed class MySqlRelationalConnection(RelationalConnectionDependencies dependencies) : RelationalConnection(dependencies)
{
    private readonly DbDataSource? _dataSource = MySqlOptions.Of(dependencies.ContextOptions).DataSource;

    protected override bool SupportsAmbientTransactions => true;

    /// <summary>The name of the database, from the connection or its string.</summary>
    public string Database => new MySqlConnectionStringBuilder(DbConnection.ConnectionString) is { Database.Length: > 0 } options
        ? options.Database
        : throw new InvalidOperationException("The connection string names no database. Add 'Database=…' to it.");

    /// <summary>Creates a connection of its own to the server, without a database.</summary>
    public MySqlConnection CreateServerConnection()
    {
        var connection = (MySqlConnection)DbConnection;
        // Work on databases is rare: no pool is kept for it.
        var options = new MySqlConnectionStringBuilder(connection.ConnectionString) { Database = "", Pooling = false };
        return connection.CloneWith(options.ConnectionString);
    }

    /// <summary>Whether the next transaction is one whose statements are in the texts of SaveChanges.</summary>
    public bool BeginsInText { get; set; }

    /// <summary>The transaction whose statements are in the texts of SaveChanges; null without one.</summary>
    public TextTransaction? TextTransaction { get; internal set; }

    public override IDbContextTransaction BeginTransaction()
    {
        if (!BeginsInText)
            return base.BeginTransaction();
        Open();
        return TextTransaction = new(this);
    }

    public override async Task<IDbContextTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        if (!BeginsInText)
            return await base.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await OpenAsync(cancellationToken).ConfigureAwait(false);
        return TextTransaction = new(this);
    }

    protected override DbConnection CreateDbConnection() => _dataSource?.CreateConnection() ?? new MySqlConnection(GetValidatedConnectionString());
}
