using System.Diagnostics;
using System.Diagnostics.Metrics;
using Slipstream.Core.Pooling;

namespace Slipstream.Core.Diagnostics;

/// <summary>One provider's <see cref="ActivitySource"/> and <see cref="Meter"/>, shared by its data sources. Both have the package's name.</summary>
internal sealed class ProviderTelemetry
{
    // Bucket boundaries of the conventions, in seconds.
    private static readonly double[] Seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

    // A pooled session is available within microseconds, and a lease often lasts only for one short command.
    private static readonly double[] ShortSeconds = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

    private readonly List<WeakReference<IMeteredPool>> _pools = [];
    private readonly List<WeakReference<OperationCounts>> _counts = [];

    /// <summary>Creates the instruments of a provider. The sources have the provider's name.</summary>
    public ProviderTelemetry(string name, string version)
    {
        Source = new ActivitySource(name, version);
        var meter = new Meter(name, version);
        OperationDuration = Duration(meter, "db.client.operation.duration", "Duration of database client operations.", Seconds);
        CreateTime = Duration(meter, "db.client.connection.create_time", "The time it took to create a new connection.", Seconds);
        WaitTime = Duration(meter, "db.client.connection.wait_time", "The time it took to obtain an open connection from the pool.", ShortSeconds);
        UseTime = Duration(meter, "db.client.connection.use_time", "The time between borrowing a connection and returning it to the pool.", ShortSeconds);
        Executing = meter.CreateUpDownCounter<long>("slipstream.client.operation.executing", "{operation}", "The number of operations that are executing.");
        BytesRead = meter.CreateCounter<long>("slipstream.client.operation.bytes_read", "By", "The bytes received from the server by operations.");
        BytesWritten = meter.CreateCounter<long>("slipstream.client.operation.bytes_written", "By", "The bytes sent to the server by operations.");
        PreparedRatio = meter.CreateObservableGauge(
            "slipstream.client.operation.prepared_ratio", PreparedShares, "1", "The share of operations that executed a prepared statement.");
        meter.CreateObservableUpDownCounter(
            "db.client.connection.count", CountConnections, "{connection}", "The number of connections that are currently in the state of the attribute.");
        Observed("max", static statistics => statistics.MaxSize, "{connection}", "The maximum number of open connections allowed.");
        Observed("idle.max", static statistics => statistics.MaxSize, "{connection}", "The maximum number of idle open connections allowed.");
        Observed("idle.min", static statistics => statistics.MinSize, "{connection}", "The minimum number of idle open connections allowed.");
        Observed("pending_requests", static statistics => statistics.Waiting, "{request}", "The number of requests waiting for an open connection.");
        meter.CreateObservableCounter(
            "db.client.connection.timeouts",
            () => Observe(static statistics => statistics.WaitTimeouts),
            "{timeout}",
            "The number of connection time-outs that have occurred trying to obtain a connection from the pool.");

        Topology = new(meter);

        void Observed(string what, Func<PoolStatistics, long> number, string unit, string description) =>
            meter.CreateObservableUpDownCounter("db.client.connection." + what, () => Observe(number), unit, description);
    }

    private static Histogram<double> Duration(Meter meter, string name, string description, double[] buckets) =>
        meter.CreateHistogram(name, "s", description, tags: null, advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = buckets });

    /// <summary>The source of spans.</summary>
    public ActivitySource Source { get; }

    /// <summary>db.client.operation.duration, in seconds.</summary>
    public Histogram<double> OperationDuration { get; }

    /// <summary>db.client.connection.create_time, in seconds.</summary>
    public Histogram<double> CreateTime { get; }

    /// <summary>db.client.connection.wait_time, in seconds.</summary>
    public Histogram<double> WaitTime { get; }

    /// <summary>db.client.connection.use_time, in seconds.</summary>
    public Histogram<double> UseTime { get; }

    /// <summary>slipstream.client.operation.executing.</summary>
    public UpDownCounter<long> Executing { get; }

    /// <summary>slipstream.client.operation.bytes_read.</summary>
    public Counter<long> BytesRead { get; }

    /// <summary>slipstream.client.operation.bytes_written.</summary>
    public Counter<long> BytesWritten { get; }

    /// <summary>slipstream.client.operation.prepared_ratio.</summary>
    public ObservableGauge<double> PreparedRatio { get; }

    /// <summary>The metrics of the servers of clusters.</summary>
    public TopologyMetrics Topology { get; }

    /// <summary>Reports the metrics of a pool until it is garbage.</summary>
    public void Add(IMeteredPool pool) => Add(_pools, pool);

    /// <summary>Reports the share of prepared statements of a data source until it is garbage.</summary>
    public void Add(OperationCounts counts) => Add(_counts, counts);

    private static void Add<T>(List<WeakReference<T>> references, T one)
        where T : class
    {
        lock (references)
        {
            references.RemoveAll(static reference => !reference.TryGetTarget(out _));
            references.Add(new(one));
        }
    }

    private static List<T> Alive<T>(List<WeakReference<T>> references)
        where T : class
    {
        var alive = new List<T>();
        lock (references)
        {
            foreach (var reference in references)
                if (reference.TryGetTarget(out var one))
                    alive.Add(one);
        }

        return alive;
    }

    private IEnumerable<Measurement<double>> PreparedShares()
    {
        foreach (var counts in Alive(_counts))
            if (counts.PreparedShare is { } share)
                yield return new(share, counts.Pool);
    }

    private IEnumerable<Measurement<long>> CountConnections()
    {
        foreach (var pool in Alive(_pools))
        {
            var statistics = pool.GetStatistics();
            yield return new(statistics.Idle, new("db.client.connection.pool.name", pool.Name), new("db.client.connection.state", "idle"));
            yield return new(statistics.Busy, new("db.client.connection.pool.name", pool.Name), new("db.client.connection.state", "used"));
        }
    }

    private IEnumerable<Measurement<long>> Observe(Func<PoolStatistics, long> number)
    {
        foreach (var pool in Alive(_pools))
            yield return new(number(pool.GetStatistics()), new KeyValuePair<string, object?>("db.client.connection.pool.name", pool.Name));
    }
}
