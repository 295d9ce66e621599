using System.Data.Common;
using System.Security.Cryptography;
using Microsoft.Extensions.Caching.Distributed;

namespace Slipstream.Caching.Live;

/// <summary>Deadlocks, serialization failures, and locks of other sessions.</summary>
public sealed class CollisionTests
{
    // Error numbers of a deadlock, and of MariaDB under innodb_snapshot_isolation.
    private const int Deadlock = 1213;
    private const int RecordHasChanged = 1020;

    private static readonly DistributedCacheEntryOptions Sliding = new() { SlidingExpiration = TimeSpan.FromHours(1) };

    public static TheoryData<ServerKind, bool> Ways => Cached.Ways;

    public static TheoryData<ServerKind> Kinds => Cached.Kinds;

    // PostgreSQL sends the value before it commits.
    [Theory, MemberData(nameof(Ways))]
    public async Task A_collision_while_an_entry_is_prolonged_does_not_double_its_value(ServerKind kind, bool isAsync)
    {
        foreach (var length in (int[])[100, 200_000])
        {
            await using var cached = await Cached.CreateAsync(kind, isAsync);
            var value = RandomNumberGenerator.GetBytes(length);
            await cached.Set("a", value, Sliding);
            await Collide(cached, "UPDATE", 2);
            Assert.Equal(value, await cached.TryGet("a"));
            Assert.Equal(value, await cached.Get("a"));
            Assert.Equal(value, await cached.TryGet("a"));
        }
    }

    [Theory, InlineData(ServerKind.PostgreSql, false), InlineData(ServerKind.PostgreSql, true)]
    public async Task A_received_value_is_returned_even_if_its_entry_cannot_be_prolonged(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        var value = RandomNumberGenerator.GetBytes(200_000);
        await cached.Set("a", value, Sliding);
        await Collide(cached, "UPDATE", 1000);
        Assert.Equal(value, await cached.TryGet("a"));
        var exception = await Assert.ThrowsAnyAsync<DbException>(() => cached.Refresh("a"));
        Assert.Equal("40001", exception.SqlState);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_deletion_of_expired_entries_is_repeated_after_a_collision(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "value", Sliding);
        await cached.Pass(TimeSpan.FromHours(2));
        await Collide(cached, "DELETE", 4);
        Assert.Equal(1, await cached.DeleteExpired());
    }

    [Theory]
    [InlineData(ServerKind.MySql, false), InlineData(ServerKind.MariaDb, false)]
    [InlineData(ServerKind.MySql, true), InlineData(ServerKind.MariaDb, true)]
    public async Task An_operation_is_repeated_if_the_record_has_changed_since_its_snapshot(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "value", Sliding);
        await Collide(cached, "UPDATE", 4, RecordHasChanged);
        await cached.Refresh("a");
        Assert.Equal("value", await cached.GetText("a"));
    }

    // If many entries have expired, a scan of the whole table looks cheap to the optimizer. MariaDB also makes a long list a subquery.
    [Theory, MemberData(nameof(Ways))]
    public async Task A_deletion_of_expired_entries_does_not_wait_for_another_entry(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Execute(Entries(cached, "a", 500));
        await cached.Execute(Entries(cached, "b", 500));
        await cached.Execute(Entries(cached, "c", 500));
        await cached.Pass(TimeSpan.FromHours(2));
        await cached.Execute(Entries(cached, "d", 500));
        await using var connection = await cached.Connect();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = $"UPDATE {cached.Name} SET value = 'other' WHERE id = 'd250'";
        await command.ExecuteNonQueryAsync();
        Assert.Equal(1500, await cached.DeleteExpired());
    }

    private static string Entries(Cached cached, string prefix, int count) => cached.Kind.IsPostgreSql()
        ? $"INSERT INTO {cached.Name} (id, expires_at, sliding_microseconds, value)"
            + $" SELECT convert_to('{prefix}' || i, 'UTF8'), statement_timestamp() + interval '1 hour', 3600000000, 'x' FROM generate_series(1, {count}) AS i"
        : $"""
        INSERT INTO {cached.Name} (id, expires_at, sliding_microseconds, value)
        WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < {count})
        SELECT CONCAT('{prefix}', i), UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, 3600000000, 'x' FROM n
        """;

    // Lets the first updates or deletions of an entry fail, on PostgreSQL at the commit. What counts them is not rolled back.
    private static async Task Collide(Cached cached, string change, int count, int number = Deadlock)
    {
        var table = cached.Choices.Table;
        if (cached.Kind.IsPostgreSql())
        {
            await cached.Execute(
                $"""
                CREATE SEQUENCE {table}_count OWNED BY {cached.Name}.id;
                CREATE FUNCTION {table}_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('{table}_count') <= {count} THEN RAISE 'collision' USING ERRCODE = '40001'; END IF;
                    RETURN NULL;
                END $$;
                CREATE CONSTRAINT TRIGGER collides AFTER {change} ON {cached.Name} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
                    EXECUTE FUNCTION {table}_deleted()
                """);
            return;
        }

        var state = number == Deadlock ? "40001" : "HY000";
        await cached.Execute(
            $"""
            CREATE TABLE {cached.CountTable} (number INT NOT NULL) ENGINE=MyISAM;
            INSERT INTO {cached.CountTable} VALUES (0);
            CREATE TRIGGER `collides {table}` BEFORE {change} ON {cached.Name} FOR EACH ROW
            BEGIN
                UPDATE {cached.CountTable} SET number = number + 1;
                IF (SELECT number FROM {cached.CountTable}) <= {count} THEN
                    SIGNAL SQLSTATE '{state}' SET MYSQL_ERRNO = {number}, MESSAGE_TEXT = 'collision';
                END IF;
            END
            """);
    }
}
