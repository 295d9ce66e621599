using System.Diagnostics;

namespace Slipstream.PeerRace.Worker;

/// <summary>The callers of a scenario, which run operations one after another until a block ends.</summary>
internal abstract class Crew : IAsyncDisposable
{
    private volatile bool _isOver;

    /// <summary>Gets whether the block has ended. Callers ask between two operations.</summary>
    protected bool IsOver => _isOver;

    /// <summary>Gets what the first caller read last. The race knows what it should be.</summary>
    protected abstract string Check { get; }

    /// <summary>Runs a block.</summary>
    /// <returns>The operations of all callers, the microseconds that they took, and what the first caller read last.</returns>
    public async Task<string> RunAsync(TimeSpan time)
    {
        _isOver = false;
        var start = Stopwatch.GetTimestamp();
        var operations = BeginAsync();
        await Task.Delay(time);
        _isOver = true;
        var count = await operations;
        return $"{count} {Stopwatch.GetElapsedTime(start).TotalMicroseconds:F0} {Check}";
    }

    public abstract ValueTask DisposeAsync();

    /// <summary>Lets the callers begin.</summary>
    /// <returns>The number of their operations, when all have ended.</returns>
    protected abstract Task<long> BeginAsync();
}
