using System.Threading.Tasks.Sources;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Waits without a thread, a timer, a token source or a task: it is the source of its own value task, and when its time has run out the sweeper of the
/// deadlines says so. One for each wait: a giver, a token and the sweeper may hold on to one whose wait has ended, and find it decided for good.
/// </summary>
/// <param name="holder">Who waits.</param>
/// <param name="due">When the wait ends in vain; <see cref="Time.Clock.Never"/> to wait for any time.</param>
internal sealed class AsyncWaiter<T>(object holder, long due) : Waiter<T>(holder), IValueTaskSource<bool> where T : class
{
    // What goes on is whoever asked for a session: neither on the thread of who gave it nor on the sweeper's, which holds a lock.
    private ManualResetValueTaskSourceCore<bool> _ended = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _registration;

    internal override long Due => due;

    /// <summary>
    /// To be awaited once. True when something was given, or the wait failed; false when it gave up: time ran out or the token was cancelled.
    /// </summary>
    public ValueTask<bool> WaitAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
            _registration = cancellationToken.UnsafeRegister(static waiter => ((AsyncWaiter<T>)waiter!).Expire(), this);
        return new(this, _ended.Version);
    }

    /// <summary>The wait gives up, unless something was given before.</summary>
    internal override void Expire()
    {
        if (TryDecide())
            _ended.SetResult(false);
    }

    /// <inheritdoc/>
    protected override void Wake() => _ended.SetResult(true);

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        // Not Dispose, which would wait for a cancellation that is just telling: it finds the wait decided.
        _registration.Unregister();
        return _ended.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _ended.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _ended.OnCompleted(continuation, state, token, flags);
}
