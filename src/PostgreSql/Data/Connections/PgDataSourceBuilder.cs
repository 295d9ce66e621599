using System.Collections.Concurrent;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Configures a <see cref="PgDataSource"/> with more than a connection string can contain.</summary>
public sealed partial class PgDataSourceBuilder : IPgTypeMapper
{
    private DataSourceParts _parts = DataSourceParts.None;
    private PgTracingOptionsBuilder? _tracing;
    private Func<PgConnectionStringBuilder, CancellationToken, ValueTask<string>>? _periodicPassword;

    /// <summary>Creates a builder of data sources.</summary>
    /// <param name="connectionString">The connection string; null means an empty one.</param>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public PgDataSourceBuilder(string? connectionString = null) => ConnectionStringBuilder = new PgConnectionStringBuilder(connectionString);

    /// <summary>Gets the options, which can be changed until <see cref="Build"/>.</summary>
    public PgConnectionStringBuilder ConnectionStringBuilder { get; }

    /// <summary>Gets or sets the pool's name in metrics and messages.</summary>
    /// <value>The name; null, the default, for Application Name or, without one, host and database.</value>
    public string? Name
    {
        get => _parts.Name;
        set => _parts = _parts with { Name = value };
    }

    /// <summary>Gets the current connection string, including secrets.</summary>
    public string ConnectionString => ConnectionStringBuilder.ConnectionString;

