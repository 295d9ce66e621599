using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Clusters;
using Slipstream.Core.Options;
using Slipstream.Core.Pooling;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Options;

/// <summary>
/// The settings that sessions, pools and codecs use: a connection string that has been read and checked. Times are in milliseconds, and 0 means no limit unless
/// noted otherwise. Immutable; all connections of a data source share it. Options that are used unchanged are in the generated base class.
/// </summary>
internal sealed class MySqlSettings : MySqlPlainSettings
{
    private const int Second = 1000;

    /// <summary>Reads and checks the options.</summary>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">An option requests a feature that the driver does not have. The message contains the alternative.</exception>
    public MySqlSettings(MySqlConnectionStringBuilder options)
        : base(NotRefused(options))
    {
        Key = options.ToKey();
        ConnectionString = options.ToText();
        ShownConnectionString = options.PersistSecurityInfo ? ConnectionString : options.ToStringWithoutSecrets();

        Endpoints = ReadEndpoints(options);
        PipeName = options.ConnectionProtocol == MySqlConnectionProtocol.Pipe ? (PipeServer(options.Server), options.PipeName) : null;
        RedirectionHosts = options.RedirectionHosts.Length > 0
            ? options.RedirectionHosts.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            : Array.ConvertAll(ReadEndpoints(options), static endpoint => endpoint.Host);
        HostConnectTimeout = (int)options.HostConnectTimeout * Second;
        DnsCheckInterval = options.DnsCheckInterval * (long)Second;
        Cluster = ClusterOf(options);
        (NamesServers, DefaultPort) = (options.Server.Length > 0, (int)options.Port);
        Check(
            TopologyDiscovery == MySqlTopologyDiscovery.Off || Topology != MySqlTopology.None,
            "Topology Discovery needs the roles of the servers: set Topology, for example to Auto.");
        Check(Topology == MySqlTopology.None || !PoolPerServer, "Pool Per Server cannot be combined with Topology: remove one of them.");

        CertificateStoreLocation = options.CertificateStoreLocation switch
        {
            MySqlCertificateStoreLocation.CurrentUser => StoreLocation.CurrentUser,
            MySqlCertificateStoreLocation.LocalMachine => StoreLocation.LocalMachine,
            _ => null,
        };
        TlsVersions = Options.TlsVersions.Parse(options.TlsVersion);
        TlsCipherSuites = options.TlsCipherSuites.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        RequireAuth = MethodNames.Parse(options.RequireAuth);
        ServerSpn = options.ServerSPN;
        Check(
            CertificateThumbprint.Length == 0 || CertificateStoreLocation is not null,
            "Certificate Thumbprint needs a store: set Certificate Store Location=CurrentUser or LocalMachine.");
        Check(
            CertificateStoreLocation is null || SslCert.Length + CertificateFile.Length == 0,
            "The client's certificate comes either from a store or from a file: remove Certificate Store Location, or SSL Cert and Certificate File.");
        Check((SslCert.Length > 0) == (SslKey.Length > 0), "SSL Cert and SSL Key need each other: set both, or set Certificate File to a PFX file.");
        Check(SslCert.Length == 0 || CertificateFile.Length == 0, "SSL Cert and Certificate File both name the client's certificate: remove one of them.");

        PoolLimits = new(
            (int)options.MinimumPoolSize, (int)options.MaximumPoolSize, options.ConnectionIdleTimeout * (long)Second,
            options.ConnectionLifeTime * (long)Second);
        Check(
            options.MinimumPoolSize <= options.MaximumPoolSize,
            $"Minimum Pool Size ({options.MinimumPoolSize}) is greater than Maximum Pool Size ({options.MaximumPoolSize}): lower the minimum, or raise the "
            + "maximum.");
        Check(
            Pooling || (MaximumTotalConnections == 0 && !PoolPerServer),
            "Maximum Total Connections and Pool Per Server need a pool: remove Pooling=false.");
        ResetMode = options.ResetMode == MySqlResetMode.Automatic && !options.ConnectionReset ? MySqlResetMode.Never : options.ResetMode;

        ConnectionTimeout = (int)Math.Min(options.ConnectionTimeout, MySqlOptions.MaximumSeconds) * Second;
        DefaultCommandTimeout = (int)Math.Min(options.DefaultCommandTimeout, int.MaxValue);
        CancellationTimeout = options.CancellationTimeout switch
        {
            -1 => 0,
            0 => Timeout.Infinite,
            var seconds => seconds * Second,
        };

        MaxAutoPrepare = options.AutoPrepare ? (int)options.MaxAutoPrepare : 0;
        PipeliningMode = options.PipeliningMode != MySqlPipeliningMode.Automatic ? options.PipeliningMode
            : options.Pipelining ? MySqlPipeliningMode.Auto
            : MySqlPipeliningMode.Off;
        Optimizations = new()
        {
            Spins = options.Spinning,
            AdaptsReceives = options.AdaptiveReceives,
            PassesLargeValues = options.DirectLargeValues,
        };
        ResumesTls = options.TlsResumption;

        Check(!options.OldGuids || options.GuidFormat == MySqlGuidFormat.Default, "Old Guids and GUID Format contradict each other: remove Old Guids.");
        Codecs = new CodecSettings
        {
            TreatTinyAsBoolean = options.TreatTinyAsBoolean,
            StrictConversions = options.StrictConversions,
            GuidFormat = options.GuidFormat != MySqlGuidFormat.Default ? options.GuidFormat
                : options.OldGuids ? MySqlGuidFormat.LittleEndianBinary16
                : MySqlGuidFormat.Char36,
            AllowZeroDateTime = options.AllowZeroDateTime,
            ConvertZeroDateTime = options.ConvertZeroDateTime,
            DateTimeKind = (DateTimeKind)(int)options.DateTimeKind,
        };
    }

