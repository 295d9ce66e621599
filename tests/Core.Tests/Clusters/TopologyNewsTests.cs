using System.Diagnostics.Metrics;
using Slipstream.Core.Clusters;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>The descriptions, the events and the metrics that follow from snapshots, without servers.</summary>
public sealed class TopologyNewsTests : IDisposable
{
    private readonly Cluster _cluster = new([new(new Endpoint("a", 5432), null!), new(new Endpoint("b", 7), null!), new(Endpoint.Unix("/c"), null!)], new());
    private long _version = 1;

    public void Dispose() => _cluster.Dispose();

    [Fact]
    public void A_description_has_what_the_snapshot_has()
    {
        Take(
            0, Up(HostRole.Primary), Up(HostRole.Replica) with { Lag = 12, RoundTrip = 1.5, Error = "two\nlines" },
            new("/c", HostState.Dead, HostRole.Unknown) { Error = new string('e', 600) });
        var topology = _cluster.News.Describe();
        Assert.Same(topology, _cluster.News.Describe());
        Assert.Equal(("a", 5432, "a:5432"), (topology.Hosts[0].Host, topology.Hosts[0].Port, topology.Hosts[0].Address));
        Assert.Equal(("/c", 0, "/c"), (topology.Hosts[2].Host, topology.Hosts[2].Port, topology.Hosts[2].Address));
        Assert.Same(topology.Hosts[0], topology.Primary);
        Assert.Equal((TimeSpan.FromMilliseconds(12), TimeSpan.FromMilliseconds(1.5)), (topology.Hosts[1].Lag, topology.Hosts[1].RoundTripTime));
        Assert.DoesNotContain("\n", topology.Hosts[1].LastError);
        Assert.Equal(501, topology.Hosts[2].LastError!.Length);
        Assert.Equal([true, true, false], topology.Hosts.Select(static host => host.IsUsable));
        Assert.Equal("a:5432 Primary Up; b:7 Replica Up, lag 0.012 s; /c Unknown Dead", topology.ToString());
        Assert.Equal("[::1]:1", new HostDescription("::1", 1).Address);
        Assert.Throws<NotSupportedException>(() => ((IList<HostDescription>)topology.Hosts)[0] = null!);
    }

    // A server may report any number.
    [Theory, InlineData(long.MaxValue), InlineData(922_337_203_685_478), InlineData(long.MinValue)]
    public void A_lag_that_no_time_holds_hides_no_change(long lag)
    {
        using var told = new Semaphore(0, 100);
        _cluster.News.Changed += (_, _) => told.Release();
        Take(0, Up(HostRole.Primary), Up(HostRole.Replica) with { Lag = lag }, Up(HostRole.Replica));
        Take(-1, Up(HostRole.Replica), Up(HostRole.Replica) with { Lag = lag }, Up(HostRole.Primary));
        Assert.True(told.WaitOne(60_000) && told.WaitOne(60_000));
        Assert.Equal(HostRole.Primary, _cluster.News.Describe().Hosts[2].Role);
        Assert.InRange(_cluster.News.Describe().Hosts[1].Lag!.Value, TimeSpan.Zero, TimeSpan.MaxValue);
    }

    [Fact]
    public void The_time_of_a_state_stays_until_the_role_or_the_state_changes()
    {
        Take(0, Up(HostRole.Primary), Up(HostRole.Replica), Up(HostRole.Replica));
        var before = _cluster.News.Describe();
        SpinWait.SpinUntil(() => DateTimeOffset.UtcNow > before.Hosts[1].Since);
        Take(0, Up(HostRole.Primary) with { RoundTrip = 1 }, Up(HostRole.Joining), Up(HostRole.Replica));
        var after = _cluster.News.Describe();
        Assert.NotSame(before, after);
        Assert.Equal(before.Hosts[0].Since, after.Hosts[0].Since);
        Assert.NotEqual(before.Hosts[1].Since, after.Hosts[1].Since);
        Assert.Equal([1L, 2L, 1L], _cluster.Members.Select(static one => one.Changes));
    }

    [Fact]
    public void Of_several_writers_one_is_the_primary()
    {
        Take(1, WriterRule.First, Up(HostRole.Primary), Up(HostRole.Primary), Up(HostRole.Joining));
        Assert.Equal([HostRole.Replica, HostRole.Primary, HostRole.Joining], _cluster.News.Describe().Hosts.Select(static host => host.Role));
        Take(0, WriterRule.First, Up(HostRole.Primary), Up(HostRole.Primary), Up(HostRole.Joining));
        Assert.Equal([HostRole.Primary, HostRole.Replica, HostRole.Joining], _cluster.News.Describe().Hosts.Select(static host => host.Role));
        Assert.Equal([2L, 2L, 1L], _cluster.Members.Select(static one => one.Changes));
    }

