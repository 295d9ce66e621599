using Slipstream.Core.Options;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql;

/// <summary>Every connection-string option, declared once. Names, aliases and defaults are Npgsql's.</summary>
internal static class PgOptions
{
    private const int MaximumSeconds = int.MaxValue / 1000;
    private const int LongestTimeout = 1024;
    private const long GiB = 1L << 30;

    public static readonly OptionTable Table = new() { Example = "Host=db.example.com;Port=5432;Username=shop;Password=secret;Database=shop" };

    private static readonly OptionGroup Connect = Table.Group("Server and user");

    public static readonly TextOption Host = Connect.Text("Host", ["Server"],
        "Host name or address; several, separated by commas, each with its own port if it has one (`a,b:5433`); or the folder or path of a unix socket, which begins with `/`. Empty means localhost.");

    public static readonly NumberOption Port = Connect.Number("Port", [], 5432, 1, 65535, "", "TCP port of the hosts that are written without one; also part of a unix socket's name.");

    public static readonly TextOption Database = Connect.Text("Database", ["DB"], "Database of the connection. Empty means the one with the user's name.");

    public static readonly TextOption Username = Connect.Text("Username", ["User Id", "UID", "User"], "User name. Empty means the user of the operating system.");

    public static readonly TextOption Password = Connect.Secret("Password", ["PSW", "PWD"], "Password.");

    public static readonly TextOption Passfile = Connect.Text("Passfile", [], "Not supported: give the password with Password.", "",
        static value => value.Length > 0 ? "password files are not supported yet. Give the password with Password." : null);

    public static readonly TextOption ApplicationName = Connect.Text("Application Name", [], "Shown by pg_stat_activity, and used in the names of metrics.");

    public static readonly TextOption SearchPath = Connect.Text("Search Path", [], "search_path of the session.");

    public static readonly TextOption Timezone = Connect.Text("Timezone", [], "TimeZone of the session.");

    public static readonly TextOption Options = Connect.Text("Options", [], "Command-line options for the server's session, such as `-c statement_timeout=5s`.");

    public static readonly TextOption ClientEncoding = Connect.Text("Client Encoding", [], "Always UTF8, which holds every character.", "", RefuseUnlessUtf8);

    public static readonly TextOption Encoding = Connect.Text("Encoding", [], "Always UTF8, which holds every character.", "UTF8", RefuseUnlessUtf8);

    public static readonly TextOption TargetSessionAttributes = Connect.Text("Target Session Attributes", [], "Not supported, except `any`.", "",
        static value => value.Length == 0 || value.Equals("any", StringComparison.OrdinalIgnoreCase) ? null : "choosing hosts by their role is not supported yet. Name the host, or write any.");

    public static readonly SwitchOption LoadBalanceHosts = Connect.Switch("Load Balance Hosts", [], false, "Each new session tries the next of several hosts first. False: always the first.");

    public static readonly NumberOption HostRecheckSeconds = Connect.Number("Host Recheck Seconds", [], 10, 0, MaximumSeconds, "seconds", "Ignored.");

    public static readonly NumberOption KeepAlive = Connect.Number("Keepalive", [], 0, 0, MaximumSeconds, "seconds", "Not supported, except 0 (no queries): use TCP Keepalive.",
        static value => value != 0 ? "queries to keep a connection alive are not supported. Use TCP Keepalive=true." : null);

    public static readonly SwitchOption TcpKeepAlive = Connect.Switch("TCP Keepalive", [], false, "TCP asks an idle peer whether it is still there, at the operating system's intervals.");

    public static readonly NumberOption TcpKeepAliveTime = Connect.Number("TCP Keepalive Time", [], 0, 0, MaximumSeconds, "seconds", "Idle time after which TCP asks. Turns TCP Keepalive on.");

    public static readonly NumberOption TcpKeepAliveInterval = Connect.Number("TCP Keepalive Interval", [], 0, 0, MaximumSeconds, "seconds", "Ignored: TCP asks again after TCP Keepalive Time.");

