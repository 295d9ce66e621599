using System.Data.Common;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Telemetry;

/// <summary>What an application that collects with OpenTelemetry's SDK sees.</summary>
public class OpenTelemetryTests
{
    private const string Hidden = "hidden-value";

    private static readonly ActivitySource Application = new("Slipstream.Telemetry.Application");

    public static TheoryData<ServerKind, bool> Servers => new()
    {
        { ServerKind.MySql, false },
        { ServerKind.MySql, true },
        { ServerKind.MariaDb, true },
        { ServerKind.PostgreSql, false },
        { ServerKind.PostgreSql, true },
    };

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Spans_say_what_was_done(ServerKind kind, bool asynchronously)
    {
        var server = await LiveServers.GetAsync(kind);
        var context = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);
        var collected = new CollectedSpans(context.TraceId);
        using (var tracing = Sdk.CreateTracerProviderBuilder()
                   .AddSource(Application.Name)
                   .AddSlipstreamMySql()
                   .AddSlipstreamPostgreSql()
                   .AddProcessor(new SimpleActivityExportProcessor(collected))
                   .Build())
        {
            using var request = Application.StartActivity("request", ActivityKind.Server, context);
            Assert.NotNull(request);
            await using var source = Source(server, null);
            await using var connection = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection();
            await Run(connection, null, "CREATE TEMPORARY TABLE told (name varchar(20))", asynchronously);
            await using (var transaction = asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction())
            {
                await Run(connection, transaction, "INSERT INTO told VALUES (@name)", asynchronously, Hidden);
                await Read(connection, transaction, "SELECT name FROM told", asynchronously);
                Assert.Same(request, Activity.Current);
                if (asynchronously)
                    await transaction.CommitAsync();
                else
                    transaction.Commit();
            }

            await using (var transaction = asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction())
            {
                await Run(connection, transaction, "DELETE FROM told", asynchronously);
                if (asynchronously)
                    await transaction.RollbackAsync();
                else
                    transaction.Rollback();
            }

            await Assert.ThrowsAnyAsync<DbException>(() => Run(connection, null, "SELECT no_such_column FROM told", asynchronously));
            var sleep = kind.IsPostgreSql() ? "SELECT pg_sleep(20)" : "SELECT SLEEP(20)";
            await Assert.ThrowsAnyAsync<DbException>(() => Run(connection, null, sleep, asynchronously, timeout: 1));
            Assert.Same(request, Activity.Current);
        }

