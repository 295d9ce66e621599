using Microsoft.Extensions.Logging;

namespace Slipstream.PostgreSql;

/// <summary>
/// Sets the destination of log messages for connections that are created from a connection string alone. A data source has its own:
/// <see cref="PgDataSourceBuilder.UseLoggerFactory"/>.
/// </summary>
public static class PgLoggingConfiguration
{
    private static volatile DataSourceParts _parts = DataSourceParts.None;

    /// <summary>Gets what data sources of connection strings have.</summary>
    internal static DataSourceParts Parts => _parts;

    /// <summary>
    /// Sets the destination of log messages. Call this method at the start of the program: connection strings that have been opened before keep their setting.
    /// </summary>
    /// <param name="loggerFactory">The logger factory.</param>
    /// <param name="parameterLoggingEnabled">
    /// Whether the texts of commands and the values of their parameters are written. The log then contains the personal data and secrets in them.
    /// </param>
    /// <exception cref="ArgumentNullException">The logger factory is null.</exception>
    public static void InitializeLogging(ILoggerFactory loggerFactory, bool parameterLoggingEnabled = false)
    {
        ArgumentNullException.ThrowIfNull(loggerFactory);
        _parts = DataSourceParts.None with
        {
            Loggers = loggerFactory,
            Logging = new() { Texts = parameterLoggingEnabled, ParameterValues = parameterLoggingEnabled },
        };
    }
}
