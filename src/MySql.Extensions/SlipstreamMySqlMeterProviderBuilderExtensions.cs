namespace OpenTelemetry.Metrics;

/// <summary>Adds the metrics of the driver for MySQL and MariaDB to an application's OpenTelemetry.</summary>
public static class SlipstreamMySqlMeterProviderBuilderExtensions
{
    /// <summary>Collects the driver's metrics of commands and pools, for all data sources and connections of the process.</summary>
    /// <param name="builder">The builder.</param>
    /// <returns>The builder.</returns>
    public static MeterProviderBuilder AddSlipstreamMySql(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter("Slipstream.MySql");
    }
}