    /// <summary>Gets a key that is equal for connection strings with the same meaning. It contains secrets: use it only for comparisons.</summary>
    public string Key { get; }

    /// <summary>Gets the whole connection string, including its secrets.</summary>
    public string ConnectionString { get; }

    /// <summary>Gets the connection string that an open connection returns. It has no secrets unless Persist Security Info is on.</summary>
    public string ShownConnectionString { get; }

    /// <summary>Gets the servers, at least one. A Unix socket is always the only one.</summary>
    public IReadOnlyList<Endpoint> Endpoints { get; private set; }

    /// <summary>Gets whether Server is set. If not, the only endpoint is localhost.</summary>
    public bool NamesServers { get; }

    /// <summary>Gets the port of servers without one.</summary>
    public int DefaultPort { get; }

    /// <summary>Gets whether each server must have a certificate that is verified.</summary>
    public bool VerifiesServers => SslMode is MySqlSslMode.VerifyCA or MySqlSslMode.VerifyFull || (SslMode == MySqlSslMode.Required && SslCa.Length > 0);

    /// <summary>Gets the rules for the servers of a cluster.</summary>
    public ClusterOptions Cluster { get; }

    /// <summary>Gets the machine (. for this one) and the name of the pipe; null if sockets are used.</summary>
    public (string Server, string Name)? PipeName { get; }

    /// <summary>Gets the allowed hosts of redirections: names, addresses and *.domains.</summary>
    public IReadOnlyList<string> RedirectionHosts { get; }

    /// <summary>Gets the time limit for one of several servers in milliseconds; 0 means an equal part of the remaining time.</summary>
    public int HostConnectTimeout { get; }

    /// <summary>Gets the interval between two DNS queries in milliseconds; 0 means none.</summary>
    public long DnsCheckInterval { get; }

    /// <summary>Gets the location of the store with the client's certificate; null for no store.</summary>
    public StoreLocation? CertificateStoreLocation { get; }

    /// <summary>Gets the allowed TLS versions. None means those that the operating system allows.</summary>
    public System.Security.Authentication.SslProtocols TlsVersions { get; }

