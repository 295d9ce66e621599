using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.ValueGeneration;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>
/// Creates and drops the context's database. Opening a connection does not tell whether the database exists: a session of the pool is already in it.
/// </summary>
internal sealed class MySqlDatabaseCreator(
    RelationalDatabaseCreatorDependencies dependencies, IRawSqlCommandBuilder rawSqlCommandBuilder, SequenceBlocks blocks)
    : RelationalDatabaseCreator(dependencies)
{
    private const string ExistsSql = "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = @name";

    // Several programs may start at once, and each asks whether the database exists before one of them has the lock of migrations.
    private const string CreateSql = "CREATE DATABASE IF NOT EXISTS ";

    private const string HasTablesSql =
        "SELECT EXISTS (SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED'))";

    private bool _isAskedOnce;

    private MySqlRelationalConnection Connection => (MySqlRelationalConnection)Dependencies.Connection;

    // A health check wants an answer at once, and a strategy that repeats refuses work inside a transaction.
    private bool IsAskedOnce =>
        _isAskedOnce || Connection is not { CurrentTransaction: null, EnlistedTransaction: null, CurrentAmbientTransaction: null };

    public override bool Exists() =>
        IsAskedOnce ? AskForDatabase() : Dependencies.ExecutionStrategy.Execute((object?)null, (_, _) => AskForDatabase(), null);

    public override Task<bool> ExistsAsync(CancellationToken cancellationToken = default) => IsAskedOnce
        ? AskForDatabaseAsync(cancellationToken)
        : Dependencies.ExecutionStrategy.ExecuteAsync((object?)null, (_, _, token) => AskForDatabaseAsync(token), null, cancellationToken);

    public override bool CanConnect()
    {
        _isAskedOnce = true;
        try
        {
            return base.CanConnect();
        }
        finally
        {
            _isAskedOnce = false;
        }
    }

    public override async Task<bool> CanConnectAsync(CancellationToken cancellationToken = default)
    {
        _isAskedOnce = true;
        try
        {
            return await base.CanConnectAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _isAskedOnce = false;
        }
    }

    private bool AskForDatabase()
    {
        using var connection = Connection.CreateServerConnection();
        connection.Open();
        using var command = Question(connection);
        return Convert.ToInt64(command.ExecuteScalar(), null) > 0;
    }

    private async Task<bool> AskForDatabaseAsync(CancellationToken cancellationToken)
    {
        await using var connection = Connection.CreateServerConnection();
        await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using var command = Question(connection);
        return Convert.ToInt64(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false), null) > 0;
    }

    public override void Create()
    {
        RunOnServer(CreateSql + DelimitedName());
        MySqlConnection.ClearPool((MySqlConnection)Connection.DbConnection);
    }

    public override async Task CreateAsync(CancellationToken cancellationToken = default)
    {
        await RunOnServerAsync(CreateSql + DelimitedName(), cancellationToken).ConfigureAwait(false);
        await MySqlConnection.ClearPoolAsync((MySqlConnection)Connection.DbConnection, cancellationToken).ConfigureAwait(false);
    }

    // Sessions of the pool would still be in the dropped database.
    public override void Delete()
    {
        MySqlConnection.ClearPool((MySqlConnection)Connection.DbConnection);
        RunOnServer("DROP DATABASE " + DelimitedName());
        blocks.Forget(Connection.DbConnection);
    }

    public override async Task DeleteAsync(CancellationToken cancellationToken = default)
    {
        await MySqlConnection.ClearPoolAsync((MySqlConnection)Connection.DbConnection, cancellationToken).ConfigureAwait(false);
        await RunOnServerAsync("DROP DATABASE " + DelimitedName(), cancellationToken).ConfigureAwait(false);
        blocks.Forget(Connection.DbConnection);
    }

    public override bool HasTables() =>
        Dependencies.ExecutionStrategy.Execute(
            (object?)null, (_, _) => Convert.ToInt64(HasTablesCommand().ExecuteScalar(HasTablesParameters()), null) > 0, null);

    public override Task<bool> HasTablesAsync(CancellationToken cancellationToken = default) =>
        Dependencies.ExecutionStrategy.ExecuteAsync(
            (object?)null,
            async (_, _, token) => Convert.ToInt64(await HasTablesCommand().ExecuteScalarAsync(HasTablesParameters(), token).ConfigureAwait(false), null) > 0,
            null, cancellationToken);

    private IRelationalCommand HasTablesCommand() => rawSqlCommandBuilder.Build(HasTablesSql);

    private RelationalCommandParameterObject HasTablesParameters() =>
        new(Connection, null, null, Dependencies.CurrentContext.Context, Dependencies.CommandLogger, CommandSource.Migrations);

    private MySqlCommand Question(MySqlConnection connection)
    {
        var command = new MySqlCommand(ExistsSql, connection);
        command.Parameters.AddWithValue("@name", Connection.Database);
        return command;
    }

    private string DelimitedName() => Dependencies.SqlGenerationHelper.DelimitIdentifier(Connection.Database);

    private void RunOnServer(string sql)
    {
        using var connection = Connection.CreateServerConnection();
        connection.Open();
        using var command = new MySqlCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private async Task RunOnServerAsync(string sql, CancellationToken cancellationToken)
    {
        await using var connection = Connection.CreateServerConnection();
        await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}
