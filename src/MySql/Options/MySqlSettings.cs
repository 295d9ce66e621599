using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Options;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Options;

/// <summary>
/// A connection string, read and checked once: what sessions, pools and codecs use. Times are in milliseconds, 0 meaning without limit
/// unless said otherwise. Immutable, shared by all connections of a data source. Options that are used as they are given are in the generated base class.
/// </summary>
internal sealed class MySqlSettings : MySqlPlainSettings
{
    private const int Second = 1000;

    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">An option asks for something that is not here; the message says what to do.</exception>
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
            "Certificate Thumbprint needs a store: Certificate Store Location=CurrentUser or LocalMachine.");
        Check(
            CertificateStoreLocation is null || SslCert.Length + CertificateFile.Length == 0,
            "The client's certificate comes from a store or from a file: leave out Certificate Store Location, or SSL Cert and Certificate File.");
        Check((SslCert.Length > 0) == (SslKey.Length > 0), "SSL Cert and SSL Key belong together: give both files, or a PFX with Certificate File.");
        Check(SslCert.Length == 0 || CertificateFile.Length == 0, "SSL Cert and Certificate File both name the client's certificate: leave one out.");

        PoolLimits = new(
            (int)options.MinimumPoolSize, (int)options.MaximumPoolSize, options.ConnectionIdleTimeout * (long)Second, options.ConnectionLifeTime * (long)Second);
        Check(
            options.MinimumPoolSize <= options.MaximumPoolSize,
            $"Minimum Pool Size ({options.MinimumPoolSize}) is more than Maximum Pool Size ({options.MaximumPoolSize}).");
        Check(
            Pooling || (MaximumTotalConnections == 0 && !PoolPerServer),
            "Maximum Total Connections and Pool Per Server apply to pools: leave Pooling=false out.");
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
        Levers = new()
        {
            Spins = options.Spinning,
            AdaptsReceives = options.AdaptiveReceives,
            PassesLargeValues = options.DirectLargeValues,
        };
        ResumesTls = options.TlsResumption;

        Check(!options.OldGuids || options.GuidFormat == MySqlGuidFormat.Default, "Old Guids and GUID Format contradict each other: leave Old Guids out.");
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

    /// <summary>Equal for connection strings that mean the same. Holds secrets: for comparing only.</summary>
    public string Key { get; }

    /// <summary>The whole connection string, with its secrets.</summary>
    public string ConnectionString { get; }

    /// <summary>What a connection shows once it is open: without secrets, unless Persist Security Info is on.</summary>
    public string ShownConnectionString { get; }

    /// <summary>At least one; a unix socket is always alone.</summary>
    public IReadOnlyList<Endpoint> Endpoints { get; }

    /// <summary>Machine (. is this one) and name of the pipe; null for sockets.</summary>
    public (string Server, string Name)? PipeName { get; }

    /// <summary>Names, addresses and *.domains.</summary>
    public IReadOnlyList<string> RedirectionHosts { get; }

    /// <summary>For one of several servers; 0 for an equal part of what is left.</summary>
    public int HostConnectTimeout { get; }

    /// <summary>Between two looks at the name service; 0 for none.</summary>
    public long DnsCheckInterval { get; }

    /// <summary>Whose store has the client's certificate; null for none.</summary>
    public StoreLocation? CertificateStoreLocation { get; }

    /// <summary>None means what the operating system allows.</summary>
    public System.Security.Authentication.SslProtocols TlsVersions { get; }

    /// <summary>IANA names; empty means what the operating system allows.</summary>
    public IReadOnlyList<string> TlsCipherSuites { get; }

    /// <summary>The authentication methods that may be answered; empty for all.</summary>
    public string[] RequireAuth { get; }

    /// <summary>The service's principal name for Kerberos; empty for the one that the server says.</summary>
    public string ServerSpn { get; }

    public PoolLimits PoolLimits { get; }

    /// <summary>
    /// When a pooled session is reset in front of its next user's first command. Automatic: as Tracked, but not through a proxy that pipelining is off for.
    /// </summary>
    public MySqlResetMode ResetMode { get; }

    public int ConnectionTimeout { get; }

    /// <summary>Seconds, as CommandTimeout is; 0 means without limit.</summary>
    public int DefaultCommandTimeout { get; }

    /// <summary>Milliseconds from asking the server to closing the connection; 0 closes without asking, −1 waits without limit.</summary>
    public int CancellationTimeout { get; }

    /// <summary>Statements a session keeps prepared; 0 when none prepares itself.</summary>
    public int MaxAutoPrepare { get; }

    /// <summary>Auto, On or Off.</summary>
    public MySqlPipeliningMode PipeliningMode { get; }

    /// <summary>Which of the wire's levers are on.</summary>
    public WireLevers Levers { get; }

    /// <summary>A TLS session may be resumed.</summary>
    public bool ResumesTls { get; }

    /// <summary>How values are read and written.</summary>
    public CodecSettings Codecs { get; }

    /// <summary>The settings of a connection string.</summary>
    public static MySqlSettings Parse(string? connectionString) => new(MySqlConnectionStringBuilder.ForReading(connectionString));

    /// <summary>The same options with another database; empty for none.</summary>
    public MySqlSettings With(string database) => new(new MySqlConnectionStringBuilder(ConnectionString) { Database = database });

    /// <summary>Who makes the connections: once per data source.</summary>
    /// <param name="tls">What TLS needs, see <see cref="ReadTls"/>; null when it is not wanted.</param>
    // This machine's pipes are like its loopback address: another process may have taken the name.
    public Dialer CreateDialer(TlsSettings? tls) => PipeName is { } pipe
        ? new StreamDialer(tls, NamedPipes.Factory(pipe.Server, pipe.Name), pipe.Server == "." ? PeerTrust.Loopback : PeerTrust.None) { Levers = Levers }
        : new Dialer(tls, Keepalive, AsyncEngine, AsyncContinuations) { Levers = Levers };

    /// <summary>What TLS needs, with its files read: once per data source. Null when TLS is not wanted.</summary>
    /// <exception cref="ArgumentException">A file cannot be used.</exception>
    public TlsSettings? ReadTls() => SslMode == MySqlSslMode.None ? null : new(
        SslMode switch
        {
            MySqlSslMode.VerifyFull => TlsVerification.Full,
            MySqlSslMode.VerifyCA => TlsVerification.Authority,
            // As in MySqlConnector: who names an authority wants it checked.
            MySqlSslMode.Required when SslCa.Length > 0 => TlsVerification.Authority,
            _ => TlsVerification.None,
        },
        CertificateFiles.ReadAuthorities(SslCa, MySqlOptions.SslCa.Name),
        ReadClientCertificates(),
        TlsVersions,
        CertificateFiles.ReadCipherSuites(TlsCipherSuites, MySqlOptions.TlsCipherSuites.Name),
        // Who names his own authority rarely runs a revocation service for it, and one that does not answer would refuse every connection.
        CheckRevocation: SslMode == MySqlSslMode.VerifyFull && !SkipCertificateRevocationCheck && SslCa.Length == 0)
    {
        Resumes = ResumesTls,
        ReceivesAhead = Levers.AdaptsReceives,
        AuthorityOption = MySqlOptions.SslCa.Name,
        RevocationOption = $"{MySqlOptions.SkipCertificateRevocationCheck.Name}=true",
        // Who names an authority wants it and nothing else.
        MayBeProvedLater = SslMode is MySqlSslMode.VerifyCA or MySqlSslMode.VerifyFull && SslCa.Length == 0,
    };

    private X509Certificate2Collection? ReadClientCertificates() =>
        CertificateStoreLocation is { } location
            ? CertificateStores.ReadClientCertificates(location, CertificateThumbprint, MySqlOptions.CertificateStoreLocation.Name)
        : SslCert.Length > 0 ? CertificateFiles.ReadClientCertificate(SslCert, SslKey, CertificatePassword, MySqlOptions.SslCert.Name)
        : CertificateFiles.ReadClientCertificate(CertificateFile, "", CertificatePassword, MySqlOptions.CertificateFile.Name);

    /// <summary>Without secrets, whatever Persist Security Info says: this ends up in logs.</summary>
    public override string ToString() => MySqlConnectionStringBuilder.ForReading(ConnectionString).ToStringWithoutSecrets();

    private static Endpoint[] ReadEndpoints(MySqlConnectionStringBuilder options)
    {
        if (options.ConnectionProtocol == MySqlConnectionProtocol.UnixSocket || HostList.IsSocketPath(options.Server))
        {
            Check(options.Server.Length > 0, "Connection Protocol=UnixSocket needs the path of the socket in Server.");
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

    private static void Check(bool isFine, string message)
    {
        if (!isFine)
            throw new ArgumentException(message);
    }
}
