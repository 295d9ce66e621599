using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>
/// Asks the application's source for the servers, now and then, on a thread of the pool. The monitor only begins the calls, so a source that does not answer
/// delays nothing. The source may be slow, and must not keep the cluster in memory.
/// </summary>
/// <param name="source">The source.</param>
/// <param name="rules">Which servers may be used.</param>
/// <param name="report">Receives the list.</param>
/// <param name="refused">Receives why a list was refused.</param>
/// <param name="failed">Receives why a call failed.</param>
internal sealed class SourcePoll(
    ITopologySource source, MemberRules rules, Action<Observation> report, Action<string, string> refused, Action<Exception> failed) : IDisposable
{
    private const int TimeLimit = 30_000;
    private const long ShortestInterval = 1000;
    private const long SearchInterval = 5000;

    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _gate = new();
    private long _dueAt = Clock.Now;
    private long _beganAt;
    private bool _isAsking;
    private bool _isDisposed;

    /// <summary>Why the last call failed; null after an answer.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Whether a call is under way.</summary>
    public bool IsAsking
    {
        get
        {
            lock (_gate)
                return _isAsking;
        }
    }

    /// <summary>Begins a call, if one is due and none is under way.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isSearching">Whether no primary is known.</param>
    public void Tick(long now, bool isSearching)
    {
        lock (_gate)
        {
            if (_isAsking || _isDisposed || (now < _dueAt && !(isSearching && now - _beganAt >= SearchInterval)))
                return;
            (_isAsking, _beganAt) = (true, now);
        }

        ThreadPool.UnsafeQueueUserWorkItem(static poll => _ = poll.AskAsync(), this, preferLocal: false);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
        }

        // Not here: the source may have registered callbacks that throw or wait.
        ThreadPool.UnsafeQueueUserWorkItem(End, _ended, preferLocal: false);
    }

    private static void End(CancellationTokenSource ended)
    {
        try
        {
            ended.Cancel();
        }
        catch (AggregateException)
        {
            // The source's own callbacks have failed.
        }
        finally
        {
            ended.Dispose();
        }
    }

    // Never throws: nothing awaits it.
    private async Task AskAsync()
    {
        var interval = ShortestInterval;
        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(_ended.Token);
            limit.CancelAfter(TimeLimit);
            interval = (long)Math.Min(source.RefreshInterval.TotalMilliseconds, int.MaxValue);
            // A source may ignore its token.
            var named = await source.GetMembersAsync(limit.Token).AsTask().WaitAsync(limit.Token).ConfigureAwait(false) ?? [];
            var members = rules.Read(named, isTrusted: !source.RequiresVerifiedServers);
            Failure = null;
            if (members.Refusal is { } refusal)
                refused("The topology source", refusal);
            else if (members.Addresses.Count == 0)
                refused("The topology source", "it names no server");
            report(new HostsListed(Clock.Now, members.Addresses));
        }
        catch (Exception) when (_isDisposed)
        {
            // The data source was disposed.
        }
        catch (Exception exception)
        {
            Failure = exception;
            failed(exception);
        }

        lock (_gate)
            (_isAsking, _dueAt) = (false, Clock.In(Math.Max(ShortestInterval, interval)));
    }
}
