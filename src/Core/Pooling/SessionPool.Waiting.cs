using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <content>Waiting callers: the beginning of a wait, and its exceptions.</content>
internal sealed partial class SessionPool<T>
{
    private void Enter(Waiter waiter)
    {
        if (!_state.TryEnter(waiter, Clock.Now))
            throw DisposedSource.Refuse(Name);
        _state.ExecutePending();
    }

    private PoolAction Ended(Waiter waiter, long milliseconds, CancellationToken cancellationToken)
    {
        switch (waiter.End)
        {
            case PoolStep.None when cancellationToken.IsCancellationRequested:
                throw new OperationCanceledException("Waiting for a pooled connection was cancelled.", cancellationToken);
            case PoolStep.None:
                throw Exhausted(milliseconds);
            case PoolStep.Refuse:
                throw waiter.Failure!;
            case PoolStep.Hand:
                _counters.Waited(Clock.Now - waiter.Since);
                break;
        }

        return new(waiter.End, waiter.Session);
    }

    private static void Refuse(List<Waiter> waiters, Exception cause)
    {
        foreach (var waiter in waiters)
        {
            waiter.Failure = cause;
            waiter.Wake();
        }
    }

    private PoolExhaustedException Exhausted(long milliseconds)
    {
        _counters.WaitTimedOut();
        if (_state.Opening >= _state.Limits.MaxOpening)
            return new(
                $"No connection of pool '{Name}' became available within {milliseconds / 1000.0:0.###} s: {_state.Limits.MaxOpening} are being opened, and the "
                    + "server has not answered yet. Raise the time limit (Connection Timeout), or look why the server is slow to log in.");
        return new(
            _limit is { } limit && _state.Total < _state.Limits.MaxSize
                ? $"No connection of pool '{Name}' became available within {milliseconds / 1000.0:0.###} s: all {limit.Maximum} that it shares with other "
                    + $"pools are in use{Describe()}. " +
                  "Close connections sooner (look for a missing Dispose), or raise the limit that the pools share (SessionLimit, or the option Maximum Total "
                      + "Connections)."
                : $"No connection of pool '{Name}' became available within {milliseconds / 1000.0:0.###} s: all {_state.Limits.MaxSize} are in "
                    + $"use{Describe()}. " +
                  "Close connections sooner (look for a missing Dispose), or raise Maximum Pool Size.");
    }

    private string Describe()
    {
        var longest = _state.LongestUse(Clock.Now);
        return longest == 0 ? "" : $", the longest for {longest / 1000.0:0.#} s, and {_state.Waiting} more callers are waiting";
    }
}
