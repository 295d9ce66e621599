using System.Threading.Tasks.Sources;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Waits without a thread, a timer, a token source or a task. The waiter is the source of its own value task, and the sweeper of the deadlines ends the wait
/// when its time has run out. Each wait uses a new instance: a token or the sweeper may still refer to a waiter whose wait has ended, and then does nothing.
/// </summary>
/// <param name="pool">The pool that the caller waits for.</param>
/// <param name="due">When the wait times out; <see cref="Time.Clock.Never"/> for no limit.</param>
internal sealed class AsyncWaiter(PoolState pool, long due) : Waiter, IValueTaskSource
{
    // The continuation is the caller's code. It must run neither on the thread that returns the session nor on the sweeper's thread.
    private ManualResetValueTaskSourceCore<bool> _ended = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _registration;

    public override long Due => due;

    /// <summary>Completes when the wait ends. Called once, after the waiter has entered the queue. <see cref="Waiter.End"/> has the result.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
            _registration = cancellationToken.UnsafeRegister(static waiter => ((AsyncWaiter)waiter!).CancelWait(), this);
        return new(this, _ended.Version);
    }

    /// <inheritdoc/>
    public override void Wake() => _ended.SetResult(true);

    private void CancelWait()
    {
        if (pool.TryCancelWait(this))
            Wake();
    }

    void IValueTaskSource.GetResult(short token)
    {
        // Dispose would wait for a cancellation callback that is running now. That callback finds that the wait has ended.
        _registration.Unregister();
        _ended.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _ended.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _ended.OnCompleted(continuation, state, token, flags);
}
