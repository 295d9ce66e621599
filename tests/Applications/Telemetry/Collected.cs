using System.Collections.Concurrent;
using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace Slipstream.Telemetry;

/// <summary>Keeps the spans that OpenTelemetry's SDK exports, only those of one trace, because other tests run at the same time.</summary>
internal sealed class CollectedSpans(ActivityTraceId trace) : BaseExporter<Activity>
{
    private readonly ConcurrentQueue<Activity> _spans = new();

    public IReadOnlyList<Activity> All => [.. _spans];

    public override ExportResult Export(in Batch<Activity> batch)
    {
        foreach (var span in batch)
            if (span.TraceId == trace)
                _spans.Enqueue(span);
        return ExportResult.Success;
    }
}

/// <summary>A measurement as it was exported.</summary>
/// <param name="Name">The instrument's name.</param>
/// <param name="Tags">Its attributes.</param>
/// <param name="Value">A sum, or a histogram's count.</param>
/// <param name="Bounds">A histogram's finite boundaries.</param>
internal sealed record Measured(string Name, string Tags, double Value, double[] Bounds);

/// <summary>Keeps the metrics that OpenTelemetry's SDK exports.</summary>
internal sealed class CollectedMetrics : BaseExporter<Metric>
{
    private readonly List<Measured> _all = [];

    public IReadOnlyList<Measured> All => _all;

    public override ExportResult Export(in Batch<Metric> batch)
    {
        _all.Clear();
        foreach (var metric in batch)
            foreach (ref readonly var point in metric.GetMetricPoints())
            {
                var tags = new List<string>();
                foreach (var tag in point.Tags)
                    tags.Add($"{tag.Key}={tag.Value}");
                var bounds = new List<double>();
                if (metric.MetricType == MetricType.Histogram)
                    foreach (var bucket in point.GetHistogramBuckets())
                        if (double.IsFinite(bucket.ExplicitBound))
                            bounds.Add(bucket.ExplicitBound);
                var value = metric.MetricType switch
                {
                    MetricType.Histogram => point.GetHistogramCount(),
                    MetricType.DoubleGauge => point.GetGaugeLastValueDouble(),
                    _ => point.GetSumLong(),
                };
                _all.Add(new(metric.Name, string.Join(' ', tags), value, [.. bounds]));
            }

        return ExportResult.Success;
    }
}
