using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Diagnostics;

/// <summary>
/// Spans, metrics and logs of one data source under the stable OpenTelemetry names. Nothing listens by default, and then a command
/// costs two reads of a field.
/// </summary>
/// <remarks>
/// Names and attributes: OpenTelemetry semantic conventions for database client spans and metrics (stable). By default the query's text is recorded
/// only for commands with parameters: other texts may hold literals.
/// </remarks>
public sealed class Telemetry
{
    private static readonly double[] DurationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

    private readonly ActivitySource _source;
    private readonly Histogram<double> _duration;
    private readonly Histogram<double> _createTime;
    private readonly Histogram<double> _waitTime;
    private readonly Histogram<double> _useTime;
    private volatile string _system;

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

    /// <summary>Messages of connections; null when nobody listens.</summary>
    public ILogger? ConnectionLog { get; }

    /// <summary>Messages of commands; null when nobody listens.</summary>
    public ILogger? CommandLog { get; }

    /// <summary>Messages of the pool; null when nobody listens.</summary>
    public ILogger? PoolLog { get; }

    /// <summary>False on the usual path: then nothing else here is called.</summary>
    public bool IsListening => _source.HasListeners() || _duration.Enabled || (CommandLog is { } log && log.IsEnabled(LogLevel.Debug));

    /// <summary>Starts the span of a command; null when nobody listens.</summary>
    public Activity? StartCommand() => Start(Database.Length > 0 ? Database : System);

    /// <summary>Starts the span of opening a physical connection.</summary>
    public Activity? StartConnect() => Start("connect");

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

    /// <summary>Ends a command: its span, and its duration in the histogram.</summary>
    /// <param name="activity">From <see cref="StartCommand"/>.</param>
    /// <param name="began">From <see cref="Stopwatch.GetTimestamp"/>.</param>
    /// <param name="error">The server's code of the error, or the exception's type; null for success.</param>
    /// <param name="isServers">Whether it is the server's.</param>
    public void EndCommand(Activity? activity, long began, string? error = null, bool isServers = false)
    {
        if (_duration.Enabled)
        {
            var tags = new TagList { { "db.system.name", System }, { "server.address", Host } };
            if (Port != 0)
                tags.Add("server.port", Port);
            if (Database.Length > 0)
                tags.Add("db.namespace", Database);
            if (error is not null)
                tags.Add("error.type", error);
            if (isServers)
                tags.Add("db.response.status_code", error);
            _duration.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, tags);
        }

        End(activity, error, isServers);
    }

    /// <summary>Ends a span.</summary>
    /// <param name="activity">Null does nothing.</param>
    /// <param name="error">The server's code of the error, or the exception's type; null for success.</param>
    /// <param name="isServers">Whether it is the server's.</param>
    public static void End(Activity? activity, string? error = null, bool isServers = false)
    {
        if (activity is null)
            return;
        if (error is not null)
        {
            activity.SetStatus(ActivityStatusCode.Error);
            activity.SetTag("error.type", error);
            if (isServers)
                activity.SetTag("db.response.status_code", error);
        }

        activity.Dispose();
    }

    /// <summary>What the conventions call the status code: the server's number where it has numbers, else the SQLSTATE.</summary>
    public static string CodeOf(ServerError error) => error.Number != 0 ? error.Number.ToString() : error.SqlState.Length > 0 ? error.SqlState : "_OTHER";

    internal static double[] Buckets => DurationBuckets;

    private Activity? Start(string name)
    {
        var activity = _source.StartActivity(name, ActivityKind.Client);
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag("db.system.name", System);
            if (Database.Length > 0)
                activity.SetTag("db.namespace", Database);
            activity.SetTag("server.address", Host);
            if (Port != 0)
                activity.SetTag("server.port", Port);
        }

        return activity;
    }
}