    public static readonly WordOption AsyncEngine = Connect.Words("Async Engine", [], Core.Wires.AsyncEngine.Auto,
        [("Auto", Core.Wires.AsyncEngine.Auto), ("Own", Core.Wires.AsyncEngine.Own), ("Runtime", Core.Wires.AsyncEngine.Runtime)],
        "What completes asynchronous waits for the server: `Runtime` means the runtime's sockets; `Own` means the driver's own engine (on Linux with x64 or arm64; elsewhere the runtime's sockets); `Auto` is the driver's choice, today `Own`. (Not in Npgsql.)");

    public static readonly WordOption AsyncContinuations = Connect.Words("Async Continuations", [], Core.Wires.AsyncContinuations.Engine,
        [("Engine", Core.Wires.AsyncContinuations.Engine), ("ThreadPool", Core.Wires.AsyncContinuations.ThreadPool)],
        "Where the caller's code continues after an asynchronous wait that the driver's own engine has completed: `Engine` means on the thread that received the answer, `ThreadPool` on the thread pool. (Not in Npgsql.)");

    public static readonly SwitchOption Spinning = Connect.Switch("Spinning", [], true,
        "A thread of the driver's own engine that serves a single connection polls for the next answer a few times before it sleeps, if a processor is idle. False lets it sleep at once. (Not in Npgsql.)");

    public static readonly SwitchOption AdaptiveReceives = Connect.Switch("Adaptive Receives", [], true,
        "Receiving adapts to what arrives: the buffer grows during a large result, TLS receives more than one record at a time, and small answers of a batch gather for a millisecond at most. False always receives what is there into a buffer of 64 KiB. (Not in Npgsql.)");

    public static readonly SwitchOption PersistSecurityInfo = Connect.Switch("Persist Security Info", [], false, "The ConnectionString of an opened connection contains the password.");

    private static readonly OptionGroup Tls = Table.Group("TLS and authentication");

    public static readonly WordOption SslMode = Tls.Words("SSL Mode", [], PostgreSql.SslMode.Prefer,
        [
            ("Disable", PostgreSql.SslMode.Disable), ("Allow", PostgreSql.SslMode.Allow), ("Prefer", PostgreSql.SslMode.Prefer), ("Require", PostgreSql.SslMode.Require),
            ("VerifyCA", PostgreSql.SslMode.VerifyCA), ("VerifyFull", PostgreSql.SslMode.VerifyFull),
        ],
        "`Prefer` uses TLS when the server offers it (`Allow` means the same here), `Require` demands it; only `VerifyCA` (a trusted authority) and `VerifyFull` (and the host's name) verify the certificate.");

    public static readonly TextOption RootCertificate = Tls.Text("Root Certificate", [], "File with the certificate authorities to trust, in place of the system's: PEM, or DER with a single one. Empty means the system's.");

    public static readonly TextOption SslCertificate = Tls.Text("SSL Certificate", [], "PEM or PFX file with the client's certificate.");

    public static readonly TextOption SslKey = Tls.Text("SSL Key", [], "PEM file with the private key of SSL Certificate, when it is not in the same file.");

    public static readonly SwitchOption TlsResumption = Tls.Switch("TLS Resumption", [], true,
        "A new connection resumes the TLS session of an earlier one to the same host. False makes a full handshake each time. (Not in Npgsql.)");

    public static readonly TextOption SslPassword = Tls.Secret("SSL Password", [], "Password of SSL Key, or of a PFX file.");

    public static readonly SwitchOption CheckCertificateRevocation = Tls.Switch("Check Certificate Revocation", [], false, "Asks whether the server's certificate was revoked.");

    public static readonly WordOption SslNegotiation = Tls.Words("SSL Negotiation", [], PostgreSql.SslNegotiation.Postgres,
        [("Postgres", PostgreSql.SslNegotiation.Postgres), ("Direct", PostgreSql.SslNegotiation.Direct)],
        "How TLS begins: after a request in clear text. `Direct` is not supported.",
        static value => value is PostgreSql.SslNegotiation.Direct ? "beginning with TLS at once is not supported yet. Leave the option out." : null);

