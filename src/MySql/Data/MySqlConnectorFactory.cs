using System.Data.Common;

namespace Slipstream.MySql;

/// <summary>Makes the provider's objects for code that knows ADO.NET only. The name is MySqlConnector's.</summary>
public sealed class MySqlConnectorFactory : DbProviderFactory
{
    public static readonly MySqlConnectorFactory Instance = new();

    private MySqlConnectorFactory()
    {
    }

    public override bool CanCreateBatch => true;

    public override bool CanCreateCommandBuilder => true;

    public override bool CanCreateDataAdapter => true;

    public override MySqlBatch CreateBatch() => new();

    public override MySqlBatchCommand CreateBatchCommand() => new();

    public override MySqlCommand CreateCommand() => new();

    public override DbCommandBuilder CreateCommandBuilder() => new MySqlCommandBuilder();

    public override DbDataAdapter CreateDataAdapter() => new MySqlDataAdapter();

    public override MySqlConnection CreateConnection() => new();

    public override MySqlConnectionStringBuilder CreateConnectionStringBuilder() => new();

    public override MySqlParameter CreateParameter() => new();

    public override MySqlDataSource CreateDataSource(string connectionString) => new(connectionString);
}
