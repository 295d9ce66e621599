using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Slipstream.BadPeers.Peers;

/// <summary>Keeps the spans and the measurements of a driver that concern a port.</summary>
public sealed class Heard : IDisposable
{
    private readonly ActivityListener _spans;
    private readonly MeterListener _meters = new();
    private readonly ConcurrentQueue<(string Name, string Tags, double Value)> _measured = [];
    private readonly ConcurrentQueue<Activity> _ended = [];

    public Heard(string driver)
    {
        _spans = new()
        {
            ShouldListenTo = source => source.Name == driver,
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = _ended.Enqueue,
        };
        ActivitySource.AddActivityListener(_spans);
        _meters.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == driver)
                self.EnableMeasurementEvents(instrument);
        };
        _meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _meters.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _meters.Start();
    }

    /// <summary>Returns the names of the spans that name the port as that of their server.</summary>
    public string[] SpansOf(int port) => [.. _ended.Where(span => Equals(span.GetTagItem("server.port"), port)).Select(static span => span.DisplayName)];

    /// <summary>Returns the measurements of an instrument that name the port, with their tags.</summary>
    public (string Tags, double Value)[] Measured(string instrument, int port) =>
        [.. _measured.Where(one => one.Name == instrument && one.Tags.Contains($"server.port={port};")).Select(static one => (one.Tags, one.Value))];

    /// <summary>Forgets what was measured, and reads the instruments that are read on demand.</summary>
    public void Collect()
    {
        _measured.Clear();
        _meters.RecordObservableInstruments();
    }

    public void Dispose()
    {
        _spans.Dispose();
        _meters.Dispose();
    }

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = "";
        foreach (var tag in tags)
            text += $"{tag.Key}={tag.Value};";
        _measured.Enqueue((instrument.Name, text, value));
    }
}
