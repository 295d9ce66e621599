using System.Buffers;
using System.Data.Common;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;
using Slipstream.Caching;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Caching;

/// <summary>The table of a cache in MySQL or MariaDB.</summary>
internal sealed class MySqlCacheTable(MySqlDataSource source, string? database, string table, CacheSettings settings, ILogger? logger)
    : CacheTable(source, TextsFor(database, table), settings, logger)
{
    // Below this size, the driver decides when the statement is prepared.
    private const int LargeValue = 64 * 1024;

    private const string Now = "UTC_TIMESTAMP(6)";
    private const string Never = "TIMESTAMP'9999-12-31 23:59:59.999999'";

    private readonly string _name = Quote(database, table);

    public static CacheTexts TextsFor(string? database, string table)
    {
        var name = Quote(database, table);
        const string Absolute =
            $"IFNULL({Now} + INTERVAL {CacheTexts.Relative} MICROSECOND, TIMESTAMP'1970-01-01 00:00:00' + INTERVAL {CacheTexts.Instant} MICROSECOND)";
        const string Expires = $"LEAST(IFNULL({Now} + INTERVAL {CacheTexts.Sliding} MICROSECOND, {Never}), IFNULL({Absolute}, {Never}))";
        var prolong = $"UPDATE {name} SET `expires_at` = LEAST({Now} + INTERVAL `sliding_microseconds` MICROSECOND, IFNULL(`absolute_expiration`, {Never}))"
            + $" WHERE `id` = {CacheTexts.Id} AND `expires_at` > {Now} AND `sliding_microseconds` IS NOT NULL"
            + " AND (`absolute_expiration` IS NULL OR `expires_at` < `absolute_expiration`)";
        return new(
            // In this order, so that a deadlock is reported before the caller has received anything.
            Get: $"{prolong}; SELECT `value` FROM {name} WHERE `id` = {CacheTexts.Id} AND `expires_at` > {Now}",
            Refresh: prolong,
            // Not ON DUPLICATE KEY UPDATE: the names for the new values differ between MySQL and MariaDB. The servers replace such a row by an update.
            Set: $"REPLACE INTO {name} (`id`, `value`, `expires_at`, `sliding_microseconds`, `absolute_expiration`)"
                + $" VALUES ({CacheTexts.Id}, {CacheTexts.Value}, {Expires}, {CacheTexts.Sliding}, {Absolute})",
            Remove: $"DELETE FROM {name} WHERE `id` = {CacheTexts.Id}",
            CreateTable: $"""
                CREATE TABLE IF NOT EXISTS {name} (
                    `id` VARBINARY({CacheKey.MaxLength}) NOT NULL,
                    `expires_at` DATETIME(6) NOT NULL,
                    `sliding_microseconds` BIGINT NULL,
                    `absolute_expiration` DATETIME(6) NULL,
                    `value` LONGBLOB NOT NULL,
                    PRIMARY KEY (`id`),
                    INDEX `expires_at` (`expires_at`)
                ) ENGINE=InnoDB ROW_FORMAT=DYNAMIC
                """);
    }

    // A statement as text would contain an escaped copy of the value; a prepared one sends it from the caller's memory.
    protected override object? Pass(DbCommand command, ReadOnlySequence<byte> value)
    {
        if (value.Length >= LargeValue)
            command.Prepare();
        if (value.IsSingleSegment)
            return value.First;
        // Only a prepared statement takes a stream. The option Ignore Prepare prevents one.
        return ((MySqlCommand)command).IsPrepared ? new SequenceStream(value) : null;
    }

    protected override bool IsCollision(DbException exception) =>
        exception is MySqlException { Kind: ErrorKind.Deadlock or ErrorKind.SerializationFailure };

    // The keys are read without locks, and the entries deleted in the order of the primary key. A DELETE by the other index would lock in both orders, and
    // collide with operations that replace an entry. A DELETE that scans the table would wait for the locks of all entries.
    protected override int DeleteSome(DbConnection connection, out int deleted)
    {
        deleted = 0;
        var ids = new List<byte[]>();
        using (var select = SelectExpired(connection))
        using (var reader = select.ExecuteReader())
            while (reader.Read())
                ids.Add(reader.GetFieldValue<byte[]>(0));
        if (ids.Count > 0)
        {
            using var delete = Delete(connection, ids);
            deleted = delete.ExecuteNonQuery();
        }

        return ids.Count;
    }

    protected override async Task<(int Found, int Deleted)> DeleteSomeAsync(DbConnection connection, CancellationToken token)
    {
        var ids = new List<byte[]>();
        using (var select = SelectExpired(connection))
        {
            var reader = await select.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                    ids.Add(reader.GetFieldValue<byte[]>(0));
        }

        if (ids.Count == 0)
            return (0, 0);
        using var delete = Delete(connection, ids);
        return (ids.Count, await delete.ExecuteNonQueryAsync(token).ConfigureAwait(false));
    }

    private DbCommand SelectExpired(DbConnection connection) =>
        Command(connection, $"SELECT `id` FROM {_name} WHERE `expires_at` <= {Now} ORDER BY `expires_at` LIMIT {DeletedTogether}");

    private DbCommand Delete(DbConnection connection, List<byte[]> ids)
    {
        var text = new StringBuilder($"DELETE c FROM {_name} AS c FORCE INDEX (PRIMARY) WHERE c.`expires_at` <= {Now} AND c.`id` IN (");
        var command = Command(connection, "");
        for (var i = 0; i < ids.Count; i++)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"@id{i}");
            text.Append(i == 0 ? "" : ", ").Append(name);
            Add(command, name, ids[i]);
        }

        command.CommandText = text.Append(')').ToString();
        return command;
    }

    private static string Quote(string? database, string table) => string.IsNullOrEmpty(database) ? Quote(table) : $"{Quote(database)}.{Quote(table)}";

    private static string Quote(string name) => $"`{name.Replace("`", "``", StringComparison.Ordinal)}`";
}
