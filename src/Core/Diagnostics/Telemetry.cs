using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Diagnostics;

/// <summary>
/// Spans, metrics and logs of one data source under the stable OpenTelemetry names. Nothing listens by default, and then a command
/// costs two reads of a field.
/// </summary>
/// <remarks>
/// Names and attributes: OpenTelemetry semantic conventions for database client spans and metrics (stable). Each command tells its summary, which has no
/// literals. By default the query's text is recorded only for commands with parameters: other texts may hold literals.
/// </remarks>
internal sealed class Telemetry
{
    private const int MostCalls = 256;

    private readonly ActivitySource _source;
    private readonly Histogram<double> _duration;
    private readonly Histogram<double> _createTime;
    private readonly Histogram<double> _waitTime;
    private readonly Histogram<double> _useTime;
    private readonly ConcurrentDictionary<string, QuerySummary> _calls = new(StringComparer.Ordinal);
    private volatile string _system;
    private SpanAttributes? _attributes;

    /// <param name="provider">The provider's shared source and instruments.</param>
    /// <param name="system">The database's name in the conventions, as long as no server has said what it is.</param>
    /// <param name="host">Where the server is.</param>
    /// <param name="port">0 for a unix socket and for the database's usual port, which the conventions leave out.</param>
    /// <param name="database">The configured database.</param>
    /// <param name="poolName">The pool's name in metrics; no secrets.</param>
    /// <param name="loggers">Where log messages go; null for nowhere.</param>
    public Telemetry(ProviderTelemetry provider, string system, string host, int port, string database, string poolName, ILoggerFactory? loggers)
    {
        _source = provider.Source;
        _duration = provider.OperationDuration;
        _createTime = provider.CreateTime;
        _waitTime = provider.WaitTime;
        _useTime = provider.UseTime;
        loggers ??= Fallback;
        _system = system;
        Host = host;
        Port = port;
        Database = database;
        PoolName = poolName;
        Counts = new(provider, poolName);
        provider.Add(Counts);
        ConnectionLog = loggers?.CreateLogger(provider.Source.Name + ".Connection");
        CommandLog = loggers?.CreateLogger(provider.Source.Name + ".Command");
        PoolLog = loggers?.CreateLogger(provider.Source.Name + ".Pool");
    }

    /// <summary>
    /// Where log messages of data sources go that were given no factory, as those that connection strings make: the tests listen there for secrets.
    /// </summary>
    internal static ILoggerFactory? Fallback { get; set; }

    /// <summary>The database's name in the conventions.</summary>
    public string System
    {
        get => _system;
        set => _system = value;
    }

    /// <summary>What spans carry beyond what must be.</summary>
    public Tracing Tracing { get; init; } = new();

    /// <summary>The server's host, as configured.</summary>
    public string Host { get; }

    /// <summary>The server's TCP port; 0 for a unix socket.</summary>
    public int Port { get; }

    /// <summary>The configured database; empty when there is none.</summary>
    public string Database { get; }

    /// <summary>The pool's name: no secrets.</summary>
    public string PoolName { get; }

    /// <summary>How many commands run, their bytes, and how many were prepared.</summary>
    public OperationCounts Counts { get; }

    /// <summary>Messages of connections; null when nobody listens.</summary>
    public ILogger? ConnectionLog { get; }

    /// <summary>Messages of commands; null when nobody listens.</summary>
    public ILogger? CommandLog { get; }

    /// <summary>Messages of the pool; null when nobody listens.</summary>
    public ILogger? PoolLog { get; }

    /// <summary>False on the usual path: then nothing else here is called.</summary>
    public bool IsListening => _source.HasListeners() || _duration.Enabled || Counts.IsListening || (CommandLog is { } log && log.IsEnabled(LogLevel.Debug));

    /// <summary>What log messages say of commands beyond their durations.</summary>
    public CommandLogging Logging { get; set; } = new();

    /// <summary>Whether log messages have the texts of commands.</summary>
    public bool LogsTexts => Logging.Texts && CommandLog is { } log && log.IsEnabled(LogLevel.Debug);

    /// <summary>Whether anybody hears what a command does: spans and measurements have its summary, log messages do not.</summary>
    public bool WantsSummaries => _source.HasListeners() || _duration.Enabled;

    /// <summary>Of the call of a stored procedure, made once for each.</summary>
    public QuerySummary SummaryOfCall(string procedure)
    {
        if (_calls.TryGetValue(procedure, out var known))
            return known;
        var made = QuerySummary.Of("CALL", procedure);
        if (_calls.Count < MostCalls)
            _calls[procedure] = made;
        return made;
    }

    /// <summary>Starts the span of a command; null when nobody listens.</summary>
    /// <param name="summary">What the command does; null when that is not known.</param>
    /// <remarks>
    /// It is not <see cref="Activity.Current"/> afterwards: that would be seen by a caller which goes on before the command ends, and by the command that it
    /// starts next.
    /// </remarks>
    public Activity? StartCommand(QuerySummary? summary)
    {
        if (!_source.HasListeners())
            return null;
        var outer = Activity.Current;
        var activity = summary is { Text.Length: > 0 }
            ? Start(summary.Text, AttributesOf(summary))
            : Start(Database.Length > 0 ? Database : System, Attributes());
        if (activity is not null)
            Activity.Current = outer;
        return activity;
    }

