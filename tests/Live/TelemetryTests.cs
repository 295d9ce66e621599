using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Transactions;
using Microsoft.Extensions.Logging;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// What a listener receives about a data source: spans, metrics and log messages, and never a secret. Runs alone, because a listener receives the events of
/// every test.
/// </summary>
[Collection(nameof(AllocationTests))]
public class TelemetryTests
{
    private const string Literal = "'literal in the text'";

    [Theory]
    [InlineData(ServerKind.MySql, "Slipstream.MySql", "mysql", "1054")]
    [InlineData(ServerKind.MariaDb, "Slipstream.MySql", "mariadb", "1054")]
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
        using var meterListener =
            new MeterListener { InstrumentPublished = (instrument, self) => { if (instrument.Meter.Name == name) self.EnableMeasurementEvents(instrument); } };
        meterListener.SetMeasurementEventCallback<double>(
            (instrument, _, tags, _) => measured.Enqueue((instrument.Name, string.Join(' ', tags.ToArray().Select(tag => $"{tag.Key}={tag.Value}")))));
        meterListener.Start();
        using var loggers = new Loggers();

        var text = ConnectionStrings.Of(server);
        await using (var source = kind.IsPostgreSql()
                         ? (DbDataSource)new PgDataSourceBuilder(text).UseLoggerFactory(loggers).Build()
                         : new MySqlDataSourceBuilder(text).UseLoggerFactory(loggers).Build())
        {
            await using var connection = await source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = $"SELECT {Literal}";
            await command.ExecuteScalarAsync();
            command.CommandText = "SELECT no_such_column";
            await Assert.ThrowsAnyAsync<DbException>(() => command.ExecuteScalarAsync());
            command.CommandText = "SELECT @secret";
            var parameter = command.CreateParameter();
            parameter.ParameterName = "@secret";
            parameter.Value = "value of a parameter";
            command.Parameters.Add(parameter);
            await command.ExecuteScalarAsync();
            await using var batch = connection.CreateBatch();
            for (var i = 0; i < 3; i++)
            {
                var one = batch.CreateBatchCommand();
                one.CommandText = $"SELECT {Literal}";
                batch.BatchCommands.Add(one);
            }

            await batch.ExecuteNonQueryAsync();
        }

        Assert.Equal(["connect", "SELECT", "SELECT", "SELECT", "BATCH SELECT"], spans.Select(span => span.DisplayName));
        var told = spans.ToArray();
        Assert.Equal([null, null, null, "SELECT @secret", null], told.Select(span => (string?)span.GetTagItem("db.query.text")));
        Assert.Equal([null, null, null, null, 3], told.Select(span => (int?)span.GetTagItem("db.operation.batch.size")));
        Assert.All(
            spans,
            span =>
                Assert.Equal(
                    (system, server.Host, server.Port),
                    ((string?)span.GetTagItem("db.system.name"), (string?)span.GetTagItem("server.address"), (int?)span.GetTagItem("server.port"))));
        Assert.Equal(
            (missingColumn, missingColumn, ActivityStatusCode.Error),
            ((string?)told[2].GetTagItem("db.response.status_code"), (string?)told[2].GetTagItem("error.type"), told[2].Status));
        Assert.Contains(measured, one => one.Name == "db.client.connection.wait_time");
        Assert.Contains(measured, one => one.Name == "db.client.connection.use_time");
        Assert.Contains(measured, one => one.Name == "db.client.connection.create_time");
        Assert.Equal(4, measured.Count(one => one.Name == "db.client.operation.duration"));
        Assert.Contains(measured, one => one.Tags.Contains($"error.type={missingColumn}"));
        Assert.Contains(loggers.Messages, message => message.Contains("was opened"));
        Assert.Contains(loggers.Messages, message => message.Contains("a command ended"));

