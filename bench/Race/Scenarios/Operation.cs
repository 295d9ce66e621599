namespace Slipstream.Race.Scenarios;

/// <summary>
/// What one contestant repeats. The loop is inside <see cref="Run"/> and <see cref="RunAsync"/>, so that a provider's method is awaited directly:
/// one state machine per block, none per operation, is the harness's whole share.
/// </summary>
internal abstract class Operation : IDisposable
{
    /// <summary>Figures an operation took itself, because the block's own would measure the wrong process; null for all others.</summary>
    public Figures? OwnFigures { get; protected set; }

    /// <summary>The most managed memory that was in use during the last block, in bytes, where that is reported in place of what was allocated; null for all others.</summary>
    public long? HighestMemory { get; protected set; }

    /// <summary>Durations of the single operations of the last block in stopwatch ticks, kept by the load scenarios.</summary>
    public virtual ReadOnlySpan<long> Latencies => [];

    /// <summary>Connects and warms what the scenario keeps between blocks. Not timed.</summary>
    public virtual void Open() { }

    /// <inheritdoc cref="Open"/>
    public virtual Task OpenAsync()
    {
        Open();
        return Task.CompletedTask;
    }

    /// <summary>What must precede a block and is not timed, such as beginning a transaction.</summary>
    public virtual Task BeforeAsync(Mode mode, int count) => Task.CompletedTask;

    /// <summary>What must follow a block and is not timed.</summary>
    public virtual Task AfterAsync(Mode mode) => Task.CompletedTask;

    public abstract void Run(int count);

    public abstract Task RunAsync(int count);

    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Gives back what <see cref="Open"/> took.</summary>
    protected virtual void Close() { }
}

/// <summary>Figures per operation: times in microseconds, sizes in bytes; null where nothing managed ran.</summary>
internal sealed record Figures(double Wall, double Cpu, double? Allocated);
