namespace Slipstream.Race.Scenarios;

/// <summary>
/// The operation that a contestant repeats. The loop is inside <see cref="Run"/> and <see cref="RunAsync"/>, so that a provider's method is awaited directly.
/// The harness adds only one state machine per block, none per operation.
/// </summary>
internal abstract class Operation : IDisposable
{
    /// <summary>
    /// The figures that an operation measured itself, because the block would measure the wrong process; null for all others.
    /// </summary>
    public Figures? OwnFigures { get; protected set; }

    /// <summary>
    /// The maximum of the managed memory in use during the last block, in bytes, if it is reported instead of the allocations; null for all others.
    /// </summary>
    public long? HighestMemory { get; protected set; }

    /// <summary>The durations of the single operations of the last block in stopwatch ticks, which the load scenarios record.</summary>
    public virtual ReadOnlySpan<long> Latencies => [];

    /// <summary>Connects and warms up the objects that the scenario keeps between blocks. Not timed.</summary>
    public virtual void Open() { }

    /// <inheritdoc cref="Open"/>
    public virtual Task OpenAsync()
    {
        Open();
        return Task.CompletedTask;
    }

    /// <summary>Does the work before a block that is not timed, such as beginning a transaction.</summary>
    public virtual Task BeforeAsync(Mode mode, int count) => Task.CompletedTask;

    /// <summary>Does the work after a block that is not timed.</summary>
    public virtual Task AfterAsync(Mode mode) => Task.CompletedTask;

    public abstract void Run(int count);

    public abstract Task RunAsync(int count);

    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Releases the resources that <see cref="Open"/> acquired.</summary>
    protected virtual void Close() { }
}

/// <summary>Figures per operation: times in microseconds, sizes in bytes; null if no managed code ran.</summary>
internal sealed record Figures(double Wall, double Cpu, double? Allocated);
