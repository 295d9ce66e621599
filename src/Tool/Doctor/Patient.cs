using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Doctor;

/// <summary>The connection under examination: opened as the application would open it, with its connection string and the driver's defaults.</summary>
internal sealed class Patient : IAsyncDisposable
{
    private readonly EventRecorder _events;

    private Patient(Target target, DbDataSource source, EventRecorder events)
    {
        (Target, Source, _events) = (target, source, events);
        Connection = source.CreateConnection();
    }

    public Target Target { get; }

    public DbDataSource Source { get; }

    public DbConnection Connection { get; }

    /// <summary>Gets the time of the first Open, in milliseconds. It includes the work that a process does once.</summary>
    public double FirstOpen { get; private set; }

    /// <summary>Gets or sets the median round trip, in milliseconds.</summary>
    public double Latency { get; set; }

    /// <summary>Gets or sets whether the driver uses TLS to what it is connected to, which may be a proxy; null if that is not known.</summary>
    public bool? HasTls { get; set; }

    /// <summary>Gets the ids of the messages that the driver has logged: docs/logging.md.</summary>
    public IReadOnlyCollection<int> Events => _events.Ids;

    public MySqlConnection MySql => (MySqlConnection)Connection;

    public PgConnection PostgreSql => (PgConnection)Connection;

    /// <summary>Gets the first host of the connection string, or of the server that was reached.</summary>
    public string Host => Connection is PgConnection pg ? pg.Host : Connection.DataSource;

    /// <summary>Gets whether no network is between the program and the server.</summary>
    public bool IsLocal => Host.Length == 0 || Host[0] is '/' or '.' or '@' || Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(Host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>Opens a connection. An exception is that of the driver.</summary>
    public static async Task<Patient> OpenAsync(Target target, CancellationToken cancellationToken)
    {
        var events = new EventRecorder();
        DbDataSource source = target.Provider == Provider.MySql
            ? new MySqlDataSourceBuilder(target.ConnectionString).UseLoggerFactory(events).Build()
            : new PgDataSourceBuilder(target.ConnectionString).UseLoggerFactory(events).Build();
        var patient = new Patient(target, source, events);
        try
        {
            var start = Stopwatch.GetTimestamp();
            await patient.Connection.OpenAsync(cancellationToken);
            patient.FirstOpen = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
            return patient;
        }
        catch
        {
            await patient.DisposeAsync();
            throw;
        }
    }

    /// <summary>Returns the first value of a query as text; null if it is NULL, or the server refuses the query.</summary>
    public async Task<string?> ScalarAsync(string sql, CancellationToken cancellationToken)
    {
        try
        {
            await using var command = Connection.CreateCommand();
            command.CommandText = sql;
            return await command.ExecuteScalarAsync(cancellationToken) is { } value and not DBNull ? Convert.ToString(value, CultureInfo.InvariantCulture)
                : null;
        }
        catch (DbException) when (Connection.State == System.Data.ConnectionState.Open)
        {
            return null;
        }
    }

    /// <summary>Returns the first two columns of a query, by the first; empty if the server refuses the query.</summary>
    public async Task<Dictionary<string, string>> PairsAsync(string sql, CancellationToken cancellationToken)
    {
        var pairs = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        try
        {
            await using var command = Connection.CreateCommand();
            command.CommandText = sql;
            await using var reader = await command.ExecuteReaderAsync(cancellationToken);
            while (await reader.ReadAsync(cancellationToken))
                pairs[reader.GetString(0)] = reader.IsDBNull(1) ? "" : Convert.ToString(reader.GetValue(1), CultureInfo.InvariantCulture) ?? "";
        }
        catch (DbException) when (Connection.State == System.Data.ConnectionState.Open)
        {
            // The checks report what is missing.
        }

        return pairs;
    }

    /// <summary>Returns the first column of a query; empty if the server refuses the query.</summary>
    public async Task<List<string>> ColumnAsync(string sql, CancellationToken cancellationToken)
    {
        var values = new List<string>();
        try
        {
            await using var command = Connection.CreateCommand();
            command.CommandText = sql;
            await using var reader = await command.ExecuteReaderAsync(cancellationToken);
            while (await reader.ReadAsync(cancellationToken))
                values.Add(Convert.ToString(reader.GetValue(0), CultureInfo.InvariantCulture) ?? "");
        }
        catch (DbException) when (Connection.State == System.Data.ConnectionState.Open)
        {
            // The checks report what is missing.
        }

        return values;
    }

    public async ValueTask DisposeAsync()
    {
        await Connection.DisposeAsync();
        await Source.DisposeAsync();
        _events.Dispose();
    }

    // Remembers which messages were logged. Their texts are not kept.
    private sealed class EventRecorder : ILoggerFactory, ILogger
    {
        private readonly ConcurrentDictionary<int, bool> _ids = new();

        public IReadOnlyCollection<int> Ids => [.. _ids.Keys];

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public void Dispose()
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            _ids[eventId.Id] = true;
    }
}
