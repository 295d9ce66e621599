using System.Threading.Tasks.Sources;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Waits without a thread, a timer, a token source or a task: it is the source of its own value task, and when its time has run out the sweeper of the
/// deadlines ends the wait. One for each wait: a token and the sweeper may hold on to one whose wait has ended, and find that it has.
/// </summary>
/// <param name="pool">Where it waits.</param>
/// <param name="due">When the wait ends in vain; <see cref="Time.Clock.Never"/> to wait for any time.</param>
internal sealed class AsyncWaiter(PoolState pool, long due) : Waiter, IValueTaskSource
{
    // The continuation is the caller's code. It must run neither on the thread that returns the session nor on the sweeper's thread.
    private ManualResetValueTaskSourceCore<bool> _ended = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _registration;

    public override long Due => due;

    /// <summary>To be awaited once, after the waiter has entered the queue. Ends as <see cref="Waiter.End"/> says.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
            _registration = cancellationToken.UnsafeRegister(static waiter => ((AsyncWaiter)waiter!).GiveUp(), this);
        return new(this, _ended.Version);
    }

    /// <inheritdoc/>
    public override void Wake() => _ended.SetResult(true);

    private void GiveUp()
    {
        if (pool.GiveUp(this))
            Wake();
    }

    void IValueTaskSource.GetResult(short token)
    {
        // Not Dispose, which would wait for a cancellation whose callback runs just now: it finds that the wait has ended.
        _registration.Unregister();
        _ended.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _ended.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _ended.OnCompleted(continuation, state, token, flags);
}
