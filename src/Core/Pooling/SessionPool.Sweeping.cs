using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <content>What happens once a second: what has been idle for too long or is too old goes, leaks are found, the minimum is kept.</content>
public sealed partial class SessionPool<T>
{
    private const int WarmUpMilliseconds = 15_000;

    private int _isWarmingUp;

    /// <inheritdoc/>
    public void Sweep(long now)
    {
        var going = 0;
        CloseIdle(
            (session, pool) =>
            {
                if (pool._state.MustGo(now, session.OpenedAt, session.ChangedAt, session.Generation, Jitter(session), going) is null)
                    return false;
                going++;
                return true;
            },
            CloseReason.IdleTooLong,
            now);

        List<T>? leaked = null;
        lock (_gate)
        {
            foreach (var session in _sessions)
                if (session.IsLeaked)
                    (leaked ??= []).Add(session);
        }

        foreach (var session in leaked ?? [])
        {
            Observer?.Leaked(Name);
            Close(session, CloseReason.Leaked);
        }

        // On a thread of its own: a server that does not answer must not delay the sweeps of the other pools.
        if (!_disposed && _state.Missing > 0 && Interlocked.Exchange(ref _isWarmingUp, 1) == 0)
        {
            // Where there is no room for a thread now, the next sweep tries again.
            if (!OwnThread.TryStart(WarmUp, "Slipstream warm-up"))
                Volatile.Write(ref _isWarmingUp, 0);
        }
    }

    private void WarmUp()
    {
        try
        {
            while (!_disposed && _state.Missing > 0 && TryReserve(false))
                Shelve(OpenReserved(WarmUpMilliseconds, WarmUpMilliseconds, null));
        }
        catch (Exception exception)
        {
            TellWarmUpFailed(exception);
        }
        finally
        {
            Volatile.Write(ref _isWarmingUp, 0);
        }
    }

    private void TellWarmUpFailed(Exception exception)
    {
        try
        {
            Observer?.WarmUpFailed(Name, exception);
        }
        catch (Exception)
        {
            // A log that throws here would end the process.
        }
    }

    private void CloseIdle(Func<T, SessionPool<T>, bool> condition, CloseReason reason, long now = 0)
    {
        var gone = new List<T>();
        _neverAsync.TakeAll(this, condition, gone);
        _onceAsync.TakeAll(this, condition, gone);
        foreach (var session in gone)
            Close(session, now == 0 ? reason : _state.MustGo(now, session.OpenedAt, session.ChangedAt, session.Generation, Jitter(session)) ?? reason);
    }
}
