using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <content>The work once a second: closes sessions that are too old or idle for too long, finds leaks, keeps the minimum.</content>
internal sealed partial class SessionPool<T>
{
    private const int WarmUpMilliseconds = 15_000;

    private int _isWarmingUp;

    /// <inheritdoc/>
    public void Sweep(long now)
    {
        _state.Sweep(now).ForEach(Perform);
        // On a separate thread: a server that does not answer must not delay the sweeps of the other pools.
        if (_state.IsBelowMinimum && Interlocked.Exchange(ref _isWarmingUp, 1) == 0)
        {
            // If no thread can be started now, the next sweep tries again.
            if (!OwnThread.TryStart(WarmUp, "Slipstream warm-up"))
                Volatile.Write(ref _isWarmingUp, 0);
        }
    }

    private void WarmUp()
    {
        try
        {
            while (_state.TryReserveMissing())
                ReturnSession(Open(WarmUpMilliseconds, WarmUpMilliseconds, null), Clock.Now);
        }
        catch (Exception exception)
        {
            LogWarmUpFailed(exception);
        }
        finally
        {
            Volatile.Write(ref _isWarmingUp, 0);
        }
    }

    private void LogWarmUpFailed(Exception exception)
    {
        try
        {
            Observer?.WarmUpFailed(Name, exception);
        }
        catch (Exception)
        {
            // An exception of the logger on this thread would end the process.
        }
    }
}
