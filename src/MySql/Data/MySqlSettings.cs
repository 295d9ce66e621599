using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Options;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql;

/// <summary>
/// A connection string, read and checked once: what sessions, pools and codecs use. Times are in milliseconds, 0 meaning without limit
/// unless said otherwise. Immutable, shared by all connections of a data source.
/// </summary>
internal sealed class MySqlSettings
{
    private const int Second = 1000;

    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">An option asks for something that is not here; the message says what to do.</exception>
    public MySqlSettings(MySqlConnectionStringBuilder options)
    {
        options.ThrowIfRefused();
        Key = options.ToKey();
        ConnectionString = options.ToText();
        ShownConnectionString = options.PersistSecurityInfo ? ConnectionString : options.ToStringWithoutSecrets();

        Endpoints = ReadEndpoints(options);
        PipeName = options.ConnectionProtocol == MySqlConnectionProtocol.Pipe ? (PipeServer(options.Server), options.PipeName) : null;
        LoadBalance = options.LoadBalance;
        ServerRedirectionMode = options.ServerRedirectionMode;
        RedirectionHosts = options.RedirectionHosts.Length > 0
            ? options.RedirectionHosts.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            : Array.ConvertAll(ReadEndpoints(options), static endpoint => endpoint.Host);
        HostConnectTimeout = (int)options.HostConnectTimeout * Second;
        DnsCheckInterval = options.DnsCheckInterval * (long)Second;
        UserID = options.UserID;
        Password = options.Password;
        Database = options.Database;
        ApplicationName = options.ApplicationName;
        Keepalive = (int)options.Keepalive;
        InteractiveSession = options.InteractiveSession;
        AsyncEngine = options.AsyncEngine;
        AsyncContinuations = options.AsyncContinuations;
        PersistSecurityInfo = options.PersistSecurityInfo;

        SslMode = options.SslMode;
        SslCa = options.SslCa;
        SslCert = options.SslCert;
        SslKey = options.SslKey;
        CertificateFile = options.CertificateFile;
        CertificatePassword = options.CertificatePassword;
        CertificateStoreLocation = options.CertificateStoreLocation switch
        {
            MySqlCertificateStoreLocation.CurrentUser => StoreLocation.CurrentUser,
            MySqlCertificateStoreLocation.LocalMachine => StoreLocation.LocalMachine,
            _ => null,
        };
        CertificateThumbprint = options.CertificateThumbprint;
        SkipCertificateRevocationCheck = options.SkipCertificateRevocationCheck;
        TlsVersions = MySql.TlsVersions.Parse(options.TlsVersion);
        TlsCipherSuites = options.TlsCipherSuites.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        AllowPublicKeyRetrieval = options.AllowPublicKeyRetrieval;
        ServerRsaPublicKeyFile = options.ServerRsaPublicKeyFile;
        AllowCleartextPassword = options.AllowCleartextPassword;
        Password2 = options.Password2;
        Password3 = options.Password3;
        RequireAuth = MethodNames.Parse(options.RequireAuth);
        ScramMinIterations = options.ScramMinIterations;
        CanHandleExpiredPasswords = options.CanHandleExpiredPasswords;
        ServerSpn = options.ServerSPN;
        Check(CertificateThumbprint.Length == 0 || CertificateStoreLocation is not null, "Certificate Thumbprint needs a store: Certificate Store Location=CurrentUser or LocalMachine.");
        Check(CertificateStoreLocation is null || SslCert.Length + CertificateFile.Length == 0, "The client's certificate comes from a store or from a file: leave out Certificate Store Location, or SSL Cert and Certificate File.");
        Check((SslCert.Length > 0) == (SslKey.Length > 0), "SSL Cert and SSL Key belong together: give both files, or a PFX with Certificate File.");
        Check(SslCert.Length == 0 || CertificateFile.Length == 0, "SSL Cert and Certificate File both name the client's certificate: leave one out.");

        Pooling = options.Pooling;
        PoolLimits = new((int)options.MinimumPoolSize, (int)options.MaximumPoolSize, options.ConnectionIdleTimeout * (long)Second, options.ConnectionLifeTime * (long)Second);
        Check(options.MinimumPoolSize <= options.MaximumPoolSize, $"Minimum Pool Size ({options.MinimumPoolSize}) is more than Maximum Pool Size ({options.MaximumPoolSize}).");
        MaximumTotalConnections = (int)options.MaximumTotalConnections;
        PoolPerServer = options.PoolPerServer;
        Check(Pooling || (MaximumTotalConnections == 0 && !PoolPerServer), "Maximum Total Connections and Pool Per Server are about pools: leave Pooling=false out.");
        ResetMode = options.ResetMode == MySqlResetMode.Automatic && !options.ConnectionReset ? MySqlResetMode.Never : options.ResetMode;

        ConnectionTimeout = (int)Math.Min(options.ConnectionTimeout, MySqlOptions.MaximumSeconds) * Second;
        DefaultCommandTimeout = (int)Math.Min(options.DefaultCommandTimeout, int.MaxValue);
        ReaderTimeout = (int)options.ReaderTimeout;
        CancellationTimeout = options.CancellationTimeout switch
        {
            -1 => 0,
            0 => Timeout.Infinite,
            var seconds => seconds * Second,
        };

        ServerDeadlines = options.ServerDeadlines;
        AllowUserVariables = options.AllowUserVariables;
        UseAffectedRows = options.UseAffectedRows;
        AllowLoadLocalInfile = options.AllowLoadLocalInfile;
        AllowLoadLocalInfileInPath = options.AllowLoadLocalInfileInPath;
        QueryAttributes = options.QueryAttributes;
        TraceContext = options.TraceContext;
        IgnoreCommandTransaction = options.IgnoreCommandTransaction;
        IgnorePrepare = options.IgnorePrepare;
        AutoPrepareMinUses = (int)options.AutoPrepareMinUses;
        MaxAutoPrepare = options.AutoPrepare ? (int)options.MaxAutoPrepare : 0;
        AutoPrepareBudget = (int)options.AutoPrepareBudget;
        PipeliningMode = options.PipeliningMode != MySqlPipeliningMode.Automatic ? options.PipeliningMode : options.Pipelining ? MySqlPipeliningMode.Auto : MySqlPipeliningMode.Off;
        ServerSendBuffer = options.ServerSendBuffer;
        MergeInserts = options.MergeInserts;
        AllowConcurrentCommands = options.AllowConcurrentCommands;
        BatchErrors = options.BatchErrors;
        Batching = options.Batching;
        Levers = new()
        {
            Spins = options.Spinning,
            AdaptsReceives = options.AdaptiveReceives,
            PassesLargeValues = options.DirectLargeValues,
        };
        ResumesTls = options.TlsResumption;
        AutoEnlist = options.AutoEnlist;
        UseCompression = options.UseCompression;
        UseXaTransactions = options.UseXaTransactions;

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
        MaxValueBytes = options.MaxValueBytes;
        MaxRowBytes = options.MaxRowBytes;
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

    public MySqlLoadBalance LoadBalance { get; }

    public MySqlServerRedirectionMode ServerRedirectionMode { get; }

    /// <summary>Names, addresses and *.domains.</summary>
    public IReadOnlyList<string> RedirectionHosts { get; }

    /// <summary>For one of several servers; 0 for an equal part of what is left.</summary>
    public int HostConnectTimeout { get; }

    /// <summary>Between two looks at the name service; 0 for none.</summary>
    public long DnsCheckInterval { get; }

    public string UserID { get; }

    public string Password { get; }

    /// <summary>Empty for none.</summary>
    public string Database { get; }

    public string ApplicationName { get; }

    /// <summary>Seconds; 0 for the operating system's default.</summary>
    public int Keepalive { get; }

    public bool InteractiveSession { get; }

    public AsyncEngine AsyncEngine { get; }

    public AsyncContinuations AsyncContinuations { get; }

    public bool PersistSecurityInfo { get; }

    public MySqlSslMode SslMode { get; }

    public string SslCa { get; }

    public string SslCert { get; }

    public string SslKey { get; }

    public string CertificateFile { get; }

    public string CertificatePassword { get; }

    /// <summary>Whose store has the client's certificate; null for none.</summary>
    public StoreLocation? CertificateStoreLocation { get; }

    /// <summary>Which certificate of the store; empty for any.</summary>
    public string CertificateThumbprint { get; }

    public bool SkipCertificateRevocationCheck { get; }

    /// <summary>None means what the operating system allows.</summary>
    public System.Security.Authentication.SslProtocols TlsVersions { get; }

    /// <summary>IANA names; empty means what the operating system allows.</summary>
    public IReadOnlyList<string> TlsCipherSuites { get; }

    public bool AllowPublicKeyRetrieval { get; }

    public string ServerRsaPublicKeyFile { get; }

    public bool AllowCleartextPassword { get; }

    /// <summary>Of the account's second factor; empty for none.</summary>
    public string Password2 { get; }

    /// <summary>Of the account's third factor; empty for none.</summary>
    public string Password3 { get; }

    /// <summary>The authentication methods that may be answered; empty for all.</summary>
    public string[] RequireAuth { get; }

    /// <summary>The fewest iterations of SCRAM that are answered.</summary>
    public int ScramMinIterations { get; }

    /// <summary>A login whose password has expired is let in, to change it.</summary>
    public bool CanHandleExpiredPasswords { get; }

    /// <summary>The service's principal name for Kerberos; empty for the one that the server says.</summary>
    public string ServerSpn { get; }

    public bool Pooling { get; }

    public PoolLimits PoolLimits { get; }

    /// <summary>Of all pools together that have the same servers and the same number; 0 for no limit.</summary>
    public int MaximumTotalConnections { get; }

    /// <summary>One pool for all databases.</summary>
    public bool PoolPerServer { get; }

    /// <summary>
    /// When a pooled session is reset in front of its next user's first command. Automatic: as Tracked, but not through a proxy that pipelining is off for.
    /// </summary>
    public MySqlResetMode ResetMode { get; }

    public int ConnectionTimeout { get; }

    /// <summary>Seconds, as CommandTimeout is; 0 means without limit.</summary>
    public int DefaultCommandTimeout { get; }

    /// <summary>Seconds for a data reader as a whole; 0 means without limit.</summary>
    public int ReaderTimeout { get; }

    /// <summary>Milliseconds from asking the server to closing the connection; 0 closes without asking, −1 waits without limit.</summary>
    public int CancellationTimeout { get; }

    /// <summary>Whether the server is told how long a command may take.</summary>
    public bool ServerDeadlines { get; }

    public bool AllowUserVariables { get; }

    public bool UseAffectedRows { get; }

    public bool AllowLoadLocalInfile { get; }

    /// <summary>Below which directory files may be loaded; empty for none.</summary>
    public string AllowLoadLocalInfileInPath { get; }

    public bool QueryAttributes { get; }

    public bool TraceContext { get; }

    public bool IgnoreCommandTransaction { get; }

    public bool IgnorePrepare { get; }

    /// <summary>Executions as text before a statement prepares itself.</summary>
    public int AutoPrepareMinUses { get; }

    /// <summary>Statements a session keeps prepared; 0 when none prepares itself.</summary>
    public int MaxAutoPrepare { get; }

    /// <summary>Statements that all sessions keep prepared by themselves.</summary>
    public int AutoPrepareBudget { get; }

    /// <summary>Auto, On or Off.</summary>
    public MySqlPipeliningMode PipeliningMode { get; }

    /// <summary>How large a packet lets the server's send buffer grow; −1 when the driver decides.</summary>
    public int ServerSendBuffer { get; }

    public bool MergeInserts { get; }

    public bool AllowConcurrentCommands { get; }

    public MySqlBatchErrors BatchErrors { get; }

    /// <summary>Which of the wire's levers are on.</summary>
    public WireLevers Levers { get; }

    /// <summary>A TLS session may be resumed.</summary>
    public bool ResumesTls { get; }

    /// <summary>The commands of a batch travel together.</summary>
    public bool Batching { get; }

    public bool AutoEnlist { get; }

    /// <summary>The compressed protocol, when the server has it.</summary>
    public bool UseCompression { get; }

    public bool UseXaTransactions { get; }

    /// <summary>How values are read and written.</summary>
    public CodecSettings Codecs { get; }

    public long MaxValueBytes { get; }

    public long MaxRowBytes { get; }

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
        CertificateStoreLocation is { } location ? CertificateStores.ReadClientCertificates(location, CertificateThumbprint, MySqlOptions.CertificateStoreLocation.Name)
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

    private static void Check(bool isFine, string message)
    {
        if (!isFine)
            throw new ArgumentException(message);
    }
}
