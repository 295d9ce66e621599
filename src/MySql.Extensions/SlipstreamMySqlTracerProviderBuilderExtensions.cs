namespace OpenTelemetry.Trace;

/// <summary>Adds the spans of the driver for MySQL and MariaDB to an application's OpenTelemetry.</summary>
public static class SlipstreamMySqlTracerProviderBuilderExtensions
{
    /// <summary>Collects the driver's spans of commands, transactions and new connections, for all data sources and connections of the process.</summary>
    /// <param name="builder">The builder.</param>
    /// <returns>The builder.</returns>
    public static TracerProviderBuilder AddSlipstreamMySql(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource("Slipstream.MySql");
    }
}
