using System.Diagnostics;
using System.Diagnostics.Metrics;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Statements;
using Slipstream.Core.Tests.Fakes;

namespace Slipstream.Core.Tests.Diagnostics;

public class TelemetryTests
{
    [Fact]
    public void Nothing_is_recorded_when_nobody_listens()
    {
        var telemetry = Make("silent", 5432);
        Assert.False(telemetry.HasListeners);
        Assert.False(telemetry.WantsSummaries);
        Assert.Null(telemetry.StartCommand(Select));
        telemetry.Record(Stopwatch.GetTimestamp(), Select);
    }

    [Fact]
    public void A_command_has_the_stable_attributes()
    {
        var activities = Listen("spans");
        var telemetry = Make("spans", 5432);
        Assert.True(telemetry.HasListeners);
        var activity = telemetry.StartCommand(Select);
        Assert.NotNull(activity);
        Telemetry.SetPeer(activity, "192.0.2.1", 5432);
        Telemetry.End(activity);

        var span = Assert.Single(activities);
        Assert.Equal(ActivityKind.Client, span.Kind);
        Assert.Equal("SELECT product", span.DisplayName);
        Assert.Equal(
            [
                ("db.namespace", "shop"), ("db.operation.name", "SELECT"), ("db.query.summary", "SELECT product"), ("db.system.name", "somedb"),
                ("network.peer.address", "192.0.2.1"), ("network.peer.port", (object)5432), ("server.address", "db.example"), ("server.port", (object)5432),
            ],
            span.TagObjects.Select(tag => (tag.Key, tag.Value!)).OrderBy(tag => tag.Key));
        Assert.Equal(ActivityStatusCode.Unset, span.Status);
    }

    [Fact]
    public void A_command_of_which_nothing_is_known_is_named_by_its_database()
    {
        var activities = Listen("unknown");
        var telemetry = Make("unknown", 5432);
        Telemetry.End(telemetry.StartCommand(null));
        Telemetry.End(telemetry.StartCommand(QuerySummary.None));
        Assert.Equal(["shop", "shop"], activities.Select(span => span.DisplayName));
        Assert.All(activities, span => Assert.Null(span.GetTagItem("db.query.summary")));
    }

    [Fact]
    public void A_sampler_sees_what_a_command_does()
    {
        string? seen = null;
        ActivitySource.AddActivityListener(new ActivityListener
        {
            ShouldListenTo = source => source.Name == "sampled",
            Sample = (ref options) =>
            {
                seen = $"{options.Name}: {string.Join(' ', options.Tags!.Select(tag => tag.Key))}";
                return ActivitySamplingResult.None;
            },
        });
        Assert.Null(Make("sampled", 0).StartCommand(Select));
        Assert.Equal("SELECT product: db.system.name db.namespace server.address db.operation.name db.query.summary", seen);
    }

    [Fact]
    public void The_attributes_of_a_summary_follow_the_data_source()
    {
        var activities = Listen("shared");
        var summary = QuerySummary.Of("UPDATE", "product");
        var provider = new ProviderTelemetry("shared", "1");
        var (one, two) = (new Telemetry(provider, "somedb", "a.example", 0, "", "a", null), new Telemetry(provider, "somedb", "b.example", 0, "", "b", null));
        Telemetry.End(one.StartCommand(summary));
        Telemetry.End(two.StartCommand(summary));
        one.System = "otherdb";
        Telemetry.End(one.StartCommand(summary));
        Assert.Equal(
            ["a.example somedb", "b.example somedb", "a.example otherdb"],
            activities.Select(span => $"{span.GetTagItem("server.address")} {span.GetTagItem("db.system.name")}"));
    }

    [Fact]
    public void With_several_servers_a_command_names_the_server_of_its_session()
    {
        var activities = Listen("several");
        var provider = new ProviderTelemetry("several", "1");
        var one = new Telemetry(provider, "somedb", "first.example", 0, "", "a", null);
        var several = new Telemetry(provider, "somedb", "first.example", 0, "", "a", null) { UsualPortOfSeveral = 5432 };
        var session = new FakeSession(new MemoryTransport());
        Assert.Same(one, one.At(session));
        Assert.Same(several.At(session), several.At(session));
        Assert.Same(several.Counts, several.At(session).Counts);
        Telemetry.End(several.At(session).StartCommand(Select));
        var span = Assert.Single(activities);
        Assert.Equal(("memory", 1), (span.GetTagItem("server.address"), span.GetTagItem("server.port")));
    }

    [Fact]
    public void The_span_of_a_command_is_not_the_callers_current_one()
    {
        Listen("current");
        using var outer = new Activity("outer").Start();
        var span = Make("current", 0).StartCommand(Select);
        Assert.NotNull(span);
        Assert.Same(outer, span.Parent);
        Assert.Same(outer, Activity.Current);
        Telemetry.End(span);
    }

