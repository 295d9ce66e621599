using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Documentation;

/// <summary>Names that samples use without declaring them, because their text explains them. The samples are compiled, not executed.</summary>
public static class SampleNames
{
    public static readonly string connectionString = "", shopConnectionString = "", billingConnectionString = "";
    public static readonly CancellationToken cancellationToken, stoppingToken;
    public static readonly MySqlDataSource shop = null!;
    public static readonly PgDataSource billing = null!;
    public static readonly Stream file = Stream.Null;
    public static readonly Item[] items = [];
    public static readonly Reading[] readings = [];
    public static readonly float[] embedding = [];
    public static readonly Guid id, operationId;

    public static Task<string> getTokenAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public static Task<string> getTokenAsync(string host, string user, CancellationToken cancellationToken) => throw new NotSupportedException();

    public static Task<(string User, string Password)> readSecretAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public static Task ReadAllJobsAsync() => throw new NotSupportedException();

    public static Task ReadJobAsync(string payload) => throw new NotSupportedException();

    // Of the packages OpenTelemetry.Extensions.Hosting, OpenTelemetry.Instrumentation.AspNetCore and OpenTelemetry.Exporter.OpenTelemetryProtocol.
    public static OpenTelemetryBuilder AddOpenTelemetry(this IServiceCollection services) => throw new NotSupportedException();

    public static TracerProviderBuilder AddAspNetCoreInstrumentation(this TracerProviderBuilder builder) => builder;

    public static TracerProviderBuilder AddOtlpExporter(this TracerProviderBuilder builder) => builder;

    public static MeterProviderBuilder AddOtlpExporter(this MeterProviderBuilder builder) => builder;

    public sealed record Item(int Id, string Name);

    public sealed record Reading(int Sensor, DateTime At, double Value);

    public sealed class OpenTelemetryBuilder
    {
        public OpenTelemetryBuilder WithTracing(Action<TracerProviderBuilder> configure) => this;

        public OpenTelemetryBuilder WithMetrics(Action<MeterProviderBuilder> configure) => this;
    }
}

/// <summary>The same for samples of MySQL and of both drivers.</summary>
public static class MySqlSampleNames
{
    public static readonly MySqlDataSource source = null!;
    public static readonly MySqlConnection connection = null!;
    public static readonly MySqlTransaction transaction = null!;
    public static readonly MySqlCommand command = null!;
    public static readonly MySqlBatch batch = null!;
    public static readonly System.Data.DataTable table = null!;
}

/// <summary>The same for samples that add a driver to a web application.</summary>
public static class WebSampleNames
{
    public static readonly WebBuilder builder = null!;

    public sealed record WebBuilder(IServiceCollection Services, IConfiguration Configuration);

    public sealed class Shop(DbContextOptions<Shop> options) : DbContext(options);
}

/// <summary>The same for samples of PostgreSQL.</summary>
public static class PgSampleNames
{
    public static readonly PgDataSource source = null!, dataSource = null!;
    public static readonly PgConnection connection = null!, from = null!, to = null!;
    public static readonly PgTransaction transaction = null!;
    public static readonly PgCommand command = null!;
    public static readonly PgBatch batch = null!;
    public static readonly PgDataSourceBuilder builder = null!;

    public readonly record struct Celsius(double Degrees);

    public readonly record struct Fahrenheit(double Degrees);

    public sealed class CelsiusConverter : PgConverter<Celsius>
    {
        public override Celsius Read(ref PgValueReader reader) => throw new NotSupportedException();

        public override void Write(ref PgValueWriter writer, Celsius value) => throw new NotSupportedException();
    }
}
