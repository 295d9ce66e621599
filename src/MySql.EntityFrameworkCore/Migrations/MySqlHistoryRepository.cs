using System.Text;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>The table of applied migrations, and the lock that one migrator holds.</summary>
internal sealed class MySqlHistoryRepository(HistoryRepositoryDependencies dependencies) : HistoryRepository(dependencies)
{
    private const string ProcedureName = "SlipstreamMigration";

    private readonly bool _usesTable = MySqlOptions.Of(dependencies.Options).TableForMigrationsLock;

    public override LockReleaseBehavior LockReleaseBehavior => _usesTable ? LockReleaseBehavior.Explicit : LockReleaseBehavior.Connection;

    protected override string ExistsSql =>
        $"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {MySqlStringTypeMapping.Literal(TableName, false)}";

    public override IMigrationsDatabaseLock AcquireDatabaseLock()
    {
        Dependencies.MigrationsLogger.AcquiringMigrationLock();
        if (_usesTable)
        {
            for (var acquiring = CreateTableLock(); ; Thread.Sleep(acquiring.Wait()))
                if (acquiring.TryAcquire())
                    return acquiring;
        }

        var name = MySqlMigrationsDatabaseLock.NameFor(Dependencies.Connection);
        MySqlMigrationsDatabaseLock.Check(name, Command(MySqlMigrationsDatabaseLock.AcquireSql(name)).ExecuteScalar(Parameters()));
        return new MySqlMigrationsDatabaseLock(this, Progress(), Command(MySqlMigrationsDatabaseLock.ReleaseSql(name)), Parameters());
    }

    public override async Task<IMigrationsDatabaseLock> AcquireDatabaseLockAsync(CancellationToken cancellationToken = default)
    {
        Dependencies.MigrationsLogger.AcquiringMigrationLock();
        if (_usesTable)
        {
            for (var acquiring = CreateTableLock(); ; await Task.Delay(acquiring.Wait(), cancellationToken).ConfigureAwait(false))
                if (await acquiring.TryAcquireAsync(cancellationToken).ConfigureAwait(false))
                    return acquiring;
        }

        var name = MySqlMigrationsDatabaseLock.NameFor(Dependencies.Connection);
        MySqlMigrationsDatabaseLock.Check(
            name,
            await Command(MySqlMigrationsDatabaseLock.AcquireSql(name)).ExecuteScalarAsync(Parameters(), cancellationToken).ConfigureAwait(false));
        return new MySqlMigrationsDatabaseLock(this, Progress(), Command(MySqlMigrationsDatabaseLock.ReleaseSql(name)), Parameters());
    }

    public override string GetCreateIfNotExistsScript()
    {
        var script = GetCreateScript();
        return script.Insert(script.IndexOf("CREATE TABLE", StringComparison.Ordinal) + "CREATE TABLE".Length, " IF NOT EXISTS");
    }

    public override string GetBeginIfNotExistsScript(string migrationId) => Begin("IF NOT EXISTS", migrationId);

    public override string GetBeginIfExistsScript(string migrationId) => Begin("IF EXISTS", migrationId);

    // There are no blocks outside procedures on MySQL. The client mysql needs DELIMITER, which no server knows: MySqlScript understands it, too.
    public override string GetEndIfScript() =>
        $"""
            END IF;
        END //
        DELIMITER ;
        CALL `{ProcedureName}`();
        DROP PROCEDURE `{ProcedureName}`;

        """;

    protected override bool InterpretExistsResult(object? value) => Convert.ToInt64(value, null) > 0;

    private string Begin(string condition, string migrationId) =>
        $"""
        DROP PROCEDURE IF EXISTS `{ProcedureName}`;
        DELIMITER //
        CREATE PROCEDURE `{ProcedureName}`()
        BEGIN
            {condition} (SELECT 1 FROM {SqlGenerationHelper.DelimitIdentifier(TableName, TableSchema)} WHERE {IsMigration(migrationId)}) THEN

        """;

    private string IsMigration(string migrationId) =>
        SqlGenerationHelper.DelimitIdentifier(MigrationIdColumnName) + " = " + MySqlStringTypeMapping.Literal(migrationId, false);

    private MigrationsLockTable CreateTableLock() => new(
        this, Progress(), Command(MigrationsLockTable.CreateSql), Command(MigrationsLockTable.AcquireSql), Command(MigrationsLockTable.ReleaseSql),
        Parameters());

    private MigrationProgress Progress() => new(Command, Parameters, Dependencies.MigrationsLogger);

    private IRelationalCommand Command(string sql) => Dependencies.RawSqlCommandBuilder.Build(sql);

    private RelationalCommandParameterObject Parameters() => new(
        Dependencies.Connection, null, null, Dependencies.CurrentContext.Context, Dependencies.CommandLogger, CommandSource.Migrations);
}