    public static readonly WordOption ChannelBinding = Tls.Words("Channel Binding", [], PostgreSql.ChannelBinding.Prefer,
        [("Disable", PostgreSql.ChannelBinding.Disable), ("Prefer", PostgreSql.ChannelBinding.Prefer), ("Require", PostgreSql.ChannelBinding.Require)],
        "Whether SCRAM proves that both ends see the same TLS connection. `Require` refuses any authentication without that proof.");

    public static readonly TextOption RequireAuth = Tls.Text("Require Auth", [],
        "The authentication methods that the server may ask for, separated by commas: `ScramSHA256`, `MD5`, `Password`, `None`; with `!` in front of each, those that it may not ask for. Empty allows all but MD5, and Password only inside verified TLS or over a unix socket.",
        "", static value => AuthenticationWords.Refusal(value));

    public static readonly NumberOption ScramMinIterations = Tls.Number("Scram Min Iterations", [], 4096, 1, Authentication.ScramSha256.MaxIterations, "",
        "The fewest SCRAM iterations that the server may ask for: with fewer, whoever gets the proof can guess the password more cheaply. (Not in Npgsql, which takes any.)");

    public static readonly WordOption GssEncryptionMode = Tls.Words("GSS Encryption Mode", [], PostgreSql.GssEncryptionMode.Prefer,
        [("Disable", PostgreSql.GssEncryptionMode.Disable), ("Prefer", PostgreSql.GssEncryptionMode.Prefer), ("Require", PostgreSql.GssEncryptionMode.Require)],
        "Encryption with Kerberos is never used; `Require` is an error.",
        static value => value is PostgreSql.GssEncryptionMode.Require ? "encryption by Kerberos is not supported. Use SSL Mode." : null);

    public static readonly TextOption KerberosServiceName = Tls.Text("Kerberos Service Name", ["Krbsrvname"], "Ignored.", "postgres");

    public static readonly SwitchOption IncludeRealm = Tls.Switch("Include Realm", [], true, "Ignored.");

    public static readonly SwitchOption TrustServerCertificate = Tls.Switch("Trust Server Certificate", [], false, "Ignored: SSL Mode says whether the certificate is verified.");

    private static readonly OptionGroup Pool = Table.Group("Pool");

    public static readonly SwitchOption Pooling = Pool.Switch("Pooling", [], true, "Closed connections leave their session in a pool for the next Open.");

    public static readonly NumberOption MinPoolSize = Pool.Number("Minimum Pool Size", ["Min Pool Size"], 0, 0, int.MaxValue, "sessions", "Sessions that are kept open even when idle.");

    public static readonly NumberOption MaxPoolSize = Pool.Number("Maximum Pool Size", ["Max Pool Size"], 100, 1, int.MaxValue, "sessions", "Sessions that may be open at once; a caller that finds all of them busy waits up to Timeout.");

    public static readonly NumberOption ConnectionIdleLifetime = Pool.Number("Connection Idle Lifetime", [], 300, 0, MaximumSeconds, "seconds", "An idle session above the minimum is closed after this time. 0 means never.");

    public static readonly NumberOption ConnectionPruningInterval = Pool.Number("Connection Pruning Interval", [], 10, 1, MaximumSeconds, "seconds", "Ignored: each idle session is closed when its time has come.");

    public static readonly NumberOption ConnectionLifetime = Pool.Number("Connection Lifetime", ["Load Balance Timeout"], 3600, 0, MaximumSeconds, "seconds", "A session older than this is closed when it returns to the pool, or when the pool checks its idle sessions. 0 means never.");

    public static readonly SwitchOption NoResetOnClose = Pool.Switch("No Reset On Close", [], false,
        "A pooled session is not reset before its next user's first command. False: it is reset, in the same network packet as that command.");

