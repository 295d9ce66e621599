using System.Globalization;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.Logging;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>
/// The table that says how far a migration has come. The server commits each statement that changes a table by itself, so a migration that failed in the middle
/// must continue where it ended. The table exists only while a migration is applied, and as long as one is unfinished.
/// </summary>
/// <param name="create">Makes a command of a text.</param>
/// <param name="parameters">Returns what a command is executed with.</param>
/// <param name="logger">The logger of the migrations.</param>
internal sealed partial class MigrationProgress(
    Func<string, IRelationalCommand> create, Func<RelationalCommandParameterObject> parameters, IDiagnosticsLogger<DbLoggerCategory.Migrations> logger)
{
    public const string Table = "__EFMigrationsProgress";

    private const string CreateSql =
        $"CREATE TABLE IF NOT EXISTS `{Table}` (`MigrationId` VARCHAR(150) NOT NULL PRIMARY KEY, `Command` INT NOT NULL, `TextsBefore` CHAR(64) NOT NULL, "
        + "`Text` CHAR(64) NOT NULL, `State` VARCHAR(10) NOT NULL)";

    private const string CountSql = $"SELECT COUNT(*) FROM `{Table}`";
    private const string DropSql = $"DROP TABLE IF EXISTS `{Table}`";

    private bool _hasTable;

    public MigrationPoint? Load(string id)
    {
        if (!_hasTable)
            Execute(CreateSql);
        _hasTable = true;
        using var reader = create(LoadSql(id)).ExecuteReader(parameters());
        return reader.Read() ? Point(id, reader) : null;
    }

    public async Task<MigrationPoint?> LoadAsync(string id, CancellationToken cancellationToken)
    {
        if (!_hasTable)
            await ExecuteAsync(CreateSql, cancellationToken).ConfigureAwait(false);
        _hasTable = true;
        var reader = await create(LoadSql(id)).ExecuteReaderAsync(parameters(), cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
            return await reader.ReadAsync(cancellationToken).ConfigureAwait(false) ? Point(id, reader) : null;
    }

    public void Store(string id, MigrationPoint point) => Execute(StoreSql(id, point));

    public Task StoreAsync(string id, MigrationPoint point, CancellationToken cancellationToken) => ExecuteAsync(StoreSql(id, point), cancellationToken);

    /// <summary>Begins a transaction that removes the migration's row. The entry in the history belongs to the same transaction.</summary>
    public void BeginLast(string id) => Execute(BeginLastSql(id));

    public Task BeginLastAsync(string id, CancellationToken cancellationToken) => ExecuteAsync(BeginLastSql(id), cancellationToken);

    public void Commit() => Execute("COMMIT");

    public Task CommitAsync(CancellationToken cancellationToken) => ExecuteAsync("COMMIT", cancellationToken);

    /// <summary>Removes the table if no migration is unfinished.</summary>
    public void Close()
    {
        if (_hasTable && IsZero(create(CountSql).ExecuteScalar(parameters())))
            Execute(DropSql);
        _hasTable = false;
    }

    public async Task CloseAsync()
    {
        if (_hasTable && IsZero(await create(CountSql).ExecuteScalarAsync(parameters()).ConfigureAwait(false)))
            await ExecuteAsync(DropSql, default).ConfigureAwait(false);
        _hasTable = false;
    }

    /// <summary>Logs that a command is not executed again, because it was executed before the migration failed.</summary>
    public void LogFoundDone(string id, int command, string error) => FoundDone(logger.Logger, command + 1, id, error);

    private static string LoadSql(string id) =>
        $"SELECT `Command`, `TextsBefore`, `Text`, `State` FROM `{Table}` WHERE `MigrationId` = {Literal(id)}";

    private static string StoreSql(string id, MigrationPoint point) => string.Create(
        CultureInfo.InvariantCulture,
        $"REPLACE INTO `{Table}` VALUES ({Literal(id)}, {point.Command}, {Literal(point.TextsBefore)}, {Literal(point.Text)}, {Literal(point.State)})");

    private static string BeginLastSql(string id) => $"START TRANSACTION; DELETE FROM `{Table}` WHERE `MigrationId` = {Literal(id)}";

    private static string Literal(string text) => MySqlStringTypeMapping.Literal(text, false);

    private static bool IsZero(object? count) => Convert.ToInt64(count, CultureInfo.InvariantCulture) == 0;

    private MigrationPoint Point(string id, RelationalDataReader reader)
    {
        var row = reader.DbDataReader;
        var point = new MigrationPoint(row.GetInt32(0), row.GetString(1), row.GetString(2), row.GetString(3));
        if (point.Command > 0)
            Continues(logger.Logger, id, point.Command + 1, Table);
        return point;
    }

    private void Execute(string sql) => create(sql).ExecuteNonQuery(parameters());

    private Task<int> ExecuteAsync(string sql, CancellationToken cancellationToken) => create(sql).ExecuteNonQueryAsync(parameters(), cancellationToken);

    [LoggerMessage(
        1, LogLevel.Warning, "The migration '{Id}' did not complete before. It continues with its command {Command}, as the table {Table} says.",
        EventName = "MySql.MigrationContinues")]
    private static partial void Continues(ILogger logger, string id, int command, string table);

    [LoggerMessage(
        2, LogLevel.Warning, "The command {Command} of the migration '{Id}' was executed before, although its result was not known: {Error}",
        EventName = "MySql.MigrationCommandFoundDone")]
    private static partial void FoundDone(ILogger logger, int command, string id, string error);
}
