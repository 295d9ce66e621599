using Slipstream.Core.Clusters;
using Slipstream.Core.Options;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Options;

/// <summary>
/// The parsed and checked connection string, as sessions and pools use it. Times are in milliseconds, and 0 means no limit, unless stated otherwise. Immutable;
/// all connections of a data source share it. Settings that equal their options are in the generated base class.
/// </summary>
internal sealed class PgSettings : PgPlainSettings
{
    private const int Second = 1000;
    private const int DefaultKeepAlive = 7200; // Seconds: the default of Linux.
    private const string SocketName = ".s.PGSQL.";

    // libpq's word for the system's authorities, even if the user's folder has a root.crt.
    private const string SystemAuthorities = "system";

    /// <summary>The protocol's registered name for the TLS extension ALPN.</summary>
    public const string ApplicationProtocol = "postgresql";

    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">An option requests something that is not supported; the message names the alternative.</exception>
    public PgSettings(PgConnectionStringBuilder options, ClientEnvironment? environment = null, TypeConfiguration? types = null)
        : this(
            NotRefused(options), EnvironmentOptions.Complete(options, environment ?? ClientEnvironment.Process), environment ?? ClientEnvironment.Process,
            types)
    {
    }

    private PgSettings(PgConnectionStringBuilder given, PgConnectionStringBuilder options, ClientEnvironment environment, TypeConfiguration? types)
        : base(options)
    {
        Environment = environment;
#pragma warning disable CS0618 // The options are obsolete for programs.
        var loading = new TypeLoadingOptions(options.ServerCompatibilityMode != ServerCompatibilityMode.NoTypeLoading, options.LoadTableComposites, []);
#pragma warning restore CS0618
        TypeMappings = types?.Mappings.Clone() ?? new();
        TypeMappings.ArrayNullability = options.ArrayNullabilityMode;
        TypeLoading = types?.Loading?.Invoke(loading) ?? loading;
        (Key, ConnectionString, ShownConnectionString) = Texts(given);

        Endpoints = HostList.IsSocketPath(options.Host)
            ? [SocketAt(options.Host, options.Port)]
            : HostList.Parse(options.Host, options.Port, PgOptions.Host.Name);
        (NamesHosts, DefaultPort) = (options.Host.Length > 0, options.Port);
        Target = Targets.Parse(options.TargetSessionAttributes) ?? throw new ArgumentException($"'{options.TargetSessionAttributes}' is not a value of Target "
            + "Session Attributes: use any, primary, standby, read-write, read-only, prefer-primary or prefer-standby.");
        Cluster = ClusterOf(options);
        Username = options.Username.Length > 0 ? options.Username : System.Environment.UserName;
        Database = options.Database.Length > 0 ? options.Database : Username;
        KeepAliveInterval = options.KeepAlive * (long)Second;
        KeepAlive = options.TcpKeepAliveTime > 0 ? options.TcpKeepAliveTime : options.TcpKeepAlive ? DefaultKeepAlive : 0;

        SslMode = options.SslMode == SslMode.Allow ? SslMode.Prefer : options.SslMode;
        Check(ChannelBinding != ChannelBinding.Require || SslMode != SslMode.Disable, "Channel Binding=Require needs TLS, which SSL Mode=Disable turns off: "
            + "remove one of them.");
        Check(SslNegotiation != SslNegotiation.Direct || SslMode >= SslMode.Require, "SSL Negotiation=Direct cannot fall back to clear text: set SSL "
            + "Mode=Require, VerifyCA or VerifyFull, or remove it.");
        AllowedAuthentication = AuthenticationWords.Parse(options.RequireAuth);
        NamesPassword = options.RequireAuth.Length > 0 && !options.RequireAuth.Contains('!') && AllowedAuthentication.HasFlag(PgAuthenticationMethods.Password);
        if (ChannelBinding == ChannelBinding.Require)
            AllowedAuthentication &= PgAuthenticationMethods.ScramSha256Plus;
        else if (ChannelBinding == ChannelBinding.Disable)
            AllowedAuthentication &= ~PgAuthenticationMethods.ScramSha256Plus;

        PoolLimits = new(options.MinPoolSize, options.MaxPoolSize, options.ConnectionIdleLifetime * (long)Second, options.ConnectionLifetime * (long)Second);
        Check(options.MinPoolSize <= options.MaxPoolSize, $"Minimum Pool Size ({options.MinPoolSize}) is greater than Maximum Pool Size "
            + $"({options.MaxPoolSize}): lower the minimum, or raise the maximum.");
        ResetMode = options.ResetMode != PgResetMode.Automatic ? options.ResetMode : options.NoResetOnClose ? PgResetMode.Never : PgResetMode.Tracked;

        ConnectionTimeout = options.Timeout * Second;
        DefaultCommandTimeout = options.CommandTimeout;
        CancellationTimeout = options.CancellationTimeout switch
        {
            -1 => 0,
            0 => System.Threading.Timeout.Infinite,
            var milliseconds => milliseconds,
        };

        Pipelines = options.Pipelining;
        Optimizations = new()
        {
            Spins = options.Spinning,
            AdaptsReceives = options.AdaptiveReceives,
            PassesLargeValues = options.DirectLargeValues,
        };
        ResumesTls = options.TlsResumption;
        AutoPrepares = options.AutoPrepare && options.MaxAutoPrepare > 0;
        MaxPrepared = options.MaxAutoPrepare > 0 ? options.MaxAutoPrepare : (int)PgOptions.MaxAutoPrepare.Default;
    }

