using Slipstream.Core.Options;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;

namespace Slipstream.MySql;

/// <summary>
/// Every connection-string option, declared once. Names, aliases and defaults are MySqlConnector's, with MySql.Data's aliases; the last group
/// holds what only MySql.Data has, so that its connection strings can be used when they ask for nothing that is not here.
/// </summary>
internal static class MySqlOptions
{
    private const uint MaximumSeconds = int.MaxValue / 1000;
    private const long GiB = 1L << 30;

    public static readonly OptionTable Table = new() { Example = "Server=db.example.com;Port=3306;User ID=shop;Password=secret;Database=shop" };

    private static readonly OptionGroup Connect = Table.Group("Server and user");

    public static readonly TextOption Server = Connect.Text("Server", ["Host", "Data Source", "Address", "Addr", "Network Address"],
        "Host name or address; several, separated by commas, each with its own port if it has one (`a,b:3307`); or the path of a unix socket, which begins with `/` or `./`. Empty means localhost.");

    public static readonly NumberOption Port = Connect.Number("Port", [], 3306u, 1u, 65535u, "", "TCP port of the servers that are written without one.");

    public static readonly TextOption UserID = Connect.Text("User ID", ["Username", "Uid", "User"], "User name.");

    public static readonly TextOption Password = Connect.Secret("Password", ["Pwd", "Password1", "Pwd1"], "Password.");

    public static readonly TextOption Database = Connect.Text("Database", ["Initial Catalog"], "Default database of the connection. Empty means none.");

    public static readonly WordOption ConnectionProtocol = Connect.Words("Connection Protocol", ["Protocol"], MySqlConnectionProtocol.Socket,
        [
            ("Socket", MySqlConnectionProtocol.Socket), ("Sockets", MySqlConnectionProtocol.Socket), ("Tcp", MySqlConnectionProtocol.Socket),
            ("UnixSocket", MySqlConnectionProtocol.UnixSocket), ("Unix", MySqlConnectionProtocol.UnixSocket),
            ("Pipe", MySqlConnectionProtocol.Pipe), ("NamedPipe", MySqlConnectionProtocol.Pipe),
            ("Memory", MySqlConnectionProtocol.Memory), ("SharedMemory", MySqlConnectionProtocol.Memory),
        ],
        "`Socket` is TCP, or a unix socket when Server is a path; `UnixSocket` says that Server is a path; `Pipe` is a named pipe of Windows (Pipe Name).",
        static value => value switch
        {
            MySqlConnectionProtocol.Pipe when !OperatingSystem.IsWindows() => "named pipes are there on Windows only: use TCP or a unix socket.",
            MySqlConnectionProtocol.Memory => "shared memory is not supported: use a named pipe or TCP.",
            _ => null,
        });

    public static readonly TextOption PipeName = Connect.Text("Pipe Name", ["Pipe"], "The named pipe of `Connection Protocol=Pipe`, on the machine that Server names.", "MYSQL");

    public static readonly WordOption LoadBalance = Connect.Words("Load Balance", [], MySqlLoadBalance.RoundRobin,
        [("RoundRobin", MySqlLoadBalance.RoundRobin), ("FailOver", MySqlLoadBalance.FailOver), ("Random", MySqlLoadBalance.Random), ("LeastConnections", MySqlLoadBalance.LeastConnections)],
        "In which order several servers are tried when a session is opened. One that did not answer is tried last until it answers again, which is found out without making anybody wait. `LeastConnections` counts the sessions of this data source.");