        var spans = collected.All;
        Assert.Equal(
            [
                "connect", "CREATE TABLE told", "BEGIN", "INSERT told", "SELECT told", "COMMIT", "BEGIN", "DELETE told", "ROLLBACK",
                "SELECT told", "SELECT", "request",
            ],
            spans.Select(static span => span.DisplayName));
        var request1 = spans[^1];
        // Siblings: no command is the child of another.
        Assert.All(spans.Where(static span => span.Kind == ActivityKind.Client).Skip(1), span => Assert.Equal(request1.SpanId, span.ParentSpanId));
        var insert = spans[3];
        var system = kind switch { _ when kind.IsPostgreSql() => "postgresql", ServerKind.MySql => "mysql", _ => "mariadb" };
        Assert.Equal(
            [system, server.Database, "INSERT", "INSERT told", server.Host],
            new[] { "db.system.name", "db.namespace", "db.operation.name", "db.query.summary", "server.address" }.Select(name => Tag(insert, name)));
        Assert.Equal("INSERT INTO told VALUES (@name)", Tag(insert, "db.query.text"));
        Assert.True(System.Net.IPAddress.TryParse(Tag(insert, "network.peer.address"), out _));
        Assert.Equal(server.Port, insert.GetTagItem("network.peer.port"));
        Assert.Equal(true, spans[2].GetTagItem("slipstream.deferred"));
        var missing = kind.IsPostgreSql() ? "42703" : "1054";
        Assert.Equal((missing, missing, ActivityStatusCode.Error), (Tag(spans[9], "error.type"), Tag(spans[9], "db.response.status_code"), spans[9].Status));
        Assert.Equal(("timeout", ActivityStatusCode.Error), (Tag(spans[10], "error.type"), spans[10].Status));
        var everything = string.Join('\n', spans.SelectMany(static span => span.TagObjects.Select(static tag => $"{tag.Key}={tag.Value}")));
        Assert.DoesNotContain(Hidden, everything);
        Assert.DoesNotContain(server.Password, everything);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Metrics_have_buckets_bytes_and_shares(ServerKind kind, bool asynchronously)
    {
        var server = await LiveServers.GetAsync(kind);
        var collected = new CollectedMetrics();
        using var reader = new BaseExportingMetricReader(collected);
        using var metrics = Sdk.CreateMeterProviderBuilder().AddSlipstreamMySql().AddSlipstreamPostgreSql().AddReader(reader).Build();
        var name = $"metrics {kind} {asynchronously}";
        await using var source = Source(server, null, name);
        await using (var connection = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection())
        {
            for (var i = 0; i < 5; i++)
                await Run(connection, null, "SELECT @name", asynchronously, Hidden);
            await using var command = Create(connection, null, "SELECT @name", Hidden);
            if (asynchronously)
                await command.PrepareAsync();
            else
                command.Prepare();
            for (var i = 0; i < 15; i++)
                _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
        }

        Assert.True(reader.Collect());

        var all = collected.All;
        double[] seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
        Assert.Equal(seconds, One("db.client.connection.create_time").Bounds);
        Assert.Equal([0.00001, 0.00005, 0.0001, 0.0005, .. seconds], One("db.client.connection.wait_time").Bounds);
        Assert.Equal([0.00001, 0.00005, 0.0001, 0.0005, .. seconds], One("db.client.connection.use_time").Bounds);
        var durations = all.Where(static one => one.Name == "db.client.operation.duration").ToList();
        Assert.All(durations, one => Assert.Equal(seconds, one.Bounds));
        Assert.Contains(durations, one => one.Value >= 20 && one.Tags.Contains("db.query.summary=SELECT") && one.Tags.Contains("db.operation.name=SELECT"));
        Assert.Equal(0, One("slipstream.client.operation.executing").Value);
        Assert.InRange(One("slipstream.client.operation.bytes_read").Value, 20 * Hidden.Length, 100_000);
        Assert.InRange(One("slipstream.client.operation.bytes_written").Value, 20 * Hidden.Length, 100_000);
        // PostgreSQL also prepares the text automatically after a few executions.
        Assert.InRange(One("slipstream.client.operation.prepared_ratio").Value, 0.75, 0.95);
        Assert.DoesNotContain(Hidden, string.Join('\n', all));
        Assert.DoesNotContain(server.Password, string.Join('\n', all));

        Measured One(string instrument) =>
            Assert.Single(all, one => one.Name == instrument && one.Tags.Contains($"pool.name={name}", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Texts_and_values_are_logged_only_where_they_are_asked_for(ServerKind kind, bool asynchronously)
    {
        var server = await LiveServers.GetAsync(kind);
        string[] silent = [.. await Logged(false, false), .. await Logged(false, true)];
        Assert.Contains(silent, static line => line.StartsWith("1020 ", StringComparison.Ordinal));
        Assert.DoesNotContain(silent, static line => line.Contains("SELECT", StringComparison.Ordinal) || line.Contains(Hidden, StringComparison.Ordinal));

        var texts = await Logged(true, false);
        Assert.Single(texts, static line => line.StartsWith("1022 ", StringComparison.Ordinal) && line.EndsWith(": SELECT @name", StringComparison.Ordinal));
        Assert.Single(texts, static line => line.StartsWith("1023 ", StringComparison.Ordinal) && line.EndsWith("no_such_column", StringComparison.Ordinal));
        Assert.Single(texts, static line => line.EndsWith(": ALTER USER (not shown: it may contain a password)", StringComparison.Ordinal));
        Assert.DoesNotContain(texts, static line => line.Contains(Hidden, StringComparison.Ordinal));

        var values = await Logged(true, true);
        Assert.Single(values, static line => line.EndsWith($"ms: SELECT @name [@name='{Hidden}']", StringComparison.Ordinal));
        Assert.DoesNotContain(values.Concat(texts), static line => line.Contains("hunter2", StringComparison.Ordinal));

        async Task<IReadOnlyList<string>> Logged(bool areTexts, bool areValues)
        {
            using var loggers = new KeptLog();
            await using var source = Source(server, loggers, areTexts: areTexts, areValues: areValues);
            await using var connection = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection();
            await Run(connection, null, "SELECT @name", asynchronously, Hidden);
            await Assert.ThrowsAnyAsync<DbException>(() => Run(connection, null, "SELECT no_such_column", asynchronously));
            var secret = "ALTER USER nobody_is_called_so " + (kind.IsPostgreSql() ? "PASSWORD 'hunter2'" : "IDENTIFIED BY 'hunter2'");
            await Assert.ThrowsAnyAsync<DbException>(() => Run(connection, null, secret, asynchronously));
            return loggers.Lines;
        }
    }

    private static string? Tag(Activity span, string name) => (string?)span.GetTagItem(name);

    private static DbDataSource Source(LabServer server, ILoggerFactory? loggers, string? name = null, bool areTexts = false, bool areValues = false)
    {
        var text = ConnectionStrings.Of(server);
        if (server.Kind.IsPostgreSql())
            return new PgDataSourceBuilder(text).UseName(name).UseLoggerFactory(loggers)
                .EnableCommandTextLogging(areTexts).EnableParameterLogging(areValues).Build();
        return new MySqlDataSourceBuilder(text).UseName(name).UseLoggerFactory(loggers)
            .EnableCommandTextLogging(areTexts).EnableParameterLogging(areValues).Build();
    }

    private static async Task Run(
        DbConnection connection, DbTransaction? transaction, string sql, bool asynchronously, string? value = null, int timeout = 30)
    {
        await using var command = Create(connection, transaction, sql, value);
        command.CommandTimeout = timeout;
        _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
    }

    private static async Task Read(DbConnection connection, DbTransaction? transaction, string sql, bool asynchronously)
    {
        await using var command = Create(connection, transaction, sql, null);
        if (asynchronously)
        {
            await using var rows = await command.ExecuteReaderAsync();
            while (await rows.ReadAsync())
                Assert.Equal(Hidden, rows.GetString(0));
        }
        else
        {
            using var rows = command.ExecuteReader();
            while (rows.Read())
                Assert.Equal(Hidden, rows.GetString(0));
        }
    }

    private static DbCommand Create(DbConnection connection, DbTransaction? transaction, string sql, string? value)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        command.Transaction = transaction;
        if (value is not null)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = ("@name", value);
            command.Parameters.Add(parameter);
        }

        return command;
    }
}