    /// <summary>Gets the environment that supplies what the connection string does not set.</summary>
    public ClientEnvironment Environment { get; }

    /// <summary>Gets a key that is equal for connection strings with the same meaning. It contains secrets and is only for comparison.</summary>
    public string Key { get; private set; }

    /// <summary>Gets the complete connection string, including its secrets.</summary>
    public string ConnectionString { get; private set; }

    /// <summary>Gets the connection string that an open connection shows: without secrets, unless Persist Security Info is on.</summary>
    public string ShownConnectionString { get; private set; }

    /// <summary>Gets the mappings of .NET types.</summary>
    public TypeMappings TypeMappings { get; }

    /// <summary>Gets which types of the database are loaded when the first session is opened.</summary>
    public TypeLoadingOptions TypeLoading { get; private set; }

    /// <summary>Gets the kind of replication for which sessions are opened.</summary>
    public ReplicationMode Replication { get; private set; }

    /// <summary>Gets the endpoints, at least one. A unix socket is always the only one.</summary>
    public IReadOnlyList<Endpoint> Endpoints { get; private set; }

    /// <summary>Gets whether Host is set. If not, the only endpoint is localhost.</summary>
    public bool NamesHosts { get; }

    /// <summary>Gets the port of hosts without one.</summary>
    public int DefaultPort { get; }

    /// <summary>Gets the role of the servers that connections may use.</summary>
    public TargetSessionAttributes Target { get; private set; }

    /// <summary>Gets the rules for several hosts of which connections use those with a role.</summary>
    public ClusterOptions Cluster { get; }

    public string Username { get; }

    public string Database { get; }

    /// <summary>Gets the TCP keepalive time in seconds; 0 for the operating system's default, which is off.</summary>
    public int KeepAlive { get; }

    /// <summary>Gets the time without a command after which an open connection pings the server, in milliseconds; 0 for never.</summary>
    public long KeepAliveInterval { get; }

    /// <summary>Gets the TLS mode; never <see cref="SslMode.Allow"/>.</summary>
    public SslMode SslMode { get; }

    /// <summary>Gets the methods that the server may request, without those that <see cref="ChannelBinding"/> excludes.</summary>
    public PgAuthenticationMethods AllowedAuthentication { get; }

    /// <summary>Gets whether Require Auth names Password. The password may then also be sent in clear text to the loopback address.</summary>
    public bool NamesPassword { get; }

    public PoolLimits PoolLimits { get; }

    /// <summary>Gets whether a pooled session is reset before its next user's first command.</summary>
    public bool ResetsSessions => ResetMode != PgResetMode.Never;

    public int ConnectionTimeout { get; }

    /// <summary>Gets the default command timeout in seconds, like CommandTimeout; 0 means no limit.</summary>
    public int DefaultCommandTimeout { get; }

    /// <summary>
    /// Gets the time between the cancellation request and the closing of the connection, in milliseconds. 0 closes without a request; −1 waits without limit.
    /// </summary>
    public int CancellationTimeout { get; }

    /// <summary>Gets which of the wire's optimisations are on.</summary>
    public WireOptimizations Optimizations { get; }

    /// <summary>Gets whether a TLS session may be resumed.</summary>
    public bool ResumesTls { get; }

    /// <summary>Gets whether pending messages travel with the next command.</summary>
    public bool Pipelines { get; }

    /// <summary>Gets how a pooled session is reset; never Automatic.</summary>
    public PgResetMode ResetMode { get; }

    public bool AutoPrepares { get; }

    /// <summary>Gets the maximum number of texts that a session keeps prepared, including those that callers prepared explicitly.</summary>
    public int MaxPrepared { get; }

    /// <summary>Returns the settings of a connection string.</summary>
    public static PgSettings Parse(string? connectionString, TypeConfiguration? types = null) =>
        new(PgConnectionStringBuilder.ForReading(connectionString), types: types);