    /// <summary>Starts the span of opening a physical connection.</summary>
    public Activity? StartConnect() => _source.HasListeners() ? Start("connect", Attributes()) : null;

    /// <summary>Tells which of the servers it is that a span waits for.</summary>
    public static void SetPeer(Activity span, string? address, int port)
    {
        if (address is null)
            return;
        span.SetTag("network.peer.address", address);
        if (port != 0)
            span.SetTag("network.peer.port", port);
    }

    /// <summary>When a caller began to ask for a session; 0 when nobody listens to how long that takes.</summary>
    public long StartWait() => _waitTime.Enabled ? Stopwatch.GetTimestamp() : 0;

    /// <summary>The caller has a session.</summary>
    public void EndWait(long began)
    {
        if (began != 0)
            _waitTime.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, new KeyValuePair<string, object?>("db.client.connection.pool.name", PoolName));
    }

    /// <summary>When a session was handed to a caller; 0 when nobody listens to how long it is kept.</summary>
    public long StartUse() => _useTime.Enabled ? Stopwatch.GetTimestamp() : 0;

    /// <summary>The session is given back.</summary>
    public void EndUse(long began)
    {
        if (began != 0)
            _useTime.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, new KeyValuePair<string, object?>("db.client.connection.pool.name", PoolName));
    }

    /// <summary>A physical connection is open: ends its span and records how long it took.</summary>
    public void EndConnect(Activity? activity, long began)
    {
        if (_createTime.Enabled)
            _createTime.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, new KeyValuePair<string, object?>("db.client.connection.pool.name", PoolName));
        End(activity);
    }

    /// <summary>A peer turned out not to take several commands in one packet.</summary>
    public void PipeliningOff(string peer, string because)
    {
        if (ConnectionLog is { } log)
            Log.PipeliningOff(log, peer, because);
    }

    /// <summary>The server did not know a statement that a session had prepared.</summary>
    /// <param name="isOff">Whether it was the loss that ends the preparing of statements that nobody asked to prepare.</param>
    public void StatementLost(bool isOff)
    {
        if (ConnectionLog is not { } log)
            return;
        Log.StatementLost(log, PoolName);
        if (isOff)
            Log.AutoPrepareOff(log, PoolName);
    }

    /// <summary>Records the duration of a command.</summary>
    /// <param name="began">From <see cref="Stopwatch.GetTimestamp"/>.</param>
    /// <param name="summary">What it did; null when that is not known.</param>
    /// <param name="error">What kind of error ended it; null for success.</param>
    /// <param name="status">The server's code of the error; null when it is not the server's.</param>
    public void Record(long began, QuerySummary? summary, string? error = null, string? status = null)
    {
        if (!_duration.Enabled)
            return;
        var tags = new TagList { { "db.system.name", System }, { "server.address", Host } };
        if (Port != 0)
            tags.Add("server.port", Port);
        if (Database.Length > 0)
            tags.Add("db.namespace", Database);
        if (summary?.Operation is { } operation)
            tags.Add("db.operation.name", operation);
        if (summary is { Text.Length: > 0 })
            tags.Add("db.query.summary", summary.Text);
        if (error is not null)
            tags.Add("error.type", error);
        if (status is not null)
            tags.Add("db.response.status_code", status);
        _duration.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, tags);
    }

    /// <summary>What comes from now on is no part of a span's time.</summary>
    public static void StopClock(Activity span) => span.SetEndTime(DateTime.UtcNow);

    /// <summary>Ends a span.</summary>
    /// <param name="activity">Null does nothing.</param>
    /// <param name="error">What kind of error ended it; null for success.</param>
    /// <param name="status">The server's code of the error; null when it is not the server's.</param>
    public static void End(Activity? activity, string? error = null, string? status = null)
    {
        if (activity is null)
            return;
        if (error is not null)
        {
            activity.SetStatus(ActivityStatusCode.Error);
            activity.SetTag("error.type", error);
            if (status is not null)
                activity.SetTag("db.response.status_code", status);
        }

        activity.Dispose();
    }

    // What a sampler may look at is there from the beginning.
    private Activity? Start(string name, KeyValuePair<string, object?>[] attributes) =>
        _source.StartActivity(name, ActivityKind.Client, default(ActivityContext), attributes);

    private KeyValuePair<string, object?>[] Attributes()
    {
        var known = _attributes;
        return known is not null && known.System == System ? known.Tags : (_attributes = AttributesOf(null, System)).Tags;
    }

    private KeyValuePair<string, object?>[] AttributesOf(QuerySummary summary)
    {
        if (summary.Attributes is SpanAttributes known && ReferenceEquals(known.Of, this) && known.System == System)
            return known.Tags;
        var made = AttributesOf(summary, System);
        summary.Attributes = made;
        return made.Tags;
    }

    private SpanAttributes AttributesOf(QuerySummary? summary, string system)
    {
        var tags = new List<KeyValuePair<string, object?>>(6) { new("db.system.name", system) };
        if (Database.Length > 0)
            tags.Add(new("db.namespace", Database));
        tags.Add(new("server.address", Host));
        if (Port != 0)
            tags.Add(new("server.port", Port));
        if (summary?.Operation is { } operation)
            tags.Add(new("db.operation.name", operation));
        if (summary is not null)
            tags.Add(new("db.query.summary", summary.Text));
        return new(this, system, [.. tags]);
    }

    private sealed record SpanAttributes(Telemetry Of, string System, KeyValuePair<string, object?>[] Tags);
}