    public static readonly WordOption ResetMode = Pool.Words("Reset Mode", [], PgResetMode.Automatic,
        [("Automatic", PgResetMode.Automatic), ("Always", PgResetMode.Always), ("Tracked", PgResetMode.Tracked), ("Never", PgResetMode.Never)],
        "`Automatic` does what No Reset On Close says: false is `Tracked`, true is `Never`. `Tracked` keeps prepared statements unless something shows that they could mean something else by now; `Always` is DISCARD ALL, which drops them. `Always`, `Tracked` and `Never` override No Reset On Close. (Not in Npgsql.)");

    private static readonly OptionGroup Times = Table.Group("Timeouts");

    public static readonly NumberOption Timeout = Times.Number("Timeout", [], 15, 0, LongestTimeout, "seconds", "For Open: waiting for the pool, connecting and authenticating. 0 means no limit.");

    public static readonly NumberOption CommandTimeout = Times.Number("Command Timeout", [], 30, 0, MaximumSeconds, "seconds", "CommandTimeout of new commands. 0 means no limit.");

    public static readonly NumberOption ReaderTimeout = Times.Number("Reader Timeout", [], 0, 0, MaximumSeconds, "seconds",
        "How long a data reader may take as a whole, from its execution on; CommandTimeout limits each single wait for the server. When the time has passed, a wait ends as it does at CommandTimeout. 0 means no limit. (Not in Npgsql.)");

    public static readonly NumberOption CancellationTimeout = Times.Number("Cancellation Timeout", [], 2000, -1, int.MaxValue, "milliseconds",
        "How long a command that timed out or was cancelled may take to end after the server was asked to end it; then the connection is closed. The unit is the millisecond, as in Npgsql (the MySQL driver counts seconds, as MySqlConnector does). 0 waits without limit; −1 closes the connection at once without asking.");

    public static readonly NumberOption InternalCommandTimeout = Times.Number("Internal Command Timeout", [], -1, -1, MaximumSeconds, "seconds", "Ignored.");

    private static readonly OptionGroup Behaviour = Table.Group("Commands and errors");

    public static readonly SwitchOption IncludeErrorDetail = Behaviour.Switch("Include Error Detail", [], false, "The exception's message includes the server's detail, which can contain values from the data.");

    public static readonly SwitchOption IncludeFailedBatchedCommand = Behaviour.Switch("Include Failed Batched Command", [], false, "Ignored: the exception of a batch always refers to the command that failed.");

    public static readonly WordOption BatchErrors = Behaviour.Words("Batch Errors", [], PgBatchErrors.Stop,
        [("Stop", PgBatchErrors.Stop), ("Continue", PgBatchErrors.Continue)],
        "What happens when the server refuses a command of a batch. `Stop`: those after it do not run, and outside a transaction those before it are undone. `Continue`: each command succeeds or fails by itself, and at the end one exception, with the SQLSTATE of the first error, holds all of them (the MySQL driver throws only the first). In both drivers each command has its own error in `Error`. (Not in Npgsql; there it is EnableErrorBarriers.)");

    public static readonly SwitchOption Batching = Behaviour.Switch("Batching", [], true,
        "The commands of a batch are sent together. False sends each one when the one before it has been answered. (Not in Npgsql.)");

    public static readonly SwitchOption Pipelining = Behaviour.Switch("Pipelining", [], true,
        "The reset of a pooled session and the start of a transaction travel with the next command. False sends each by itself and waits for its answer. (Not in Npgsql.)");

    public static readonly SwitchOption LogParameters = Behaviour.Switch("Log Parameters", [], false, "Not supported: values of parameters are never logged.",
        static value => value ? "values of parameters are never logged. Leave the option out." : null);

    public static readonly SwitchOption Enlist = Behaviour.Switch("Enlist", [], true, "Open enlists the connection in the ambient transaction.");

    public static readonly SwitchOption AutoPrepare = Behaviour.Switch("Auto Prepare", [], true,
        "SELECT, INSERT, UPDATE, DELETE, MERGE and VALUES are prepared automatically when they have been executed a few times, without an extra round trip. (In Npgsql, Max Auto Prepare turns this on.)");

