using System.Data.Common;

namespace Slipstream.MySql;

/// <summary>Creates the provider's objects for code that only uses ADO.NET's base classes. The name is MySqlConnector's.</summary>
public sealed class MySqlConnectorFactory : DbProviderFactory
{
    /// <summary>The only instance.</summary>
    public static readonly MySqlConnectorFactory Instance = new();

    private MySqlConnectorFactory()
    {
    }

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    /// <inheritdoc/>
    public override bool CanCreateCommandBuilder => true;

    /// <inheritdoc/>
    public override bool CanCreateDataAdapter => true;

    /// <inheritdoc/>
    public override MySqlBatch CreateBatch() => new();

    /// <inheritdoc/>
    public override MySqlBatchCommand CreateBatchCommand() => new();

    /// <inheritdoc/>
    public override MySqlCommand CreateCommand() => new();

    /// <inheritdoc/>
    public override DbCommandBuilder CreateCommandBuilder() => new MySqlCommandBuilder();

    /// <inheritdoc/>
    public override DbDataAdapter CreateDataAdapter() => new MySqlDataAdapter();

    /// <inheritdoc/>
    public override MySqlConnection CreateConnection() => new();

    /// <inheritdoc/>
    public override MySqlConnectionStringBuilder CreateConnectionStringBuilder() => new();

    /// <inheritdoc/>
    public override MySqlParameter CreateParameter() => new();

    /// <inheritdoc/>
    public override MySqlDataSource CreateDataSource(string connectionString) => new(connectionString);
}
