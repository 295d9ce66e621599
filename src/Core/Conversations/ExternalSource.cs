using Slipstream.Core.Time;

namespace Slipstream.Core.Conversations;

/// <summary>What stands behind <see cref="Conversations.Step.WaitExternal"/>: a wait for somebody who is not the peer, in both ways of waiting.</summary>
internal abstract class ExternalSource
{
    /// <summary>Blocks until what was asked for is there.</summary>
    public abstract void Wait();

    /// <summary>Completes when what was asked for is there.</summary>
    public abstract ValueTask WaitAsync();
}

/// <summary>A wait for another thread to say "now". Once set it stays set.</summary>
internal sealed class Signal : ExternalSource
{
    private readonly object _gate = new();
    private TaskCompletionSource? _asynchronous;

    /// <summary>Whether it was set.</summary>
    public bool IsSet { get; private set; }

    /// <summary>Sets it and wakes who waits.</summary>
    public void Set()
    {
        lock (_gate)
        {
            IsSet = true;
            _asynchronous?.TrySetResult();
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Blocks for at most <paramref name="milliseconds"/>; false when the time ran out.</summary>
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
