using System.Buffers;
using System.Data;
using System.Data.Common;
using System.Transactions;
using Microsoft.Extensions.Logging;

namespace Slipstream.Caching;

/// <summary>
/// The table of a cache: each operation in a blocking and an asynchronous form. An operation is one text of SQL, so one round trip. It is repeated after a
/// deadlock, and after the table has been created.
/// </summary>
internal abstract partial class CacheTable : IDisposable
{
    /// <summary>
    /// The number of entries that one statement deletes, which bounds the time for which it holds locks. MariaDB makes a list of 1,000 or more a subquery, and
    /// then scans the whole table.
    /// </summary>
    protected const int DeletedTogether = 500;

    private const int MaxAttempts = 5;

    private readonly DbDataSource _source;
    private readonly CacheSettings _settings;
    private readonly ExpiredEntries _expired;
    private readonly ILogger? _logger;

    protected CacheTable(DbDataSource source, CacheTexts texts, CacheSettings settings, ILogger? logger)
    {
        _source = source;
        Texts = texts;
        _settings = settings;
        _logger = logger;
        _expired = new(settings, DeleteExpiredAsync, logger);
    }

    public CacheTexts Texts { get; }

    public byte[]? Get(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return Run(CacheKey.Encode(key), static (table, connection, id) => table.GetOnce(connection, id));
    }

    public Task<byte[]?> GetAsync(string key, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        return RunAsync(CacheKey.Encode(key), static (table, connection, id, token) => table.GetOnceAsync(connection, id, token), token);
    }

    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(destination);
        return Run((CacheKey.Encode(key), destination), static (table, connection, wanted) => table.TryGetOnce(connection, wanted));
    }

    public Task<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(destination);
        return RunAsync(
            (CacheKey.Encode(key), destination), static (table, connection, wanted, token) => table.TryGetOnceAsync(connection, wanted, token), token);
    }

    public void Set(string key, ReadOnlySequence<byte> value, EntryTimes times) =>
        Run((CacheKey.Encode(key), value, times), static (table, connection, entry) => table.SetOnce(connection, entry));

    public Task SetAsync(string key, ReadOnlySequence<byte> value, EntryTimes times, CancellationToken token) =>
        RunAsync((CacheKey.Encode(key), value, times), static (table, connection, entry, token) => table.SetOnceAsync(connection, entry, token), token);

    public void Refresh(string key) => Execute(Texts.Refresh, key);

    public Task RefreshAsync(string key, CancellationToken token) => ExecuteAsync(Texts.Refresh, key, token);

    public void Remove(string key) => Execute(Texts.Remove, key);

    public Task RemoveAsync(string key, CancellationToken token) => ExecuteAsync(Texts.Remove, key, token);

    public void Dispose() => _expired.Dispose();

    /// <summary>Stops the deletion of expired entries, and waits for its end.</summary>
    public Task StopAsync() => _expired.StopAsync();

    /// <summary>Prepares the command of an operation with a large value if the driver then needs no copy of it.</summary>
    /// <returns>The value of the parameter; null if the driver needs it in one piece, but it has several.</returns>
    protected abstract object? Pass(DbCommand command, ReadOnlySequence<byte> value);

    private void Execute(string text, string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Run((text, CacheKey.Encode(key)), static (_, connection, operation) =>
        {
            using var command = Command(connection, operation.text, operation.Item2);
            return command.ExecuteNonQuery();
        });
    }

    private Task<int> ExecuteAsync(string text, string key, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        return RunAsync(
            (text, CacheKey.Encode(key)),
            static async (_, connection, operation, token) =>
            {
                using var command = Command(connection, operation.text, operation.Item2);
                return await command.ExecuteNonQueryAsync(token).ConfigureAwait(false);
            },
            token);
    }

    private T Run<TState, T>(TState state, Func<CacheTable, DbConnection, TState, T> operation)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                T result;
                using (var connection = Open())
                    result = operation(this, connection, state);
                _expired.Check();
                return result;
            }
            catch (DbException exception) when (attempt < MaxAttempts && (IsCollision(exception) || IsTableToCreate(exception)))
            {
                if (IsTableToCreate(exception))
                    CreateMissingTable();
                else
                    Thread.Sleep(PauseAfter(attempt));
            }
        }
    }

    private async Task<T> RunAsync<TState, T>(
        TState state, Func<CacheTable, DbConnection, TState, CancellationToken, Task<T>> operation, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                T result;
                var connection = await OpenAsync(token).ConfigureAwait(false);
                await using (connection.ConfigureAwait(false))
                    result = await operation(this, connection, state, token).ConfigureAwait(false);
                _expired.Check();
                return result;
            }
            catch (DbException exception) when (attempt < MaxAttempts && (IsCollision(exception) || IsTableToCreate(exception)))
            {
                if (IsTableToCreate(exception))
                    await CreateMissingTableAsync(token).ConfigureAwait(false);
                else
                    await Task.Delay(PauseAfter(attempt), token).ConfigureAwait(false);
            }
        }
    }

    // A cache takes no part in the caller's transaction: it would hold locks, and a second connection might make the transaction a distributed one.
    private DbConnection Open()
    {
        if (Transaction.Current is null)
            return _source.OpenConnection();
        using var outside = new TransactionScope(TransactionScopeOption.Suppress);
        var connection = _source.OpenConnection();
        outside.Complete();
        return connection;
    }

    private async ValueTask<DbConnection> OpenAsync(CancellationToken token)
    {
        if (Transaction.Current is null)
            return await _source.OpenConnectionAsync(token).ConfigureAwait(false);
        using var outside = new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
        var connection = await _source.OpenConnectionAsync(token).ConfigureAwait(false);
        outside.Complete();
        return connection;
    }

    private bool IsTableToCreate(DbException exception) => _settings.CreateTableIfMissing && exception.SqlState is "42S02" or "42P01";

    /// <summary>Returns whether the error is a deadlock or a serialization failure: the statement has done nothing.</summary>
    protected abstract bool IsCollision(DbException exception);

    // Operations that collide and repeat at once would collide again. Up to 8, 16, 32 and 64 milliseconds.
    private static TimeSpan PauseAfter(int attempt) => TimeSpan.FromMilliseconds(Random.Shared.Next(1, 1 << (attempt + 2)));

    protected static DbCommand Command(DbConnection connection, string text)
    {
        var command = connection.CreateCommand();
        command.CommandText = text;
        return command;
    }

    private static DbCommand Command(DbConnection connection, string text, byte[] id)
    {
        var command = Command(connection, text);
        Add(command, CacheTexts.Id, id);
        return command;
    }

    protected static void Add(DbCommand command, string name, object value)
    {
        var parameter = command.CreateParameter();
        parameter.ParameterName = name;
        parameter.Value = value;
        command.Parameters.Add(parameter);
    }

    private static void Add(DbCommand command, string name, long? value)
    {
        var parameter = command.CreateParameter();
        parameter.ParameterName = name;
        // A NULL needs a type.
        parameter.DbType = DbType.Int64;
        parameter.Value = value is null ? DBNull.Value : value.Value;
        command.Parameters.Add(parameter);
    }
}
