using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>Makes a <see cref="MySqlDataSource"/> with what a connection string cannot hold.</summary>
public sealed class MySqlDataSourceBuilder(string? connectionString = null)
{
    private ILoggerFactory? _loggers;
    private CommandLogging _logging = new();
    private string? _name;
    private StreamFactory? _streams;
    private SessionLimit? _limit;
    private MySqlConnectorTracingOptionsBuilder? _tracing;
    private MySqlConnectionOpenedCallback? _opened;
    private SecurityCallbacks _callbacks = SecurityCallbacks.None;

    /// <summary>The options.</summary>
    public MySqlConnectionStringBuilder ConnectionStringBuilder { get; } = new(connectionString ?? "");

    /// <summary>Where log messages go. They never hold a secret; texts of commands and values of parameters only when they are asked for.</summary>
    public MySqlDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _loggers = loggerFactory;
        return this;
    }

    /// <summary>
    /// Writes the text of each command to the log, at the level Debug, with the literals in it. A text that may set a password is not written.
    /// Default: no text is written.
    /// </summary>
    /// <param name="isEnabled">Whether texts are written.</param>
    public MySqlDataSourceBuilder EnableCommandTextLogging(bool isEnabled = true)
    {
        _logging = _logging with { Texts = isEnabled };
        return this;
    }

    /// <summary>
    /// Writes the values of parameters behind the text of each command. It needs <see cref="EnableCommandTextLogging"/>, too. Personal data and secrets that
    /// are values of parameters then stand in the log. Default: no value is written.
    /// </summary>
    /// <param name="isEnabled">Whether values are written.</param>
    public MySqlDataSourceBuilder EnableParameterLogging(bool isEnabled = true)
    {
        _logging = _logging with { ParameterValues = isEnabled };
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

    /// <summary>Fills the collection with the client's certificates before each TLS handshake. Called from several threads at once.</summary>
    public MySqlDataSourceBuilder UseClientCertificatesCallback(Func<X509CertificateCollection, ValueTask>? callback)
    {
        _callbacks = _callbacks with { ClientCertificates = callback };
        return this;
    }

    /// <summary>
    /// Judges the server's certificate with SSL Mode=Preferred or Required and without SSL CA; otherwise the driver does, and this is not asked.
    /// Whom it accepts counts as verified: the password may be sent there.
    /// </summary>
    public MySqlDataSourceBuilder UseRemoteCertificateValidationCallback(RemoteCertificateValidationCallback callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        _callbacks = _callbacks with { Judge = callback };
        return this;
    }

    /// <summary>
    /// A password that is renewed: asked for by the first session that is opened,
    /// and again by the first one that is opened when the answer is older than its time. A session that is open stays open.
    /// While the provider fails, the last password goes on being used.
    /// </summary>
    /// <param name="passwordProvider">Gives the password; on Open it runs on the thread pool, and Open waits for it for at most Connection Timeout.</param>
    /// <param name="successRefreshInterval">How long an answer is used. Zero asks for each new session.</param>
    /// <param name="failureRefreshInterval">How long the last password is used before a provider that has failed is asked again.</param>
    /// <exception cref="ArgumentOutOfRangeException">An interval is negative.</exception>
    public MySqlDataSourceBuilder UsePeriodicPasswordProvider(
        Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<string>>? passwordProvider, TimeSpan successRefreshInterval, TimeSpan failureRefreshInterval)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(successRefreshInterval, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfLessThan(failureRefreshInterval, TimeSpan.Zero);
        _callbacks = _callbacks with { Credentials = passwordProvider is null ? null : new PeriodicPassword(passwordProvider, successRefreshInterval, failureRefreshInterval).GetAsync };
        return this;
    }

    /// <summary>Says who logs in, for each new session: the password, and the user's name if it changes, too. (Not in MySqlConnector.)</summary>
    /// <param name="credentialProvider">On Open it runs on the thread pool, and Open waits for it for at most Connection Timeout; called from several threads at once.</param>
    public MySqlDataSourceBuilder UseCredentialProvider(Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>>? credentialProvider)
    {
        _callbacks = _callbacks with { Credentials = credentialProvider };
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
    public MySqlDataSourceBuilder UseStreamFactory(Func<string, int, CancellationToken, Stream> connect, Func<string, int, CancellationToken, ValueTask<Stream>>? connectAsync = null)
    {
        ArgumentNullException.ThrowIfNull(connect);
        _streams = new(connect, connectAsync);
        return this;
    }

    /// <summary>
    /// Sets a limit for the sessions of several pools together, of this provider or others: give the same limit to the builder of each data source. Without
    /// one, each pool is limited by Maximum Pool Size alone. Wins over Maximum Total Connections.
    /// (Not in MySqlConnector.)
    /// </summary>
    /// <param name="limit">The limit; null for none. At the limit, an idle session of another pool is closed, or the caller waits.</param>
    public MySqlDataSourceBuilder UseConnectionLimit(SessionLimit? limit)
    {
        _limit = limit;
        return this;
    }

    /// <summary>Creates a data source with a pool of its own from what has been set so far. No connection is opened yet.</summary>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public MySqlDataSource Build()
    {
        var settings = new MySqlSettings(ConnectionStringBuilder);
        if (_limit is not null && !settings.Pooling)
            throw new ArgumentException("A connection limit applies to pools: leave Pooling=false out.");
        var dialer = _streams is null ? null : new StreamDialer(_callbacks.Apply(settings.ReadTls()), _streams);
        return new(settings, _loggers, _name, dialer, _tracing?.Build(), _callbacks, _limit) { Opened = _opened, Logging = _logging };
    }
}
