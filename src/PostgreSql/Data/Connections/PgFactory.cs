using System.Data.Common;

namespace Slipstream.PostgreSql;

/// <summary>Creates the provider's objects for code that uses only ADO.NET's base classes.</summary>
public sealed class PgFactory : DbProviderFactory
{
    /// <summary>The only instance.</summary>
    public static readonly PgFactory Instance = new();

    private PgFactory()
    {
    }

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    /// <inheritdoc/>
    public override DbBatch CreateBatch() => new PgBatch();

    /// <inheritdoc/>
    public override DbBatchCommand CreateBatchCommand() => new PgBatchCommand();

    /// <inheritdoc/>
    public override DbCommand CreateCommand() => new PgCommand();

    /// <inheritdoc/>
    public override DbConnection CreateConnection() => new PgConnection();

    /// <inheritdoc/>
    public override DbConnectionStringBuilder CreateConnectionStringBuilder() => new PgConnectionStringBuilder();

    /// <inheritdoc/>
    public override DbParameter CreateParameter() => new PgParameter();

    /// <inheritdoc/>
    public override DbDataSource CreateDataSource(string connectionString) => PgDataSource.Create(connectionString);
}