    public static readonly NumberOption MaxAutoPrepare = Behaviour.Number("Max Auto Prepare", [], 64, 0, int.MaxValue, "statements",
        "Statements that a session keeps prepared; when there are more, the least recently used makes room. 0 is the same as Auto Prepare=false.");

    public static readonly NumberOption AutoPrepareMinUsages = Behaviour.Number("Auto Prepare Min Usages", ["Auto Prepare Min Uses"], 2, 1, int.MaxValue, "executions",
        "How often a statement is executed, in all sessions of the data source together, before an execution prepares it.");

    public static readonly SwitchOption Multiplexing = Behaviour.Switch("Multiplexing", [], false, "Not supported.",
        static value => value ? "not supported. Leave the option out." : null);

    public static readonly WordOption ArrayNullabilityMode = Behaviour.Words("Array Nullability Mode", [], PostgreSql.ArrayNullabilityMode.Never,
        [("Never", PostgreSql.ArrayNullabilityMode.Never), ("Always", PostgreSql.ArrayNullabilityMode.Always), ("PerInstance", PostgreSql.ArrayNullabilityMode.PerInstance)],
        "Not supported, except `Never`: the driver does not read arrays yet.",
        static value => value is not PostgreSql.ArrayNullabilityMode.Never ? "arrays are not supported yet. Leave the option out." : null);

    public static readonly SwitchOption LoadTableComposites = Behaviour.Switch("Load Table Composites", [], false, "Not supported: the driver does not read composite types yet.",
        static value => value ? "composite types are not supported yet. Leave the option out." : null);

    public static readonly TextOption ServerCompatibilityMode = Behaviour.Text("Server Compatibility Mode", [], "Ignored: no type is loaded when a session is opened.", "None");

    public static readonly SwitchOption DirectLargeValues = Behaviour.Switch("Direct Large Values", [], true,
        "A large value is received into an array of its own, and sent from the caller's memory. With false it passes through the connection's buffers in both directions. (Not in Npgsql.)");

    public static readonly NumberOption MaxValueBytes = Behaviour.Number("Max Value Bytes", [], GiB, 1L << 20, int.MaxValue, "bytes",
        "A larger value from the server closes the connection with an error instead of filling the memory. (Not in Npgsql.)");

    public static readonly NumberOption MaxRowBytes = Behaviour.Number("Max Row Bytes", [], GiB, 1L << 20, 1L << 40, "bytes",
        "A row of which more than this must be held in memory closes the connection with an error. (Not in Npgsql.)");

    private static readonly OptionGroup Buffers = Table.Group("Buffers: accepted, and ignored");

    public static readonly NumberOption ReadBufferSize = Buffers.Number("Read Buffer Size", [], 8192, 0, int.MaxValue, "bytes", "Ignored: buffers grow and shrink by themselves.");

    public static readonly NumberOption WriteBufferSize = Buffers.Number("Write Buffer Size", [], 8192, 0, int.MaxValue, "bytes", "Ignored: buffers grow and shrink by themselves.");

    public static readonly NumberOption SocketReceiveBufferSize = Buffers.Number("Socket Receive Buffer Size", [], 0, 0, int.MaxValue, "bytes", "Ignored: the operating system decides.");

    public static readonly NumberOption SocketSendBufferSize = Buffers.Number("Socket Send Buffer Size", [], 0, 0, int.MaxValue, "bytes", "Ignored: the operating system decides.");

    public static readonly NumberOption WriteCoalescingBufferThresholdBytes = Buffers.Number("Write Coalescing Buffer Threshold Bytes", [], 1000, 0, int.MaxValue, "bytes", "Ignored.");

    private static string? RefuseUnlessUtf8(string value) =>
        value.Length == 0 || value.Equals("UTF8", StringComparison.OrdinalIgnoreCase) || value.Equals("UTF-8", StringComparison.OrdinalIgnoreCase)
            ? null
            : "the connection always uses UTF8, which holds every character. Leave the option out.";
}
