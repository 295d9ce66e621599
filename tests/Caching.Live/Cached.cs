using System.Buffers;
using System.Data.Common;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;
using Slipstream.MySql;
using Slipstream.MySql.Caching;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Caching;

namespace Slipstream.Caching.Live;

/// <summary>The options of both caches, and how a test reaches the server.</summary>
internal sealed record Choices
{
    public string Table { get; init; } = $"cache_{Environment.ProcessId}_{Guid.NewGuid():N}";

    public string? Space { get; init; }

    public TimeSpan? DefaultSliding { get; init; }

    /// <summary>Never, because a deletion in the background would disturb what a test counts.</summary>
    public TimeSpan Interval { get; init; } = Timeout.InfiniteTimeSpan;

    public bool CreateTableIfMissing { get; init; }

    public bool IsUnlogged { get; init; }

    public bool WithTable { get; init; } = true;

    public TimeProvider Clock { get; init; } = TimeProvider.System;

    public ILoggerFactory? Loggers { get; init; }

    public LabProxy? Proxy { get; init; }

    public string Settings { get; init; } = "";

    public MySqlCacheOptions ForMySql()
    {
        var options = new MySqlCacheOptions
        {
            TableName = Table, DatabaseName = Space, ExpiredItemsDeletionInterval = Interval, CreateTableIfMissing = CreateTableIfMissing, TimeProvider = Clock,
        };
        options.DefaultSlidingExpiration = DefaultSliding ?? options.DefaultSlidingExpiration;
        return options;
    }

    public PgCacheOptions ForPostgreSql()
    {
        var options = new PgCacheOptions
        {
            TableName = Table, SchemaName = Space, ExpiredItemsDeletionInterval = Interval, CreateTableIfMissing = CreateTableIfMissing, TimeProvider = Clock,
            IsUnlogged = IsUnlogged,
        };
        options.DefaultSlidingExpiration = DefaultSliding ?? options.DefaultSlidingExpiration;
        return options;
    }
}

/// <summary>A cache on a new table of one of the servers, whose operations a test calls in the blocking or the asynchronous form.</summary>
internal sealed class Cached : IAsyncDisposable
{
    private readonly bool _isAsync;
    private readonly DbDataSource _admin;
    private readonly string _name;

    private Cached(ServerKind kind, bool isAsync, DbDataSource source, DbDataSource admin, Choices choices)
    {
        Kind = kind;
        _isAsync = isAsync;
        Source = source;
        _admin = admin;
        Choices = choices;
        _name = (choices.Space is { } space ? Quote(space) + "." : "") + Quote(choices.Table);
        Cache = Another(choices);
    }

    public static TheoryData<ServerKind, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool>();
            foreach (var kind in ServerKinds.All)
            {
                ways.Add(kind, false);
                ways.Add(kind, true);
            }

