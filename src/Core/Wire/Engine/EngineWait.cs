using System.Threading.Tasks.Sources;

namespace Slipstream.Core.Wires;

/// <summary>
/// One direction of a descriptor in the engine's set. The kernel reports only changes (edge-triggered), so this object stores a readiness that no wait has used
/// yet. The thread that moves the state away from <c>Awaited</c> owns the operation: two engine threads never try it at the same time.
/// </summary>
/// <param name="socket">The descriptor.</param>
/// <param name="continuesInPool">Whether completed waits continue on the thread pool instead of the engine's thread.</param>
internal abstract class EngineWait(EngineSocket socket, bool continuesInPool) : IValueTaskSource<int>, IValueTaskSource
{
    /// <summary>Result of <see cref="Try"/> if the kernel has no bytes, or accepts none, now.</summary>
    protected const int NotYet = -Epoll.Again;

    private const int Unknown = 0;
    private const int Known = 1;
    private const int Awaited = 2;

    private ManualResetValueTaskSourceCore<int> _done = new() { RunContinuationsAsynchronously = continuesInPool };
    private int _state;
    private volatile bool _isPending;

    /// <summary>Whether a wait is running: from its beginning until its result is available.</summary>
    public bool IsPending => _isPending;

    protected EngineSocket Socket => socket;

    /// <summary>Whether a change was reported that no wait has used yet.</summary>
    protected bool IsKnown => Volatile.Read(ref _state) == Known;

    /// <summary>Does what is possible without waiting. Returns a number that is not negative, <see cref="NotYet"/>, or another failure.</summary>
    protected abstract int Try();

    /// <summary>Makes the kernel report changes from now on, and pending events.</summary>
    protected abstract int Arm();

    /// <summary>Records that more may be possible without another change.</summary>
    protected void Expect() => Volatile.Write(ref _state, Known);

    /// <summary>
    /// Returns true if the operation must be waited for, with <see cref="Version"/> as the token. Otherwise, <paramref name="result"/> is the result of
    /// <see cref="Try"/>.
    /// </summary>
    /// <param name="isNew">Whether the kernel does not report events yet; it reports pending ones when it begins to.</param>
    /// <param name="result">The immediate result.</param>
    protected bool MustWait(bool isNew, out int result)
    {
        if (isNew)
            Volatile.Write(ref _state, Unknown);
        while (true)
        {
            if (Interlocked.CompareExchange(ref _state, Unknown, Known) == Known)
            {
                // The engine's threads are shared. A caller that always finds an answer must let others go first after a while: its event is then reported
                // again.
                if (!isNew && EngineWorker.Current is { } worker && !worker.TryContinue())
                {
                    isNew = true;
                    continue;
                }

                result = Try();
                if (result != NotYet)
                    return false;
            }

            _isPending = true;
            if (Interlocked.CompareExchange(ref _state, Awaited, Unknown) == Unknown)
                break;
            End();
        }

        result = isNew ? Arm() : 0;
        // Either the disposing thread sees that a wait is running and leaves the closing to it, or the disposal is seen here.
        if (socket.IsDisposed)
            result = Epoll.Gone;
        if (result >= 0)
            return true;
        // No event will be reported: take the wait back, unless an event has taken it in the meantime.
        if (Interlocked.CompareExchange(ref _state, Unknown, Awaited) != Awaited)
            return true;
        End();
        return false;
    }

    /// <summary>Handles a change that the kernel reported. Called by any engine thread. Completes the wait if possible.</summary>
    public void OnEvent()
    {
        // A thread that loses the second exchange misses nothing: the winner tries later, and so sees this change.
        var seen = Interlocked.CompareExchange(ref _state, Known, Unknown);
        if (seen != Awaited || Interlocked.CompareExchange(ref _state, Unknown, Awaited) != Awaited)
            return;
        int result;
        while ((result = Try()) == NotYet)
        {
            if (Interlocked.CompareExchange(ref _state, Awaited, Unknown) == Unknown)
                return;
            // Something changed during the attempt.
            Volatile.Write(ref _state, Unknown);
        }

        End();
        _done.SetResult(result);
    }

    public short Version => _done.Version;

    public int GetResult(short token)
    {
        var result = _done.GetResult(token);
        // Also drops the continuation, which may be a task whose result references the transport: that could never be collected.
        _done.Reset();
        return result >= 0 ? result : throw Failed(result);
    }

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _done.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _done.OnCompleted(continuation, state, token, flags);

    private void End()
    {
        _isPending = false;
        socket.Ended();
    }

    /// <summary>Creates the exception for a failure.</summary>
    protected virtual Exception Failed(int failure) => socket.Failed(failure);
}
