using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads, changes and writes connection strings. Keywords are read without regard to case, spaces, hyphens and underscores; an unknown one is an
/// error that suggests the nearest. Names and defaults are Npgsql's.
/// </summary>
/// <remarks>The documentation of every option is docs/options.md.</remarks>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgConnectionStringBuilder : OptionConnectionStringBuilder
{
    /// <summary>An empty connection string: every option has its default.</summary>
    public PgConnectionStringBuilder()
        : base(PgOptions.Table)
    {
    }

    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public PgConnectionStringBuilder(string? connectionString)
        : base(PgOptions.Table) => Set(connectionString ?? "");

    /// <summary>A connection string to look at, inside the driver. Its <c>ConnectionString</c> is never asked for.</summary>
    internal static PgConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new PgConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    /// <summary>
    /// Host name or address; several, separated by commas, each with its own port if it has one (a,b:5433);
    /// or the folder or path of a unix socket, which begins with /. Empty means localhost.
    /// </summary>
    [AllowNull]
    public string Host { get => Get(PgOptions.Host); set => Set(PgOptions.Host, value); }

    /// <summary>TCP port of the hosts that are written without one; also part of a unix socket's name.</summary>
    public int Port { get => (int)Get(PgOptions.Port); set => Set(PgOptions.Port, value); }

    /// <summary>Database of the connection. Empty means the one with the user's name.</summary>
    [AllowNull]
    public string Database { get => Get(PgOptions.Database); set => Set(PgOptions.Database, value); }

    /// <summary>User name. Empty means the user of the operating system.</summary>
    [AllowNull]
    public string Username { get => Get(PgOptions.Username); set => Set(PgOptions.Username, value); }

    /// <summary>Password.</summary>
    [AllowNull]
    public string Password { get => Get(PgOptions.Password); set => Set(PgOptions.Password, value); }

    /// <summary>Not supported: give the password with Password.</summary>
    [AllowNull]
    public string Passfile { get => Get(PgOptions.Passfile); set => Set(PgOptions.Passfile, value); }

    /// <summary>Shown by pg_stat_activity, and used in the names of metrics.</summary>
    [AllowNull]
    public string ApplicationName { get => Get(PgOptions.ApplicationName); set => Set(PgOptions.ApplicationName, value); }

    /// <summary>search_path of the session.</summary>
    [AllowNull]
    public string SearchPath { get => Get(PgOptions.SearchPath); set => Set(PgOptions.SearchPath, value); }

    /// <summary>TimeZone of the session.</summary>
    [AllowNull]
    public string Timezone { get => Get(PgOptions.Timezone); set => Set(PgOptions.Timezone, value); }

    /// <summary>Command-line options for the server's session, such as -c statement_timeout=5s.</summary>
    [AllowNull]
    public string Options { get => Get(PgOptions.Options); set => Set(PgOptions.Options, value); }

    /// <summary>Always UTF8, which holds every character.</summary>
    [AllowNull]
    public string ClientEncoding { get => Get(PgOptions.ClientEncoding); set => Set(PgOptions.ClientEncoding, value); }

    /// <summary>Always UTF8, which holds every character.</summary>
    [AllowNull]
    public string Encoding { get => Get(PgOptions.Encoding); set => Set(PgOptions.Encoding, value); }

    /// <summary>Not supported, except any.</summary>
    [AllowNull]
    public string TargetSessionAttributes { get => Get(PgOptions.TargetSessionAttributes); set => Set(PgOptions.TargetSessionAttributes, value); }

    /// <summary>Each new session tries the next of several hosts first. False: always the first.</summary>
    public bool LoadBalanceHosts { get => Get(PgOptions.LoadBalanceHosts); set => Set(PgOptions.LoadBalanceHosts, value); }

    /// <summary>Ignored.</summary>
    public int HostRecheckSeconds { get => (int)Get(PgOptions.HostRecheckSeconds); set => Set(PgOptions.HostRecheckSeconds, value); }

    /// <summary>Not supported, except 0 (no queries): use TCP Keepalive.</summary>
    public int KeepAlive { get => (int)Get(PgOptions.KeepAlive); set => Set(PgOptions.KeepAlive, value); }

    /// <summary>TCP asks an idle peer whether it is still there, at the operating system's intervals.</summary>
    public bool TcpKeepAlive { get => Get(PgOptions.TcpKeepAlive); set => Set(PgOptions.TcpKeepAlive, value); }

    /// <summary>Idle time after which TCP asks. Turns TCP Keepalive on.</summary>
    public int TcpKeepAliveTime { get => (int)Get(PgOptions.TcpKeepAliveTime); set => Set(PgOptions.TcpKeepAliveTime, value); }

    /// <summary>Ignored: TCP asks again after TCP Keepalive Time.</summary>
    public int TcpKeepAliveInterval { get => (int)Get(PgOptions.TcpKeepAliveInterval); set => Set(PgOptions.TcpKeepAliveInterval, value); }

    /// <summary>What completes asynchronous waits for the server: the runtime's sockets, or the driver's own engine. (Not in Npgsql.)</summary>
    public AsyncEngine AsyncEngine { get => (AsyncEngine)Get(PgOptions.AsyncEngine); set => Set(PgOptions.AsyncEngine, value); }

    /// <summary>Where the caller's code continues after an asynchronous wait that the driver's own engine has completed. (Not in Npgsql.)</summary>
    public AsyncContinuations AsyncContinuations { get => (AsyncContinuations)Get(PgOptions.AsyncContinuations); set => Set(PgOptions.AsyncContinuations, value); }

    /// <summary>The ConnectionString of an opened connection contains the password.</summary>
    public bool PersistSecurityInfo { get => Get(PgOptions.PersistSecurityInfo); set => Set(PgOptions.PersistSecurityInfo, value); }

    /// <summary>
    /// Prefer uses TLS when the server offers it (Allow means the same here), Require demands it; only VerifyCA (a trusted authority)
    /// and VerifyFull (and the host's name) verify the certificate.
    /// </summary>
    public SslMode SslMode { get => (SslMode)Get(PgOptions.SslMode); set => Set(PgOptions.SslMode, value); }

    /// <summary>File with the certificate authorities to trust, in place of the system's: PEM, or DER with a single one. Empty means the system's.</summary>
    [AllowNull]
    public string RootCertificate { get => Get(PgOptions.RootCertificate); set => Set(PgOptions.RootCertificate, value); }

    /// <summary>PEM or PFX file with the client's certificate.</summary>
    [AllowNull]
    public string SslCertificate { get => Get(PgOptions.SslCertificate); set => Set(PgOptions.SslCertificate, value); }

    /// <summary>PEM file with the private key of SSL Certificate, when it is not in the same file.</summary>
    [AllowNull]
    public string SslKey { get => Get(PgOptions.SslKey); set => Set(PgOptions.SslKey, value); }

    /// <summary>Password of SSL Key, or of a PFX file.</summary>
    [AllowNull]
    public string SslPassword { get => Get(PgOptions.SslPassword); set => Set(PgOptions.SslPassword, value); }

    /// <summary>Asks whether the server's certificate was revoked.</summary>
    public bool CheckCertificateRevocation { get => Get(PgOptions.CheckCertificateRevocation); set => Set(PgOptions.CheckCertificateRevocation, value); }

    /// <summary>How TLS begins: after a request in clear text. Direct is not supported.</summary>
    public SslNegotiation SslNegotiation { get => (SslNegotiation)Get(PgOptions.SslNegotiation); set => Set(PgOptions.SslNegotiation, value); }

    /// <summary>Whether SCRAM proves that both ends see the same TLS connection. Require refuses any authentication without that proof.</summary>
    public ChannelBinding ChannelBinding { get => (ChannelBinding)Get(PgOptions.ChannelBinding); set => Set(PgOptions.ChannelBinding, value); }

    /// <summary>
    /// Which ways of authentication the server may ask for, separated by commas: ScramSHA256, MD5, Password, None; with ! in front of all, which it may not.
    /// Empty allows all but MD5, and Password only inside verified TLS or over a unix socket.
    /// </summary>
    [AllowNull]
    public string RequireAuth { get => Get(PgOptions.RequireAuth); set => Set(PgOptions.RequireAuth, value); }

    /// <summary>
    /// The fewest SCRAM iterations that the server may ask for: with fewer, whoever gets the proof can guess the password more cheaply. 4096 by
    /// default, as RFC 7677 wants it.
    /// </summary>
    public int ScramMinIterations { get => (int)Get(PgOptions.ScramMinIterations); set => Set(PgOptions.ScramMinIterations, value); }

    /// <summary>Encryption with Kerberos is never used; `Require` is an error.</summary>
    public GssEncryptionMode GssEncryptionMode { get => (GssEncryptionMode)Get(PgOptions.GssEncryptionMode); set => Set(PgOptions.GssEncryptionMode, value); }

    /// <summary>Ignored.</summary>
    [AllowNull]
    public string KerberosServiceName { get => Get(PgOptions.KerberosServiceName); set => Set(PgOptions.KerberosServiceName, value); }

    /// <summary>Ignored.</summary>
    public bool IncludeRealm { get => Get(PgOptions.IncludeRealm); set => Set(PgOptions.IncludeRealm, value); }

    /// <summary>Ignored: SSL Mode says whether the certificate is verified.</summary>
    [Obsolete("Has no effect.")]
    public bool TrustServerCertificate { get => Get(PgOptions.TrustServerCertificate); set => Set(PgOptions.TrustServerCertificate, value); }

    /// <summary>Closed connections leave their session in a pool for the next Open.</summary>
    public bool Pooling { get => Get(PgOptions.Pooling); set => Set(PgOptions.Pooling, value); }

    /// <summary>Sessions that are kept open even when idle.</summary>
    public int MinPoolSize { get => (int)Get(PgOptions.MinPoolSize); set => Set(PgOptions.MinPoolSize, value); }

    /// <summary>Sessions that may be open at once; a caller that finds all of them busy waits up to Timeout.</summary>
    public int MaxPoolSize { get => (int)Get(PgOptions.MaxPoolSize); set => Set(PgOptions.MaxPoolSize, value); }

    /// <summary>An idle session above the minimum is closed after this time. 0 means never.</summary>
    public int ConnectionIdleLifetime { get => (int)Get(PgOptions.ConnectionIdleLifetime); set => Set(PgOptions.ConnectionIdleLifetime, value); }

    /// <summary>Ignored: each idle session is closed when its time has come.</summary>
    public int ConnectionPruningInterval { get => (int)Get(PgOptions.ConnectionPruningInterval); set => Set(PgOptions.ConnectionPruningInterval, value); }

    /// <summary>A session older than this is closed when it returns to the pool. 0 means never.</summary>
    public int ConnectionLifetime { get => (int)Get(PgOptions.ConnectionLifetime); set => Set(PgOptions.ConnectionLifetime, value); }

    /// <summary>A pooled session is not reset before its next user's first command. False: it is reset, in the same network packet as that command.</summary>
    public bool NoResetOnClose { get => Get(PgOptions.NoResetOnClose); set => Set(PgOptions.NoResetOnClose, value); }

    /// <summary>For Open: waiting for the pool, connecting and authenticating. 0 means no limit.</summary>
    public int Timeout { get => (int)Get(PgOptions.Timeout); set => Set(PgOptions.Timeout, value); }

    /// <summary>CommandTimeout of new commands. 0 means no limit.</summary>
    public int CommandTimeout { get => (int)Get(PgOptions.CommandTimeout); set => Set(PgOptions.CommandTimeout, value); }

    /// <summary>
    /// How long a data reader may take as a whole, from its execution on; CommandTimeout limits each single wait for the server. When the time has
    /// passed, a wait ends as it does at CommandTimeout. 0 means no limit. (Not in Npgsql.)
    /// </summary>
    public int ReaderTimeout { get => (int)Get(PgOptions.ReaderTimeout); set => Set(PgOptions.ReaderTimeout, value); }

    /// <summary>
    /// How long a command that ran out of time, or was cancelled, may take to end after the server was asked to end it; then the connection is closed.
    /// 0 waits without limit, −1 closes at once without asking.
    /// </summary>
    public int CancellationTimeout { get => (int)Get(PgOptions.CancellationTimeout); set => Set(PgOptions.CancellationTimeout, value); }

    /// <summary>Ignored.</summary>
    [Obsolete("Has no effect.")]
    public int InternalCommandTimeout { get => (int)Get(PgOptions.InternalCommandTimeout); set => Set(PgOptions.InternalCommandTimeout, value); }

    /// <summary>The exception's message includes the server's detail, which can contain values from the data.</summary>
    public bool IncludeErrorDetail { get => Get(PgOptions.IncludeErrorDetail); set => Set(PgOptions.IncludeErrorDetail, value); }

    /// <summary>The exception of a batch refers to the command that failed.</summary>
    public bool IncludeFailedBatchedCommand { get => Get(PgOptions.IncludeFailedBatchedCommand); set => Set(PgOptions.IncludeFailedBatchedCommand, value); }

    /// <summary>Not supported: values of parameters are never logged.</summary>
    public bool LogParameters { get => Get(PgOptions.LogParameters); set => Set(PgOptions.LogParameters, value); }

    /// <summary>Open enlists the connection in the ambient transaction.</summary>
    public bool Enlist { get => Get(PgOptions.Enlist); set => Set(PgOptions.Enlist, value); }

    /// <summary>What happens when the server refuses a command of a batch.</summary>
    public PgBatchErrors BatchErrors { get => (PgBatchErrors)Get(PgOptions.BatchErrors); set => Set(PgOptions.BatchErrors, value); }

    /// <summary>
    /// A thread of the driver's own engine that serves a single connection polls for the next answer a few times before it sleeps, if a processor is
    /// idle. False lets it sleep at once. (Not in Npgsql.)
    /// </summary>
    public bool Spinning { get => Get(PgOptions.Spinning); set => Set(PgOptions.Spinning, value); }

    /// <summary>
    /// Receiving adapts to what arrives: the buffer grows during a large result, TLS receives more than one record at a time, and small answers of a
    /// batch gather for a millisecond at most. False always receives what is there into a buffer of 64 KiB. (Not in Npgsql.)
    /// </summary>
    public bool AdaptiveReceives { get => Get(PgOptions.AdaptiveReceives); set => Set(PgOptions.AdaptiveReceives, value); }

    /// <summary>
    /// A large value is received into an array of its own, and sent from the caller's memory.
    /// With false it passes through the connection's buffers in both directions. (Not in Npgsql.)
    /// </summary>
    public bool DirectLargeValues { get => Get(PgOptions.DirectLargeValues); set => Set(PgOptions.DirectLargeValues, value); }

    /// <summary>A new connection resumes the TLS session of an earlier one to the same host. False makes a full handshake each time. (Not in Npgsql.)</summary>
    public bool TlsResumption { get => Get(PgOptions.TlsResumption); set => Set(PgOptions.TlsResumption, value); }

    /// <summary>The commands of a batch are sent together. False sends each one when the one before it has been answered. (Not in Npgsql.)</summary>
    public bool Batching { get => Get(PgOptions.Batching); set => Set(PgOptions.Batching, value); }

    /// <summary>
    /// The reset of a pooled session and the start of a transaction travel with the next command. False sends each by itself and waits for its
    /// answer. (Not in Npgsql.)
    /// </summary>
    public bool Pipelining { get => Get(PgOptions.Pipelining); set => Set(PgOptions.Pipelining, value); }

    /// <summary>How a pooled session is brought back to the state of a new one. (Not in Npgsql.)</summary>
    public PgResetMode ResetMode { get => (PgResetMode)Get(PgOptions.ResetMode); set => Set(PgOptions.ResetMode, value); }

    /// <summary>Statements are prepared when they have been executed a few times.</summary>
    public bool AutoPrepare { get => Get(PgOptions.AutoPrepare); set => Set(PgOptions.AutoPrepare, value); }

    /// <summary>Statements that a session keeps prepared; 0 prepares none automatically.</summary>
    public int MaxAutoPrepare { get => (int)Get(PgOptions.MaxAutoPrepare); set => Set(PgOptions.MaxAutoPrepare, value); }

    /// <summary>Executions of a text before the one that prepares it.</summary>
    public int AutoPrepareMinUsages { get => (int)Get(PgOptions.AutoPrepareMinUsages); set => Set(PgOptions.AutoPrepareMinUsages, value); }

    /// <summary>Not supported.</summary>
    public bool Multiplexing { get => Get(PgOptions.Multiplexing); set => Set(PgOptions.Multiplexing, value); }

    /// <summary>Not supported, except `Never`: the driver does not read arrays yet.</summary>
    public ArrayNullabilityMode ArrayNullabilityMode { get => (ArrayNullabilityMode)Get(PgOptions.ArrayNullabilityMode); set => Set(PgOptions.ArrayNullabilityMode, value); }

    /// <summary>Not supported: the driver does not read composite types yet.</summary>
    [Obsolete("Has no effect.")]
    public bool LoadTableComposites { get => Get(PgOptions.LoadTableComposites); set => Set(PgOptions.LoadTableComposites, value); }

    /// <summary>A larger value from the server closes the connection with an error instead of filling the memory. (Not in Npgsql.)</summary>
    public long MaxValueBytes { get => Get(PgOptions.MaxValueBytes); set => Set(PgOptions.MaxValueBytes, value); }

    /// <summary>A row of which more than this must be held in memory closes the connection with an error. (Not in Npgsql.)</summary>
    public long MaxRowBytes { get => Get(PgOptions.MaxRowBytes); set => Set(PgOptions.MaxRowBytes, value); }

    /// <summary>Ignored: buffers grow and shrink by themselves.</summary>
    public int ReadBufferSize { get => (int)Get(PgOptions.ReadBufferSize); set => Set(PgOptions.ReadBufferSize, value); }

    /// <summary>Ignored: buffers grow and shrink by themselves.</summary>
    public int WriteBufferSize { get => (int)Get(PgOptions.WriteBufferSize); set => Set(PgOptions.WriteBufferSize, value); }

    /// <summary>Ignored: the operating system decides.</summary>
    public int SocketReceiveBufferSize { get => (int)Get(PgOptions.SocketReceiveBufferSize); set => Set(PgOptions.SocketReceiveBufferSize, value); }

    /// <summary>Ignored: the operating system decides.</summary>
    public int SocketSendBufferSize { get => (int)Get(PgOptions.SocketSendBufferSize); set => Set(PgOptions.SocketSendBufferSize, value); }

    /// <summary>Ignored.</summary>
    public int WriteCoalescingBufferThresholdBytes { get => (int)Get(PgOptions.WriteCoalescingBufferThresholdBytes); set => Set(PgOptions.WriteCoalescingBufferThresholdBytes, value); }

    internal static OptionTable Table => PgOptions.Table;
}
