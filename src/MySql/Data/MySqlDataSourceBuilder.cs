using Microsoft.Extensions.Logging;

namespace Slipstream.MySql;

/// <summary>Makes a <see cref="MySqlDataSource"/> with what a connection string cannot hold.</summary>
public sealed class MySqlDataSourceBuilder(string? connectionString = null)
{
    private ILoggerFactory? _loggers;
    private string? _name;
    private MySqlConnectorTracingOptionsBuilder? _tracing;
    private MySqlConnectionOpenedCallback? _opened;

    /// <summary>The options.</summary>
    public MySqlConnectionStringBuilder ConnectionStringBuilder { get; } = new(connectionString ?? "");

    /// <summary>Where log messages go. They never hold a secret, a parameter's value or a statement's text.</summary>
    public MySqlDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _loggers = loggerFactory;
        return this;
    }

    /// <summary>The pool's name in metrics and messages. Default: the application's name, else host and database.</summary>
    public MySqlDataSourceBuilder UseName(string? name)
    {
        _name = name;
        return this;
    }

    /// <summary>What spans carry. Listening to the source <c>Slipstream.MySql</c> turns them on.</summary>
    public MySqlDataSourceBuilder ConfigureTracing(Action<MySqlConnectorTracingOptionsBuilder> configureAction)
    {
        ArgumentNullException.ThrowIfNull(configureAction);
        configureAction(_tracing ??= new());
        return this;
    }

    /// <summary>
    /// Called behind each opening, before the user gets the connection: for settings that every session needs. What it sets makes a session one that
    /// must be reset when it comes back, and then the callback runs anew.
    /// </summary>
    /// <param name="callback">What it throws, Open throws; the connection is closed then. It is called from several threads at once.</param>
    public MySqlDataSourceBuilder UseConnectionOpenedCallback(MySqlConnectionOpenedCallback? callback)
    {
        _opened = callback;
        return this;
    }

    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public MySqlDataSource Build() => new(new MySqlSettings(ConnectionStringBuilder), _loggers, _name, tracing: _tracing?.Build()) { Opened = _opened };
}