    [Fact]
    public void Only_changes_of_roles_and_states_have_an_event()
    {
        using var told = new Semaphore(0, 100);
        var changes = new List<TopologyChangedEventArgs>();
        _cluster.News.Changed += (_, change) =>
        {
            changes.Add(change);
            told.Release();
        };
        Take(0, Up(HostRole.Primary), Up(HostRole.Replica), Up(HostRole.Replica));
        Take(0, Up(HostRole.Primary) with { RoundTrip = 5, Lag = 1 }, Up(HostRole.Replica), Up(HostRole.Replica));
        Take(-1, Up(HostRole.ReadOnly), Up(HostRole.Replica), Up(HostRole.Replica));
        Assert.True(told.WaitOne(60_000) && told.WaitOne(60_000));
        Assert.Equal([HostRole.Primary, HostRole.ReadOnly], changes.Select(static change => change.Current.Hosts[0].Role));
        Assert.Equal(TimeSpan.FromMilliseconds(5), changes[1].Previous.Hosts[0].RoundTripTime);
        Assert.Null(changes[1].Current.Primary);
    }

    [Fact]
    public void Changes_that_a_handler_has_not_taken_share_an_event_and_none_is_lost()
    {
        using var mayReturn = new ManualResetEventSlim();
        using var hasBegun = new ManualResetEventSlim();
        using var hasEnded = new ManualResetEventSlim();
        var last = _version + 1001;
        var changes = new List<TopologyChangedEventArgs>();
        _cluster.News.Changed += (_, change) =>
        {
            hasBegun.Set();
            mayReturn.Wait();
            changes.Add(change);
            if (change.Current.Version == last)
                hasEnded.Set();
        };
        Flip();
        Assert.True(hasBegun.Wait(60_000));
        while (_version < last)
            Flip();
        mayReturn.Set();
        Assert.True(hasEnded.Wait(60_000));
        Assert.Equal(101, changes.Count);
        for (var at = 1; at < changes.Count; at++)
            Assert.Equal(changes[at - 1].Current.Version, changes[at].Previous.Version);

        void Flip() => Take(-1, Up(_version % 2 == 0 ? HostRole.Replica : HostRole.Joining), Up(HostRole.Replica), Up(HostRole.Replica));
    }

    [Fact]
    public void Only_another_primary_counts_as_a_change_of_the_primary()
    {
        Take(0, Up(HostRole.Primary), Up(HostRole.Replica), Up(HostRole.Replica));
        Take(-1, Up(HostRole.ReadOnly), Up(HostRole.Replica), Up(HostRole.Replica));
        Take(0, Up(HostRole.Primary), Up(HostRole.Replica), Up(HostRole.Replica));
        Assert.Equal(0, _cluster.PrimaryChanges);
        Take(1, Up(HostRole.Replica), Up(HostRole.Primary), Up(HostRole.Replica));
        Assert.Equal(1, _cluster.PrimaryChanges);
    }

    [Fact]
    public void The_metrics_have_a_row_for_each_server_until_the_cluster_is_disposed()
    {
        var provider = new ProviderTelemetry("topologies", "1");
        provider.Topology.Add(_cluster, "shop", usualPort: 5432);
        Take(0, Up(HostRole.Primary) with { RoundTrip = 1500 }, Up(HostRole.Replica) with { Lag = 250 }, new("/c", HostState.Dead, HostRole.Unknown));
        var measured = new List<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) => { if (instrument.Meter.Name == "topologies") self.EnableMeasurementEvents(instrument); }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.Start();
        listener.RecordObservableInstruments();
        Assert.Equal(
            [
                "host.changes 1 server.address=/c", "host.changes 1 server.address=a", "host.changes 1 server.address=b server.port=7",
                "host.failed_probes 0 server.address=/c", "host.failed_probes 0 server.address=a", "host.failed_probes 0 server.address=b server.port=7",
                "host.lag 0.25 server.address=b server.port=7",
                "host.probes 0 server.address=/c", "host.probes 0 server.address=a", "host.probes 0 server.address=b server.port=7",
                "host.round_trip_time 1.5 server.address=a",
                "host.status 1 server.address=/c host.role=unknown host.state=dead", "host.status 1 server.address=a host.role=primary host.state=up",
                "host.status 1 server.address=b server.port=7 host.role=replica host.state=up",
                "primary.changes 0",
            ],
            measured.Where(static one => !one.StartsWith("db.", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        measured.Clear();
        _cluster.Dispose();
        listener.RecordObservableInstruments();
        Assert.DoesNotContain(measured, static one => one.StartsWith("host.", StringComparison.Ordinal));

        void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            var text = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{instrument.Name} {value}");
            foreach (var tag in tags)
                text += tag.Key == "db.client.connection.pool.name" ? "" : $" {tag.Key}={tag.Value}";
            measured.Add(text.Replace("slipstream.topology.", "", StringComparison.Ordinal));
        }
    }

    private static HostStatus Up(HostRole role) => new("", HostState.Up, role);

    private void Take(int primary, params HostStatus[] hosts) => Take(primary, WriterRule.Epoch, hosts);

    private void Take(int primary, WriterRule writers, params HostStatus[] hosts)
    {
        for (var at = 0; at < hosts.Length; at++)
            hosts[at] = hosts[at] with { Address = _cluster.Members[at].Address };
        ((ITopologyListener)_cluster).Changed(new(++_version, hosts, primary) { Writers = writers });
    }
}
