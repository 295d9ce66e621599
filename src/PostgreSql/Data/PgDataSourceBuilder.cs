using Microsoft.Extensions.Logging;

namespace Slipstream.PostgreSql;

/// <summary>Sets up a <see cref="PgDataSource"/> beyond what a connection string can say.</summary>
public sealed class PgDataSourceBuilder
{
    private ILoggerFactory? _loggers;
    private string? _name;

    public PgDataSourceBuilder(string? connectionString = null) => ConnectionStringBuilder = new PgConnectionStringBuilder(connectionString);

    /// <summary>The options, to be changed until <see cref="Build"/>.</summary>
    public PgConnectionStringBuilder ConnectionStringBuilder { get; }

    public string ConnectionString => ConnectionStringBuilder.ConnectionString;

    /// <summary>Where log messages go. None ever holds a password or a parameter's value.</summary>
    public PgDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _loggers = loggerFactory;
        return this;
    }

    /// <summary>The pool's name in metrics and messages. Default: host and database.</summary>
    public PgDataSourceBuilder UseName(string? name)
    {
        _name = name;
        return this;
    }

    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public PgDataSource Build() => new(new PgSettings(ConnectionStringBuilder), _loggers, _name);
}
