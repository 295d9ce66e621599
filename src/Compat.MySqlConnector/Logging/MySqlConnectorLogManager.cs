using Microsoft.Extensions.Logging;

namespace Slipstream.MySql.Logging;

/// <summary>Sets where all data sources that have no ILoggerFactory write their log.</summary>
public static class MySqlConnectorLogManager
{
    private static ILoggerFactory? _loggers;

    /// <summary>Sets the provider of the loggers. Set it before the first connection is created.</summary>
    [Obsolete("Use MySqlDataSourceBuilder.UseLoggerFactory instead.")]
    public static IMySqlConnectorLoggerProvider Provider
    {
        set => _loggers = new Factory(value ?? throw new ArgumentNullException(nameof(value)));
    }

    /// <summary>The loggers of data sources without an ILoggerFactory; null if no provider was set.</summary>
    internal static ILoggerFactory? Loggers => Volatile.Read(ref _loggers);

    private sealed class Factory(IMySqlConnectorLoggerProvider provider) : ILoggerFactory
    {
        public ILogger CreateLogger(string categoryName) => new Logger(provider.CreateLogger(categoryName));

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }

    private sealed class Logger(IMySqlConnectorLogger target) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None && target.IsEnabled((MySqlConnectorLogLevel)(logLevel + 1));

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            ArgumentNullException.ThrowIfNull(formatter);
            if (IsEnabled(logLevel))
                target.Log((MySqlConnectorLogLevel)(logLevel + 1), formatter(state, exception), null, exception);
        }
    }
}