        var everything = string.Join(
            '\n',
            loggers.Messages.Concat(measured.Select(one => one.Tags))
                .Concat(spans.SelectMany(span => span.TagObjects.Select(tag => $"{tag.Key}={tag.Value}"))));
        Assert.DoesNotContain(server.Password, everything);
        Assert.DoesNotContain("literal", everything);
        Assert.DoesNotContain("value of a parameter", everything);
    }

    [Theory]
    [InlineData(ServerKind.MySql, "Slipstream.MySql")]
    [InlineData(ServerKind.PostgreSql, "Slipstream.PostgreSql")]
    public async Task A_session_that_a_transaction_has_kept_is_used_since_its_new_connection_was_opened(ServerKind kind, string name)
    {
        var text = ConnectionStrings.Of(await LiveServers.GetAsync(kind));
        var times = new ConcurrentQueue<double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter.Name == name && instrument.Name == "db.client.connection.use_time")
                    self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, seconds, _, _) => times.Enqueue(seconds));
        listener.Start();
        await using var source = kind.IsPostgreSql() ? (DbDataSource)PgDataSource.Create(text) : new MySqlDataSource(text);
        using var transaction = new CommittableTransaction(new TransactionOptions { IsolationLevel = IsolationLevel.ReadCommitted });
        await using (var first = await source.OpenConnectionAsync())
            first.EnlistTransaction(transaction);
        // The use that must not be counted for the second connection: longer than the second use takes.
        await Task.Delay(300);
        var watch = Stopwatch.StartNew();
        await using (var second = await source.OpenConnectionAsync())
            second.EnlistTransaction(transaction);
        watch.Stop();
        transaction.Rollback();
        Assert.Equal(2, times.Count);
        Assert.InRange(times.Last(), 0, watch.Elapsed.TotalSeconds);
    }

    [Fact]
    public async Task Statements_that_get_lost_are_told_of()
    {
        var loggers = new Loggers();
        await using var source =
            new PgDataSourceBuilder(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql))).UseLoggerFactory(loggers).Build();
        await using var connection = source.OpenConnection();
        Run("CREATE FUNCTION pg_temp.drop_all() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN 1; END $$");
        for (var i = 0; i < 20; i++)
        {
            Run("SELECT 7");
            Run($"SELECT pg_temp.drop_all() + {i}");
        }

        Assert.Equal(5, loggers.Messages.Count(static message => message.Contains("prepares it again", StringComparison.Ordinal)));
        Assert.Single(loggers.Messages, static message => message.Contains("Auto Prepare=false", StringComparison.Ordinal));

        void Run(string sql)
        {
            using var command = new PgCommand(sql, connection);
            command.ExecuteNonQuery();
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Callbacks_choose_name_and_enrich_the_spans_of_a_copy(bool asynchronously)
    {
        var token = TestContext.Current.CancellationToken;
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var spans = new ConcurrentQueue<Activity>();
        using var spanListener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Slipstream.PostgreSql",
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(spanListener);
        await using var source = new PgDataSourceBuilder(ConnectionStrings.Of(server)).ConfigureTracing(static options => options
            .ConfigureCopyOperationFilter(static copy => !copy.Contains("hidden", StringComparison.Ordinal))
            .ConfigureCopyOperationSpanNameProvider(static copy => copy.Contains("STDOUT", StringComparison.Ordinal) ? "export" : null)
            .ConfigureCopyOperationEnrichmentCallback(static (span, copy) => span.SetTag("copy", copy))).Build();
        await using var connection = await source.OpenConnectionAsync(token);
        using (var command = new PgCommand("CREATE TEMP TABLE seen (v int); CREATE TEMP TABLE hidden (v int)", connection))
            command.ExecuteNonQuery();
        spans.Clear();

        string[] tables = ["seen", "hidden"];
        foreach (var table in tables)
        {
            var sql = $"COPY {table} FROM STDIN (FORMAT binary)";
            await using (var importer = asynchronously ? await connection.BeginBinaryImportAsync(sql, token) : connection.BeginBinaryImport(sql))
                await importer.CompleteAsync(token);
            sql = $"COPY {table} FROM STDIN";
            using (var writer = asynchronously ? await connection.BeginTextImportAsync(sql, token) : connection.BeginTextImport(sql))
                await writer.WriteAsync("1\n");
            sql = $"COPY {table} TO STDOUT";
            using (var reader = asynchronously ? await connection.BeginTextExportAsync(sql, token) : connection.BeginTextExport(sql))
                Assert.Equal("1\n", await reader.ReadToEndAsync(token));
        }

        Assert.Equal(
            ["COPY seen COPY seen FROM STDIN (FORMAT binary)", "COPY seen COPY seen FROM STDIN", "export COPY seen TO STDOUT"],
            spans.Select(static span => $"{span.DisplayName} {span.GetTagItem("copy")}"));
    }

    private sealed class Loggers : ILoggerFactory, ILogger
    {
        public ConcurrentQueue<string> Messages { get; } = new();

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Messages.Enqueue(formatter(state, exception));

        public void Dispose()
        {
        }
    }
}
