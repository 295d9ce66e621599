namespace Slipstream.ScaleModel;

/// <summary>The figures of a cell.</summary>
/// <param name="PerSecond">Operations per second.</param>
/// <param name="Median">The median of the operations' times in microseconds, from before the open until after the close.</param>
/// <param name="P99">The time that 99 of 100 operations do not exceed.</param>
internal sealed record Outcome(double PerSecond, double Median, double P99)
{
    /// <summary>Gets the share of time in which the client's processors were busy; for shared processors, with both.</summary>
    public double ClientBusy { get; init; }

    public double ServerBusy { get; init; }

    /// <summary>Gets the number of engine threads at the end.</summary>
    public int Engines { get; init; }

    /// <summary>Gets the share of time in which what only one processor can do was busy.</summary>
    public double EpollBusy { get; init; }

    public double IdleCountBusy { get; init; }

    public double PoolLockBusy { get; init; }

    /// <summary>Gets the share of time in which a collection stopped the client.</summary>
    public double CollectionShare { get; init; }

    /// <summary>Gets what is busiest, and so limits the throughput.</summary>
    public string Limit
    {
        get
        {
            (string Name, double Busy)[] all =
            [
                ("client's processors", ClientBusy), ("server's processors", ServerBusy), ("epoll", EpollBusy), ("idle counter", IdleCountBusy),
                ("pool lock", PoolLockBusy), ("collections", CollectionShare * 2),
            ];
            var (name, busy) = all.MaxBy(static one => one.Name.EndsWith("processors", StringComparison.Ordinal) ? one.Busy - 0.01 : one.Busy);
            return busy < 0.8 ? "callers" : name;
        }
    }
}
