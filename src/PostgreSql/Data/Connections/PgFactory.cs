using System.Data.Common;

namespace Slipstream.PostgreSql;

/// <summary>Creates the provider's objects for code that uses only ADO.NET's base classes.</summary>
public sealed class PgFactory : DbProviderFactory, IServiceProvider
{
    /// <summary>The only instance.</summary>
    public static readonly PgFactory Instance = new();

    private PgFactory()
    {
    }

    /// <summary>Returns a service of the provider. It offers none.</summary>
    /// <param name="serviceType">The type of the service.</param>
    /// <returns>Null.</returns>
    public object? GetService(Type serviceType) => null;

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    /// <inheritdoc/>
    public override bool CanCreateDataAdapter => true;

    /// <inheritdoc/>
    public override bool CanCreateCommandBuilder => true;

    /// <inheritdoc/>
    public override DbDataAdapter CreateDataAdapter() => new PgDataAdapter();

    /// <inheritdoc/>
    public override DbCommandBuilder CreateCommandBuilder() => new PgCommandBuilder();

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