    public static readonly NumberOption HostConnectTimeout = Connect.Number("Host Connect Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "For one of several servers, until the next is tried. 0 means an equal part of what is left of Connection Timeout. (Not in MySqlConnector.)");

    public static readonly NumberOption DnsCheckInterval = Connect.Number("DNS Check Interval", [], 0u, 0u, MaximumSeconds, "seconds",
        "How often host names are resolved again, in the background; when the addresses have changed (two looks agree), the pool is cleared. 0 means never: only new sessions follow a change.");

    public static readonly WordOption ServerRedirectionMode = Connect.Words("Server Redirection Mode", [], MySqlServerRedirectionMode.Disabled,
        [("Disabled", MySqlServerRedirectionMode.Disabled), ("Preferred", MySqlServerRedirectionMode.Preferred), ("Required", MySqlServerRedirectionMode.Required)],
        "Whether the server may send the client to another server: MariaDB's redirect_url, Azure's gateway. Followed once for each new session, only behind a verified certificate and to Redirection Hosts. `Preferred` stays where it cannot follow, `Required` makes that an error.");

    public static readonly TextOption RedirectionHosts = Connect.Text("Redirection Hosts", [],
        "Where the server may send the client: host names, addresses and `*.domain`, separated by commas. Empty means the hosts of Server. (Not in MySqlConnector.)");

    public static readonly TextOption ApplicationName = Connect.Text("Application Name", [], "Sent to the server as the connection attribute program_name, and used in the names of metrics.");

    public static readonly NumberOption Keepalive = Connect.Number("Keep Alive", [], 0u, 0u, MaximumSeconds, "seconds", "Idle time after which TCP asks whether the peer is still there. 0 means the operating system's default.");

    public static readonly SwitchOption InteractiveSession = Connect.Switch("Interactive Session", ["Interactive"], false, "The server applies interactive_timeout in place of wait_timeout.");

    public static readonly WordOption AsyncEngine = Connect.Words("Async Engine", [], Core.Wires.AsyncEngine.Auto,
        [("Auto", Core.Wires.AsyncEngine.Auto), ("Own", Core.Wires.AsyncEngine.Own), ("Runtime", Core.Wires.AsyncEngine.Runtime)],
        "Who completes asynchronous waits for the server: `Runtime` the runtime's sockets; `Own` the driver's own engine (Linux on x64 and arm64, elsewhere the runtime's sockets); `Auto` is the driver's choice, today `Own`. (Not in MySqlConnector.)");

    public static readonly WordOption AsyncContinuations = Connect.Words("Async Continuations", [], Core.Wires.AsyncContinuations.Engine,
        [("Engine", Core.Wires.AsyncContinuations.Engine), ("ThreadPool", Core.Wires.AsyncContinuations.ThreadPool)],
        "Where the caller goes on after an asynchronous wait that the own engine has completed: `Engine` on the thread that received the answer, `ThreadPool` on the thread pool. (Not in MySqlConnector.)");

    public static readonly SwitchOption Spinning = Connect.Switch("Spinning", [], true,
        "A thread that waits for a single connection's answers looks for the next one a few times before it sleeps, where the own engine waits and processors are to spare. False lets it sleep at once. (Not in MySqlConnector.)");

    public static readonly SwitchOption AdaptiveReceives = Connect.Switch("Adaptive Receives", [], true,
        "Receives follow what comes: a buffer grows while a large result streams in, TLS receives more than one record, small answers of a batch gather for a millisecond at most. False receives into 64 KiB whatever is there. (Not in MySqlConnector.)");

    public static readonly SwitchOption PersistSecurityInfo = Connect.Switch("Persist Security Info", [], false, "The connection string of an opened connection still shows the password.");

    private static readonly OptionGroup Tls = Table.Group("TLS and authentication");

    public static readonly WordOption SslMode = Tls.Words("SSL Mode", [], MySqlSslMode.Preferred,
        [
            ("None", MySqlSslMode.None), ("Disabled", MySqlSslMode.None), ("Preferred", MySqlSslMode.Preferred), ("Required", MySqlSslMode.Required),
            ("VerifyCA", MySqlSslMode.VerifyCA), ("VerifyFull", MySqlSslMode.VerifyFull),
        ],
        "`Preferred` uses TLS when the server offers it, `Required` demands it; only `VerifyCA` (a trusted authority) and `VerifyFull` (and the host's name) verify the certificate.");

    public static readonly TextOption SslCa = Tls.Text("SSL CA", ["CA Certificate File"], "File with the authorities that are trusted, and only those: PEM, or DER with one. Empty means the system's. With `Required` it makes the mode `VerifyCA`.");

    public static readonly TextOption SslCert = Tls.Text("SSL Cert", [], "PEM file with the client's certificate; needs SSL Key.");

    public static readonly TextOption SslKey = Tls.Text("SSL Key", [], "PEM file with the private key of SSL Cert. Of an encrypted one Certificate Password is the password.");

    public static readonly TextOption CertificateFile = Tls.Text("Certificate File", [], "PFX file with the client's certificate and key.");

    public static readonly TextOption CertificatePassword = Tls.Secret("Certificate Password", ["SSL Key Password"], "Password of Certificate File, or of an encrypted SSL Key.");

    public static readonly WordOption CertificateStoreLocation = Tls.Words("Certificate Store Location", [], MySqlCertificateStoreLocation.None,
        [("None", MySqlCertificateStoreLocation.None), ("CurrentUser", MySqlCertificateStoreLocation.CurrentUser), ("LocalMachine", MySqlCertificateStoreLocation.LocalMachine)],
        "Whose personal certificate store has the client's certificate, in place of a file. Read once per data source. Elsewhere than on Windows and macOS the runtime keeps a store for `CurrentUser` only.");

    public static readonly TextOption CertificateThumbprint = Tls.Text("Certificate Thumbprint", ["Certificate Thumb Print"],
        "Which certificate of the store is used: its SHA-1 or SHA-256 in hexadecimal, with or without separators. Empty means that the TLS handshake chooses among those with a private key.");

    public static readonly SwitchOption SkipCertificateRevocationCheck = Tls.Switch("Skip Certificate Revocation Check", [], false, "`VerifyFull` does not ask whether the certificate was revoked. With SSL CA it never asks.");

    public static readonly TextOption TlsVersion = Tls.Text("TLS Version", [], "Allowed versions, separated by commas: `TLS 1.2`, `TLS 1.3`. Empty means what the operating system allows.", "",
        static value => TlsVersions.Refusal(value));

    public static readonly SwitchOption TlsResumption = Tls.Switch("TLS Resumption", [], true,
        "A new connection resumes the TLS session of an earlier one to the same host. False makes a full handshake each time. (Not in MySqlConnector.)");

    public static readonly TextOption TlsCipherSuites = Tls.Text("TLS Cipher Suites", [], "Allowed cipher suites by their IANA names, separated by commas. Empty means what the operating system allows.");

    public static readonly SwitchOption AllowPublicKeyRetrieval = Tls.Switch("Allow Public Key Retrieval", [], false,
        "The server may be asked for its RSA key when a password must be encrypted outside TLS. Somebody in the middle can send a key of his own: pin it with Server RSA Public Key File instead.");

    public static readonly TextOption ServerRsaPublicKeyFile = Tls.Text("Server RSA Public Key File", [], "PEM file with the server's RSA key, for caching_sha2_password and sha256_password outside TLS.");

    public static readonly SwitchOption AllowCleartextPassword = Tls.Switch("Allow Cleartext Password", [], false,
        "mysql_clear_password may be answered to a server on the loopback address without TLS. Over verified TLS and unix sockets it always may, to anybody else never. (Not in MySqlConnector.)");

    public static readonly TextOption ServerSPN = Tls.Text("Server SPN", [],
        "Service principal name for Kerberos (auth_gssapi_client, authentication_kerberos_client), such as mariadb/host@REALM. Empty means the one that the server says, which is believed inside verified TLS and over a unix socket only.");

    public static readonly TextOption RequireAuth = Tls.Text("Require Auth", [],
        "The authentication methods that may be answered, by their names, separated by commas: caching_sha2_password, sha256_password, mysql_native_password, client_ed25519, parsec, mysql_clear_password, dialog, authentication_ldap_sasl_client, auth_gssapi_client, authentication_kerberos_client. A server that asks for another one, or for none, is refused. Empty means all. (Not in MySqlConnector.)",
        "", static value => MethodNames.Refusal(value));

    public static readonly NumberOption ScramMinIterations = Tls.Number("Scram Min Iterations", [], 4096, 1, Authentication.Scram.MaxIterations, "",
        "The fewest iterations of SCRAM (authentication_ldap_sasl_client) that the server may ask for: fewer make the password cheaper to guess for whoever gets the proof. (Not in MySqlConnector.)");

    public static readonly SwitchOption CanHandleExpiredPasswords = Tls.Switch("Can Handle Expired Passwords", [], false,
        "An account whose password has expired is let in to change it (ALTER USER, SET PASSWORD); everything else fails with error 1820 until then, and the session does not go back to the pool. A question of one round trip per new session fills `MySqlConnection.IsPasswordExpired`. (Not in MySqlConnector.)");

    public static readonly TextOption Password2 = Tls.Secret("Password2", ["Pwd2"], "Password of the account's second factor. (Of MySql.Data.)");

    public static readonly TextOption Password3 = Tls.Secret("Password3", ["Pwd3"], "Password of the account's third factor. (Of MySql.Data.)");

    private static readonly OptionGroup Pool = Table.Group("Pool");

    public static readonly SwitchOption Pooling = Pool.Switch("Pooling", [], true, "Closed connections leave their session in a pool for the next Open.");

    public static readonly NumberOption MinimumPoolSize = Pool.Number("Minimum Pool Size", ["Min Pool Size"], 0u, 0u, (uint)int.MaxValue, "sessions", "Kept open even when idle.");

    public static readonly NumberOption MaximumPoolSize = Pool.Number("Maximum Pool Size", ["Max Pool Size"], 100u, 1u, (uint)int.MaxValue, "sessions", "Open at once; who comes when all are busy waits up to Connection Timeout.");

    public static readonly NumberOption MaximumTotalConnections = Pool.Number("Maximum Total Connections", [], 0u, 0u, (uint)int.MaxValue, "sessions",
        "Of all pools of this process that have the same Server and Port and the same number here: who finds that many has an idle session of another pool closed, or waits for his turn. 0 means without limit. (Not in MySqlConnector.)");

    public static readonly SwitchOption PoolPerServer = Pool.Switch("Pool Per Server", [], false,
        "One pool for all databases of a server: connection strings that differ in Database only share it, and a session is moved to the connection's database together with its first command. A database that does not exist is the first command's error then, not Open's. (Not in MySqlConnector.)");

    public static readonly NumberOption ConnectionIdleTimeout = Pool.Number("Connection Idle Timeout", [], 180u, 0u, MaximumSeconds, "seconds", "An idle session above the minimum is closed after this time. 0 means never.");

    public static readonly NumberOption ConnectionLifeTime = Pool.Number("Connection Lifetime", [], 0u, 0u, MaximumSeconds, "seconds", "A session older than this is closed when it comes back. 0 means never.");

    public static readonly SwitchOption ConnectionReset = Pool.Switch("Connection Reset", [], true,
        "A pooled session is reset before its next user's first command, in the same network packet. False leaves variables, temporary tables and locks to the next user.");

    public static readonly WordOption ResetMode = Pool.Words("Reset Mode", [], MySqlResetMode.Automatic,
        [("Automatic", MySqlResetMode.Automatic), ("Always", MySqlResetMode.Always), ("Tracked", MySqlResetMode.Tracked), ("Never", MySqlResetMode.Never)],
        "`Automatic` does what Connection Reset says: true is `Tracked`, false is `Never`. `Tracked` leaves the reset out when the session is proven clean: prepared statements survive the pool. `Always`, `Tracked` and `Never` win over Connection Reset. (Not in MySqlConnector.)");

    public static readonly SwitchOption DeferConnectionReset = Pool.Switch("Defer Connection Reset", [], true, "Ignored: the reset always travels with the next command.");

    public static readonly NumberOption ConnectionIdlePingTime = Pool.Number("Connection Idle Ping Time", [], 0u, 0u, uint.MaxValue, "seconds", "Ignored: whether an idle session is alive is seen without asking the server.");

    private static readonly OptionGroup Times = Table.Group("Timeouts");

    public static readonly NumberOption ConnectionTimeout = Times.Number("Connection Timeout", ["Connect Timeout"], 15u, 0u, MaximumSeconds, "seconds", "For Open: waiting for the pool, connecting and authenticating. 0 means no limit.");

    public static readonly NumberOption DefaultCommandTimeout = Times.Number("Default Command Timeout", ["Command Timeout"], 30u, 0u, MaximumSeconds, "seconds", "CommandTimeout of new commands. 0 means no limit.");

    public static readonly NumberOption ReaderTimeout = Times.Number("Reader Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "Seconds that a data reader may take as a whole, from its execution on: a wait for the server beyond them ends as one beyond CommandTimeout, which counts anew for each wait, does. 0 means no limit. (Not in MySqlConnector.)");

    public static readonly NumberOption CancellationTimeout = Times.Number("Cancellation Timeout", [], 2, -1, (int)MaximumSeconds, "seconds",
        "How long a command that ran out of time, or was cancelled, may take to end after the server was asked to end it; then the connection is closed. 0 waits without limit, −1 closes at once without asking.");

    public static readonly SwitchOption ServerDeadlines = Times.Switch("Server Deadlines", [], false,
        "A command's time-out is told to the server too (`max_statement_time` of MariaDB; `max_execution_time` of MySQL, which is for SELECT alone), which then stops the statement by itself, even when the client is gone or cannot connect to cancel it. Travels with the command, and only when the time-out is another than that of the command before. To the server the time that rows wait for a slow reader counts, too. Not used where nothing may travel with a command (`Pipelining Mode`) or where the server has no such variable (before MySQL 5.7.8 and MariaDB 10.1). (Not in MySqlConnector.)");

    private static readonly OptionGroup Behaviour = Table.Group("Commands");

    public static readonly SwitchOption AllowUserVariables = Behaviour.Switch("Allow User Variables", [], false, "`@name` without a parameter of that name is the server's user variable; otherwise it is an error, because it is nearly always a forgotten parameter.");

    public static readonly SwitchOption UseAffectedRows = Behaviour.Switch("Use Affected Rows", [], false, "UPDATE reports the rows it changed in place of the rows it found.");

    public static readonly SwitchOption AllowLoadLocalInfile = Behaviour.Switch("Allow Load Local Infile", [], false, "A bulk copy may send its rows by LOAD DATA LOCAL, and a bulk loader those of a stream. No file of this machine is read because of it.");

    public static readonly TextOption AllowLoadLocalInfileInPath = Behaviour.Text("Allow Load Local Infile In Path", [],
        "A bulk loader may read the files below this directory. A server that asks for another than the one that is being loaded gets nothing. Empty means that no file is read. (Not in MySqlConnector.)");

    public static readonly SwitchOption QueryAttributes = Behaviour.Switch("Query Attributes", [], true,
        "Commands may have query attributes. Two bytes of each text say that it has none; false saves them, and then a command with attributes is an error. Servers without them (MariaDB, MySQL before 8.0.26) get none. (Not in MySqlConnector.)");

    public static readonly SwitchOption TraceContext = Behaviour.Switch("Trace Context", [], false,
        "Commands and batches carry the id of their span, or of Activity.Current, as query attribute `traceparent`: MySQL's telemetry component ties its traces to it. 72 bytes more. Servers without query attributes get none. (Not in MySqlConnector.)");

    public static readonly SwitchOption NoBackslashEscapes = Behaviour.Switch("No Backslash Escapes", [], false, "Ignored: the server reports in every answer whether a backslash escapes, and that is obeyed.");

    public static readonly SwitchOption IgnoreCommandTransaction = Behaviour.Switch("Ignore Command Transaction", [], false, "A command's Transaction need not be the one of its connection.");

    public static readonly SwitchOption IgnorePrepare = Behaviour.Switch("Ignore Prepare", [], false, "Prepare() does nothing.");

    public static readonly SwitchOption AutoPrepare = Behaviour.Switch("Auto Prepare", [], true,
        "A statement that is executed again and again is prepared by itself when nobody can see a difference. False for proxies that pin a session that prepares (RDS Proxy). (Not in MySqlConnector.)");

    public static readonly NumberOption AutoPrepareMinUses = Behaviour.Number("Auto Prepare Min Uses", [], 2u, 1u, 1000u, "executions",
        "How often a statement is executed as text before it is prepared by itself. (Not in MySqlConnector.)");

    public static readonly NumberOption MaxAutoPrepare = Behaviour.Number("Max Auto Prepare", [], 64u, 0u, 4096u, "statements",
        "Statements that a session keeps prepared; the least recently used goes. 0 prepares nothing by itself. (Not in MySqlConnector.)");

    public static readonly NumberOption AutoPrepareBudget = Behaviour.Number("Auto Prepare Budget", [], 4096u, 0u, 1u << 20, "statements",
        "Statements that all sessions of a data source keep prepared by themselves: by default a quarter of a server's max_prepared_stmt_count, which all its clients share. (Not in MySqlConnector.)");

    public static readonly SwitchOption Pipelining = Behaviour.Switch("Pipelining", [], true, "The reset of a pooled session and the start of a transaction travel with the next command. False sends them alone, for proxies that cannot take it.");

    public static readonly WordOption PipeliningMode = Behaviour.Words("Pipelining Mode", [], MySqlPipeliningMode.Automatic,
        [("Automatic", MySqlPipeliningMode.Automatic), ("Auto", MySqlPipeliningMode.Auto), ("On", MySqlPipeliningMode.On), ("Off", MySqlPipeliningMode.Off)],
        "`Automatic` does what Pipelining says: true is `Auto`, false is `Off`. `Auto` finds out with the first connection whether the server (or the proxy in front of it) takes several commands in one packet; `On` and `Off` know. (Not in MySqlConnector.)");

    public static readonly NumberOption ServerSendBuffer = Behaviour.NumberOrAuto("Server Send Buffer", [], 1 << 20, "bytes",
        "A server sends large results in pieces of 16 KiB until it has received a larger packet. `Auto`: a session that has received a result of more than 512 KiB sends such a packet once, of 128 KiB and without a round trip, to servers that do not look like a proxy. A number: every session does, with its first command. 0: none does. (Not in MySqlConnector.)");

    public static readonly SwitchOption AutoEnlist = Behaviour.Switch("Auto Enlist", [], true, "Open takes part in the ambient transaction (TransactionScope).");

    public static readonly SwitchOption UseXaTransactions = Behaviour.Switch("Use XA Transactions", [], true, "An ambient transaction is an XA transaction, in which several sessions may take part. False: an ordinary one, with one session.");

    public static readonly SwitchOption ForceSynchronous = Behaviour.Switch("Force Synchronous", [], false, "Asynchronous methods block.",
        static value => value ? "is not supported: call the synchronous methods, which never use asynchronous I/O." : null);

    public static readonly SwitchOption UseCompression = Behaviour.Switch("Use Compression", ["Compress"], false, "What travels is compressed with zlib when the server offers that: for networks that are slower than the processors at both ends. (A server that has only zstd is refused.)");

    public static readonly TextOption CharacterSet = Behaviour.Text("Character Set", ["CharSet"], "Ignored: the connection always uses utf8mb4, which holds every character.");

    private static readonly OptionGroup Batches = Table.Group("Batches");

    public static readonly SwitchOption AllowConcurrentCommands = Batches.Switch("Allow Concurrent Commands", [], false,
        "Asynchronous commands that are started while another one runs on the same connection wait for their turn, with the parameters they had when they were started. False makes them an error. (Not in MySqlConnector.)");

    public static readonly TextOption Multiplexing = Batches.Text("Multiplexing", [],
        "Withdrawn. Each command has a session of its own; only `Off` is accepted. (Not in MySqlConnector.)", "Off",
        static value => value.Trim().Equals("Off", StringComparison.OrdinalIgnoreCase)
            ? null
            : "commands of a data source share no sessions any more: leave the option out. For many callers on few sessions set Maximum Pool Size.");

    public static readonly SwitchOption MergeInserts = Batches.Switch("Merge Inserts", [], false,
        "`False`: each INSERT of a batch is a statement of its own. `True`: consecutive commands with the same `INSERT INTO … VALUES (…)` become one statement of many rows, inside a transaction and outside, "
        + "without asking what the table is. That can be seen: `LAST_INSERT_ID()` is the first key instead of the last one, `ROW_COUNT()`, warnings and `NOW()` are the statement's; a refused row takes the rows merged with it along (on a table "
        + "without transactions the rows before it stay) and leaves a gap in the keys, and the error names the first command of them; on such a table, or without strict mode, values are cut or replaced instead of refused from the second row on; "
        + "triggers and defaults see one statement. For tables and programs where none of this counts. (Not in MySqlConnector.)");

    public static readonly SwitchOption Batching = Batches.Switch("Batching", [], true,
        "The commands of a batch travel together. False sends each when the one before it has been answered. (Not in MySqlConnector.)");

    public static readonly WordOption BatchErrors = Batches.Words("Batch Errors", [], MySqlBatchErrors.Stop,
        [("Stop", MySqlBatchErrors.Stop), ("Continue", MySqlBatchErrors.Continue)],
        "`Stop` executes the commands of a batch up to the first error; `Continue` executes all of them, each by itself in one network packet, and throws the first error at the end. (Not in MySqlConnector.)");

    private static readonly OptionGroup Values = Table.Group("Values");

    public static readonly SwitchOption StrictConversions = Values.Switch("Strict Conversions", [], false,
        "A typed getter (GetInt32) gives what its column holds (INT). Integers are also read as other numbers (OverflowException for one that does not fit), FLOAT as Double, GUIDs as text; anything else is an InvalidCastException, as ADO.NET's documentation says. Otherwise numbers are converted as in MySqlConnector. (Not in MySqlConnector.)");

    public static readonly SwitchOption TreatTinyAsBoolean = Values.Switch("Treat Tiny As Boolean", [], true, "TINYINT(1) is a Boolean; otherwise an SByte.");

    public static readonly WordOption GuidFormat = Values.Words("GUID Format", [], MySqlGuidFormat.Default,
        [
            ("Default", MySqlGuidFormat.Default), ("None", MySqlGuidFormat.None), ("Char36", MySqlGuidFormat.Char36), ("Char32", MySqlGuidFormat.Char32),
            ("Binary16", MySqlGuidFormat.Binary16), ("TimeSwapBinary16", MySqlGuidFormat.TimeSwapBinary16), ("LittleEndianBinary16", MySqlGuidFormat.LittleEndianBinary16),
        ],
        "How Guid values are stored, and which columns are read as Guid. `Default` is `Char36`, or `LittleEndianBinary16` with Old Guids.");

    public static readonly SwitchOption OldGuids = Values.Switch("Old Guids", [], false, "BINARY(16) columns are Guids in the byte order of Guid.ToByteArray. Not together with GUID Format.");

    public static readonly SwitchOption AllowZeroDateTime = Values.Switch("Allow Zero DateTime", [], false, "GetValue returns MySqlDateTime for DATE, DATETIME and TIMESTAMP, which can hold 0000-00-00.");

    public static readonly SwitchOption ConvertZeroDateTime = Values.Switch("Convert Zero DateTime", [], false, "0000-00-00 is read as DateTime.MinValue; otherwise it is an error.");

    public static readonly WordOption DateTimeKind = Values.Words("DateTime Kind", [], MySqlDateTimeKind.Unspecified,
        [("Unspecified", MySqlDateTimeKind.Unspecified), ("Utc", MySqlDateTimeKind.Utc), ("Local", MySqlDateTimeKind.Local)],
        "Kind of the DateTime values that are read; with `Utc` or `Local` a parameter of the other kind is an error.");

    public static readonly SwitchOption DirectLargeValues = Values.Switch("Direct Large Values", [], true,
        "A large value is received into an array of its own, read from the wire with SequentialAccess, and sent from where it lies. False holds it in the connection's buffers on its way, in both directions. (Not in MySqlConnector.)");

    public static readonly NumberOption MaxValueBytes = Values.Number("Max Value Bytes", [], GiB, 1L << 20, int.MaxValue, "bytes",
        "A value of the server larger than this ends the connection with an error instead of filling the memory. (Not in MySqlConnector.)");

    public static readonly NumberOption MaxRowBytes = Values.Number("Max Row Bytes", [], GiB, 1L << 20, 1L << 40, "bytes",
        "A row of which more than this would have to be held ends the connection with an error. (Not in MySqlConnector.)");

    private static readonly OptionGroup OnlyMySqlData = Table.Group("Of MySql.Data only: accepted at the value that changes nothing");

    public static readonly SwitchOption AllowBatch = OnlyMySqlData.Switch("Allow Batch", [], true, "Several statements in one command, always allowed here.", static value =>
        value ? null : "several statements in one command cannot be forbidden: leave the option out.");

    public static readonly SwitchOption CheckParameters = OnlyMySqlData.Switch("Check Parameters", [], true, "Ignored.");

    public static readonly SwitchOption CacheServerProperties = OnlyMySqlData.Switch("Cache Server Properties", [], false, "Ignored: server properties are never asked for.");

    public static readonly SwitchOption Logging = OnlyMySqlData.Switch("Logging", [], false, "Ignored: give the data source an ILoggerFactory.");

    public static readonly NumberOption ProcedureCacheSize = OnlyMySqlData.Number("Procedure Cache Size", ["Procedure Cache"], 25u, 0u, uint.MaxValue, "procedures", "Ignored.");

    public static readonly SwitchOption RespectBinaryFlags = OnlyMySqlData.Switch("Respect Binary Flags", [], true, "Binary columns are read as bytes.", static value =>
        value ? null : "binary columns are always read as bytes: use GetString or CAST where text is wanted.");

    public static readonly SwitchOption FunctionsReturnString = Unsupported("Functions Return String", "use GetString or CAST where text is wanted.");

    public static readonly SwitchOption TreatBlobsAsUtf8 = Unsupported("Treat Blobs As UTF8", "use GetString or CAST where text is wanted.");

    public static readonly SwitchOption Replication = Unsupported("Replication", "name the servers in Server.");

    public static readonly SwitchOption UseUsageAdvisor = Unsupported("Use Usage Advisor", "leave the option out.", "Usage Advisor");

    public static readonly SwitchOption UsePerformanceMonitor = Unsupported("Use Performance Monitor", "read the OpenTelemetry metrics.", "Use Perf Mon", "Perf Mon");

    public static readonly SwitchOption TableCaching = Unsupported("Table Caching", "leave the option out.", "Table Cache");

    public static readonly SwitchOption SqlServerMode = Unsupported("SQL Server Mode", "quote names with backticks.");

    public static readonly SwitchOption DnsSrv = Unsupported("DNS SRV", "name the servers in Server.");

    public static readonly TextOption BlobAsUtf8IncludePattern = Absent("Blob As UTF8 Include Pattern", "use GetString or CAST where text is wanted.");

    public static readonly TextOption BlobAsUtf8ExcludePattern = Absent("Blob As UTF8 Exclude Pattern", "use GetString or CAST where text is wanted.");

    public static readonly TextOption CommandInterceptors = Absent("Command Interceptors", "classes are never loaded by name: listen to the OpenTelemetry source Slipstream.MySql, or give the data source an ILoggerFactory.");

    public static readonly TextOption ExceptionInterceptors = Absent("Exception Interceptors", "classes are never loaded by name: catch MySqlException where the command is run.");

    public static readonly TextOption SharedMemoryName = OnlyMySqlData.Text("Shared Memory Name", [], "Ignored: shared memory is not supported, and Connection Protocol says so.", "MYSQL");

    public static readonly TextOption DefaultAuthenticationPlugin = OnlyMySqlData.Text("Default Authentication Plugin", [], "Ignored: the server names the user's method, at the cost of one round trip at most.");

    public static readonly TextOption KerberosAuthMode = OnlyMySqlData.Text("Kerberos Auth Mode", [], "Ignored: the operating system's way is used.", "AUTO");

    public static readonly TextOption OciConfigFile = Absent("OCI Config File", "Oracle's cloud authentication needs its own key files: use a user with a password.");

    public static readonly TextOption OciConfigProfile = OnlyMySqlData.Text("OCI Config Profile", [], "Ignored: see OCI Config File.", "DEFAULT");

    public static readonly TextOption OpenIdIdentityToken = Absent("OpenID Identity Token", "OpenID Connect authentication is not here: use a user with a password.");

    public static readonly TextOption SslCrl = Absent("SSL CRL", "lists of revoked certificates are the operating system's: SSL Mode=VerifyFull asks it.");

    public static readonly TextOption SshHostName = Absent("SSH Host Name", "open the tunnel with ssh -L or SSH.NET, and name its local end in Server.");

    public static readonly NumberOption SshPort = OnlyMySqlData.Number("SSH Port", [], 22u, 1u, 65535u, "", "Ignored: see SSH Host Name.");

    public static readonly TextOption SshUserName = OnlyMySqlData.Text("SSH User Name", [], "Ignored: see SSH Host Name.");

    public static readonly TextOption SshPassword = OnlyMySqlData.Secret("SSH Password", [], "Ignored: see SSH Host Name.");

    public static readonly TextOption SshKeyFile = OnlyMySqlData.Text("SSH Key File", [], "Ignored: see SSH Host Name.");

    public static readonly TextOption SshPassphrase = OnlyMySqlData.Secret("SSH Passphrase", [], "Ignored: see SSH Host Name.");

    public static readonly NumberOption DefaultTableCacheAge = OnlyMySqlData.Number("Default Table Cache Age", [], 60u, 0u, MaximumSeconds, "seconds", "Ignored: tables are never cached.");

    public static readonly SwitchOption UseProcedureBodies = OnlyMySqlData.Switch("Use Procedure Bodies", ["Procedure Bodies"], true, "Ignored.");

    public static readonly SwitchOption IncludeSecurityAsserts = Unsupported("Include Security Asserts", "leave the option out.");

    public static readonly SwitchOption IntegratedSecurity = Unsupported("Integrated Security", "use a user with a password.", "Trusted_Connection");

    public static readonly SwitchOption UseDefaultCommandTimeoutForEF = Unsupported("Use Default Command Timeout For EF", "leave the option out.");

    private static TextOption Absent(string name, string advice) =>
        OnlyMySqlData.Text(name, [], "Not supported.", "", value => value.Length > 0 ? "is not supported: " + advice : null);

    private static SwitchOption Unsupported(string name, string advice, params string[] aliases) =>
        OnlyMySqlData.Switch(name, aliases, false, "Not supported.", value => value ? "is not supported: " + advice : null);
}
