using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Slipstream.Caching.Live;

/// <summary>Creating the table, and deleting what has expired.</summary>
public sealed class MaintenanceTests
{
    public static TheoryData<ServerKind, bool> Ways => Cached.Ways;

    public static TheoryData<ServerKind> Kinds => Cached.Kinds;

    [Theory, MemberData(nameof(Ways))]
    public async Task The_first_operation_creates_a_missing_table_if_the_option_allows_it(ServerKind kind, bool isAsync)
    {
        Func<Cached, Task>[] operations =
        [
            static async cached => Assert.Null(await cached.Get("a")), static async cached => Assert.Null(await cached.TryGet("a")),
            static cached => cached.Set("a", "value"), static cached => cached.Refresh("a"), static cached => cached.Remove("a"),
        ];
        foreach (var operation in operations)
        {
            var log = new KeptLog();
            await using var cached = await Cached.CreateAsync(kind, isAsync, new() { WithTable = false, CreateTableIfMissing = true, Loggers = log });
            await operation(cached);
            await cached.Set("b", "value");
            Assert.Equal("value", await cached.GetText("b"));
            Assert.Single(log.Messages, static message => message.Contains("has been created", StringComparison.Ordinal));
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Without_the_option_a_missing_table_is_the_servers_error(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { WithTable = false });
        var exception = await Assert.ThrowsAnyAsync<DbException>(() => cached.Get("a"));
        Assert.Contains(cached.Choices.Table, exception.Message, StringComparison.Ordinal);
        await Assert.ThrowsAnyAsync<DbException>(() => cached.Set("a", "value"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Many_programs_may_create_the_table_at_once(ServerKind kind, bool isAsync)
    {
        for (var round = 0; round < 3; round++)
        {
            await using var cached = await Cached.CreateAsync(kind, isAsync, new() { WithTable = false, CreateTableIfMissing = true });
            await Task.WhenAll(Enumerable.Range(0, 12).Select(i => Task.Run(async () =>
            {
                if (i % 2 == 0)
                    await cached.CreateTable();
                await cached.Set($"{i}", $"{i}");
            })));
            for (var i = 0; i < 12; i++)
                Assert.Equal($"{i}", await cached.GetText($"{i}"));
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Creating_the_table_again_keeps_the_entries(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "value");
        await cached.CreateTable();
        await cached.Execute(cached.CreateTableSql);
        Assert.Equal("value", await cached.GetText("a"));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_sql_for_migrations_creates_the_same_table(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true, new() { WithTable = false });
        await cached.Execute(cached.CreateTableSql);
        await cached.Set("a", "value");
        Assert.Equal("value", await cached.GetText("a"));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_table_may_have_every_name(ServerKind kind)
    {
        var id = Guid.NewGuid().ToString("N")[..12];
        // The last one has the length of the longest name of PostgreSQL.
        foreach (var table in (string[])[$"Cache {id}", $"c`\"'\\; -- {id}", $"@id ? $1 {id}", $"größe {id}", $"x{id}".PadRight(63, 'x')])
        {
            await using var cached = await Cached.CreateAsync(kind, isAsync: true, new() { Table = table });
            await cached.Set("a", "value");
            Assert.Equal("value", await cached.GetText("a"));
            await cached.Pass(TimeSpan.FromHours(1));
            Assert.Equal(1, await cached.DeleteExpired());
            if (kind.IsPostgreSql())
                Assert.Equal(
                    1L,
                    await cached.Scalar(
                        "SELECT count(*) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indexrelid"
                            + $" WHERE indrelid = '{cached.Name.Replace("'", "''", StringComparison.Ordinal)}'::regclass AND a.attname = 'expires_at'"));
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_table_may_be_in_another_schema_or_database(ServerKind kind)
    {
        var space = $"caching space {Guid.NewGuid():N}"[..30];
        await using var outside = await Cached.CreateAsync(kind, isAsync: true, new() { WithTable = false });
        var name = kind.IsPostgreSql() ? $"\"{space}\"" : $"`{space}`";
        await outside.Execute($"CREATE {(kind.IsPostgreSql() ? "SCHEMA" : "DATABASE")} {name}");
        try
        {
            await using var cached = await Cached.CreateAsync(kind, isAsync: true, new() { Space = space });
            await cached.Set("a", "value");
            Assert.Equal("value", await cached.GetText("a"));
            Assert.Equal(1, await cached.Count());
        }
        finally
        {
            await outside.Execute($"DROP {(kind.IsPostgreSql() ? "SCHEMA" : "DATABASE")} {name}");
        }
    }

    [Theory, InlineData(ServerKind.PostgreSql), InlineData(ServerKind.PostgreSql18)]
    public async Task The_table_can_be_unlogged(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true, new() { IsUnlogged = true });
        Assert.Equal("u", Convert.ToString(await Persistence(cached), CultureInfo.InvariantCulture));
        await cached.Set("a", "value");
        Assert.Equal("value", await cached.GetText("a"));
        await using var logged = await Cached.CreateAsync(kind, isAsync: true);
        Assert.Equal("p", Convert.ToString(await Persistence(logged), CultureInfo.InvariantCulture));

        static Task<object?> Persistence(Cached cached) =>
            cached.Scalar($"SELECT relpersistence::text FROM pg_class WHERE oid = '{cached.Name}'::regclass");
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task All_expired_entries_are_deleted_and_no_other(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        Assert.Equal(0, await cached.DeleteExpired());
        await cached.Execute(Entries(cached, 2500));
        await cached.Pass(TimeSpan.FromHours(3));
        await cached.Set("sliding", "value", new() { SlidingExpiration = TimeSpan.FromHours(1) });
        await cached.Set("absolute", "value", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        Assert.Equal(2500, await cached.DeleteExpired());
        Assert.Equal(2, await cached.Count());
        Assert.Equal(0, await cached.DeleteExpired());
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Operations_delete_expired_entries_after_each_interval(ServerKind kind, bool isAsync)
    {
        var clock = new ManualClock(DateTimeOffset.UtcNow);
        var log = new KeptLog();
        await using var cached = await Cached.CreateAsync(
            kind, isAsync, new() { Clock = clock, Interval = TimeSpan.FromMinutes(30), Loggers = log });
        // Three times: at first, and after each interval, by another operation each time.
        Func<Task>[] operations = [() => cached.Get("a"), () => cached.Set("a", "value"), () => cached.Remove("a")];
        for (var i = 0; i < operations.Length; i++)
        {
            await cached.Execute(Entries(cached, 10));
            await cached.Pass(TimeSpan.FromHours(3));
            if (i > 0)
            {
                clock.Advance(TimeSpan.FromMinutes(29));
                await operations[i]();
                clock.Advance(TimeSpan.FromMinutes(1));
            }

            await operations[i]();
            await Eventually.TrueAsync(() => log.Messages.Count(static message => message.StartsWith("10 ", StringComparison.Ordinal)) == i + 1);
        }

        Assert.Equal(operations.Length, log.Messages.Count);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_deletion_that_fails_is_logged_and_no_operation_notices_it(ServerKind kind, bool isAsync)
    {
        var log = new KeptLog();
        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { Interval = TimeSpan.FromMinutes(30), Loggers = log });
        await cached.Execute(Entries(cached, 1));
        await cached.Pass(TimeSpan.FromHours(3));
        await AtDeletion(cached, "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no deletion'", "RAISE 'no deletion'");
        await cached.Set("a", "value");
        await Eventually.TrueAsync(() => !log.Messages.IsEmpty);
        Assert.Contains("could not be deleted", Assert.Single(log.Messages), StringComparison.Ordinal);
        Assert.Contains("no deletion", Assert.Single(log.Exceptions).Message, StringComparison.Ordinal);
        Assert.Equal("value", await cached.GetText("a"));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Disposing_the_cache_ends_a_running_deletion_without_a_message(ServerKind kind)
    {
        var log = new KeptLog();
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await cached.Execute(Entries(cached, 1));
        await cached.Pass(TimeSpan.FromHours(3));
        await AtDeletion(cached, "DO SLEEP(300)", "PERFORM pg_sleep(300)");
        var other = cached.Another(cached.Choices with { Interval = TimeSpan.FromMinutes(30), Loggers = log });
        var began = Stopwatch.GetTimestamp();
        Assert.Null(await other.GetAsync("a"));
        await ((IAsyncDisposable)other).DisposeAsync();
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0, 150);
        Assert.Empty(log.Messages);
    }

    // Lets the server execute a statement when it deletes an entry.
    private static Task AtDeletion(Cached cached, string mySql, string postgreSql) => cached.Execute(cached.Kind.IsPostgreSql()
        ? $"""
        CREATE FUNCTION {cached.Choices.Table}_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {postgreSql}; RETURN OLD; END $$;
        CREATE TRIGGER at_deletion BEFORE DELETE ON {cached.Name} FOR EACH ROW EXECUTE FUNCTION {cached.Choices.Table}_deleted()
        """
        : $"CREATE TRIGGER `at deletion {cached.Choices.Table}` BEFORE DELETE ON {cached.Name} FOR EACH ROW {mySql}");

    // Entries with a sliding expiration of one hour.
    private static string Entries(Cached cached, int count) => cached.Kind.IsPostgreSql()
        ? $"INSERT INTO {cached.Name} SELECT uuid_send(gen_random_uuid()), statement_timestamp() + interval '1 hour', 3600000000, NULL, 'x'"
            + $" FROM generate_series(1, {count})"
        : $"""
        INSERT INTO {cached.Name} (id, expires_at, sliding_microseconds, value)
        WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < {Math.Min(count, 500)})
        SELECT UUID(), UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, 3600000000, 'x' FROM n CROSS JOIN (SELECT i FROM n WHERE i <= {Math.Max(count / 500, 1)}) m
        """;

    /// <summary>Keeps the messages of the category of a cache.</summary>
    private sealed class KeptLog : ILoggerFactory, ILogger
    {
        public ConcurrentQueue<string> Messages { get; } = new();

        public ConcurrentQueue<Exception> Exceptions { get; } = new();

        public ILogger CreateLogger(string categoryName)
        {
            Assert.Matches(@"^Slipstream\.(MySql|PostgreSql)\.Caching$", categoryName);
            return this;
        }

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public void Dispose()
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (exception is not null)
                Exceptions.Enqueue(exception);
            Messages.Enqueue(formatter(state, exception));
        }
    }
}
