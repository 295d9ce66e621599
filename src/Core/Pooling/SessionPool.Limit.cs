namespace Slipstream.Core.Pooling;

/// <content>The pool as one of several that may have only so many sessions together.</content>
public sealed partial class SessionPool<T>
{
    int ILimitedPool.Total => _state.Total;

    int ILimitedPool.Idle => _neverAsync.Count + _onceAsync.Count;

    int ILimitedPool.Kept => _state.Limits.MinSize;

    long? ILimitedPool.WaitingSince => _waiters.Count == 0 ? null : _waiters.Since;

    bool ILimitedPool.TryEvict()
    {
        if ((_neverAsync.TryTake() ?? _onceAsync.TryTake()) is not { } session)
            return false;
        Close(session, CloseReason.Evicted);
        return true;
    }

    // The right to open one more session: below the pool's own limit and below that of all together.
    private bool TryReserve(bool hasPlace)
    {
        if (_limit is not { } limit)
            return _state.TryReserve();
        if (!hasPlace && (_state.Total >= _state.Limits.MaxSize || !limit.TryTake()))
            return false;
        if (_state.TryReserve())
            return true;
        limit.GiveBack();
        return false;
    }

    // A session on its way to the shelf is closed in favour of another pool's caller, who may open one then.
    private bool TryYield(T session)
    {
        if (_limit!.Yield(this) is not { } other)
            return false;
        Forget(session, CloseReason.Evicted);
        if (!other.TryGivePlace())
            _limit.GiveBack();
        _waiters.TryGive(null);
        return true;
    }

    // Somebody may have begun to wait after the look above and before the session lay on the shelf.
    private void TryEvictForOthers()
    {
        while ((_neverAsync.TryTake() ?? _onceAsync.TryTake()) is { } session)
        {
            if (TryYield(session))
                return;
            // Its own callers come first now.
            if (_waiters.TryGive(session))
                return;
            ShelfOf(session).TryGive(session);
            // Who began to wait while it was in nobody's hands but these has not found it.
            if (_waiters.Count == 0 && !_limit!.IsWaitedForByOthersThan(this))
                return;
        }
    }

    private void Remove(Waiter<T> waiter)
    {
        _waiters.Remove(waiter);
        _limit?.End(waiter);
    }
}
