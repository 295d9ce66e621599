using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <content>Those who wait: how the wait begins, and what they are told when it was in vain.</content>
public sealed partial class SessionPool<T>
{
    // Returns a session that lay on a shelf when the waiter was already announced: nobody would have handed it over.
    private T? Enqueue(Waiter<T> waiter, bool asynchronous)
    {
        _waiters.Add(waiter);
        // Who came after the disposal had told those that waited.
        if (_disposed)
            _waiters.FailAll(DisposedMeanwhile());
        var session = asynchronous ? TakeUsable(_onceAsync) ?? TakeUsable(_neverAsync) : TakeUsable(_neverAsync) ?? TakeUsable(_onceAsync);
        if (session is null)
        {
            if (_state.Total < _state.Limits.MaxSize)
            {
                // Where only a place below the common limit is missing, that is waited for too.
                if (_limit is null)
                    _waiters.TryGive(null);
                else
                    _limit.Wait(waiter, this);
            }

            return null;
        }

        if (waiter.TryGiveUp())
        {
            Remove(waiter);
            return session;
        }

        Shelve(session);
        return null;
    }

    private T? TimedOut(Waiter<T> waiter, long milliseconds)
    {
        Remove(waiter);
        _counters.WaitTimedOut();
        throw new PoolExhaustedException(
            _limit is { } limit && _state.Total < _state.Limits.MaxSize
                ? $"No connection of pool '{Name}' became free within {milliseconds / 1000.0:0.###} s: all {limit.Maximum} that it shares with other pools are in use{Describe()}. " +
                  "Close connections sooner (look for a missing Dispose), or raise the limit that the pools share (SessionLimit, or the option Maximum Total Connections)."
                : $"No connection of pool '{Name}' became free within {milliseconds / 1000.0:0.###} s: all {_state.Limits.MaxSize} are in use{Describe()}. " +
                  "Close connections sooner (look for a missing Dispose), or raise Maximum Pool Size.");
    }

    private string Describe()
    {
        var now = Clock.Now;
        long longest = 0;
        lock (_gate)
        {
            foreach (var session in _sessions)
                if (session.Holder is not null)
                    longest = Math.Max(longest, now - session.ChangedAt);
        }

        return longest == 0 ? "" : $", the longest for {longest / 1000.0:0.#} s, and {_waiters.Count} more callers wait";
    }

    private ObjectDisposedException DisposedMeanwhile() => new(Name, "The data source was disposed while a connection was waited for.");

    private void ThrowIfDisposed(bool hasPlace)
    {
        if (!_disposed)
            return;
        if (hasPlace)
            _limit!.GiveBack();
        throw DisposedSource.Refuse(Name);
    }
}
