using Microsoft.Extensions.Logging;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Sets up a <see cref="PgDataSource"/> beyond what a connection string can say.</summary>
public sealed class PgDataSourceBuilder
{
    private ILoggerFactory? _loggers;
    private CommandLogging _logging = new();
    private string? _name;
    private StreamFactory? _streams;
    private SessionLimit? _limit;

    /// <summary>A builder of data sources with that connection string.</summary>
    public PgDataSourceBuilder(string? connectionString = null) => ConnectionStringBuilder = new PgConnectionStringBuilder(connectionString);

    /// <summary>The options, to be changed until <see cref="Build"/>.</summary>
    public PgConnectionStringBuilder ConnectionStringBuilder { get; }

    /// <summary>The connection string as it stands, secrets included.</summary>
    public string ConnectionString => ConnectionStringBuilder.ConnectionString;

    /// <summary>Where log messages go. They never hold a secret; texts of commands and values of parameters only when they are asked for.</summary>
    public PgDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _loggers = loggerFactory;
        return this;
    }

    /// <summary>
    /// Writes the text of each command to the log, at the level Debug, with the literals in it. A text that may set a password is not written.
    /// Default: no text is written.
    /// </summary>
    /// <param name="isEnabled">Whether texts are written.</param>
    public PgDataSourceBuilder EnableCommandTextLogging(bool isEnabled = true)
    {
        _logging = _logging with { Texts = isEnabled };
        return this;
    }

    /// <summary>
    /// Writes the values of parameters behind the text of each command. It needs <see cref="EnableCommandTextLogging"/>, too. Personal data and secrets that
    /// are values of parameters then stand in the log. Default: no value is written.
    /// </summary>
    /// <param name="isEnabled">Whether values are written.</param>
    public PgDataSourceBuilder EnableParameterLogging(bool isEnabled = true)
    {
        _logging = _logging with { ParameterValues = isEnabled };
        return this;
    }

    /// <summary>The pool's name in metrics and messages. Default: Application Name; without one, host and database.</summary>
    public PgDataSourceBuilder UseName(string? name)
    {
        _name = name;
        return this;
    }

    /// <summary>
    /// Connections are made by these in place of the driver's own sockets: through a tunnel or a cloud connector.
    /// TLS, time-outs and cancellation work as on a socket; disposing of a stream has to end the reads and writes that wait on it.
    /// A pooled stream that died while idle shows that at its next use, unless it is a <see cref="System.Net.Sockets.NetworkStream"/>.
    /// </summary>
    /// <param name="connect">Makes a connected stream to this host and port, by blocking. The token ends with the time of the attempt.
    /// Called by the synchronous verbs, and on threads of the driver.</param>
    /// <param name="connectAsync">The same without blocking; null calls <paramref name="connect"/> on the thread pool.</param>
    /// <remarks>What they throw is the inner exception of the one that Open throws. A unix socket's path comes as host with port 0.</remarks>
    public PgDataSourceBuilder UseStreamFactory(Func<string, int, CancellationToken, Stream> connect, Func<string, int, CancellationToken, ValueTask<Stream>>? connectAsync = null)
    {
        ArgumentNullException.ThrowIfNull(connect);
        _streams = new(connect, connectAsync);
        return this;
    }

    /// <summary>
    /// Sets a limit for the sessions of several pools together, of this provider or others: give the same limit to the builder of each data source. Without
    /// one, each pool is limited by Maximum Pool Size alone.
    /// </summary>
    /// <param name="limit">The limit; null for none. At the limit, an idle session of another pool is closed, or the caller waits.</param>
    public PgDataSourceBuilder UseConnectionLimit(SessionLimit? limit)
    {
        _limit = limit;
        return this;
    }

    /// <summary>Creates a data source with a pool of its own from what has been set so far. No connection is opened yet.</summary>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public PgDataSource Build()
    {
        var settings = new PgSettings(ConnectionStringBuilder);
        if (_limit is not null && !settings.Pooling)
            throw new ArgumentException("A connection limit applies to pools: leave Pooling=false out.");
        return _streams is null
            ? new(settings, _loggers, _name, _limit) { Logging = _logging }
            : new(settings, _loggers, new PgSessionOpener(settings, new StreamDialer(settings.ReadTls(), _streams)), _name, _limit) { Logging = _logging };
    }
}
