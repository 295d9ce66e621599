using System.Globalization;

namespace Slipstream.MySql.Logging;

/// <summary>The levels of messages, from the most detailed to the most severe.</summary>
public enum MySqlConnectorLogLevel
{
    /// <summary>The most detailed messages.</summary>
    Trace = 1,

    /// <summary>Messages for developers.</summary>
    Debug,

    /// <summary>What the driver does.</summary>
    Info,

    /// <summary>What may be a fault.</summary>
    Warn,

    /// <summary>A fault of one operation.</summary>
    Error,

    /// <summary>A fault that ends the application.</summary>
    Fatal,
}

/// <summary>Writes messages. Code for today gives the data source an ILoggerFactory instead.</summary>
public interface IMySqlConnectorLogger
{
    /// <summary>Returns whether messages of a level are written.</summary>
    /// <param name="level">The level.</param>
    /// <returns>True if they are.</returns>
    bool IsEnabled(MySqlConnectorLogLevel level);

    /// <summary>Writes a message.</summary>
    /// <param name="level">The level.</param>
    /// <param name="message">The message, a format string if there are arguments.</param>
    /// <param name="args">The arguments of the format string.</param>
    /// <param name="exception">The exception, if there is one.</param>
    void Log(MySqlConnectorLogLevel level, string message, object?[]? args = null, Exception? exception = null);
}

/// <summary>Creates loggers.</summary>
public interface IMySqlConnectorLoggerProvider
{
    /// <summary>Creates the logger of a category.</summary>
    /// <param name="name">The category.</param>
    /// <returns>The logger.</returns>
    IMySqlConnectorLogger CreateLogger(string name);
}

/// <summary>Writes nothing.</summary>
public sealed class NoOpLogger : IMySqlConnectorLogger
{
    /// <summary>Gets a logger.</summary>
    public static IMySqlConnectorLogger Instance { get; } = new NoOpLogger();

    /// <inheritdoc/>
    public bool IsEnabled(MySqlConnectorLogLevel level) => false;

    /// <inheritdoc/>
    public void Log(MySqlConnectorLogLevel level, string message, object?[]? args = null, Exception? exception = null)
    {
    }
}

/// <summary>Creates loggers that write nothing.</summary>
public sealed class NoOpLoggerProvider : IMySqlConnectorLoggerProvider
{
    /// <inheritdoc/>
    public IMySqlConnectorLogger CreateLogger(string name) => NoOpLogger.Instance;
}

/// <summary>Creates loggers that write to the console's error output.</summary>
/// <param name="minimumLevel">The least severe level that is written.</param>
/// <param name="isColored">Whether the level has a colour.</param>
public class ConsoleLoggerProvider(MySqlConnectorLogLevel minimumLevel = MySqlConnectorLogLevel.Info, bool isColored = true) : IMySqlConnectorLoggerProvider
{
    private readonly Lock _gate = new();

    /// <inheritdoc/>
    public IMySqlConnectorLogger CreateLogger(string name) => new ConsoleLogger(this, name);

    private void Write(MySqlConnectorLogLevel level, string name, string message, Exception? exception)
    {
        lock (_gate)
        {
            if (isColored)
                Console.ForegroundColor = ColorOf(level);
            Console.Error.Write($"[{level}]");
            if (isColored)
                Console.ResetColor();
            Console.Error.WriteLine($"\t{name}\t{message}");
            if (exception is not null)
                Console.Error.WriteLine(exception);
        }
    }

    private static ConsoleColor ColorOf(MySqlConnectorLogLevel level) => level switch
    {
        MySqlConnectorLogLevel.Trace => ConsoleColor.DarkGray,
        MySqlConnectorLogLevel.Debug => ConsoleColor.Gray,
        MySqlConnectorLogLevel.Info => ConsoleColor.White,
        MySqlConnectorLogLevel.Warn => ConsoleColor.Yellow,
        _ => ConsoleColor.Red,
    };

    private sealed class ConsoleLogger(ConsoleLoggerProvider provider, string name) : IMySqlConnectorLogger
    {
        public bool IsEnabled(MySqlConnectorLogLevel level) => level >= provider.MinimumLevel;

        public void Log(MySqlConnectorLogLevel level, string message, object?[]? args = null, Exception? exception = null)
        {
            if (IsEnabled(level))
                provider.Write(level, name, args is { Length: > 0 } ? string.Format(CultureInfo.InvariantCulture, message, args) : message, exception);
        }
    }

    private MySqlConnectorLogLevel MinimumLevel { get; } = minimumLevel;
}