    /// <summary>Gets the allowed cipher suites by their IANA names. Empty means those that the operating system allows.</summary>
    public IReadOnlyList<string> TlsCipherSuites { get; }

    /// <summary>Gets the authentication methods that the driver may answer; empty for all.</summary>
    public string[] RequireAuth { get; }

    /// <summary>Gets the service principal name for Kerberos; empty for the name that the server sends.</summary>
    public string ServerSpn { get; }

    public PoolLimits PoolLimits { get; }

    /// <summary>
    /// Gets when a pooled session is reset before the first command of its next lease. Automatic works as Tracked, except through a proxy for which pipelining
    /// is off.
    /// </summary>
    public MySqlResetMode ResetMode { get; }

    public int ConnectionTimeout { get; }

    /// <summary>Gets the default time limit of commands in seconds, as CommandTimeout has it; 0 means no limit.</summary>
    public int DefaultCommandTimeout { get; }

    /// <summary>
    /// Gets the time from the cancellation request to closing the connection, in milliseconds. 0 closes without a request, −1 waits without limit.
    /// </summary>
    public int CancellationTimeout { get; }

    /// <summary>Gets the number of statements that a session keeps prepared; 0 if statements are not prepared automatically.</summary>
    public int MaxAutoPrepare { get; }

    /// <summary>Gets the pipelining mode: Auto, On or Off.</summary>
    public MySqlPipeliningMode PipeliningMode { get; }

    /// <summary>Gets which optimisations of the connection are on.</summary>
    public WireOptimizations Optimizations { get; }

    /// <summary>Gets whether TLS sessions may be resumed.</summary>
    public bool ResumesTls { get; }

    /// <summary>Gets how values are read and written.</summary>
    public CodecSettings Codecs { get; }

    /// <summary>Returns the settings of a connection string.</summary>
    public static MySqlSettings Parse(string? connectionString) => new(MySqlConnectionStringBuilder.ForReading(connectionString));

    /// <summary>Returns the same options with another database; empty for none.</summary>
    public MySqlSettings With(string database) => new(new MySqlConnectionStringBuilder(ConnectionString) { Database = database });

    /// <summary>Returns the same options for one of the servers of a cluster.</summary>
    public MySqlSettings At(Endpoint endpoint)
    {
        var own = (MySqlSettings)MemberwiseClone();
        own.Endpoints = [endpoint];
        return own;
    }

    /// <summary>Returns the same options for servers with another role, which the connection string then names.</summary>
    public MySqlSettings For(MySqlTargetServerType type) =>
        type == TargetServerType ? this : new(new MySqlConnectionStringBuilder(ConnectionString) { TargetServerType = type });

    /// <summary>Creates the dialer, once per data source.</summary>
    /// <param name="tls">The TLS settings, see <see cref="ReadTls"/>; null if TLS is not used.</param>
    // Pipes of this machine are as trustworthy as its loopback address: another process may have taken the name.
    public Dialer CreateDialer(TlsSettings? tls) => PipeName is { } pipe
        ? new StreamDialer(tls, NamedPipes.Factory(pipe.Server, pipe.Name), pipe.Server == "." ? PeerTrust.Loopback : PeerTrust.None)
        { Optimizations = Optimizations }
        : new Dialer(tls, Keepalive, AsyncEngine, AsyncContinuations) { Optimizations = Optimizations };