    /// <summary>Reads the TLS settings and their files, once per data source. Returns null if TLS is disabled.</summary>
    /// <exception cref="ArgumentException">A file cannot be used.</exception>
    public TlsSettings? ReadTls() => SslMode == SslMode.Disable ? null : new(
        SslMode switch
        {
            SslMode.VerifyFull => TlsVerification.Full,
            SslMode.VerifyCA => TlsVerification.Authority,
            _ => TlsVerification.None,
        },
        CertificateFiles.ReadAuthorities(RootCertificate == SystemAuthorities ? "" : RootCertificate, PgOptions.RootCertificate.Name),
        CertificateFiles.ReadClientCertificate(SslCertificate, SslKey, SslPassword, PgOptions.SslCertificate.Name),
        CheckRevocation: CheckCertificateRevocation && SslMode >= SslMode.VerifyCA,
        ApplicationProtocols: SslNegotiation == SslNegotiation.Direct ? [new(ApplicationProtocol)] : null)
    {
        Resumes = ResumesTls,
        ReceivesAhead = Optimizations.AdaptsReceives,
        AuthorityOption = PgOptions.RootCertificate.Name,
        RevocationOption = $"{PgOptions.CheckCertificateRevocation.Name}=false",
    };

    /// <summary>Returns the endpoint of a connection, by the name in <see cref="ITransport.Peer"/>.</summary>
    public Endpoint EndpointOf(string peer) => Endpoints.FirstOrDefault(one => one.ToString() == peer) ?? Endpoints[0];

    /// <summary>Returns the same settings for one of the endpoints.</summary>
    public PgSettings At(Endpoint endpoint)
    {
        var own = (PgSettings)MemberwiseClone();
        own.Endpoints = [endpoint];
        return own;
    }

    /// <summary>Returns the same settings for servers with a role, which the connection string then names.</summary>
    public PgSettings For(TargetSessionAttributes target)
    {
        if (target == Target)
            return this;
        var own = (PgSettings)MemberwiseClone();
        own.Target = target;
        var given = new PgConnectionStringBuilder(ConnectionString) { TargetSessionAttributes = Targets.WordOf(target) };
        (own.Key, own.ConnectionString, own.ShownConnectionString) = Texts(given);
        return own;
    }

    /// <summary>Returns the same settings for sessions of replication.</summary>
    public PgSettings For(ReplicationMode replication)
    {
        var own = (PgSettings)MemberwiseClone();
        own.Replication = replication;
        // A session of physical replication executes no queries.
        if (replication == ReplicationMode.Physical)
            own.TypeLoading = TypeLoading with { Loads = false };
        return own;
    }

    /// <summary>Returns the Kerberos name of the service at a peer.</summary>
    public string ServiceAt(string peer) => EndpointOf(peer) is { IsUnixSocket: false } endpoint
        ? $"{KerberosServiceName}/{endpoint.Host}"
        : $"{KerberosServiceName}/{System.Environment.MachineName}";

    /// <summary>
    /// Returns the options of a login at one endpoint, for the application. They are a copy, and contain the secrets of the connection string.
    /// </summary>
    public PgConnectionStringBuilder Describe(Endpoint endpoint)
    {
        var options = new PgConnectionStringBuilder(ConnectionString) { Username = Username };
        if (endpoint.IsUnixSocket)
            return options;
        options.Host = endpoint.Host;
        options.Port = endpoint.Port;
        return options;
    }

    /// <summary>Returns the connection string without secrets, regardless of Persist Security Info, because the text may appear in logs.</summary>
    public override string ToString() => PgConnectionStringBuilder.ForReading(ConnectionString).ToStringWithoutSecrets();

    private static (string Key, string Whole, string Shown) Texts(PgConnectionStringBuilder given)
    {
        var whole = given.ToText();
        return (given.ToKey(), whole, given.PersistSecurityInfo ? whole : given.ToStringWithoutSecrets());
    }

    // The path is a folder, as everywhere in PostgreSQL, or the socket itself.
    private static ClusterOptions ClusterOf(PgConnectionStringBuilder options) => new()
    {
        Balances = options.LoadBalanceHosts,
        SelectionTimeout = options.ServerSelectionTimeout * (long)Second,
        DrainTimeout = options.DrainTimeout * (long)Second,
        CausalReadTimeout = options.CausalReadTimeout,
        MostWaiting = (int)Math.Clamp(options.MaxPoolSize * 10L, 100, int.MaxValue),
        Limits = new(options.LoadBalanceHosts ? options.LocalThreshold : -1, options.MaxReplicaLag),
        Topology = new()
        {
            RefreshInterval = options.TopologyRefreshInterval,
            ProbeTimeout = options.FailureDetectionInterval,
            SilencesUntilCut = options.FailureDetectionCount,
            LongestBackoff = Math.Max(Second, options.HostRecheckSeconds * (long)Second),
        },
    };

    private static Endpoint SocketAt(string path, int port) =>
        Endpoint.Unix(Path.GetFullPath(
            Path.GetFileName(path).StartsWith(SocketName, StringComparison.Ordinal) ? path : Path.Combine(path, $"{SocketName}{port}")));

    private static PgConnectionStringBuilder NotRefused(PgConnectionStringBuilder options)
    {
        options.ThrowIfRefused();
        return options;
    }

    private static void Check(bool isValid, string message)
    {
        if (!isValid)
            throw new ArgumentException(message);
    }
}
