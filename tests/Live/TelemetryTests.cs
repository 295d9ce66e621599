using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>What a listener hears of a data source: spans, metrics and log messages, and never a secret. Alone, because who listens hears every test.</summary>
[Collection(nameof(AllocationTests))]
public class TelemetryTests
{
    private const string Literal = "'literal in the text'";

    [Theory]
    [InlineData(ServerKind.MySql, "Slipstream.MySql", "mysql", "1054")]
    [InlineData(ServerKind.PostgreSql, "Slipstream.PostgreSql", "postgresql", "42703")]
    public async Task Connecting_and_commands_are_told(ServerKind kind, string name, string system, string missingColumn)
    {
        var server = await LiveServers.GetAsync(kind);
        var spans = new ConcurrentQueue<Activity>();
        using var spanListener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == name,
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(spanListener);
        var measured = new ConcurrentQueue<(string Name, string Tags)>();
        using var meterListener = new MeterListener { InstrumentPublished = (instrument, self) => { if (instrument.Meter.Name == name) self.EnableMeasurementEvents(instrument); } };
        meterListener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => measured.Enqueue((instrument.Name, string.Join(' ', tags.ToArray().Select(tag => $"{tag.Key}={tag.Value}")))));
        meterListener.Start();
        using var loggers = new Loggers();

        var text = ConnectionStrings.Of(server);
        await using (var source = kind == ServerKind.PostgreSql
                         ? (DbDataSource)new PgDataSourceBuilder(text).UseLoggerFactory(loggers).Build()
                         : new MySqlDataSourceBuilder(text).UseLoggerFactory(loggers).Build())
        {
            await using var connection = await source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = $"SELECT {Literal}";
            await command.ExecuteScalarAsync();
            command.CommandText = "SELECT no_such_column";
            await Assert.ThrowsAnyAsync<DbException>(() => command.ExecuteScalarAsync());
        }

        Assert.Equal(["connect", server.Database, server.Database], spans.Select(span => span.DisplayName));
        Assert.All(spans, span => Assert.Equal((system, server.Host, server.Port), ((string?)span.GetTagItem("db.system.name"), (string?)span.GetTagItem("server.address"), (int?)span.GetTagItem("server.port"))));
        Assert.Equal((missingColumn, ActivityStatusCode.Error), ((string?)spans.Last().GetTagItem("db.response.status_code"), spans.Last().Status));
        Assert.Contains(measured, one => one.Name == "db.client.connection.create_time");
        Assert.Equal(2, measured.Count(one => one.Name == "db.client.operation.duration"));
        Assert.Contains(measured, one => one.Tags.Contains($"error.type={missingColumn}"));
        Assert.Contains(loggers.Messages, message => message.Contains("is open"));
        Assert.Contains(loggers.Messages, message => message.Contains("a command ended"));

        var everything = string.Join('\n', loggers.Messages.Concat(measured.Select(one => one.Tags)).Concat(spans.SelectMany(span => span.TagObjects.Select(tag => $"{tag.Key}={tag.Value}"))));
        Assert.DoesNotContain(server.Password, everything);
        Assert.DoesNotContain("literal", everything);
    }

    private sealed class Loggers : ILoggerFactory, ILogger
    {
        public ConcurrentQueue<string> Messages { get; } = new();

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => Messages.Enqueue(formatter(state, exception));

        public void Dispose()
        {
        }
    }
}