    /// <summary>Returns the TLS settings and reads their files, once per data source. Returns null if TLS is not used.</summary>
    /// <exception cref="ArgumentException">A file is unusable.</exception>
    public TlsSettings? ReadTls() => SslMode == MySqlSslMode.None ? null : new(
        SslMode switch
        {
            MySqlSslMode.VerifyFull => TlsVerification.Full,
            MySqlSslMode.VerifyCA => TlsVerification.Authority,
            // As in MySqlConnector: a connection string that names an authority wants it checked.
            MySqlSslMode.Required when SslCa.Length > 0 => TlsVerification.Authority,
            _ => TlsVerification.None,
        },
        CertificateFiles.ReadAuthorities(SslCa, MySqlOptions.SslCa.Name),
        ReadClientCertificates(),
        TlsVersions,
        CertificateFiles.ReadCipherSuites(TlsCipherSuites, MySqlOptions.TlsCipherSuites.Name),
        // A private authority rarely has a revocation service, and a service that does not answer would make every connection fail.
        CheckRevocation: SslMode == MySqlSslMode.VerifyFull && !SkipCertificateRevocationCheck && SslCa.Length == 0)
    {
        Resumes = ResumesTls,
        ReceivesAhead = Optimizations.AdaptsReceives,
        AuthorityOption = MySqlOptions.SslCa.Name,
        RevocationOption = $"{MySqlOptions.SkipCertificateRevocationCheck.Name}=true",
        // A connection string that names an authority accepts only that.
        MayBeProvedLater = SslMode is MySqlSslMode.VerifyCA or MySqlSslMode.VerifyFull && SslCa.Length == 0,
    };

    private X509Certificate2Collection? ReadClientCertificates() =>
        CertificateStoreLocation is { } location
            ? CertificateStores.ReadClientCertificates(location, CertificateThumbprint, MySqlOptions.CertificateStoreLocation.Name)
        : SslCert.Length > 0 ? CertificateFiles.ReadClientCertificate(SslCert, SslKey, CertificatePassword, MySqlOptions.SslCert.Name)
        : CertificateFiles.ReadClientCertificate(CertificateFile, "", CertificatePassword, MySqlOptions.CertificateFile.Name);

    /// <summary>Returns the connection string without secrets, even if Persist Security Info is on, because the text is written to logs.</summary>
    public override string ToString() => MySqlConnectionStringBuilder.ForReading(ConnectionString).ToStringWithoutSecrets();

    private static ClusterOptions ClusterOf(MySqlConnectionStringBuilder options)
    {
        var balances = options.LoadBalance != MySqlLoadBalance.FailOver;
        return new()
        {
            Balances = balances,
            SelectionTimeout = options.ServerSelectionTimeout * (long)Second,
            DrainTimeout = options.DrainTimeout * (long)Second,
            CausalReadTimeout = options.CausalReadTimeout,
            MostWaiting = (int)Math.Clamp(options.MaximumPoolSize * 10L, 100, int.MaxValue),
            Limits = new(balances ? options.LocalThreshold : -1),
            Topology = new()
            {
                Writers = options.Topology == MySqlTopology.Galera ? WriterRule.First : WriterRule.Epoch,
                RefreshInterval = options.TopologyRefreshInterval,
                ProbeTimeout = options.FailureDetectionInterval,
                SilencesUntilCut = (int)options.FailureDetectionCount,
            },
        };
    }

    private static Endpoint[] ReadEndpoints(MySqlConnectionStringBuilder options)
    {
        if (options.ConnectionProtocol == MySqlConnectionProtocol.UnixSocket || HostList.IsSocketPath(options.Server))
        {
            Check(options.Server.Length > 0, "Connection Protocol=UnixSocket needs a socket: set Server to its path.");
            return [Endpoint.Unix(Path.GetFullPath(options.Server))];
        }

        if (options.ConnectionProtocol == MySqlConnectionProtocol.Pipe)
            return [NamedPipes.EndpointOf(PipeServer(options.Server), options.PipeName)];
        return HostList.Parse(options.Server, (int)options.Port, MySqlOptions.Server.Name);
    }

    private static string PipeServer(string server) => server.Length == 0 || server.Equals("localhost", StringComparison.OrdinalIgnoreCase) ? "." : server;

    private static MySqlConnectionStringBuilder NotRefused(MySqlConnectionStringBuilder options)
    {
        options.ThrowIfRefused();
        return options;
    }

    private static void Check(bool isValid, string message)
    {
        if (!isValid)
            throw ThisAssembly.Conventions.Misuse?.Invoke(0, message) ?? new ArgumentException(message);
    }
}