    /// <summary>
    /// Sets the destination of log messages. They never contain the driver's secrets, and contain texts of commands and values of parameters only on request.
    /// </summary>
    /// <param name="loggerFactory">The logger factory; null for no log messages.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _parts = _parts with { Loggers = loggerFactory };
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
        _parts = _parts with { Logging = _parts.Logging with { Texts = isEnabled } };
        return this;
    }

    /// <summary>
    /// Writes the values of parameters after the text of each command. This also requires <see cref="EnableCommandTextLogging"/>. The log then contains
    /// personal data and secrets that are values of parameters. Default: values are not written.
    /// </summary>
    /// <param name="parameterLoggingEnabled">Whether values are written.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder EnableParameterLogging(bool parameterLoggingEnabled = true)
    {
        _parts = _parts with { Logging = _parts.Logging with { ParameterValues = parameterLoggingEnabled } };
        return this;
    }

    /// <summary>Sets the pool's name in metrics and messages. Default: Application Name; without one, host and database.</summary>
    /// <param name="name">The name; null for the default.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseName(string? name)
    {
        Name = name;
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
        _parts = _parts with { Streams = new(connect, connectAsync) };
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
        _parts = _parts with { Limit = limit };
        return this;
    }

    /// <summary>
    /// Sets a source that names the servers of the cluster, and that the driver asks again and again in the background: for clouds and registries. Its servers
    /// replace those of Host, which are used until its first answer. If Host is empty, connections wait for the first answer.
    /// </summary>
    /// <param name="source">The source; null for none. It must be thread-safe. The data source does not dispose it.</param>
    /// <returns>The builder.</returns>
    /// <remarks><see cref="Build"/> then creates a <see cref="PgMultiHostDataSource"/>.</remarks>
    public PgDataSourceBuilder UseTopologySource(ITopologySource? source)
    {
        _parts = _parts with { Source = source };
        return this;
    }

    /// <summary>Configures the content of spans. A listener for the source <c>Slipstream.PostgreSql</c> turns spans on.</summary>
    /// <param name="configureAction">Sets the options.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException">The action is null.</exception>
    public PgDataSourceBuilder ConfigureTracing(Action<PgTracingOptionsBuilder> configureAction)
    {
        ArgumentNullException.ThrowIfNull(configureAction);
        configureAction(_tracing ??= new());
        return this;
    }

    /// <summary>
    /// Sets a provider of a password that changes over time. The first new session whose server asks for a password requests it. The first such session after
    /// the refresh interval requests it again. Open sessions stay open. While the provider fails, the driver continues to use the last password.
    /// </summary>
    /// <param name="passwordProvider">Receives the options of the login, with the host of the attempt, and returns the password; null for no provider. Open
    /// runs it on the thread pool and waits at most Timeout for it. Each of several hosts has its own password.</param>
    /// <param name="successRefreshInterval">How long a password is used. With zero, each new session requests the password.</param>
    /// <param name="failureRefreshInterval">How long the last password is used after the provider failed, before the next request.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An interval is negative.</exception>
    public PgDataSourceBuilder UsePeriodicPasswordProvider(
        Func<PgConnectionStringBuilder, CancellationToken, ValueTask<string>>? passwordProvider, TimeSpan successRefreshInterval,
        TimeSpan failureRefreshInterval)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(successRefreshInterval, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfLessThan(failureRefreshInterval, TimeSpan.Zero);
        if (passwordProvider is null)
        {
            _periodicPassword = null;
            return this;
        }

        var passwords = new ConcurrentDictionary<string, PeriodicPassword<PgConnectionStringBuilder>>(StringComparer.Ordinal);
        _periodicPassword = (options, cancellationToken) => passwords
            .GetOrAdd($"{options.Host}:{options.Port}", _ => new(passwordProvider, successRefreshInterval, failureRefreshInterval))
            .GetAsync(options, cancellationToken);
        return this;
    }

    /// <summary>
    /// Sets a provider of the password of each new session whose server asks for one. For a password that stays valid for a while, use
    /// <see cref="UsePeriodicPasswordProvider"/>.
    /// </summary>
    /// <param name="passwordProvider">Receives the options of the login, with the host of the attempt, and returns the password. Open runs it on the thread
    /// pool and waits at most Timeout for it. It must be thread-safe.</param>
    /// <param name="passwordProviderAsync">The same for OpenAsync.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">Only one of the two is null. (If both are null, there is no provider.)</exception>
    public PgDataSourceBuilder UsePasswordProvider(
        Func<PgConnectionStringBuilder, string>? passwordProvider, Func<PgConnectionStringBuilder, CancellationToken, ValueTask<string>>? passwordProviderAsync)
    {
        if (passwordProvider is null != passwordProviderAsync is null)
            throw new ArgumentException("A password provider needs both forms: pass a synchronous and an asynchronous one, or null for both.");
        return With(_parts.Callbacks with { Password = passwordProvider, PasswordAsync = passwordProviderAsync });
    }

    /// <summary>Sets a client certificate, in addition to that of SSL Certificate.</summary>
    /// <param name="clientCertificate">The certificate with its private key; null for none.</param>
    /// <returns>The builder.</returns>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgDataSourceBuilder UseClientCertificate(X509Certificate? clientCertificate) =>
        UseClientCertificatesCallback(clientCertificate is null ? null : certificates => certificates.Add(clientCertificate));

    /// <summary>Sets client certificates, in addition to that of SSL Certificate.</summary>
    /// <param name="clientCertificates">The certificates with their private keys; null for none.</param>
    /// <returns>The builder.</returns>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgDataSourceBuilder UseClientCertificates(X509CertificateCollection? clientCertificates) =>
        UseClientCertificatesCallback(clientCertificates is null ? null : certificates => certificates.AddRange(clientCertificates));

    /// <summary>Sets a callback that adds client certificates to that of SSL Certificate, before each TLS handshake.</summary>
    /// <param name="clientCertificatesCallback">The callback; null for none. It must be thread-safe.</param>
    /// <returns>The builder.</returns>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgDataSourceBuilder UseClientCertificatesCallback(Action<X509CertificateCollection>? clientCertificatesCallback) =>
        With(_parts.Callbacks with { ClientCertificates = clientCertificatesCallback });

    /// <summary>Sets the trusted authority, in place of Root Certificate and the system's authorities. Only VerifyCA and VerifyFull use it.</summary>
    /// <param name="rootCertificate">The authority's certificate; null for the option.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseRootCertificate(X509Certificate2? rootCertificate) =>
        UseRootCertificates(rootCertificate is null ? null : [rootCertificate]);

    /// <summary>Sets the trusted authorities, in place of Root Certificate and the system's authorities. Only VerifyCA and VerifyFull use them.</summary>
    /// <param name="rootCertificates">The authorities' certificates; null for the option.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseRootCertificates(X509Certificate2Collection? rootCertificates) =>
        UseRootCertificatesCallback(rootCertificates is null ? null : () => rootCertificates);

    /// <summary>
    /// Sets a callback that returns the trusted authority before each TLS handshake, in place of Root Certificate and the system's authorities. Only VerifyCA
    /// and VerifyFull use it.
    /// </summary>
    /// <param name="rootCertificateCallback">The callback; null for none. It must be thread-safe. If it returns null, the option applies.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseRootCertificateCallback(Func<X509Certificate2>? rootCertificateCallback) =>
        UseRootCertificatesCallback(rootCertificateCallback is null ? null : () => rootCertificateCallback() is { } certificate ? [certificate] : []);

    /// <summary>
    /// Sets a callback that returns the trusted authorities before each TLS handshake, in place of Root Certificate and the system's authorities. Only VerifyCA
    /// and VerifyFull use them.
    /// </summary>
    /// <param name="rootCertificateCallback">The callback; null for none. It must be thread-safe. If it returns null or an empty collection, the option
    /// applies.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseRootCertificatesCallback(Func<X509Certificate2Collection>? rootCertificateCallback) =>
        With(_parts.Callbacks with { Authorities = rootCertificateCallback });

    /// <summary>
    /// Sets a callback that validates the server's certificate, with SSL Mode=Prefer or Require and without trusted authorities; otherwise
    /// <see cref="Build"/> throws. A server that the callback accepts counts as verified: the driver may send it the password.
    /// </summary>
    /// <param name="userCertificateValidationCallback">The callback; null for none. It must be thread-safe.</param>
    /// <returns>The builder.</returns>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgDataSourceBuilder UseUserCertificateValidationCallback(RemoteCertificateValidationCallback? userCertificateValidationCallback) =>
        With(_parts.Callbacks with { ValidateCertificate = userCertificateValidationCallback });

    /// <summary>
    /// Sets a callback that changes the options of each TLS handshake. With SSL Mode=Prefer or Require and without trusted authorities, it may set
    /// <c>RemoteCertificateValidationCallback</c>: a server that this accepts counts as verified, and the driver may send it the password. In other cases the
    /// driver verifies the certificate, and Open throws an <see cref="ArgumentException"/> if the callback sets that property or <c>VerificationFlags</c> of
    /// the chain policy.
    /// </summary>
    /// <param name="sslClientAuthenticationOptionsCallback">The callback; null for none. It must be thread-safe.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseSslClientAuthenticationOptionsCallback(Action<SslClientAuthenticationOptions>? sslClientAuthenticationOptionsCallback) =>
        With(_parts.Callbacks with { TlsOptions = sslClientAuthenticationOptionsCallback });

    /// <summary>
    /// Sets a callback that changes the options of each Kerberos login: the credential or the service's name. The package is Kerberos, and mutual
    /// authentication is required, unless the callback changes that.
    /// </summary>
    /// <param name="negotiateOptionsCallback">The callback; null for none. It must be thread-safe.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder UseNegotiateOptionsCallback(Action<NegotiateAuthenticationClientOptions>? negotiateOptionsCallback) =>
        With(_parts.Callbacks with { NegotiateOptions = negotiateOptionsCallback });

    /// <summary>
    /// Sets a callback that prepares each new session before its first use, with commands on a connection of its own. When the first user has closed the
    /// session, the pool's reset reverts settings that the callback has made (SET, SET ROLE). To keep settings, use the options Options, Search Path and
    /// Timezone, or set No Reset On Close.
    /// </summary>
    /// <param name="connectionInitializer">The callback for Open. It must not keep or close the connection. If it throws, the session is closed, and Open
    /// throws the same exception.</param>
    /// <param name="connectionInitializerAsync">The same for OpenAsync.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">Only one of the two is null. (If both are null, there is no callback.)</exception>
    /// <remarks>Timeout does not limit the callback. The time limits of its commands do.</remarks>
    public PgDataSourceBuilder UsePhysicalConnectionInitializer(
        Action<PgConnection>? connectionInitializer, Func<PgConnection, Task>? connectionInitializerAsync)
    {
        if (connectionInitializer is null != connectionInitializerAsync is null)
            throw new ArgumentException("A connection initializer needs both forms: pass a synchronous and an asynchronous one, or null for both.");
        _parts = _parts with { Initializer = connectionInitializer, InitializerAsync = connectionInitializerAsync };
        return this;
    }

    /// <summary>
    /// Creates a data source with its own pool from the current settings. It opens no connection yet. If Target Session Attributes is not <c>any</c>, or
    /// with a topology source, it is a <see cref="PgMultiHostDataSource"/>.
    /// </summary>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">There is more than one source of the password.</exception>
    public PgDataSource Build()
    {
        var settings = new PgSettings(ConnectionStringBuilder, types: Types);
        return PgDataSource.Create(settings, PartsFor(settings));
    }

    /// <summary>
    /// Creates a data source with a pool for each host in Host, from which connections to servers with a role can be opened. It opens no connection yet.
    /// </summary>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">There is more than one source of the password.</exception>
    public PgMultiHostDataSource BuildMultiHost()
    {
        var settings = new PgSettings(ConnectionStringBuilder, types: Types);
        return new(settings, PartsFor(settings));
    }

    private DataSourceParts PartsFor(PgSettings settings) => _parts.Limit is null || settings.Pooling
        ? _parts with { Tracing = _tracing?.Build() ?? new(), Callbacks = WithPassword(_parts.Callbacks) }
        : throw new ArgumentException("A connection limit needs a pool: remove Pooling=false.");

    // As in Npgsql: it would not be clear which of two passwords applies.
    private SecurityCallbacks WithPassword(SecurityCallbacks callbacks)
    {
        if (_periodicPassword is null && !callbacks.ProvidesPassword)
            return callbacks;
        if (_periodicPassword is not null && callbacks.ProvidesPassword)
            throw new NotSupportedException("There are two password providers: call either UsePasswordProvider or UsePeriodicPasswordProvider.");
        if (ConnectionStringBuilder.Password.Length > 0 || ConnectionStringBuilder.Passfile.Length > 0)
            throw new NotSupportedException("There is a password provider beside Password or Passfile: remove the provider or the option.");
        return _periodicPassword is null ? callbacks : callbacks with { PasswordAsync = _periodicPassword };
    }

    private PgDataSourceBuilder With(SecurityCallbacks callbacks)
    {
        _parts = _parts with { Callbacks = callbacks };
        return this;
    }
}
