namespace OpenTelemetry.Metrics;

/// <summary>Adds the metrics of the PostgreSQL driver to an application's OpenTelemetry.</summary>
public static class SlipstreamPostgreSqlMeterProviderBuilderExtensions
{
    /// <summary>Collects the driver's metrics for commands and pools, of all data sources and connections of the process.</summary>
    /// <param name="builder">The builder of the provider that collects them.</param>
    /// <returns>The same builder.</returns>
    public static MeterProviderBuilder AddSlipstreamPostgreSql(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter("Slipstream.PostgreSql");
    }
}
