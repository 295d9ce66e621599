using Microsoft.Extensions.Logging;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Configures a <see cref="PgDataSource"/> with more than a connection string can contain.</summary>
public sealed class PgDataSourceBuilder
{
    private ILoggerFactory? _loggers;
    private CommandLogging _logging = new();
    private string? _name;
    private StreamFactory? _streams;
    private SessionLimit? _limit;

    /// <summary>Creates a builder of data sources.</summary>
    /// <param name="connectionString">The connection string; null means an empty one.</param>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public PgDataSourceBuilder(string? connectionString = null) => ConnectionStringBuilder = new PgConnectionStringBuilder(connectionString);

    /// <summary>Gets the options, which can be changed until <see cref="Build"/>.</summary>
    public PgConnectionStringBuilder ConnectionStringBuilder { get; }

    /// <summary>Gets the current connection string, including secrets.</summary>
    public string ConnectionString => ConnectionStringBuilder.ConnectionString;

    /// <summary>
    /// Sets the destination of log messages. They never contain the driver's secrets, and contain texts of commands and values of parameters only on request.
    /// </summary>
    /// <param name="loggerFactory">The logger factory; null for no log messages.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _loggers = loggerFactory;
        return this;
    }

    /// <summary>
    /// Writes the text of each command to the log, at the level Debug, including its literals. A text that may set a password is not written. Default: texts
    /// are not written.
    /// </summary>
    /// <param name="isEnabled">Whether texts are written.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder EnableCommandTextLogging(bool isEnabled = true)
    {
        _logging = _logging with { Texts = isEnabled };
        return this;
    }

    /// <summary>
    /// Writes the values of parameters after the text of each command. This also requires <see cref="EnableCommandTextLogging"/>. The log then contains
    /// personal data and secrets that are values of parameters. Default: values are not written.
    /// </summary>
    /// <param name="isEnabled">Whether values are written.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder EnableParameterLogging(bool isEnabled = true)
    {
        _logging = _logging with { ParameterValues = isEnabled };
        return this;
    }

    /// <summary>Sets the pool's name in metrics and messages. Default: Application Name; without one, host and database.</summary>
    /// <param name="name">The name; null for the default.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseName(string? name)
    {
        _name = name;
        return this;
    }

    /// <summary>
    /// Sets functions that create connections in place of the driver's sockets, for example through a tunnel or a cloud connector. TLS, time-outs and
    /// cancellation work as on a socket. The disposal of a stream must end the reads and writes that wait on it. If a pooled stream fails while it is idle,
    /// this is detected at its next use, except for a <see cref="System.Net.Sockets.NetworkStream"/>.
    /// </summary>
    /// <param name="connect">Returns a stream connected to a host and port, by blocking. The token is cancelled when the time of the attempt ends.
    /// Synchronous methods and threads of the driver call it.</param>
    /// <param name="connectAsync">The same without blocking; null calls <paramref name="connect"/> on the thread pool.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connect"/> is null.</exception>
    /// <remarks>
    /// Their exceptions are the inner exception of the exception that Open throws. For a unix socket, the host is its path and the port is 0.
    /// </remarks>
    public PgDataSourceBuilder UseStreamFactory(
        Func<string, int, CancellationToken, Stream> connect, Func<string, int, CancellationToken, ValueTask<Stream>>? connectAsync = null)
    {
        ArgumentNullException.ThrowIfNull(connect);
        _streams = new(connect, connectAsync);
        return this;
    }

    /// <summary>
    /// Sets a limit for the total number of sessions of several pools, of this provider or others. Pass the same limit to the builder of each data source.
    /// Without one, only Maximum Pool Size limits each pool.
    /// </summary>
    /// <param name="limit">The limit; null for none. If it is reached, an idle session of another pool is closed, or the caller waits.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseConnectionLimit(SessionLimit? limit)
    {
        _limit = limit;
        return this;
    }

    /// <summary>Creates a data source with its own pool from the current settings. It opens no connection yet.</summary>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public PgDataSource Build()
    {
        var settings = new PgSettings(ConnectionStringBuilder);
        if (_limit is not null && !settings.Pooling)
            throw new ArgumentException("A connection limit needs a pool: remove Pooling=false.");
        return _streams is null
            ? new(settings, _loggers, _name, _limit) { Logging = _logging }
            : new(settings, _loggers, new PgSessionOpener(settings, new StreamDialer(settings.ReadTls(), _streams)), _name, _limit) { Logging = _logging };
    }
}
