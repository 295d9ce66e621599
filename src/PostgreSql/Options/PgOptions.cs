using Slipstream.Core.Options;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql.Options;

/// <summary>Every connection-string option, declared once. Names, aliases and defaults are Npgsql's.</summary>
/// <remarks>
/// The name of a field is the name of the builder's property. PgConnectionStringBuilder.Options.g.cs, PgPlainSettings.g.cs and docs/options.md are generated
/// from this table: run PostgreSql.Tests with SLIPSTREAM_UPDATE_DOCS=1. Option texts contain neither default, unit nor range, because these are added from
/// the declaration.
/// </remarks>
internal static class PgOptions
{
    private const int MaximumSeconds = int.MaxValue / 1000;
    private const int LongestTimeout = 1024;
    private const string Addition = "Not in Npgsql.";
    private const long GiB = 1L << 30;

    public static readonly OptionTable Table = new() { Example = "Host=db.example.com;Port=5432;Username=shop;Password=secret;Database=shop" };

    private static readonly OptionGroup Connect = Table.Group("Server and user");

    public static readonly TextOption Host = Connect.Text("Host", ["Server"],
        "Host name or address of the server; several are separated by commas, each with its own port if needed (`a,b:5433`). "
        + "A value that begins with `/` is the folder or the path of a unix socket. Empty means localhost.");

    public static readonly NumberOption Port = Connect.Number("Port", [], 5432, 1, 65535, "",
        "TCP port of the hosts that are written without one; also part of the name of a unix socket.");

    public static readonly TextOption Database = Connect.Text("Database", ["DB"], "Database of the connection. Empty means the database with the user's name.");

