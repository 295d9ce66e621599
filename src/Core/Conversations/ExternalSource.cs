using Slipstream.Core.Time;

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