    [Fact]
    public void A_failed_command_carries_the_servers_code()
    {
        var activities = Listen("failures");
        var telemetry = Make("failures", 0);
        Telemetry.End(telemetry.StartCommand(Select), "1062", "1062");
        var span = Assert.Single(activities);
        Assert.Equal(ActivityStatusCode.Error, span.Status);
        Assert.Equal("1062", span.GetTagItem("db.response.status_code"));
        Assert.Equal("1062", span.GetTagItem("error.type"));
        Assert.Null(span.GetTagItem("server.port"));
    }

    [Fact]
    public void A_command_that_failed_without_an_answer_has_no_code_of_the_server()
    {
        var activities = Listen("lost");
        var telemetry = Make("lost", 0);
        Telemetry.End(telemetry.StartCommand(Select), "Lost");
        var span = Assert.Single(activities);
        Assert.Equal("Lost", span.GetTagItem("error.type"));
        Assert.Null(span.GetTagItem("db.response.status_code"));
    }

    [Fact]
    public void Waits_and_uses_are_measured_only_while_somebody_listens()
    {
        var telemetry = Make("uses", 0);
        Assert.Equal((0L, 0L), (telemetry.StartWait(), telemetry.StartUse()));
        var measured = new List<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) => { if (instrument.Meter.Name == "uses") self.EnableMeasurementEvents(instrument); }
        };
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => measured.Add($"{instrument.Name} {tags[0].Value}"));
        listener.Start();
        telemetry.EndWait(telemetry.StartWait());
        telemetry.EndUse(telemetry.StartUse());
        Assert.Equal(["db.client.connection.wait_time the pool", "db.client.connection.use_time the pool"], measured);
    }

    [Fact]
    public void Durations_are_recorded_in_seconds_with_tags()
    {
        var telemetry = Make("durations", 3306);
        var measured = new List<(double Value, KeyValuePair<string, object?>[] Tags)>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) => { if (instrument.Meter.Name == "durations") self.EnableMeasurementEvents(instrument); }
        };
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) => measured.Add((value, tags.ToArray())));
        listener.Start();

        Assert.True(telemetry.HasListeners);
        telemetry.Record(Stopwatch.GetTimestamp() - Stopwatch.Frequency / 2, Select);

        var (seconds, tags) = Assert.Single(measured);
        Assert.InRange(seconds, 0.5, 5);
        Assert.Contains(new("db.system.name", "somedb"), tags);
        Assert.Contains(new("server.port", 3306), tags);
        Assert.Contains(new("db.operation.name", "SELECT"), tags);
        Assert.Contains(new("db.query.summary", "SELECT product"), tags);
        Assert.DoesNotContain(tags, tag => tag.Key == "error.type");
    }

    [Fact]
    public void A_pools_numbers_are_observable_under_their_stable_names()
    {
        var provider = new ProviderTelemetry("pools", "1");
        using var pool = new SessionPool<FakePooledSession>(new FakeFactory(), new PoolLimits(1, 7), "the pool");
        provider.Add(pool);
        var holder = new object();
        var busy = pool.Lease(holder, 0);
        var measured = new List<(string Name, long Value, string Tags)>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) => { if (instrument.Meter.Name == "pools") self.EnableMeasurementEvents(instrument); }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
            measured.Add((instrument.Name, value, string.Join(' ', tags.ToArray().Select(tag => $"{tag.Key}={tag.Value}").Order()))));
        listener.Start();
        listener.RecordObservableInstruments();

        const string Pool = "db.client.connection.pool.name=the pool";
        Assert.Contains(("db.client.connection.count", 1L, $"{Pool} db.client.connection.state=used"), measured);
        Assert.Contains(("db.client.connection.count", 0L, $"{Pool} db.client.connection.state=idle"), measured);
        Assert.Contains(("db.client.connection.max", 7L, Pool), measured);
        Assert.Contains(("db.client.connection.idle.min", 1L, Pool), measured);
        Assert.Contains(("db.client.connection.idle.max", 7L, Pool), measured);
        Assert.Contains(("db.client.connection.pending_requests", 0L, Pool), measured);
        Assert.Contains(("db.client.connection.timeouts", 0L, Pool), measured);
        pool.Return(busy);
    }

    private static QuerySummary Select => QuerySummary.Of("SELECT", "product");

    private static Telemetry Make(string name, int port) => new(new ProviderTelemetry(name, "1"), "somedb", "db.example", port, "shop", "the pool", null);

    private static List<Activity> Listen(string name)
    {
        var activities = new List<Activity>();
        ActivitySource.AddActivityListener(new ActivityListener
        {
            ShouldListenTo = source => source.Name == name,
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = activities.Add,
        });
        return activities;
    }
}
