using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>Builds a <see cref="MySqlDataSource"/> with what a connection string cannot hold.</summary>
/// <param name="connectionString">The connection string; null to set the options later.</param>
public sealed class MySqlDataSourceBuilder(string? connectionString = null)
{
    private ILoggerFactory? _loggers;
    private CommandLogging _logging = new();
    private string? _name;
    private StreamFactory? _streams;
    private SessionLimit? _limit;
    private ITopologySource? _source;
    private MySqlConnectorTracingOptionsBuilder? _tracing;
    private MySqlConnectionOpenedCallback? _opened;
    private SecurityCallbacks _callbacks = SecurityCallbacks.None;

    /// <summary>Gets the options of the connection string.</summary>
    public MySqlConnectionStringBuilder ConnectionStringBuilder { get; } = new(connectionString ?? "");

    /// <summary>
    /// Sets the destination of log messages. They never contain secrets. They contain texts of commands and values of parameters only after
    /// <see cref="EnableCommandTextLogging"/> and <see cref="EnableParameterLogging"/>.
    /// </summary>
    /// <param name="loggerFactory">The logger factory; null for no log.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _loggers = loggerFactory;
        return this;
    }

    /// <summary>
    /// Logs the text of each command with its literals, at level Debug. Texts that may set a password are not logged. Default: texts are not logged.
    /// </summary>
    /// <param name="isEnabled">Whether to log texts.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder EnableCommandTextLogging(bool isEnabled = true)
    {
        _logging = _logging with { Texts = isEnabled };
        return this;
    }

    /// <summary>
    /// Logs the values of parameters after the text of each command. It also needs <see cref="EnableCommandTextLogging"/>. The log then contains personal data
    /// and secrets that are values of parameters. Default: values are not logged.
    /// </summary>
    /// <param name="isEnabled">Whether to log values.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder EnableParameterLogging(bool isEnabled = true)
    {
        _logging = _logging with { ParameterValues = isEnabled };
        return this;
    }

    /// <summary>Sets the pool's name in metrics and messages. Default: the application's name, otherwise host and database.</summary>
    /// <param name="name">The name; null for the default.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder UseName(string? name)
    {
        _name = name;
        return this;
    }

    /// <summary>Configures the content of spans. A listener for the source <c>Slipstream.MySql</c> turns spans on.</summary>
    /// <param name="configureAction">Sets the options.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException">The action is null.</exception>
    public MySqlDataSourceBuilder ConfigureTracing(Action<MySqlConnectorTracingOptionsBuilder> configureAction)
    {
        ArgumentNullException.ThrowIfNull(configureAction);
        configureAction(_tracing ??= new());
        return this;
    }

    /// <summary>
    /// Sets a callback that runs after each opening, before the application gets the connection: for settings that every session needs. If the callback changes
    /// the session, the session must be reset when it returns to the pool, and then the callback runs again.
    /// </summary>
    /// <param name="callback">The callback; null for none. It must be thread-safe. If it throws, the connection is closed and Open throws the same
    /// exception.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder UseConnectionOpenedCallback(MySqlConnectionOpenedCallback? callback)
    {
        _opened = callback;
        return this;
    }

    /// <summary>Sets a callback that adds the client's certificates to the collection, before each TLS handshake.</summary>
    /// <param name="callback">The callback; null for none. It must be thread-safe.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder UseClientCertificatesCallback(Func<X509CertificateCollection, ValueTask>? callback)
    {
        _callbacks = _callbacks with { ClientCertificates = callback };
        return this;
    }

    /// <summary>
    /// Sets a callback that validates the server's certificate with SSL Mode=Preferred or Required and without SSL CA. In other cases the driver validates the
    /// certificate and does not call it. A server that the callback accepts counts as verified: the driver may send it the password.
    /// </summary>
    /// <param name="callback">The callback.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public MySqlDataSourceBuilder UseRemoteCertificateValidationCallback(RemoteCertificateValidationCallback callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        _callbacks = _callbacks with { ValidateCertificate = callback };
        return this;
    }

    /// <summary>
    /// Sets a provider of a password that changes over time. The first new session requests the password. The first new session after the refresh interval
    /// requests it again. Open sessions stay open. While the provider fails, the driver continues to use the last password.
    /// </summary>
    /// <param name="passwordProvider">Returns the password; null for none. Open runs it on the thread pool and waits at most Connection Timeout for it.</param>
    /// <param name="successRefreshInterval">How long a password is used. With zero, each new session requests the password.</param>
    /// <param name="failureRefreshInterval">How long the last password is used after the provider failed, before the next request.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An interval is negative.</exception>
    public MySqlDataSourceBuilder UsePeriodicPasswordProvider(
        Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<string>>? passwordProvider, TimeSpan successRefreshInterval,
        TimeSpan failureRefreshInterval)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(successRefreshInterval, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfLessThan(failureRefreshInterval, TimeSpan.Zero);
        _callbacks = _callbacks with
        {
            Credentials = passwordProvider is null ? null : CredentialsOf(new(passwordProvider, successRefreshInterval, failureRefreshInterval))
        };
        return this;
    }

    private static Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>> CredentialsOf(
        PeriodicPassword<MySqlProvidePasswordContext> password) =>
        async (context, cancellationToken) => new(await password.GetAsync(context, cancellationToken).ConfigureAwait(false));

    /// <summary>Sets a provider of the credentials of each new session: the password, and the user's name if it changes too. (Not in MySqlConnector.)</summary>
    /// <param name="credentialProvider">Returns the credentials; null for none. Open runs it on the thread pool and waits at most Connection Timeout for it. It
    /// must be thread-safe.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder UseCredentialProvider(Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>>? credentialProvider)
    {
        _callbacks = _callbacks with { Credentials = credentialProvider };
        return this;
    }

    /// <summary>
    /// Sets functions that create connections instead of the driver's sockets: through a tunnel or a cloud connector. TLS, timeouts and cancellation work as
    /// with sockets. Disposing a stream must end the reads and writes that wait for it. If a pooled stream fails while it is idle, the driver detects that at
    /// its next use, unless it is a <see cref="System.Net.Sockets.NetworkStream"/>.
    /// </summary>
    /// <param name="connect">Connects to the host and port and returns the stream; it may block. The token is cancelled at the time limit of the attempt.
    /// Synchronous methods call it, and threads of the driver.</param>
    /// <param name="connectAsync">Does the same without blocking. If it is null, <paramref name="connect"/> runs on the thread pool instead.</param>
    /// <returns>This builder.</returns>
    /// <remarks>An exception of these functions becomes the inner exception of Open's. For a Unix socket, the host is its path and the port is 0.</remarks>
    /// <exception cref="ArgumentNullException"><paramref name="connect"/> is null.</exception>
    public MySqlDataSourceBuilder UseStreamFactory(
        Func<string, int, CancellationToken, Stream> connect, Func<string, int, CancellationToken, ValueTask<Stream>>? connectAsync = null)
    {
        ArgumentNullException.ThrowIfNull(connect);
        _streams = new(connect, connectAsync);
        return this;
    }

    /// <summary>
    /// Sets a limit for the sessions of several pools together, of this provider or others: give the same limit to the builder of each data source. Without it,
    /// only Maximum Pool Size limits each pool. It takes precedence over Maximum Total Connections. (Not in MySqlConnector.)
    /// </summary>
    /// <param name="limit">The limit; null for none. At the limit, an idle session of another pool is closed, or the caller waits.</param>
    /// <returns>This builder.</returns>
    public MySqlDataSourceBuilder UseConnectionLimit(SessionLimit? limit)
    {
        _limit = limit;
        return this;
    }

    /// <summary>
    /// Sets a source that names the servers of the cluster, and that the driver asks again and again in the background: for clouds and registries. Its servers
    /// replace those of Server, which are used until its first answer. If Server is empty, connections wait for the first answer.
    /// </summary>
    /// <param name="source">The source; null for none. It must be thread-safe. The data source does not dispose it.</param>
    /// <returns>This builder.</returns>
    /// <remarks>The option Topology must be set.</remarks>
    public MySqlDataSourceBuilder UseTopologySource(ITopologySource? source)
    {
        _source = source;
        return this;
    }

    /// <summary>Creates a data source with its own pool from the current settings. It does not open a connection yet.</summary>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public MySqlDataSource Build()
    {
        var settings = new MySqlSettings(ConnectionStringBuilder);
        if (_limit is not null && !settings.Pooling)
            throw new ArgumentException("A connection limit needs a pool: remove Pooling=false.");
        if (_source is not null && settings.Topology == MySqlTopology.None)
            throw new ArgumentException("A topology source needs the roles of the servers: set Topology, for example to Auto.");
        var dialer = _streams is null ? null : new StreamDialer(_callbacks.Apply(settings.ReadTls()), _streams);
        return new(settings, _loggers, _name, dialer, _tracing?.Build(), _callbacks, _limit, source: _source) { Opened = _opened, Logging = _logging };
    }
}
