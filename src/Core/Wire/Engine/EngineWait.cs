using System.Threading.Tasks.Sources;

namespace Slipstream.Core.Wires;

/// <summary>
/// One direction of a descriptor in the engine's set. The kernel tells changes only (edge-triggered), so a readiness of which nobody has asked yet is
/// remembered here. Whoever moves the state away from <c>Awaited</c> owns the operation: two engine threads never try it at once.
/// </summary>
/// <param name="socket">The descriptor.</param>
/// <param name="continuesInPool">Completed waits go on in the thread pool, not on the engine's thread.</param>
internal abstract class EngineWait(EngineSocket socket, bool continuesInPool) : IValueTaskSource<int>, IValueTaskSource
{
    /// <summary>What <see cref="Try"/> returns when the kernel has nothing or takes nothing now.</summary>
    protected const int NotYet = -Epoll.Again;

    private const int Unknown = 0;
    private const int Known = 1;
    private const int Awaited = 2;

    private ManualResetValueTaskSourceCore<int> _done = new() { RunContinuationsAsynchronously = continuesInPool };
    private int _state;
    private volatile bool _isPending;

    /// <summary>From the wait's begin until its result is there.</summary>
    public bool IsPending => _isPending;

    protected EngineSocket Socket => socket;

    /// <summary>Does as much as can be done without waiting: not negative, <see cref="NotYet"/>, or another failure.</summary>
    protected abstract int Try();

    /// <summary>Sees to it that the kernel tells of changes from now on, and of what is so already.</summary>
    protected abstract int Arm();

    /// <summary>There may be more to do without waiting for another change.</summary>
    protected void Expect() => Volatile.Write(ref _state, Known);

    /// <summary>
    /// True when the operation is to be waited for: the task is <see cref="Version"/>'s. Otherwise <paramref name="result"/> is what <see cref="Try"/> said.
    /// </summary>
    /// <param name="isNew">The kernel is not asked to tell yet: what it knows is told when it is.</param>
    /// <param name="result">What came of it at once.</param>
    protected bool MustWait(bool isNew, out int result)
    {
        if (isNew)
            Volatile.Write(ref _state, Unknown);
        while (true)
        {
            if (Interlocked.CompareExchange(ref _state, Unknown, Known) == Known)
            {
                // The engine's threads are everybody's: who always finds an answer goes behind the others after a while, by being told of it again.
                if (!isNew && EngineWorker.Current is { } worker && !worker.TryGoOn())
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
        // Who disposes either sees that a wait is under way, and leaves the closing to it, or is seen here.
        if (socket.IsDisposed)
            result = Epoll.Gone;
        if (result >= 0)
            return true;
        // Nothing will be told: take the wait back, unless an event has taken it meanwhile.
        if (Interlocked.CompareExchange(ref _state, Unknown, Awaited) != Awaited)
            return true;
        End();
        return false;
    }

    /// <summary>The kernel told of a change. Called by any engine thread; completes the wait when there is one that can be.</summary>
    public void Happened()
    {
        // Who loses the second exchange loses nothing: the winner tries after it, and so sees what this change was about.
        var seen = Interlocked.CompareExchange(ref _state, Known, Unknown);
        if (seen != Awaited || Interlocked.CompareExchange(ref _state, Unknown, Awaited) != Awaited)
            return;
        int result;
        while ((result = Try()) == NotYet)
        {
            if (Interlocked.CompareExchange(ref _state, Awaited, Unknown) == Unknown)
                return;
            // Something changed while it was tried.
            Volatile.Write(ref _state, Unknown);
        }

        End();
        _done.SetResult(result);
    }

    public short Version => _done.Version;

    public int GetResult(short token)
    {
        var result = _done.GetResult(token);
        // Forgets the continuation too, which may be a task whose result holds the transport: it could never be collected.
        _done.Reset();
        return result >= 0 ? result : throw Failed(result);
    }

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _done.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => _done.OnCompleted(continuation, state, token, flags);

    private void End()
    {
        _isPending = false;
        socket.Ended();
    }

    /// <summary>The exception of a failure.</summary>
    protected virtual Exception Failed(int failure) => socket.Failed(failure);
}
