using System.Diagnostics;
using System.Diagnostics.Metrics;
using Slipstream.Core.Pooling;

namespace Slipstream.Core.Diagnostics;

/// <summary>One provider's <see cref="ActivitySource"/> and <see cref="Meter"/>, shared by its data sources; both bear the package's name.</summary>
public sealed class ProviderTelemetry
{
    private readonly List<WeakReference<IMeteredPool>> _pools = [];

    /// <summary>The instruments of a provider: the names of its sources are its own name.</summary>
    public ProviderTelemetry(string name, string version)
    {
        Source = new ActivitySource(name, version);
        var meter = new Meter(name, version);
        OperationDuration = meter.CreateHistogram(
            "db.client.operation.duration", "s", "Duration of database client operations.",
            advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = Telemetry.Buckets });
        CreateTime = meter.CreateHistogram<double>("db.client.connection.create_time", "s", "The time it took to create a new connection.");
        WaitTime = meter.CreateHistogram<double>("db.client.connection.wait_time", "s", "The time it took to obtain an open connection from the pool.");
        UseTime = meter.CreateHistogram<double>("db.client.connection.use_time", "s", "The time between borrowing a connection and returning it to the pool.");
        meter.CreateObservableUpDownCounter("db.client.connection.count", CountConnections, "{connection}", "The number of connections that are currently in the state of the attribute.");
        meter.CreateObservableUpDownCounter("db.client.connection.max", () => Observe(static statistics => statistics.MaxSize), "{connection}", "The maximum number of open connections allowed.");
        meter.CreateObservableUpDownCounter("db.client.connection.idle.max", () => Observe(static statistics => statistics.MaxSize), "{connection}", "The maximum number of idle open connections allowed.");
        meter.CreateObservableUpDownCounter("db.client.connection.idle.min", () => Observe(static statistics => statistics.MinSize), "{connection}", "The minimum number of idle open connections allowed.");
        meter.CreateObservableUpDownCounter("db.client.connection.pending_requests", () => Observe(static statistics => statistics.Waiting), "{request}", "The number of requests waiting for an open connection.");
        meter.CreateObservableCounter("db.client.connection.timeouts", () => Observe(static statistics => statistics.WaitTimeouts), "{timeout}", "The number of connection time-outs that have occurred trying to obtain a connection from the pool.");
    }

    /// <summary>The source of its spans.</summary>
    public ActivitySource Source { get; }

    /// <summary>db.client.operation.duration: seconds.</summary>
    public Histogram<double> OperationDuration { get; }

    /// <summary>db.client.connection.create_time: seconds.</summary>
    public Histogram<double> CreateTime { get; }

    /// <summary>db.client.connection.wait_time: seconds.</summary>
    public Histogram<double> WaitTime { get; }

    /// <summary>db.client.connection.use_time: seconds.</summary>
    public Histogram<double> UseTime { get; }

    /// <summary>Reports a pool's numbers until it is garbage.</summary>
    public void Add(IMeteredPool pool)
    {
        lock (_pools)
        {
            _pools.RemoveAll(static reference => !reference.TryGetTarget(out _));
            _pools.Add(new(pool));
        }
    }

    private List<IMeteredPool> Pools()
    {
        var alive = new List<IMeteredPool>();
        lock (_pools)
        {
            foreach (var reference in _pools)
                if (reference.TryGetTarget(out var pool))
                    alive.Add(pool);
        }

        return alive;
    }

    private IEnumerable<Measurement<long>> CountConnections()
    {
        foreach (var pool in Pools())
        {
            var statistics = pool.GetStatistics();
            yield return new(statistics.Idle, new("db.client.connection.pool.name", pool.Name), new("db.client.connection.state", "idle"));
            yield return new(statistics.Busy, new("db.client.connection.pool.name", pool.Name), new("db.client.connection.state", "used"));
        }
    }

    private IEnumerable<Measurement<long>> Observe(Func<PoolStatistics, long> number)
    {
        foreach (var pool in Pools())
            yield return new(number(pool.GetStatistics()), new KeyValuePair<string, object?>("db.client.connection.pool.name", pool.Name));
    }
}
