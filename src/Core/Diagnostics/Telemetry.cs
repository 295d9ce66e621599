using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Diagnostics;

/// <summary>
/// Spans, metrics and logs of one data source, with the stable names of OpenTelemetry. By default there is no listener, and a command then costs two reads of a
/// field.
/// </summary>
/// <remarks>
/// Names and attributes: OpenTelemetry semantic conventions for database client spans and metrics (stable). Each command has a summary without literals. By
/// default, the query's text is recorded only for commands with parameters: other texts may contain literals.
/// </remarks>
internal sealed class Telemetry
{
    private const int MaxCalls = 256;
    private const int MaxServers = 256;

    private readonly ActivitySource _source;
    private readonly Histogram<double> _duration;
    private readonly Histogram<double> _createTime;
    private readonly Histogram<double> _waitTime;
    private readonly Histogram<double> _useTime;
    private readonly ConcurrentDictionary<string, QuerySummary> _calls = new(StringComparer.Ordinal);
    private readonly ILoggerFactory? _loggers;
    private readonly long _usualPort;
    private readonly ConcurrentDictionary<Endpoint, Telemetry>? _servers;
    private volatile string _system;
    private SpanAttributes? _attributes;

    /// <param name="provider">The provider's shared source and instruments.</param>
    /// <param name="system">The database system in OpenTelemetry's terms, until a server has reported it.</param>
    /// <param name="host">The server's host.</param>
    /// <param name="port">The TCP port; 0 for a unix socket and for the database's usual port, which the conventions leave out.</param>
    /// <param name="database">The configured database.</param>
    /// <param name="poolName">The pool's name in metrics, without secrets.</param>
    /// <param name="loggers">Creates the loggers; null for none.</param>
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
        _loggers = loggers;
        PoolLog = loggers?.CreateLogger(provider.Source.Name + ".Pool");
    }

    // The same for one of several servers.
    private Telemetry(Telemetry of, Endpoint server)
    {
        (_source, _duration, _createTime, _waitTime, _useTime) = (of._source, of._duration, of._createTime, of._waitTime, of._useTime);
        (_system, Host, Port) = (of._system, server.Host, server.Port == of._usualPort ? 0 : server.Port);
        (Database, PoolName, Counts, Tracing) = (of.Database, of.PoolName, of.Counts, of.Tracing);
    }

    /// <summary>
    /// Creates the loggers of data sources that have no factory, such as those of connection strings. The tests use it to find secrets in log messages.
    /// </summary>
    internal static ILoggerFactory? Fallback { get; set; }

    /// <summary>Returns where the events of a cluster are logged; null for nowhere. Most data sources have no cluster.</summary>
    public ILogger? CreateTopologyLog() => _loggers?.CreateLogger(_source.Name + ".Topology");

    /// <summary>The database system in OpenTelemetry's terms.</summary>
    public string System
    {
        get => _system;
        set => _system = value;
    }

    /// <summary>Sets that the data source has several servers. Then spans and durations name the server of their session.</summary>
    /// <value>The database's usual port, which the conventions leave out; null for one server.</value>
    public long? UsualPortOfSeveral
    {
        init
        {
            if (value is { } port)
                (_usualPort, _servers) = (port, new());
        }
    }

    /// <summary>Optional contents of spans.</summary>
    public Tracing Tracing { get; init; } = new();

    /// <summary>The server's host, as configured.</summary>
    public string Host { get; }

    /// <summary>The server's TCP port; 0 for a unix socket and for the database's usual port.</summary>
    public int Port { get; }

    /// <summary>The configured database; empty without one.</summary>
    public string Database { get; }

    /// <summary>The pool's name, without secrets.</summary>
    public string PoolName { get; }

    /// <summary>Counts of running commands, their bytes and prepared statements.</summary>
    public OperationCounts Counts { get; }

    /// <summary>The logger for connections; null without one.</summary>
    public ILogger? ConnectionLog { get; }

    /// <summary>The logger for commands; null without one.</summary>
    public ILogger? CommandLog { get; }

    /// <summary>The logger for the pool; null without one.</summary>
    public ILogger? PoolLog { get; }

    /// <summary>Whether a listener exists. Usually false: then no other member is called.</summary>
    public bool HasListeners => _source.HasListeners() || _duration.Enabled || Counts.HasListeners || (CommandLog is { } log && log.IsEnabled(LogLevel.Debug));

    /// <summary>Optional contents of log messages about commands.</summary>
    public CommandLogging Logging { get; set; } = new();

    /// <summary>Whether log messages contain the texts of commands.</summary>
    public bool LogsTexts => Logging.Texts && CommandLog is { } log && log.IsEnabled(LogLevel.Debug);

    /// <summary>Whether a listener needs summaries: spans and metrics contain them, log messages do not.</summary>
    public bool WantsSummaries => _source.HasListeners() || _duration.Enabled;

    /// <summary>The application's callbacks for spans, while a listener for spans exists; otherwise null.</summary>
    public SpanCallbacks? SpanCallbacks => Tracing.Callbacks is { } callbacks && _source.HasListeners() ? callbacks : null;

    /// <summary>Returns what records the operations of a session: this object, unless the data source has several servers.</summary>
    public Telemetry At(Session session)
    {
        if (_servers is not { } servers)
            return this;
        if (!servers.TryGetValue(session.Endpoint, out var server))
        {
            // A server that redirects its clients could name any number of others.
            if (servers.Count >= MaxServers)
                return this;
            server = servers.GetOrAdd(session.Endpoint, static (endpoint, of) => new(of, endpoint), this);
        }

        if (session.DatabaseSystem is { } system && system != server._system)
            server._system = system;
        return server;
    }

    /// <summary>The summary for a call of a stored procedure, cached by name.</summary>
    public QuerySummary SummaryOfCall(string procedure)
    {
        if (_calls.TryGetValue(procedure, out var known))
            return known;
        var made = QuerySummary.Of("CALL", procedure);
        if (_calls.Count < MaxCalls)
            _calls[procedure] = made;
        return made;
    }

    /// <summary>Starts the span of a command. Returns null without a listener.</summary>
    /// <param name="summary">Summary of the command; null if unknown.</param>
    /// <param name="name">Name of the span; null for the summary, or for the database.</param>
    /// <remarks>
    /// Afterwards the span is not <see cref="Activity.Current"/>. Otherwise, a caller that continues before the command ends would see it, and so would the
    /// next command that the caller starts.
    /// </remarks>
    public Activity? StartCommand(QuerySummary? summary, string? name = null)
    {
        if (!_source.HasListeners())
            return null;
        var outer = Activity.Current;
        var activity = summary is { Text.Length: > 0 }
            ? Start(name ?? summary.Text, AttributesOf(summary))
            : Start(name ?? (Database.Length > 0 ? Database : System), Attributes());
        if (activity is not null)
            Activity.Current = outer;
        return activity;
    }

    /// <summary>Starts the span of opening a physical connection.</summary>
    public Activity? StartConnect() => Tracing.Connects && _source.HasListeners() ? Start("connect", Attributes()) : null;

    /// <summary>Sets the address of the server on a span.</summary>
    public static void SetPeer(Activity span, string? address, int port)
    {
        if (address is null)
            return;
        span.SetTag("network.peer.address", address);
        if (port != 0)
            span.SetTag("network.peer.port", port);
    }

    /// <summary>Sets the name of the server on the span of opening a connection, which began before the server was chosen.</summary>
    public void SetServer(Activity span)
    {
        span.SetTag("server.address", Host);
        span.SetTag("server.port", Port != 0 ? Port : null);
    }

    /// <summary>When a caller began to request a session; 0 if no listener measures the wait.</summary>
    public long StartWait() => _waitTime.Enabled ? Stopwatch.GetTimestamp() : 0;

    /// <summary>Records the wait after the caller got a session.</summary>
    public void EndWait(long began)
    {
        if (began != 0)
            _waitTime.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, new KeyValuePair<string, object?>("db.client.connection.pool.name", PoolName));
    }

    /// <summary>When a caller got a session; 0 if no listener measures the use.</summary>
    public long StartUse() => _useTime.Enabled ? Stopwatch.GetTimestamp() : 0;

    /// <summary>Records the use after the session was returned.</summary>
    public void EndUse(long began)
    {
        if (began != 0)
            _useTime.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, new KeyValuePair<string, object?>("db.client.connection.pool.name", PoolName));
    }

    /// <summary>Ends the span of a physical connection that is now open, and records its duration.</summary>
    public void EndConnect(Activity? activity, long began)
    {
        if (_createTime.Enabled)
            _createTime.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, new KeyValuePair<string, object?>("db.client.connection.pool.name", PoolName));
        End(activity);
    }

    /// <summary>Logs that a peer does not accept several commands in one packet.</summary>
    public void PipeliningOff(string peer, string because)
    {
        if (ConnectionLog is { } log)
            Log.PipeliningOff(log, peer, because);
    }

    /// <summary>Logs that a password file was not read, because other users can use it.</summary>
    public void PasswordFileIgnored(string path)
    {
        if (ConnectionLog is { } log)
            Log.PasswordFileIgnored(log, path);
    }

    /// <summary>Logs that the server did not know a statement that a session had prepared.</summary>
    /// <param name="isOff">Whether this loss turned automatic preparation off.</param>
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
    /// <param name="summary">Summary of the command; null if unknown.</param>
    /// <param name="error">Type of the error that ended it; null for success.</param>
    /// <param name="status">The server's code of the error; null if the error is not the server's.</param>
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

    /// <summary>Sets the end time of a span to now, before the span itself ends.</summary>
    public static void StopClock(Activity span) => span.SetEndTime(DateTime.UtcNow);

    /// <summary>Ends a span.</summary>
    /// <param name="activity">The span; null does nothing.</param>
    /// <param name="error">Type of the error that ended it; null for success.</param>
    /// <param name="status">The server's code of the error; null if the error is not the server's.</param>
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

    // All attributes that a sampler may read are set from the start.
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
