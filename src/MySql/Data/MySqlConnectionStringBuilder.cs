using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.Core.Wires;

namespace Slipstream.MySql;

/// <summary>
/// Reads, changes and writes connection strings. Keywords are read without regard to case, spaces, hyphens and underscores; an unknown one is an
/// error that suggests the nearest. Names and defaults are MySqlConnector's.
/// </summary>
/// <remarks>The documentation of every option is docs/options.md.</remarks>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed partial class MySqlConnectionStringBuilder : OptionConnectionStringBuilder
{
    /// <summary>A builder in which all options have their defaults.</summary>
    public MySqlConnectionStringBuilder()
        : base(MySqlOptions.Table)
    {
    }

    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public MySqlConnectionStringBuilder(string? connectionString)
        : base(MySqlOptions.Table) => Set(connectionString ?? "");

    /// <summary>A connection string to look at, inside the driver. Its <c>ConnectionString</c> is never asked for.</summary>
    internal static MySqlConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new MySqlConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    /// <summary>An option's value, of the option's type; its default when it was not set. Setting null removes it.</summary>
    /// <exception cref="ArgumentException">There is no such option, or the value is not allowed for it.</exception>
    [AllowNull]
    public override object this[string key] { get => base[key]; set => base[key] = value; }

    /// <summary>
    /// Host name or address; several, separated by commas, each with its own port if it has one (a,b:3307);
    /// or the path of a unix socket, which begins with / or ./. Empty means localhost.
    /// </summary>
    [AllowNull]
    public string Server { get => Get(MySqlOptions.Server); set => Set(MySqlOptions.Server, value); }

    /// <summary>TCP port of the servers that are written without one.</summary>
    public uint Port { get => (uint)Get(MySqlOptions.Port); set => Set(MySqlOptions.Port, value); }

    /// <summary>User name.</summary>
    [AllowNull]
    public string UserID { get => Get(MySqlOptions.UserID); set => Set(MySqlOptions.UserID, value); }

    /// <summary>Password.</summary>
    [AllowNull]
    public string Password { get => Get(MySqlOptions.Password); set => Set(MySqlOptions.Password, value); }

    /// <summary>Default database of the connection. Empty means none.</summary>
    [AllowNull]
    public string Database { get => Get(MySqlOptions.Database); set => Set(MySqlOptions.Database, value); }

    /// <summary>Socket is TCP, or a unix socket when Server is a path; UnixSocket says that Server is a path.</summary>
    public MySqlConnectionProtocol ConnectionProtocol { get => (MySqlConnectionProtocol)Get(MySqlOptions.ConnectionProtocol); set => Set(MySqlOptions.ConnectionProtocol, value); }

    /// <summary>The named pipe of Connection Protocol=Pipe, on the machine that Server names.</summary>
    [AllowNull]
    public string PipeName { get => Get(MySqlOptions.PipeName); set => Set(MySqlOptions.PipeName, value); }

    /// <summary>The order in which several servers are tried when a session is opened.</summary>
    public MySqlLoadBalance LoadBalance { get => (MySqlLoadBalance)Get(MySqlOptions.LoadBalance); set => Set(MySqlOptions.LoadBalance, value); }

    /// <summary>
    /// How many seconds one of several servers may take before the next one is tried. 0 means an equal part of what is left of Connection Timeout.
    /// (Not in MySqlConnector.)
    /// </summary>
    public uint HostConnectTimeout { get => (uint)Get(MySqlOptions.HostConnectTimeout); set => Set(MySqlOptions.HostConnectTimeout, value); }

    /// <summary>Every so many seconds host names are resolved again; when the addresses have changed, the pool is cleared. 0 means never.</summary>
    public uint DnsCheckInterval { get => (uint)Get(MySqlOptions.DnsCheckInterval); set => Set(MySqlOptions.DnsCheckInterval, value); }

    /// <summary>
    /// Where the server may send the client: host names, addresses and *.domain, separated by commas. Empty means the hosts of Server. (Not in MySqlConnector.)
    /// </summary>
    [AllowNull]
    public string RedirectionHosts { get => Get(MySqlOptions.RedirectionHosts); set => Set(MySqlOptions.RedirectionHosts, value); }

    /// <summary>Whether the server may send the client to another server.</summary>
    public MySqlServerRedirectionMode ServerRedirectionMode { get => (MySqlServerRedirectionMode)Get(MySqlOptions.ServerRedirectionMode); set => Set(MySqlOptions.ServerRedirectionMode, value); }

    /// <summary>Sent to the server as the connection attribute program_name, and used in the names of metrics.</summary>
    [AllowNull]
    public string ApplicationName { get => Get(MySqlOptions.ApplicationName); set => Set(MySqlOptions.ApplicationName, value); }

    /// <summary>Idle time after which TCP asks whether the peer is still there. 0 means the operating system's default.</summary>
    public uint Keepalive { get => (uint)Get(MySqlOptions.Keepalive); set => Set(MySqlOptions.Keepalive, value); }

    /// <summary>The server applies interactive_timeout instead of wait_timeout.</summary>
    public bool InteractiveSession { get => Get(MySqlOptions.InteractiveSession); set => Set(MySqlOptions.InteractiveSession, value); }

    /// <summary>What completes asynchronous waits for the server: the runtime's sockets, or the driver's own engine. (Not in MySqlConnector.)</summary>
    public AsyncEngine AsyncEngine { get => (AsyncEngine)Get(MySqlOptions.AsyncEngine); set => Set(MySqlOptions.AsyncEngine, value); }

    /// <summary>Where the caller's code continues after an asynchronous wait that the driver's own engine has completed. (Not in MySqlConnector.)</summary>
    public AsyncContinuations AsyncContinuations { get => (AsyncContinuations)Get(MySqlOptions.AsyncContinuations); set => Set(MySqlOptions.AsyncContinuations, value); }

    /// <summary>The ConnectionString of an opened connection contains the password.</summary>
    public bool PersistSecurityInfo { get => Get(MySqlOptions.PersistSecurityInfo); set => Set(MySqlOptions.PersistSecurityInfo, value); }

    /// <summary>
    /// Preferred uses TLS when the server offers it, Required demands it; only VerifyCA (a trusted authority) and VerifyFull (and the host's name)
    /// verify the certificate.
    /// </summary>
    public MySqlSslMode SslMode { get => (MySqlSslMode)Get(MySqlOptions.SslMode); set => Set(MySqlOptions.SslMode, value); }

    /// <summary>
    /// File with the certificate authorities to trust, in place of the system's: PEM, or DER with a single one. Empty means the system's. With
    /// Required it makes the mode VerifyCA.
    /// </summary>
    [AllowNull]
    public string SslCa { get => Get(MySqlOptions.SslCa); set => Set(MySqlOptions.SslCa, value); }

    /// <summary>PEM file with the client's certificate; needs SSL Key.</summary>
    [AllowNull]
    public string SslCert { get => Get(MySqlOptions.SslCert); set => Set(MySqlOptions.SslCert, value); }

    /// <summary>PEM file with the private key of SSL Cert. If it is encrypted, Certificate Password is its password.</summary>
    [AllowNull]
    public string SslKey { get => Get(MySqlOptions.SslKey); set => Set(MySqlOptions.SslKey, value); }

    /// <summary>PFX file with the client's certificate and key.</summary>
    [AllowNull]
    public string CertificateFile { get => Get(MySqlOptions.CertificateFile); set => Set(MySqlOptions.CertificateFile, value); }

    /// <summary>Password of Certificate File, or of an encrypted SSL Key.</summary>
    [AllowNull]
    public string CertificatePassword { get => Get(MySqlOptions.CertificatePassword); set => Set(MySqlOptions.CertificatePassword, value); }

    /// <summary>Whose personal certificate store has the client's certificate, instead of a file.</summary>
    public MySqlCertificateStoreLocation CertificateStoreLocation { get => (MySqlCertificateStoreLocation)Get(MySqlOptions.CertificateStoreLocation); set => Set(MySqlOptions.CertificateStoreLocation, value); }

    /// <summary>
    /// Which certificate of the store is used: its SHA-1 or SHA-256 in hexadecimal, with or without separators. Empty means any with a private key.
    /// </summary>
    [AllowNull]
    public string CertificateThumbprint { get => Get(MySqlOptions.CertificateThumbprint); set => Set(MySqlOptions.CertificateThumbprint, value); }

    /// <summary>VerifyFull does not ask whether the certificate was revoked. With SSL CA it never asks.</summary>
    public bool SkipCertificateRevocationCheck { get => Get(MySqlOptions.SkipCertificateRevocationCheck); set => Set(MySqlOptions.SkipCertificateRevocationCheck, value); }

    /// <summary>Allowed versions, separated by commas: TLS 1.2, TLS 1.3. Empty means what the operating system allows.</summary>
    [AllowNull]
    public string TlsVersion { get => Get(MySqlOptions.TlsVersion); set => Set(MySqlOptions.TlsVersion, value); }

    /// <summary>Allowed cipher suites by their IANA names, separated by commas. Empty means what the operating system allows.</summary>
    [AllowNull]
    public string TlsCipherSuites { get => Get(MySqlOptions.TlsCipherSuites); set => Set(MySqlOptions.TlsCipherSuites, value); }

    /// <summary>
    /// The server may be asked for its RSA key when a password must be encrypted outside TLS. A man in the middle can send his own key:
    /// pin the server's key with Server RSA Public Key File instead.
    /// </summary>
    public bool AllowPublicKeyRetrieval { get => Get(MySqlOptions.AllowPublicKeyRetrieval); set => Set(MySqlOptions.AllowPublicKeyRetrieval, value); }

    /// <summary>PEM file with the server's RSA key, for caching_sha2_password and sha256_password outside TLS.</summary>
    [AllowNull]
    public string ServerRsaPublicKeyFile { get => Get(MySqlOptions.ServerRsaPublicKeyFile); set => Set(MySqlOptions.ServerRsaPublicKeyFile, value); }

    /// <summary>
    /// The driver may answer mysql_clear_password to a server on the loopback address without TLS.
    /// It always does over verified TLS and unix sockets, and never to any other server. (Not in MySqlConnector.)
    /// </summary>
    public bool AllowCleartextPassword { get => Get(MySqlOptions.AllowCleartextPassword); set => Set(MySqlOptions.AllowCleartextPassword, value); }

    /// <summary>
    /// Service principal name for Kerberos (auth_gssapi_client, authentication_kerberos_client), such as mariadb/host@REALM.
    /// Empty means the one that the server names.
    /// </summary>
    [AllowNull]
    public string ServerSPN { get => Get(MySqlOptions.ServerSPN); set => Set(MySqlOptions.ServerSPN, value); }

    /// <summary>
    /// The authentication methods that the driver may answer, separated by commas, such as caching_sha2_password or parsec. A server that asks for
    /// another one, or for none, is refused. Empty means all. (Not in MySqlConnector.)
    /// </summary>
    [AllowNull]
    public string RequireAuth { get => Get(MySqlOptions.RequireAuth); set => Set(MySqlOptions.RequireAuth, value); }

    /// <summary>
    /// The fewest SCRAM iterations (authentication_ldap_sasl_client) that the server may ask for: with fewer, whoever gets the proof can guess the
    /// password more cheaply. 4096 by default, as RFC 7677 wants it.
    /// </summary>
    public int ScramMinIterations { get => (int)Get(MySqlOptions.ScramMinIterations); set => Set(MySqlOptions.ScramMinIterations, value); }

    /// <summary>
    /// An account whose password has expired may log in to change it (ALTER USER, SET PASSWORD); until then everything else fails with error 1820.
    /// The default is false: Open fails with error 1862. An addition to MySqlConnector's options.
    /// </summary>
    public bool CanHandleExpiredPasswords { get => Get(MySqlOptions.CanHandleExpiredPasswords); set => Set(MySqlOptions.CanHandleExpiredPasswords, value); }

    /// <summary>Password of the account's second factor. (From MySql.Data.)</summary>
    [AllowNull]
    public string Password2 { get => Get(MySqlOptions.Password2); set => Set(MySqlOptions.Password2, value); }

    /// <summary>Password of the account's third factor. (From MySql.Data.)</summary>
    [AllowNull]
    public string Password3 { get => Get(MySqlOptions.Password3); set => Set(MySqlOptions.Password3, value); }

    /// <summary>Closed connections leave their session in a pool for the next Open.</summary>
    public bool Pooling { get => Get(MySqlOptions.Pooling); set => Set(MySqlOptions.Pooling, value); }

    /// <summary>Sessions that are kept open even when idle.</summary>
    public uint MinimumPoolSize { get => (uint)Get(MySqlOptions.MinimumPoolSize); set => Set(MySqlOptions.MinimumPoolSize, value); }

    /// <summary>Sessions that may be open at once; a caller that finds all of them busy waits up to Connection Timeout.</summary>
    public uint MaximumPoolSize { get => (uint)Get(MySqlOptions.MaximumPoolSize); set => Set(MySqlOptions.MaximumPoolSize, value); }

    /// <summary>
    /// Sessions that all pools of this process with the same Server, Port and value of this option may have open together. A caller that finds that many closes
    /// an idle session of another pool, or waits for its turn. 0 means no limit. (Not in MySqlConnector.)
    /// </summary>
    public uint MaximumTotalConnections { get => (uint)Get(MySqlOptions.MaximumTotalConnections); set => Set(MySqlOptions.MaximumTotalConnections, value); }

    /// <summary>
    /// One pool for all databases of a server: the first command takes a session to the connection's database. (Not in MySqlConnector.)
    /// </summary>
    public bool PoolPerServer { get => Get(MySqlOptions.PoolPerServer); set => Set(MySqlOptions.PoolPerServer, value); }

    /// <summary>An idle session above the minimum is closed after this time. 0 means never.</summary>
    public uint ConnectionIdleTimeout { get => (uint)Get(MySqlOptions.ConnectionIdleTimeout); set => Set(MySqlOptions.ConnectionIdleTimeout, value); }

    /// <summary>A session older than this is closed when it returns to the pool. 0 means never.</summary>
    public uint ConnectionLifeTime { get => (uint)Get(MySqlOptions.ConnectionLifeTime); set => Set(MySqlOptions.ConnectionLifeTime, value); }

    /// <summary>
    /// A pooled session is reset before its next user's first command, in the same network packet.
    /// False leaves variables, temporary tables and locks to the next user.
    /// </summary>
    public bool ConnectionReset { get => Get(MySqlOptions.ConnectionReset); set => Set(MySqlOptions.ConnectionReset, value); }

    /// <summary>
    /// Automatic does what Connection Reset says: true is Tracked, false is Never; Tracked, Always and Never override it. (Not in MySqlConnector.)
    /// </summary>
    public MySqlResetMode ResetMode { get => (MySqlResetMode)Get(MySqlOptions.ResetMode); set => Set(MySqlOptions.ResetMode, value); }

    /// <summary>Ignored: the reset always travels with the next command.</summary>
    [Obsolete("Has no effect.")]
    public bool DeferConnectionReset { get => Get(MySqlOptions.DeferConnectionReset); set => Set(MySqlOptions.DeferConnectionReset, value); }

    /// <summary>Ignored: the driver notices a dead idle session without asking the server.</summary>
    [Obsolete("Has no effect.")]
    public uint ConnectionIdlePingTime { get => (uint)Get(MySqlOptions.ConnectionIdlePingTime); set => Set(MySqlOptions.ConnectionIdlePingTime, value); }

    /// <summary>For Open: waiting for the pool, connecting and authenticating. 0 means no limit.</summary>
    public uint ConnectionTimeout { get => (uint)Get(MySqlOptions.ConnectionTimeout); set => Set(MySqlOptions.ConnectionTimeout, value); }

    /// <summary>CommandTimeout of new commands. 0 means no limit.</summary>
    public uint DefaultCommandTimeout { get => (uint)Get(MySqlOptions.DefaultCommandTimeout); set => Set(MySqlOptions.DefaultCommandTimeout, value); }

    /// <summary>
    /// How long a data reader may take as a whole, from its execution on; CommandTimeout limits each single wait for the server. When the time has
    /// passed, a wait ends as it does at CommandTimeout. 0 means no limit. (Not in MySqlConnector.)
    /// </summary>
    public uint ReaderTimeout { get => (uint)Get(MySqlOptions.ReaderTimeout); set => Set(MySqlOptions.ReaderTimeout, value); }

    /// <summary>
    /// How long a command that ran out of time, or was cancelled, may take to end after the server was asked to end it; then the connection is closed.
    /// 0 waits without limit, −1 closes at once without asking.
    /// </summary>
    public int CancellationTimeout { get => (int)Get(MySqlOptions.CancellationTimeout); set => Set(MySqlOptions.CancellationTimeout, value); }

    /// <summary>
    /// The server, too, is told each command's time-out (MariaDB's max_statement_time; MySQL's max_execution_time, which applies to SELECT only). It then stops
    /// the statement itself, even when the client is gone or cannot connect to cancel it. The time-out travels with the command, and only when it differs
    /// from the previous command's; not used where nothing may travel with a command. (Not in MySqlConnector.)
    /// </summary>
    public bool ServerDeadlines { get => Get(MySqlOptions.ServerDeadlines); set => Set(MySqlOptions.ServerDeadlines, value); }

    /// <summary>
    /// True: @name is a user variable of the server if there is no parameter of that name. False: it is an error, because a parameter was probably forgotten.
    /// </summary>
    public bool AllowUserVariables { get => Get(MySqlOptions.AllowUserVariables); set => Set(MySqlOptions.AllowUserVariables, value); }

    /// <summary>UPDATE reports the rows that it changed instead of the rows that it found.</summary>
    public bool UseAffectedRows { get => Get(MySqlOptions.UseAffectedRows); set => Set(MySqlOptions.UseAffectedRows, value); }

    /// <summary>
    /// A bulk copy may send its rows with LOAD DATA LOCAL, and a bulk loader those of a stream. This option does not allow reading files of this
    /// machine.
    /// </summary>
    public bool AllowLoadLocalInfile { get => Get(MySqlOptions.AllowLoadLocalInfile); set => Set(MySqlOptions.AllowLoadLocalInfile, value); }

    /// <summary>
    /// Commands may have query attributes. Default true; false saves two bytes in each text command, and makes a command with attributes an error.
    /// (Not in MySqlConnector.)
    /// </summary>
    public bool QueryAttributes { get => Get(MySqlOptions.QueryAttributes); set => Set(MySqlOptions.QueryAttributes, value); }

    /// <summary>Commands carry the id of their span as query attribute <c>traceparent</c>. Default false. (Not in MySqlConnector.)</summary>
    public bool TraceContext { get => Get(MySqlOptions.TraceContext); set => Set(MySqlOptions.TraceContext, value); }

    /// <summary>A bulk loader may read the files below this directory. (Not in MySqlConnector.)</summary>
    [AllowNull]
    public string AllowLoadLocalInfileInPath { get => Get(MySqlOptions.AllowLoadLocalInfileInPath); set => Set(MySqlOptions.AllowLoadLocalInfileInPath, value); }

    /// <summary>Ignored: the server reports in every answer whether a backslash escapes, and the driver follows that.</summary>
    public bool NoBackslashEscapes { get => Get(MySqlOptions.NoBackslashEscapes); set => Set(MySqlOptions.NoBackslashEscapes, value); }

    /// <summary>A command's Transaction may differ from the connection's; the driver ignores it.</summary>
    public bool IgnoreCommandTransaction { get => Get(MySqlOptions.IgnoreCommandTransaction); set => Set(MySqlOptions.IgnoreCommandTransaction, value); }

    /// <summary>Prepare() does nothing.</summary>
    public bool IgnorePrepare { get => Get(MySqlOptions.IgnorePrepare); set => Set(MySqlOptions.IgnorePrepare, value); }

    /// <summary>A statement that is executed repeatedly is prepared automatically when nobody can see a difference. (Not in MySqlConnector.)</summary>
    public bool AutoPrepare { get => Get(MySqlOptions.AutoPrepare); set => Set(MySqlOptions.AutoPrepare, value); }

    /// <summary>How often a statement is executed as text before it is prepared automatically. (Not in MySqlConnector.)</summary>
    public uint AutoPrepareMinUses { get => (uint)Get(MySqlOptions.AutoPrepareMinUses); set => Set(MySqlOptions.AutoPrepareMinUses, value); }

    /// <summary>Statements that a session keeps prepared. 0 prepares nothing automatically. (Not in MySqlConnector.)</summary>
    public uint MaxAutoPrepare { get => (uint)Get(MySqlOptions.MaxAutoPrepare); set => Set(MySqlOptions.MaxAutoPrepare, value); }

    /// <summary>Automatically prepared statements that all sessions of a data source together may keep. (Not in MySqlConnector.)</summary>
    public uint AutoPrepareBudget { get => (uint)Get(MySqlOptions.AutoPrepareBudget); set => Set(MySqlOptions.AutoPrepareBudget, value); }

    /// <summary>
    /// The reset of a pooled session and the start of a transaction travel with the next command, if the first connection has shown that the server
    /// accepts that. Default true.
    /// </summary>
    public bool Pipelining { get => Get(MySqlOptions.Pipelining); set => Set(MySqlOptions.Pipelining, value); }

    /// <summary>
    /// Automatic does what Pipelining says: true is Auto, which finds out with the first connection whether the server accepts several commands in
    /// one packet; false is Off. (Not in MySqlConnector.)
    /// </summary>
    public MySqlPipeliningMode PipeliningMode { get => (MySqlPipeliningMode)Get(MySqlOptions.PipeliningMode); set => Set(MySqlOptions.PipeliningMode, value); }

    /// <summary>
    /// A thread of the driver's own engine that serves a single connection polls for the next answer a few times before it sleeps, if a processor is
    /// idle. False lets it sleep at once. (Not in MySqlConnector.)
    /// </summary>
    public bool Spinning { get => Get(MySqlOptions.Spinning); set => Set(MySqlOptions.Spinning, value); }

    /// <summary>
    /// Receiving adapts to what arrives: the buffer grows during a large result, TLS receives more than one record at a time, and small answers of a
    /// batch gather for a millisecond at most. False always receives what is there into a buffer of 64 KiB. (Not in MySqlConnector.)
    /// </summary>
    public bool AdaptiveReceives { get => Get(MySqlOptions.AdaptiveReceives); set => Set(MySqlOptions.AdaptiveReceives, value); }

    /// <summary>
    /// A large value is received into an array of its own, and sent from the caller's memory.
    /// With false it passes through the connection's buffers in both directions. (Not in MySqlConnector.)
    /// </summary>
    public bool DirectLargeValues { get => Get(MySqlOptions.DirectLargeValues); set => Set(MySqlOptions.DirectLargeValues, value); }

    /// <summary>
    /// A new connection resumes the TLS session of an earlier one to the same host. False makes a full handshake each time. (Not in MySqlConnector.)
    /// </summary>
    public bool TlsResumption { get => Get(MySqlOptions.TlsResumption); set => Set(MySqlOptions.TlsResumption, value); }

    /// <summary>The commands of a batch are sent together. False sends each one when the one before it has been answered. (Not in MySqlConnector.)</summary>
    public bool Batching { get => Get(MySqlOptions.Batching); set => Set(MySqlOptions.Batching, value); }

    /// <summary>Bytes of the packet that lets the server send large results in larger pieces; −1 is Auto. (Not in MySqlConnector.)</summary>
    public int ServerSendBuffer { get => (int)Get(MySqlOptions.ServerSendBuffer); set => Set(MySqlOptions.ServerSendBuffer, value); }

    /// <summary>Asynchronous commands that are started while another one runs on the same connection wait for their turn.</summary>
    public bool AllowConcurrentCommands { get => Get(MySqlOptions.AllowConcurrentCommands); set => Set(MySqlOptions.AllowConcurrentCommands, value); }

    /// <summary>Withdrawn: only "Off", the default, is accepted. (Not in MySqlConnector.)</summary>
    public string Multiplexing { get => Get(MySqlOptions.Multiplexing); set => Set(MySqlOptions.Multiplexing, value); }

    /// <summary>Consecutive commands of a batch with the same INSERT become one statement of many rows, which can be seen. (Not in MySqlConnector.)</summary>
    public bool MergeInserts { get => Get(MySqlOptions.MergeInserts); set => Set(MySqlOptions.MergeInserts, value); }

    /// <summary>What a batch does when the server refuses one of its commands.</summary>
    public MySqlBatchErrors BatchErrors { get => (MySqlBatchErrors)Get(MySqlOptions.BatchErrors); set => Set(MySqlOptions.BatchErrors, value); }

    /// <summary>Open enlists the connection in the ambient transaction.</summary>
    public bool AutoEnlist { get => Get(MySqlOptions.AutoEnlist); set => Set(MySqlOptions.AutoEnlist, value); }

    /// <summary>The ambient transaction is an XA transaction.</summary>
    public bool UseXaTransactions { get => Get(MySqlOptions.UseXaTransactions); set => Set(MySqlOptions.UseXaTransactions, value); }

    /// <summary>Asynchronous methods block.</summary>
    public bool ForceSynchronous { get => Get(MySqlOptions.ForceSynchronous); set => Set(MySqlOptions.ForceSynchronous, value); }

    /// <summary>The compressed protocol.</summary>
    public bool UseCompression { get => Get(MySqlOptions.UseCompression); set => Set(MySqlOptions.UseCompression, value); }

    /// <summary>Ignored: the connection always uses utf8mb4, which holds every character.</summary>
    [AllowNull]
    public string CharacterSet { get => Get(MySqlOptions.CharacterSet); set => Set(MySqlOptions.CharacterSet, value); }

    /// <summary>
    /// Typed getters read only columns of their type; of conversions only widening ones remain, such as an integer as another number that holds it.
    /// Default: false.
    /// </summary>
    public bool StrictConversions { get => Get(MySqlOptions.StrictConversions); set => Set(MySqlOptions.StrictConversions, value); }

    /// <summary>TINYINT(1) is read as Boolean. False: as SByte.</summary>
    public bool TreatTinyAsBoolean { get => Get(MySqlOptions.TreatTinyAsBoolean); set => Set(MySqlOptions.TreatTinyAsBoolean, value); }

    /// <summary>How Guid values are stored, and which columns are read as Guid. Default is Char36, or LittleEndianBinary16 with Old Guids.</summary>
    public MySqlGuidFormat GuidFormat { get => (MySqlGuidFormat)Get(MySqlOptions.GuidFormat); set => Set(MySqlOptions.GuidFormat, value); }

    /// <summary>BINARY(16) columns are Guids in the byte order of Guid.ToByteArray. Not together with GUID Format.</summary>
    public bool OldGuids { get => Get(MySqlOptions.OldGuids); set => Set(MySqlOptions.OldGuids, value); }

    /// <summary>GetValue returns MySqlDateTime for DATE, DATETIME and TIMESTAMP, which can hold 0000-00-00.</summary>
    public bool AllowZeroDateTime { get => Get(MySqlOptions.AllowZeroDateTime); set => Set(MySqlOptions.AllowZeroDateTime, value); }

    /// <summary>0000-00-00 is read as DateTime.MinValue. False: it is an error.</summary>
    public bool ConvertZeroDateTime { get => Get(MySqlOptions.ConvertZeroDateTime); set => Set(MySqlOptions.ConvertZeroDateTime, value); }

    /// <summary>Kind of the DateTime values that are read; with Utc or Local a parameter of the other kind is an error.</summary>
    public MySqlDateTimeKind DateTimeKind { get => (MySqlDateTimeKind)Get(MySqlOptions.DateTimeKind); set => Set(MySqlOptions.DateTimeKind, value); }

    /// <summary>A larger value from the server closes the connection with an error instead of filling the memory. (Not in MySqlConnector.)</summary>
    public long MaxValueBytes { get => Get(MySqlOptions.MaxValueBytes); set => Set(MySqlOptions.MaxValueBytes, value); }

    /// <summary>A row of which more than this must be held in memory closes the connection with an error. (Not in MySqlConnector.)</summary>
    public long MaxRowBytes { get => Get(MySqlOptions.MaxRowBytes); set => Set(MySqlOptions.MaxRowBytes, value); }

    /// <summary>The older name of <see cref="SslCa"/>.</summary>
    [Obsolete("Use SslCa.")]
    [AllowNull]
    public string CACertificateFile { get => SslCa; set => SslCa = value; }

    internal static OptionTable Table => MySqlOptions.Table;
}
