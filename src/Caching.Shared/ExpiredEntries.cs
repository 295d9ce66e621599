using Microsoft.Extensions.Logging;

namespace Slipstream.Caching;

/// <summary>
/// Decides when expired entries are deleted: beside the first operation, and then beside the first one after each interval. The deletion runs in the background
/// with a connection of its own, so that no operation waits for it or fails with it.
/// </summary>
internal sealed class ExpiredEntries(CacheSettings settings, Func<CancellationToken, Task<int>> delete, ILogger? logger) : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private Task _running = Task.CompletedTask;
    private long _next = settings.TimeProvider.GetTimestamp();

    /// <summary>Starts a deletion if one is due. Called after each operation that succeeded.</summary>
    public void Check()
    {
        if (settings.ExpiredItemsDeletionInterval == Timeout.InfiniteTimeSpan)
            return;
        var now = settings.TimeProvider.GetTimestamp();
        var next = Volatile.Read(ref _next);
        if (now < next || Interlocked.CompareExchange(ref _next, After(now), next) != next)
            return;
        if (Volatile.Read(ref _running).IsCompleted && !_stop.IsCancellationRequested)
            Volatile.Write(ref _running, Start());
    }

    /// <summary>Stops a running deletion, without waiting for its end.</summary>
    public void Dispose() => _stop.Cancel();

    /// <summary>Stops a running deletion, and waits for its end. A deletion never fails.</summary>
    public Task StopAsync()
    {
        _stop.Cancel();
        return Volatile.Read(ref _running);
    }

    // Neither the caller's span nor its other asynchronous state belongs to the deletion.
    private Task Start()
    {
        if (ExecutionContext.IsFlowSuppressed())
            return Task.Run(DeleteAsync);
        using (ExecutionContext.SuppressFlow())
            return Task.Run(DeleteAsync);
    }

    private async Task DeleteAsync()
    {
        try
        {
            var count = await delete(_stop.Token).ConfigureAwait(false);
            if (logger is not null)
                CacheLog.ExpiredDeleted(logger, count);
        }
        catch (Exception) when (_stop.IsCancellationRequested)
        {
            // The cache was disposed.
        }
        catch (Exception exception)
        {
            if (logger is not null)
                CacheLog.ExpiredNotDeleted(logger, exception);
        }
    }

    private long After(long now)
    {
        var ticks = settings.ExpiredItemsDeletionInterval.TotalSeconds * settings.TimeProvider.TimestampFrequency;
        return ticks < long.MaxValue - now ? now + (long)ticks : long.MaxValue;
    }
}