            return ways;
        }
    }

    public static TheoryData<ServerKind> Kinds => [.. ServerKinds.All];

    public ServerKind Kind { get; }

    public DbDataSource Source { get; }

    public Choices Choices { get; }

    public IBufferDistributedCache Cache { get; }

    /// <summary>A table in which a test counts.</summary>
    public string CountTable => $"{Choices.Table[..Math.Min(Choices.Table.Length, 50)]}_count";

    /// <summary>The quoted name of the table.</summary>
    public string Name => _name;

    public static async Task<Cached> CreateAsync(ServerKind kind, bool isAsync, Choices? choices = null)
    {
        choices ??= new();
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, choices.Settings);
        if (choices.Proxy is { } proxy)
            text += $";Port={proxy.Port};{(kind.IsPostgreSql() ? "Host" : "Server")}=127.0.0.1";
        var cached = new Cached(kind, isAsync, Open(kind, text), Open(kind, ConnectionStrings.Of(server)), choices);
        if (choices.WithTable)
            await cached.CreateTable();
        return cached;
    }

    public static DbDataSource Open(ServerKind kind, string connectionString) =>
        kind.IsPostgreSql() ? new PgDataSourceBuilder(connectionString).Build() : new MySqlDataSourceBuilder(connectionString).Build();

    /// <summary>Another cache on the same data source, as another part of the program might have it.</summary>
    public IBufferDistributedCache Another(Choices choices) => Source switch
    {
        MySqlDataSource source => new MySqlCache(source, choices.ForMySql(), choices.Loggers),
        var source => new PgCache((PgDataSource)source, choices.ForPostgreSql(), choices.Loggers),
    };

    public string CreateTableSql => Kind.IsPostgreSql() ? Choices.ForPostgreSql().GetCreateTableSql() : Choices.ForMySql().GetCreateTableSql();

    public async Task<byte[]?> Get(string key, CancellationToken token = default) => _isAsync ? await Cache.GetAsync(key, token) : Cache.Get(key);

    public async Task<byte[]?> TryGet(string key, CancellationToken token = default)
    {
        var writer = new ArrayBufferWriter<byte>();
        if (_isAsync ? await Cache.TryGetAsync(key, writer, token) : Cache.TryGet(key, writer))
            return writer.WrittenSpan.ToArray();
        Assert.Equal(0, writer.WrittenCount);
        return null;
    }

    public async Task Set(string key, byte[] value, DistributedCacheEntryOptions? options = null, CancellationToken token = default)
    {
        if (_isAsync)
            await Cache.SetAsync(key, value, options ?? new(), token);
        else
            Cache.Set(key, value, options ?? new());
    }

    public Task Set(string key, string value, DistributedCacheEntryOptions? options = null) => Set(key, Encoding.UTF8.GetBytes(value), options);

    public async Task Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options = null)
    {
        if (_isAsync)
            await Cache.SetAsync(key, value, options ?? new());
        else
            Cache.Set(key, value, options ?? new());
    }

    public async Task Refresh(string key, CancellationToken token = default)
    {
        if (_isAsync)
            await Cache.RefreshAsync(key, token);
        else
            Cache.Refresh(key);
    }

    public async Task Remove(string key, CancellationToken token = default)
    {
        if (_isAsync)
            await Cache.RemoveAsync(key, token);
        else
            Cache.Remove(key);
    }

    public Task CreateTable() => CreateTable(Cache);

    public async Task CreateTable(IDistributedCache cache)
    {
        switch (cache)
        {
            case MySqlCache own when _isAsync: await own.CreateTableAsync(); break;
            case MySqlCache own: own.CreateTable(); break;
            case PgCache own when _isAsync: await own.CreateTableAsync(); break;
            default: ((PgCache)cache).CreateTable(); break;
        }
    }

    public async Task<int> DeleteExpired() => Cache switch
    {
        MySqlCache own => _isAsync ? await own.DeleteExpiredAsync() : own.DeleteExpired(),
        var own => _isAsync ? await ((PgCache)own).DeleteExpiredAsync() : ((PgCache)own).DeleteExpired(),
    };

    public async Task<string?> GetText(string key) => await Get(key) is { } bytes ? Encoding.UTF8.GetString(bytes) : null;

    /// <summary>Lets time pass for all entries: their times in the table move back.</summary>
    public Task Pass(TimeSpan time)
    {
        var ticks = time.Ticks / TimeSpan.TicksPerMicrosecond;
        var moved = Kind.IsPostgreSql() ? $"- {ticks} * interval '1 microsecond'" : $"- INTERVAL {ticks} MICROSECOND";
        return Execute($"UPDATE {_name} SET expires_at = expires_at {moved}, absolute_expiration = absolute_expiration {moved}");
    }

    /// <summary>The minutes after which an entry expires by the server's clock.</summary>
    public async Task<double> MinutesLeft(string key)
    {
        var left = Kind.IsPostgreSql()
            ? "extract(epoch FROM expires_at - statement_timestamp())"
            : "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) / 1000000";
        return Convert.ToDouble(await Scalar($"SELECT {left} FROM {_name} WHERE id = @id", key), CultureInfo.InvariantCulture) / 60;
    }

    public async Task<long> Count() => Convert.ToInt64(await Scalar($"SELECT COUNT(*) FROM {_name}"), CultureInfo.InvariantCulture);

    public async Task Execute(string sql)
    {
        await using var command = _admin.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }

    public async Task<object?> Scalar(string sql, string? key = null)
    {
        await using var command = _admin.CreateCommand(sql);
        if (key is not null)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = ("@id", Encoding.UTF8.GetBytes(key));
            command.Parameters.Add(parameter);
        }

        return await command.ExecuteScalarAsync();
    }

    public ValueTask<DbConnection> Connect() => _admin.OpenConnectionAsync();

    public async ValueTask DisposeAsync()
    {
        await ((IAsyncDisposable)Cache).DisposeAsync();
        await Source.DisposeAsync();
        await Execute($"DROP TABLE IF EXISTS {_name}");
        if (Kind.IsPostgreSql())
            await Execute($"DROP FUNCTION IF EXISTS {Quote($"{Choices.Table}_deleted")}");
        else
            await Execute($"DROP TABLE IF EXISTS {Quote(CountTable)}");
        await _admin.DisposeAsync();
    }

    private string Quote(string name) => Kind.IsPostgreSql()
        ? $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\""
        : $"`{name.Replace("`", "``", StringComparison.Ordinal)}`";
}
