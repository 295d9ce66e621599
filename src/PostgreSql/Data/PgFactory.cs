using System.Data.Common;

namespace Slipstream.PostgreSql;

/// <summary>Makes the provider's objects for code that knows only ADO.NET's base classes.</summary>
public sealed class PgFactory : DbProviderFactory
{
    /// <summary>The only one.</summary>
    public static readonly PgFactory Instance = new();

    private PgFactory()
    {
    }

    public override bool CanCreateBatch => true;

    public override DbBatch CreateBatch() => new PgBatch();

    public override DbBatchCommand CreateBatchCommand() => new PgBatchCommand();

    public override DbCommand CreateCommand() => new PgCommand();

    public override DbConnection CreateConnection() => new PgConnection();

    public override DbConnectionStringBuilder CreateConnectionStringBuilder() => new PgConnectionStringBuilder();

    public override DbParameter CreateParameter() => new PgParameter();

    public override DbDataSource CreateDataSource(string connectionString) => PgDataSource.Create(connectionString);
}
