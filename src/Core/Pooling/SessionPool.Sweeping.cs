using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <content>What happens once a second: what has been idle for too long or is too old goes, leaks are found, the minimum is kept.</content>
internal sealed partial class SessionPool<T>
{
    private const int WarmUpMilliseconds = 15_000;

    private int _isWarmingUp;

    /// <inheritdoc/>
    public void Sweep(long now)
    {
        _state.Sweep(now).ForEach(Perform);
        // On a thread of its own: a server that does not answer must not delay the sweeps of the other pools.
        if (_state.IsBelowMinimum && Interlocked.Exchange(ref _isWarmingUp, 1) == 0)
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
            while (_state.TryReserveMissing())
                GiveBack(Open(WarmUpMilliseconds, WarmUpMilliseconds, null), Clock.Now);
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
}
