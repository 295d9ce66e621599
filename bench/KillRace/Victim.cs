using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.KillRace;

/// <summary>A contestant's pool on a server, whose sessions are killed round by round.</summary>
internal sealed class Victim : IAsyncDisposable
{
    // Long enough for hundreds of opens; a kill takes 50 to 100 µs.
    private const int WindowMicroseconds = 400;
    private const int TimeOutMilliseconds = 1000;

    // The server checks its time-outs a few milliseconds late.
    private const int AroundMilliseconds = 15;

    private readonly DbDataSource _source;
    private readonly Killer _killer;
    private readonly bool _isAsync;
    private readonly bool _isPostgreSql;
    private readonly int _sessions;
    private readonly Random _random = new(4711);

    public Victim(Contestant contestant, LabServer server, Killer killer, int sessions, bool isAsync)
    {
        _isPostgreSql = server.Kind.IsPostgreSql();
        // The provider's default settings, except TLS, which only makes the logins longer.
        var address = _isPostgreSql
            ? $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable"
            : $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database={server.Database};SslMode=None;"
                + "AllowPublicKeyRetrieval=true";
        _source = contestant.Factory.CreateDataSource(string.Create(CultureInfo.InvariantCulture, $"{address};Maximum Pool Size={sessions}"));
        (Contestant, _killer, _sessions, _isAsync) = (contestant, killer, sessions, isAsync);
    }

    public Contestant Contestant { get; }

    public Count Count { get; } = new();

    /// <summary>Fills the pool, ends its sessions, and counts what the next callers notice.</summary>
    public async Task RunAsync(Pattern pattern)
    {
        var ids = await FillAsync(pattern.Ending == Ending.TimedOut);
        Count.Ended += ids.Count;
        switch (pattern.Ending)
        {
            case Ending.Killed or Ending.KilledAlone:
                _killer.Kill(ids);
                await WaitAsync(pattern.Milliseconds);
                break;
            case Ending.TimedOut:
                var gap = pattern.Milliseconds > 0 ? pattern.Milliseconds : _random.Next(-AroundMilliseconds, AroundMilliseconds);
                await WaitAsync(TimeOutMilliseconds + gap);
                break;
            default:
                await OpenAndCloseAsync(ids);
                return;
        }

        await UseAllAsync();
        if (pattern.Ending == Ending.TimedOut)
            // Those that were opened before their time ran out have survived.
            await ClearAsync(ids);
    }

    public ValueTask DisposeAsync() => _source.DisposeAsync();

    // Returns the ids of the pool's sessions.
    private async Task<List<long>> FillAsync(bool timesOut)
    {
        List<DbConnection> connections = [];
        List<long> ids = [];
        while (connections.Count < _sessions)
        {
            var connection = await OpenAsync();
            try
            {
                ids.Add(await ExecuteAsync(connection, _isPostgreSql ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()"));
                connections.Add(connection);
            }
            catch (Exception exception) when (exception is DbException or InvalidOperationException)
            {
                // PostgreSQL confirms a kill before the session has ended: this one was killed at the end of the last round.
                await CloseAsync(connection);
            }
        }

        if (timesOut)
            foreach (var connection in connections)
                await ExecuteAsync(connection, _isPostgreSql ? "SET idle_session_timeout = 1000" : "SET wait_timeout = 1");
        foreach (var connection in connections)
            await CloseAsync(connection);
        return ids;
    }

    // All connections stay open until each session of the pool has had its first command: otherwise, a replaced one would serve the others.
    private async Task UseAllAsync()
    {
        List<DbConnection> connections = [];
        while (connections.Count < _sessions)
            if (await TryOpenAsync() is { } connection)
            {
                connections.Add(connection);
                await TryExecuteAsync(connection);
            }

        foreach (var connection in connections)
            await CloseAsync(connection);
    }

    private async Task OpenAndCloseAsync(List<long> ids)
    {
        var (killAt, executeAt) = (_random.Next(WindowMicroseconds), _random.Next(WindowMicroseconds));
        var began = Stopwatch.GetTimestamp();
        var killed = Task.Factory.StartNew(
            () =>
            {
                SpinUntil(began, killAt);
                _killer.Kill(ids);
            }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        while (Stopwatch.GetElapsedTime(began).TotalMicroseconds < executeAt)
            if (await TryOpenAsync() is { } idle)
                await CloseAsync(idle);
        if (await TryOpenAsync() is { } connection)
        {
            await TryExecuteAsync(connection);
            await CloseAsync(connection);
        }

        await killed;
    }

    private static void SpinUntil(long began, int microseconds)
    {
        while (Stopwatch.GetElapsedTime(began).TotalMicroseconds < microseconds)
            Thread.SpinWait(10);
    }

    private async Task ClearAsync(List<long> ids)
    {
        _killer.Kill(ids);
        await WaitAsync(50);
    }

    private async Task<DbConnection?> TryOpenAsync()
    {
        try
        {
            return await OpenAsync();
        }
        catch (Exception exception)
        {
            Count.Failed(exception, isOpen: true);
            return null;
        }
    }

    private async Task TryExecuteAsync(DbConnection connection)
    {
        try
        {
            await ExecuteAsync(connection, "SELECT 1");
        }
        catch (Exception exception)
        {
            Count.Failed(exception, isOpen: false);
        }
    }

    private async ValueTask<DbConnection> OpenAsync() => _isAsync ? await _source.OpenConnectionAsync() : _source.OpenConnection();

    private async ValueTask<long> ExecuteAsync(DbConnection connection, string text)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = text;
        return Convert.ToInt64(_isAsync ? await command.ExecuteScalarAsync() : command.ExecuteScalar(), CultureInfo.InvariantCulture);
    }

    private ValueTask CloseAsync(DbConnection connection)
    {
        if (_isAsync)
            return connection.DisposeAsync();
        connection.Dispose();
        return default;
    }

    private async ValueTask WaitAsync(int milliseconds)
    {
        if (milliseconds == 0)
            return;
        if (_isAsync)
            await Task.Delay(milliseconds);
        else
            Thread.Sleep(milliseconds);
    }
}
