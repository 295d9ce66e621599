using System.Buffers;
using System.Data.Common;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Slipstream.Caching;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Caching;

/// <summary>The table of a cache in PostgreSQL.</summary>
internal sealed class PgCacheTable(PgDataSource source, string? schema, string table, bool isUnlogged, CacheSettings settings, ILogger? logger)
    : CacheTable(source, TextsFor(schema, table, isUnlogged), settings, logger)
{
    private const string Now = "statement_timestamp()";

    /// <summary>The number of bytes of the longest name. The server cuts off the rest.</summary>
    public const int MaxNameLength = 63;

    private readonly string _name = Quote(schema, table);

    public static CacheTexts TextsFor(string? schema, string table, bool isUnlogged)
    {
        var name = Quote(schema, table);
        const string Absolute = $"COALESCE({Now} + {CacheTexts.Relative} * interval '1 microsecond', "
            + $"timestamptz '1970-01-01 00:00:00+00' + {CacheTexts.Instant} * interval '1 microsecond')";
        // An entry that another session has locked is being prolonged, replaced or removed at this moment: there is no need to wait for it.
        var prolong = $"UPDATE {name} AS c SET expires_at = LEAST({Now} + c.sliding_microseconds * interval '1 microsecond', c.absolute_expiration)"
            + $" FROM (SELECT id FROM {name} WHERE id = {CacheTexts.Id} AND expires_at > {Now} AND sliding_microseconds IS NOT NULL"
            + " AND (absolute_expiration IS NULL OR expires_at < absolute_expiration) FOR UPDATE SKIP LOCKED) AS e WHERE c.id = e.id";
        return new(
            Get: $"WITH prolonged AS ({prolong}) SELECT value FROM {name} WHERE id = {CacheTexts.Id} AND expires_at > {Now}",
            Refresh: prolong,
            Set: $"INSERT INTO {name} (id, value, expires_at, sliding_microseconds, absolute_expiration) VALUES ({CacheTexts.Id}, {CacheTexts.Value},"
                + $" LEAST({Now} + {CacheTexts.Sliding} * interval '1 microsecond', {Absolute}), {CacheTexts.Sliding}, {Absolute})"
                + " ON CONFLICT (id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at,"
                + " sliding_microseconds = excluded.sliding_microseconds, absolute_expiration = excluded.absolute_expiration",
            Remove: $"DELETE FROM {name} WHERE id = {CacheTexts.Id}",
            CreateTable: $"""
                CREATE {(isUnlogged ? "UNLOGGED " : "")}TABLE IF NOT EXISTS {name} (
                    id bytea NOT NULL PRIMARY KEY,
                    expires_at timestamptz NOT NULL,
                    sliding_microseconds bigint,
                    absolute_expiration timestamptz,
                    value bytea NOT NULL
                );
                CREATE INDEX IF NOT EXISTS {Quote(IndexOf(table))} ON {name} (expires_at)
                """);
    }

    // A memory of 64 KiB or more is sent without a copy. A stream would be read into one.
    protected override object? Pass(DbCommand command, ReadOnlySequence<byte> value) => value.IsSingleSegment ? (object)value.First : null;

    protected override bool IsCollision(DbException exception) =>
        exception is PgException { Kind: ErrorKind.Deadlock or ErrorKind.SerializationFailure };

    protected override int DeleteSome(DbConnection connection, out int deleted)
    {
        using var command = Command(connection, DeleteText());
        return deleted = command.ExecuteNonQuery();
    }

    protected override async Task<(int Found, int Deleted)> DeleteSomeAsync(DbConnection connection, CancellationToken token)
    {
        using var command = Command(connection, DeleteText());
        var deleted = await command.ExecuteNonQueryAsync(token).ConfigureAwait(false);
        return (deleted, deleted);
    }

    // A common table expression with FOR UPDATE is evaluated once, so the limit holds.
    private string DeleteText() =>
        $"WITH expired AS (SELECT id FROM {_name} WHERE expires_at <= {Now} ORDER BY expires_at LIMIT {DeletedTogether} FOR UPDATE SKIP LOCKED)"
            + $" DELETE FROM {_name} AS c USING expired WHERE c.id = expired.id AND c.expires_at <= {Now}";

    // A name that the server cut off could be that of the table itself, and the index would be missing without an error.
    private static string IndexOf(string table)
    {
        const string Suffix = "_expires_at";
        if (Encoding.UTF8.GetByteCount(table) + Suffix.Length <= MaxNameLength)
            return table + Suffix;
        return "cache_" + Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(table)), 0, 16) + Suffix;
    }

    private static string Quote(string? schema, string table) => string.IsNullOrEmpty(schema) ? Quote(table) : $"{Quote(schema)}.{Quote(table)}";

    private static string Quote(string name) => $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
