using System.Diagnostics.Metrics;
using Slipstream.Core.Clusters;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Diagnostics;

/// <summary>
/// The metrics of the servers of clusters: role, state, distance, lag, and how often they are asked. They are read only when a collector asks.
/// </summary>
internal sealed class TopologyMetrics
{
    private readonly List<Entry> _entries = [];

    /// <summary>Creates the instruments.</summary>
    public TopologyMetrics(Meter meter)
    {
        meter.CreateObservableUpDownCounter(
            "slipstream.topology.host.status", () => Observe(Status), "{host}", "1 for each server, with its role and state as attributes.");
        meter.CreateObservableGauge(
            "slipstream.topology.host.round_trip_time", () => Observe(RoundTrip), "s",
            "The smoothed time between a question for the server's role and its answer.");
        meter.CreateObservableGauge("slipstream.topology.host.lag", () => Observe(Lag), "s", "How far the replica is behind its primary.");
        meter.CreateObservableCounter(
            "slipstream.topology.host.changes", () => Observe(Changes), "{change}", "The number of changes of the server's role or state.");
        meter.CreateObservableCounter(
            "slipstream.topology.host.probes", () => Observe(Probes), "{probe}", "The number of questions for the server's role.");
        meter.CreateObservableCounter(
            "slipstream.topology.host.failed_probes", () => Observe(FailedProbes), "{probe}",
            "The number of questions for the server's role that failed or had no answer in time.");
        meter.CreateObservableCounter(
            "slipstream.topology.primary.changes", PrimaryChanges, "{change}", "The number of times that another server has become the primary.");
    }

    private delegate Measurement<T>? Reading<T>(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server)
        where T : struct;

    /// <summary>Reports the metrics of a cluster until it is disposed or garbage.</summary>
    /// <param name="cluster">The servers.</param>
    /// <param name="pool">The pool's name.</param>
    /// <param name="usualPort">The database's usual port, which the conventions leave out.</param>
    public void Add(Cluster cluster, string pool, long usualPort)
    {
        var entry = new Entry(new(cluster), new("db.client.connection.pool.name", pool), usualPort);
        lock (_entries)
        {
            _entries.RemoveAll(static one => one.Find() is null);
            _entries.Add(entry);
        }
    }

    private static KeyValuePair<string, object?>[] TagsOf(ClusterMember member, KeyValuePair<string, object?> name, long usualPort)
    {
        KeyValuePair<string, object?> address = new("server.address", member.Endpoint.Host);
        return member.Endpoint.IsUnixSocket || member.Endpoint.Port == usualPort
            ? [name, address]
            : [name, address, new("server.port", member.Endpoint.Port)];
    }

    private static Measurement<long>? Status(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server)
    {
        var snapshot = state.Snapshot;
        return new(
            1,
            [
                .. server, new("slipstream.topology.host.role", WordOf(snapshot.RoleOf(at))),
                new("slipstream.topology.host.state", WordOf(snapshot.Hosts[at].State)),
            ]);
    }

    private static Measurement<double>? RoundTrip(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server) =>
        state.Snapshot.Hosts[at].RoundTrip is { } milliseconds ? new(milliseconds / 1000, server) : null;

    private static Measurement<double>? Lag(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server) =>
        state.Snapshot.Hosts[at].Lag is { } milliseconds ? new(milliseconds / 1000.0, server) : null;

    private static Measurement<long>? Changes(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server) =>
        new(state.Members[at].Changes, server);

    private static Measurement<long>? Probes(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server) =>
        new(cluster.ProbesOf(state.Members[at]).Sent, server);

    private static Measurement<long>? FailedProbes(Cluster cluster, ClusterState state, int at, KeyValuePair<string, object?>[] server) =>
        new(cluster.ProbesOf(state.Members[at]).Failed, server);

    private static string WordOf(HostRole role) => role switch
    {
        HostRole.Primary => "primary",
        HostRole.ReadOnly => "read_only",
        HostRole.Replica => "replica",
        HostRole.Joining => "joining",
        HostRole.Outranked => "outranked",
        HostRole.Foreign => "foreign",
        _ => "unknown",
    };

    private static string WordOf(HostState state) => state switch
    {
        HostState.Up => "up",
        HostState.Suspect => "suspect",
        HostState.Leaving => "leaving",
        HostState.Dead => "dead",
        _ => "unknown",
    };

    private IEnumerable<Measurement<T>> Observe<T>(Reading<T> read)
        where T : struct
    {
        foreach (var entry in Entries())
        {
            if (entry.Find() is not { } cluster)
                continue;
            var state = cluster.State;
            for (var at = 0; at < state.Members.Length; at++)
                if (read(cluster, state, at, TagsOf(state.Members[at], entry.Pool, entry.UsualPort)) is { } measurement)
                    yield return measurement;
        }
    }

    private IEnumerable<Measurement<long>> PrimaryChanges()
    {
        foreach (var entry in Entries())
            if (entry.Find() is { } cluster)
                yield return new(cluster.PrimaryChanges, entry.Pool);
    }

    private Entry[] Entries()
    {
        lock (_entries)
            return [.. _entries];
    }

    private sealed record Entry(WeakReference<Cluster> Cluster, KeyValuePair<string, object?> Pool, long UsualPort)
    {
        public Cluster? Find() => Cluster.TryGetTarget(out var cluster) && !cluster.IsDisposed ? cluster : null;
    }
}
