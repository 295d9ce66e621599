using Slipstream.Core.Conversations;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// Keeps one session alive while a connection holds it without running a command, so that no firewall forgets it: a ping after each interval. A command that
/// begins during a ping waits for its end.
/// </summary>
/// <param name="session">The session.</param>
internal sealed class KeepAlive(Session session)
{
    private readonly Lock _gate = new();
    private bool _isLeased;
    private long _usedAt;

    /// <summary>A connection has got the session.</summary>
    public void Leased()
    {
        lock (_gate)
            (_isLeased, _usedAt) = (true, Clock.Now);
    }

    /// <summary>The connection returns the session.</summary>
    public void Released()
    {
        lock (_gate)
            _isLeased = false;
    }

    /// <summary>Starts the next operation, after a ping that is running.</summary>
    /// <param name="milliseconds">Time limit in milliseconds; 0: no limit.</param>
    public void Begin(long milliseconds)
    {
        lock (_gate)
        {
            session.Operation.Begin(milliseconds);
            _usedAt = Clock.Now;
        }
    }

    /// <summary>Whether the session has been idle for the interval. The answer may be outdated at once.</summary>
    public bool IsDue(long now, long interval) =>
        Volatile.Read(ref _isLeased) && now - Volatile.Read(ref _usedAt) >= interval && !session.Operation.IsRunning && !session.IsBroken;

    /// <summary>Pings the server if the session is still idle. A session whose server does not answer in time is broken.</summary>
    /// <param name="interval">The interval in milliseconds.</param>
    /// <param name="limit">The time limit of the ping in milliseconds.</param>
    public void Ping(long interval, int limit)
    {
        if (!_gate.TryEnter())
            return;
        try
        {
            if (!IsDue(Clock.Now, interval) || session.Queue.HasPrefixes)
                return;
            using var scope = new DialScope(limit, default);
            scope.AttachForShutdown(session.Wire.Transport);
            BlockingPump.Run(new StandaloneExchange(session, session.CreatePing()), session.Wire);
            if (!scope.TryComplete())
                session.Break("it did not answer a keep-alive query in time");
            Volatile.Write(ref _usedAt, Clock.Now);
        }
        catch (Exception exception)
        {
            session.Break($"a keep-alive query failed: {exception.Message}");
        }
        finally
        {
            _gate.Exit();
        }
    }
}

/// <summary>The sessions of a data source that are kept alive.</summary>
internal sealed class KeepAlives : ISweptPool
{
    // Each ping blocks a thread of its own. What is due beyond these waits for the next sweep, a second later.
    private const int MaxPings = 8;
    private const int LongestPingMilliseconds = 10_000;

    private readonly long _interval;
    private readonly Lock _gate = new();
    private readonly List<WeakReference<KeepAlive>> _all = [];
    private int _pings;

    /// <param name="interval">The interval in milliseconds.</param>
    public KeepAlives(long interval)
    {
        _interval = interval;
        PoolSweeper.Add(this);
    }

    /// <summary>Keeps a new session alive.</summary>
    public void Add(Session session)
    {
        var one = session.KeepAlive = new(session);
        lock (_gate)
            _all.Add(new(one));
    }

    /// <inheritdoc/>
    public void Sweep(long now)
    {
        lock (_gate)
        {
            for (var at = _all.Count - 1; at >= 0; at--)
            {
                if (!_all[at].TryGetTarget(out var one))
                    _all.RemoveAt(at);
                else if (one.IsDue(now, _interval))
                    Start(one);
            }
        }
    }

    private void Start(KeepAlive one)
    {
        if (Interlocked.Increment(ref _pings) > MaxPings || !OwnThread.TryStart(() => Ping(one), "Slipstream keep-alive"))
            Interlocked.Decrement(ref _pings);
    }

    private void Ping(KeepAlive one)
    {
        try
        {
            one.Ping(_interval, (int)Math.Min(_interval, LongestPingMilliseconds));
        }
        finally
        {
            Interlocked.Decrement(ref _pings);
        }
    }
}