    public static readonly TextOption Username = Connect.Text("Username", ["User Id", "UID", "User"],
        "Name of the user. Empty means that of the variable PGUSER, or the user of the operating system.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption Password = Connect.Secret("Password", ["PSW", "PWD"], "Password of the user.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption Passfile = Connect.Text("Passfile", [],
        "Password file, in the format of PostgreSQL's own clients, for a server that asks for a password. Password and the variable PGPASSWORD take "
        + "precedence. Empty means the file of the variable PGPASSFILE, or `~/.pgpass` (`%APPDATA%\\postgresql\\pgpass.conf`). A file that other users can "
        + "access is ignored.");

    [OptionFacts(Peer = Addition)]
    public static readonly TextOption Service = Connect.Text("Service", [],
        "Section of the service file (`~/.pg_service.conf`, or the file of the variable PGSERVICEFILE) that supplies the options which the connection string "
        + "does not set. Empty means the service of the variable PGSERVICE, if it is set.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption ApplicationName = Connect.Text("Application Name", [],
        "Name of the application: shown by pg_stat_activity, and used in the names of metrics.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SearchPath = Connect.Text("Search Path", [], "The session's search_path. Empty means the server's setting.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption Timezone = Connect.Text("Timezone", [], "The session's TimeZone. Empty means the server's setting.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption Options = Connect.Text("Options", [],
        "Command-line options for the server's session, such as `-c statement_timeout=5s`.");

    public static readonly TextOption ClientEncoding = Connect.Text("Client Encoding", [],
        "Encoding of the connection: always UTF8, which holds every character.", "", RefuseUnlessUtf8);

    public static readonly TextOption Encoding = Connect.Text("Encoding", [],
        "Encoding of texts: always UTF8, which holds every character.", "UTF8", RefuseUnlessUtf8);

    [OptionFacts(Peer = "Npgsql requires several hosts for any value but `any`.")]
    public static readonly TextOption TargetSessionAttributes = Connect.Text("Target Session Attributes", [],
        "Role of the server that a connection may use: `any`, `primary`, `standby`, `read-write`, `read-only`, `prefer-primary` or `prefer-standby`. Any other "
        + "value than `any` gives each host a pool of its own. Empty means that of the variable PGTARGETSESSIONATTRS, or `any`.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption LoadBalanceHosts = Connect.Switch("Load Balance Hosts", [], false,
        "Each new connection tries the next of several hosts first. False always tries the first host first.");

    public static readonly NumberOption HostRecheckSeconds = Connect.Number("Host Recheck Seconds", [], 10, 0, MaximumSeconds, "seconds",
        "Longest interval at which the driver looks for a host that is down, if Target Session Attributes selects hosts. At least one second.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption ServerSelectionTimeout = Connect.Number("Server Selection Timeout", [], 0, 0, MaximumSeconds, "seconds",
        "Time limit of the wait for a host with the role of Target Session Attributes, such as the next primary. 0 means that of Timeout.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption TopologyRefreshInterval = Connect.Number("Topology Refresh Interval", [], 1000, 100, int.MaxValue, "milliseconds",
        "Interval at which the driver asks the primary for its role in the background, if Target Session Attributes selects hosts. Other hosts are asked half "
        + "as often.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption FailureDetectionInterval = Connect.Number("Failure Detection Interval", [], 1000, 100, int.MaxValue, "milliseconds",
        "Time limit for a host's answer to the question for its role.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption FailureDetectionCount = Connect.Number("Failure Detection Count", [], 3, 2, 1000, "questions",
        "Number of questions in a row without any answer after which the commands that run on the host are ended.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption LocalThreshold = Connect.Number("Local Threshold", [], 15, 0, int.MaxValue, "milliseconds",
        "How much longer than the fastest host a host may take for an answer, with Load Balance Hosts=true. Slower ones are used only if no other suits.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption MaxReplicaLag = Connect.Number("Max Replica Lag", [], 0, 0, int.MaxValue, "milliseconds",
        "How far a standby may be behind the primary to be used. 0 means no limit. A standby whose lag is unknown is used.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption DrainTimeout = Connect.Number("Drain Timeout", [], 30, 1, MaximumSeconds, "seconds",
        "How long commands and transactions may go on at a host that is no longer the primary, before their connections are closed.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption CausalReadTimeout = Connect.Number("Causal Read Timeout", [], 50, 0, int.MaxValue, "milliseconds",
        "How long a standby may take to execute the writes of a write token or a causal scope, before the primary is used instead. With 0, only standbys are "
        + "used that are known to have executed them.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption TrackWriteToken = Connect.Switch("Track Write Token", [], false,
        "Connections have a LastWriteToken also outside causal scopes. The driver asks the server for the position after each commit, mostly in the same round "
        + "trip.");

    public static readonly NumberOption KeepAlive = Connect.Number("Keepalive", [], 0, 0, MaximumSeconds, "seconds",
        "Time without a command after which an open connection asks the server for an answer, so that no firewall forgets it. A connection whose server does "
        + "not answer within this time, or 10 seconds, is closed. Connections in the pool are not asked. 0 means never.");

    public static readonly SwitchOption TcpKeepAlive = Connect.Switch("TCP Keepalive", [], false,
        "TCP probes whether an idle server is still there, at the intervals of the operating system.");

    public static readonly NumberOption TcpKeepAliveTime = Connect.Number("TCP Keepalive Time", [], 0, 0, MaximumSeconds, "seconds",
        "Idle time after which TCP probes whether the server is still there. A value above 0 turns TCP Keepalive on.");

    public static readonly NumberOption TcpKeepAliveInterval = Connect.Number("TCP Keepalive Interval", [], 0, 0, MaximumSeconds, "seconds",
        "Ignored: TCP probes again after TCP Keepalive Time.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption AsyncEngine = Connect.Words("Async Engine", [], Core.Wires.AsyncEngine.Auto,
        [("Auto", Core.Wires.AsyncEngine.Auto), ("Own", Core.Wires.AsyncEngine.Own), ("Runtime", Core.Wires.AsyncEngine.Runtime)],
        "Engine that completes asynchronous waits for the server. `Runtime` means the sockets of .NET; `Own` means the driver's own engine on Linux with x64 "
        + "or arm64, and the sockets of .NET elsewhere; `Auto` leaves the choice to the driver, which currently uses `Own`.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption AsyncContinuations = Connect.Words("Async Continuations", [], Core.Wires.AsyncContinuations.Engine,
        [("Engine", Core.Wires.AsyncContinuations.Engine), ("ThreadPool", Core.Wires.AsyncContinuations.ThreadPool)],
        "Thread on which the caller's code continues after the driver's own engine has completed an asynchronous wait. `Engine` means the thread that received "
        + "the answer; `ThreadPool` means the thread pool.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption Spinning = Connect.Switch("Spinning", [], true,
        "A thread of the driver's own engine that serves a single connection polls for the next answer a few times before it sleeps, if a processor is idle. "
        + "False lets it sleep immediately.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption AdaptiveReceives = Connect.Switch("Adaptive Receives", [], true,
        "Receiving adapts to the traffic: the buffer grows during a large result, TLS receives more than one record at a time, and the small answers of a "
        + "batch are collected for at most a millisecond. False always receives the bytes that have arrived into a buffer of 64 KiB.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption PersistSecurityInfo = Connect.Switch("Persist Security Info", [], false,
        "The ConnectionString of a connection still contains the password after the connection was opened.");

    private static readonly OptionGroup Tls = Table.Group("TLS and authentication");

    public static readonly WordOption SslMode = Tls.Words("SSL Mode", [], PostgreSql.SslMode.Prefer,
        [
            ("Disable", PostgreSql.SslMode.Disable), ("Allow", PostgreSql.SslMode.Allow), ("Prefer", PostgreSql.SslMode.Prefer),
            ("Require", PostgreSql.SslMode.Require), ("VerifyCA", PostgreSql.SslMode.VerifyCA), ("VerifyFull", PostgreSql.SslMode.VerifyFull),
        ],
        "Whether TLS is used and the server's certificate verified. `Prefer` uses TLS if the server offers it, and `Allow` means the same here; `Require` "
        + "requires TLS. Only `VerifyCA` (a trusted authority) and `VerifyFull` (a trusted authority and the host's name) verify the certificate.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption RootCertificate = Tls.Text("Root Certificate", [],
        "File with the certificate authorities to trust instead of the system's: PEM, or DER with a single certificate. `system` means the system's; empty "
        + "means the file of the variable PGSSLROOTCERT, `~/.postgresql/root.crt`, or the system's.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SslCertificate = Tls.Text("SSL Certificate", [],
        "PEM or PFX file with the client's certificate. Empty means the file of the variable PGSSLCERT, or `~/.postgresql/postgresql.crt` with the key in "
        + "`postgresql.key`, if it exists.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SslKey = Tls.Text("SSL Key", [], "PEM file with the private key of SSL Certificate, if it is not in the same file.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption TlsResumption = Tls.Switch("TLS Resumption", [], true,
        "A new connection resumes the TLS session of an earlier connection to the same host. False makes a full handshake each time.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SslPassword = Tls.Secret("SSL Password", [], "Password of SSL Key, or of a PFX file.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption CheckCertificateRevocation = Tls.Switch("Check Certificate Revocation", [], false,
        "`VerifyCA` and `VerifyFull` also check whether the server's certificate was revoked.");

    [OptionFacts(IsSetting = true)]
    public static readonly WordOption SslNegotiation = Tls.Words("SSL Negotiation", [], PostgreSql.SslNegotiation.Postgres,
        [("Postgres", PostgreSql.SslNegotiation.Postgres), ("Direct", PostgreSql.SslNegotiation.Direct)],
        "How TLS begins. `Postgres` means after a request in clear text; `Direct` means at once, which saves a round trip and needs PostgreSQL 17 or later and "
        + "SSL Mode=Require, VerifyCA or VerifyFull.");

    [OptionFacts(IsSetting = true)]
    public static readonly WordOption ChannelBinding = Tls.Words("Channel Binding", [], PostgreSql.ChannelBinding.Prefer,
        [
            ("Disable", PostgreSql.ChannelBinding.Disable), ("Prefer", PostgreSql.ChannelBinding.Prefer), ("Require", PostgreSql.ChannelBinding.Require),
        ],
        "Whether SCRAM proves that both ends see the same TLS connection. `Prefer` does so if the server offers it; `Require` refuses any authentication "
        + "without that proof.");

    public static readonly TextOption RequireAuth = Tls.Text("Require Auth", [],
        "Authentication methods that the server may ask for, separated by commas: `ScramSHA256`, `MD5`, `Password`, `GSS`, `SSPI`, `None`; or, with `!` before "
        + "each of them, the methods that it may not ask for. Empty allows all but MD5, and Password only inside verified TLS or over a unix socket.",
        rejects: static value => AuthenticationWords.Fault(value));

    [OptionFacts(Peer = "Not in Npgsql, which accepts any number.", IsSetting = true)]
    public static readonly NumberOption ScramMinIterations = Tls.Number(
        "Scram Min Iterations", [], 4096, 1, Authentication.ScramSha256.MaxIterations, "iterations",
        "Minimum number of SCRAM iterations that the server may ask for. With fewer iterations, an attacker who obtains the proof can guess the password "
        + "more cheaply.");

    public static readonly WordOption GssEncryptionMode = Tls.Words("GSS Encryption Mode", [], PostgreSql.GssEncryptionMode.Prefer,
        [
            ("Disable", PostgreSql.GssEncryptionMode.Disable), ("Prefer", PostgreSql.GssEncryptionMode.Prefer),
            ("Require", PostgreSql.GssEncryptionMode.Require),
        ],
        "Not supported, except `Disable` and `Prefer`: the driver never encrypts with Kerberos.",
        static value => value is PostgreSql.GssEncryptionMode.Require ? "encryption with Kerberos is not supported. Use SSL Mode." : null);

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption KerberosServiceName = Tls.Text("Kerberos Service Name", ["Krbsrvname"],
        "First part of the name of the server's Kerberos service; the second is the name in Host.", "postgres");

    public static readonly SwitchOption IncludeRealm = Tls.Switch("Include Realm", [], true,
        "Ignored: the driver does not take the user's name from a Kerberos ticket. Set Username, with the realm if the server expects it.");

    [OptionFacts(Property = OptionProperty.Obsolete)]
    public static readonly SwitchOption TrustServerCertificate = Tls.Switch("Trust Server Certificate", [], false,
        "Ignored: SSL Mode decides whether the certificate is verified.");

    private static readonly OptionGroup Pool = Table.Group("Pool");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption Pooling = Pool.Switch("Pooling", [], true,
        "Closing a connection returns its session to a pool, where the next Open takes it. False opens and closes a session each time.");

    public static readonly NumberOption MinPoolSize = Pool.Number("Minimum Pool Size", ["Min Pool Size"], 0, 0, int.MaxValue, "connections",
        "Minimum number of connections that the pool keeps open, even when they are idle.");

    public static readonly NumberOption MaxPoolSize = Pool.Number("Maximum Pool Size", ["Max Pool Size"], 100, 1, int.MaxValue, "connections",
        "Maximum number of open connections in the pool. If all are in use, further callers wait up to Timeout.");

    public static readonly NumberOption ConnectionIdleLifetime = Pool.Number("Connection Idle Lifetime", [], 300, 0, MaximumSeconds, "seconds",
        "Idle time after which a pooled connection above Minimum Pool Size is closed. 0 means never.");

    public static readonly NumberOption ConnectionPruningInterval = Pool.Number("Connection Pruning Interval", [], 10, 1, MaximumSeconds, "seconds",
        "Ignored. Each idle connection is checked when its own idle time expires.");

    public static readonly NumberOption ConnectionLifetime = Pool.Number(
        "Connection Lifetime", ["Load Balance Timeout"], 3600, 0, MaximumSeconds, "seconds",
        "Age at which a connection is closed, when it returns to the pool or when the pool checks its idle connections. 0 means never.");

    public static readonly SwitchOption NoResetOnClose = Pool.Switch("No Reset On Close", [], false,
        "A pooled session is not reset before the first command of its next user. False resets it, in the same network packet as that command.");

    [OptionFacts(Peer = Addition)]
    public static readonly WordOption ResetMode = Pool.Words("Reset Mode", [], PgResetMode.Automatic,
        [
            ("Automatic", PgResetMode.Automatic), ("Always", PgResetMode.Always), ("Tracked", PgResetMode.Tracked), ("Never", PgResetMode.Never),
        ],
        "When a pooled session is reset. `Automatic` follows No Reset On Close: false means `Tracked`, true means `Never`. `Tracked` keeps prepared statements "
        + "unless something shows that they may now have another meaning; `Always` is DISCARD ALL, which drops them. The other values override No Reset On "
        + "Close.");

    private static readonly OptionGroup Times = Table.Group("Timeouts");

    public static readonly NumberOption Timeout = Times.Number("Timeout", [], 15, 0, LongestTimeout, "seconds",
        "Time limit for Open: waiting for the pool, connecting and authenticating. 0 means no limit.");

    public static readonly NumberOption CommandTimeout = Times.Number("Command Timeout", [], 30, 0, MaximumSeconds, "seconds",
        "CommandTimeout of new commands: the time limit for each wait for the server. 0 means no limit.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption ReaderTimeout = Times.Number("Reader Timeout", [], 0, 0, MaximumSeconds, "seconds",
        "Time limit for a data reader as a whole, from the start of its execution; CommandTimeout limits each single wait for the server. After the limit, the "
        + "next wait ends as it does at CommandTimeout. 0 means no limit.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption CommitStatusTimeout = Times.Number("Commit Status Timeout", [], 0, 0, MaximumSeconds, "seconds",
        "If the connection is lost during Commit of a PgTransaction: how long the driver asks the server on another connection whether the transaction was "
        + "committed; CommitOutcome of the PgException has the answer. Each Commit then takes one more round trip. 0 turns it off.");

    [OptionFacts(Peer = "The unit is the millisecond, as in Npgsql; the MySQL driver counts seconds, as MySqlConnector does.")]
    public static readonly NumberOption CancellationTimeout = Times.Number("Cancellation Timeout", [], 2000, -1, int.MaxValue, "milliseconds",
        "Time that the driver waits for the end of a command that timed out or was cancelled, after it asked the server to stop the command; then it closes "
        + "the "
        + "connection. 0 means no limit; −1 closes the connection immediately, without asking.");

    [OptionFacts(Property = OptionProperty.Obsolete)]
    public static readonly NumberOption InternalCommandTimeout = Times.Number("Internal Command Timeout", [], -1, -1, MaximumSeconds, "seconds", "Ignored.");

    private static readonly OptionGroup Behaviour = Table.Group("Commands and errors");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption IncludeErrorDetail = Behaviour.Switch("Include Error Detail", [], false,
        "The message of an exception includes the server's detail, which can contain values from the data.");

    public static readonly SwitchOption IncludeFailedBatchedCommand = Behaviour.Switch("Include Failed Batched Command", [], false,
        "Ignored: the exception of a batch always refers to the command that failed.");

    [OptionFacts(Peer = "Not in Npgsql; there it is EnableErrorBarriers.", IsSetting = true)]
    public static readonly WordOption BatchErrors = Behaviour.Words("Batch Errors", [], PgBatchErrors.Stop,
        [("Stop", PgBatchErrors.Stop), ("Continue", PgBatchErrors.Continue)],
        "What a batch does if the server refuses one of its commands. `Stop` does not execute the commands after it, and outside a transaction undoes those "
        + "before it. `Continue` lets each command succeed or fail separately, and at the end throws one exception that holds all errors, with the SQLSTATE of "
        + "the first (the MySQL driver throws only the first). In both drivers, each command has its own error in `Error`.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption Batching = Behaviour.Switch("Batching", [], true,
        "The commands of a batch are sent together. False sends each command after the previous one was answered.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption Pipelining = Behaviour.Switch("Pipelining", [], true,
        "The reset of a pooled session and the start of a transaction travel with the next command. False sends each separately and waits for its answer.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption LogParameters = Behaviour.Switch("Log Parameters", [], false,
        "The log contains the values of parameters after the text of each command, if `PgDataSourceBuilder.EnableCommandTextLogging` writes the texts. The "
        + "same as `EnableParameterLogging`.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption Enlist = Behaviour.Switch("Enlist", [], true,
        "Open enlists the connection in the ambient transaction (TransactionScope).");

    [OptionFacts(Peer = "In Npgsql, Max Auto Prepare turns this on.")]
    public static readonly SwitchOption AutoPrepare = Behaviour.Switch("Auto Prepare", [], true,
        "Repeated SELECT, INSERT, UPDATE, DELETE, MERGE and VALUES statements are prepared automatically, without an extra round trip.");

    public static readonly NumberOption MaxAutoPrepare = Behaviour.Number("Max Auto Prepare", [], 64, 0, int.MaxValue, "statements",
        "Maximum number of statements that a session keeps prepared. At the limit, a new statement replaces the least recently used one. 0 is the same as "
        + "`Auto Prepare=false`.");

    [OptionFacts(IsSetting = true)]
    public static readonly NumberOption AutoPrepareMinUsages = Behaviour.Number(
        "Auto Prepare Min Usages", ["Auto Prepare Min Uses"], 2, 1, int.MaxValue, "executions",
        "Number of times a statement is executed, in all sessions of the data source together, before an execution prepares it.");

    public static readonly SwitchOption Multiplexing = Behaviour.Switch("Multiplexing", [], false, "Not supported: each command has a session of its own.",
        static value => value ? "not supported. Remove the option." : null);

    public static readonly WordOption ArrayNullabilityMode = Behaviour.Words("Array Nullability Mode", [], PostgreSql.ArrayNullabilityMode.Never,
        [
            ("Never", PostgreSql.ArrayNullabilityMode.Never), ("Always", PostgreSql.ArrayNullabilityMode.Always),
            ("PerInstance", PostgreSql.ArrayNullabilityMode.PerInstance),
        ],
        "What GetValue returns for an array of a value type. `Never` means an array such as `int[]`, and an error if it contains NULL; `Always` means "
        + "`int?[]`; `PerInstance` means `int?[]` if the array contains NULL.");

    [OptionFacts(Property = OptionProperty.Obsolete)]
    public static readonly SwitchOption LoadTableComposites = Behaviour.Switch("Load Table Composites", [], false,
        "The types of tables are loaded as well, so that whole rows can be read as a value.");

    [OptionFacts(Property = OptionProperty.Obsolete)]
    public static readonly WordOption ServerCompatibilityMode = Behaviour.Words("Server Compatibility Mode", [], PostgreSql.ServerCompatibilityMode.None,
        [
            ("None", PostgreSql.ServerCompatibilityMode.None), ("Redshift", PostgreSql.ServerCompatibilityMode.Redshift),
            ("NoTypeLoading", PostgreSql.ServerCompatibilityMode.NoTypeLoading),
        ],
        "`NoTypeLoading` means that the first connection does not load the types of the database: values of types that are not built in are read as text. "
        + "`None` and `Redshift` load them.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption DirectLargeValues = Behaviour.Switch("Direct Large Values", [], true,
        "A large value is received into an array of its own, and sent directly from the caller's memory. False passes it through the buffers of the "
        + "connection in both directions.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption MaxValueBytes = Behaviour.Number("Max Value Bytes", [], GiB, 1L << 20, int.MaxValue, "bytes",
        "Maximum size of a value that the driver accepts from the server. A larger value is an error that closes the connection, so that it cannot fill the "
        + "memory.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption MaxRowBytes = Behaviour.Number("Max Row Bytes", [], GiB, 1L << 20, 1L << 40, "bytes",
        "Maximum size of the part of a row that the driver holds in memory. A row that needs more is an error that closes the connection.");

    private static readonly OptionGroup Buffers = Table.Group("Buffers: accepted, and ignored");

    public static readonly NumberOption ReadBufferSize = Buffers.Number("Read Buffer Size", [], 8192, 0, int.MaxValue, "bytes",
        "Ignored: the driver adapts its buffers to the traffic.");

    public static readonly NumberOption WriteBufferSize = Buffers.Number("Write Buffer Size", [], 8192, 0, int.MaxValue, "bytes",
        "Ignored: the driver adapts its buffers to the traffic.");

    public static readonly NumberOption SocketReceiveBufferSize = Buffers.Number("Socket Receive Buffer Size", [], 0, 0, int.MaxValue, "bytes",
        "Ignored: the operating system decides.");

    public static readonly NumberOption SocketSendBufferSize = Buffers.Number("Socket Send Buffer Size", [], 0, 0, int.MaxValue, "bytes",
        "Ignored: the operating system decides.");

    public static readonly NumberOption WriteCoalescingBufferThresholdBytes = Buffers.Number(
        "Write Coalescing Buffer Threshold Bytes", [], 1000, 0, int.MaxValue, "bytes", "Ignored: the driver adapts its buffers to the traffic.");

    private static string? RefuseUnlessUtf8(string value) =>
        value.Length == 0 || value.Equals("UTF8", StringComparison.OrdinalIgnoreCase) || value.Equals("UTF-8", StringComparison.OrdinalIgnoreCase)
            ? null
            : "the connection always uses UTF8, to and from which the server converts. Remove the option. In a database with the encoding "
                + "SQL_ASCII, convert texts that are not UTF8 to and from bytes with convert_to(text, 'SQL_ASCII') and convert_from(bytes, 'SQL_ASCII').";
}
