using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>The source of a <see cref="Conversations.Step.WaitExternal"/>: something other than the peer, with a blocking and an asynchronous wait.</summary>
internal abstract class ExternalSource
{
    /// <summary>Blocks until the source is ready.</summary>
    public abstract void Wait();

    /// <summary>Completes when the source is ready.</summary>
    public abstract ValueTask WaitAsync();
}

/// <summary>A wait for a signal of another thread. Once set, it stays set.</summary>
internal sealed class Signal : ExternalSource
{
    private readonly object _gate = new();
    private TaskCompletionSource? _asynchronous;

    /// <summary>Whether the signal was set.</summary>
    public bool IsSet { get; private set; }

    /// <summary>Sets the signal and wakes all waiters.</summary>
    public void Set()
    {
        lock (_gate)
        {
            IsSet = true;
            _asynchronous?.TrySetResult();
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Blocks for at most <paramref name="milliseconds"/>. Returns false if the time ran out.</summary>
    public bool Wait(int milliseconds)
    {
        var end = Clock.Now + milliseconds;
        lock (_gate)
        {
            while (!IsSet)
            {
                var left = end - Clock.Now;
                if (left <= 0 || !Monitor.Wait(_gate, (int)left))
                    return IsSet;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    public override void Wait()
    {
        lock (_gate)
        {
            while (!IsSet)
                Monitor.Wait(_gate);
        }
    }

    /// <inheritdoc/>
    public override ValueTask WaitAsync()
    {
        lock (_gate)
        {
            if (IsSet)
                return default;
            _asynchronous ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            return new(_asynchronous.Task);
        }
    }
}

/// <summary>
/// A wait for bytes of the peer that another thread may end. A receive that has not ended then stays pending: it counts as the next one, so no byte is lost.
/// </summary>
/// <param name="wire">The connection's buffers.</param>
internal sealed class WakeableArrival(Wire wire) : ExternalSource
{
    private TaskCompletionSource _woken = Create();

    /// <summary>Ends the current wait; if there is none, the next one. Callable from any thread.</summary>
    public void Wake() => Volatile.Read(ref _woken).TrySetResult();

    /// <inheritdoc/>
    public override void Wait()
    {
        var (pending, woken) = (Begin(), _woken.Task);
        Task.WaitAny(pending.Bytes, woken);
        Woken(woken);
        if (pending.Bytes.IsCompleted)
            wire.AdvancePending(pending.Wait());
    }

    /// <inheritdoc/>
    public override async ValueTask WaitAsync()
    {
        var (pending, woken) = (Begin(), _woken.Task);
        if (!pending.Bytes.IsCompleted && !woken.IsCompleted)
            await Task.WhenAny(pending.Bytes, woken).ConfigureAwait(false);
        Woken(woken);
        if (pending.Bytes.IsCompleted)
            wire.AdvancePending(await pending.Bytes.ConfigureAwait(false));
    }

    private void Woken(Task woken)
    {
        if (woken.IsCompleted)
            Volatile.Write(ref _woken, Create());
    }

    private PendingReceive Begin() => wire.Pending ??= new(wire.Transport.ReceiveAsync(wire.FreeMemory()).AsTask());

    private static TaskCompletionSource Create() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>
/// A wait for bytes of the peer with a limit. A receive that has not ended when the limit is reached stays pending: it counts as the next one, so no byte is
/// lost and the connection stays usable.
/// </summary>
/// <param name="wire">The connection's buffers.</param>
/// <param name="milliseconds">Time limit in milliseconds; 0: no limit.</param>
/// <param name="token">Ends an asynchronous wait.</param>
internal sealed class Arrival(Wire wire, int milliseconds, CancellationToken token) : ExternalSource
{
    private readonly long _due = Clock.In(milliseconds);

    /// <summary>Whether the limit was reached, or the token cancelled, before bytes arrived.</summary>
    public bool HasEnded { get; private set; }

    // −1: no limit.
    private int Left => _due == Clock.Never ? -1 : (int)Math.Max(0, _due - Clock.Now);

    /// <inheritdoc/>
    public override void Wait()
    {
        var pending = Begin();
        if (pending.Wait(Left))
            wire.AdvancePending(pending.Wait());
        else
            HasEnded = true;
    }

    /// <inheritdoc/>
    public override async ValueTask WaitAsync()
    {
        var pending = Begin();
        try
        {
            if (!pending.Bytes.IsCompleted)
                await pending.Bytes.WaitAsync(TimeSpan.FromMilliseconds(Left), token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is TimeoutException or OperationCanceledException)
        {
            if (!pending.Bytes.IsCompleted)
            {
                HasEnded = true;
                return;
            }
        }

        wire.AdvancePending(await pending.Bytes.ConfigureAwait(false));
    }

    private PendingReceive Begin() => wire.Pending ??= new(wire.Transport.ReceiveAsync(wire.FreeMemory()).AsTask());
}
