namespace OpenTelemetry.Trace;

/// <summary>Adds the spans of the PostgreSQL driver to an application's OpenTelemetry.</summary>
public static class SlipstreamPostgreSqlTracerProviderBuilderExtensions
{
    /// <summary>Collects the driver's spans for commands, transactions and new connections, of all data sources and connections of the process.</summary>
    /// <param name="builder">The builder of the provider that collects them.</param>
    /// <returns>The same builder.</returns>
    public static TracerProviderBuilder AddSlipstreamPostgreSql(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource("Slipstream.PostgreSql");
    }
}
