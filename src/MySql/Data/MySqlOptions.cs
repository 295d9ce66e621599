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
    internal const uint MaximumSeconds = int.MaxValue / 1000;
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
            MySqlConnectionProtocol.Pipe when !OperatingSystem.IsWindows() => "named pipes exist only on Windows. Use TCP or a unix socket.",
            MySqlConnectionProtocol.Memory => "shared memory is not supported. Use a named pipe or TCP.",
            _ => null,
        });

    public static readonly TextOption PipeName = Connect.Text("Pipe Name", ["Pipe"], "The named pipe of `Connection Protocol=Pipe`, on the machine that Server names.", "MYSQL");

    public static readonly WordOption LoadBalance = Connect.Words("Load Balance", [], MySqlLoadBalance.RoundRobin,
        [("RoundRobin", MySqlLoadBalance.RoundRobin), ("FailOver", MySqlLoadBalance.FailOver), ("Random", MySqlLoadBalance.Random), ("LeastConnections", MySqlLoadBalance.LeastConnections)],
        "The order in which several servers are tried when a session is opened. A server that did not answer is tried last until a check in the background finds it alive. `LeastConnections` counts the sessions of this data source.");

    public static readonly NumberOption HostConnectTimeout = Connect.Number("Host Connect Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "How long one of several servers may take before the next one is tried. 0 means an equal part of what is left of Connection Timeout. (Not in MySqlConnector.)");

    public static readonly NumberOption DnsCheckInterval = Connect.Number("DNS Check Interval", [], 0u, 0u, MaximumSeconds, "seconds",
        "How often host names are resolved again, in the background; when two successive answers agree that the addresses have changed, the pool is cleared. 0 means never: only new sessions follow a change.");

    public static readonly WordOption ServerRedirectionMode = Connect.Words("Server Redirection Mode", [], MySqlServerRedirectionMode.Disabled,
        [("Disabled", MySqlServerRedirectionMode.Disabled), ("Preferred", MySqlServerRedirectionMode.Preferred), ("Required", MySqlServerRedirectionMode.Required)],
        "Whether the server may send the client to another server: MariaDB's redirect_url, Azure's gateway. Followed once for each new session, only after a verified certificate and only to Redirection Hosts. Where the driver cannot follow, `Preferred` stays on the server that it has reached, and `Required` is an error.");

    public static readonly TextOption RedirectionHosts = Connect.Text("Redirection Hosts", [],
        "Where the server may send the client: host names, addresses and `*.domain`, separated by commas. Empty means the hosts of Server. (Not in MySqlConnector.)");

    public static readonly TextOption ApplicationName = Connect.Text("Application Name", [], "Sent to the server as the connection attribute program_name, and used in the names of metrics.");

    public static readonly NumberOption Keepalive = Connect.Number("Keep Alive", [], 0u, 0u, MaximumSeconds, "seconds", "Idle time after which TCP asks whether the peer is still there. 0 means the operating system's default.");

    public static readonly SwitchOption InteractiveSession = Connect.Switch("Interactive Session", ["Interactive"], false, "The server applies interactive_timeout instead of wait_timeout.");

    public static readonly WordOption AsyncEngine = Connect.Words("Async Engine", [], Core.Wires.AsyncEngine.Auto,
        [("Auto", Core.Wires.AsyncEngine.Auto), ("Own", Core.Wires.AsyncEngine.Own), ("Runtime", Core.Wires.AsyncEngine.Runtime)],
        "What completes asynchronous waits for the server: `Runtime` means the runtime's sockets; `Own` means the driver's own engine (on Linux with x64 or arm64; elsewhere the runtime's sockets); `Auto` is the driver's choice, today `Own`. (Not in MySqlConnector.)");

    public static readonly WordOption AsyncContinuations = Connect.Words("Async Continuations", [], Core.Wires.AsyncContinuations.Engine,
        [("Engine", Core.Wires.AsyncContinuations.Engine), ("ThreadPool", Core.Wires.AsyncContinuations.ThreadPool)],
        "Where the caller's code continues after an asynchronous wait that the driver's own engine has completed: `Engine` means on the thread that received the answer, `ThreadPool` on the thread pool. (Not in MySqlConnector.)");

    public static readonly SwitchOption Spinning = Connect.Switch("Spinning", [], true,
        "A thread of the driver's own engine that serves a single connection polls for the next answer a few times before it sleeps, if a processor is idle. False lets it sleep at once. (Not in MySqlConnector.)");

    public static readonly SwitchOption AdaptiveReceives = Connect.Switch("Adaptive Receives", [], true,
        "Receiving adapts to what arrives: the buffer grows during a large result, TLS receives more than one record at a time, and small answers of a batch gather for a millisecond at most. False always receives what is there into a buffer of 64 KiB. (Not in MySqlConnector.)");

    public static readonly SwitchOption PersistSecurityInfo = Connect.Switch("Persist Security Info", [], false, "The ConnectionString of an opened connection contains the password.");

    private static readonly OptionGroup Tls = Table.Group("TLS and authentication");

    public static readonly WordOption SslMode = Tls.Words("SSL Mode", [], MySqlSslMode.Preferred,
        [
            ("None", MySqlSslMode.None), ("Disabled", MySqlSslMode.None), ("Preferred", MySqlSslMode.Preferred), ("Required", MySqlSslMode.Required),
            ("VerifyCA", MySqlSslMode.VerifyCA), ("VerifyFull", MySqlSslMode.VerifyFull),
        ],
        "`Preferred` uses TLS when the server offers it, `Required` demands it; only `VerifyCA` (a trusted authority) and `VerifyFull` (and the host's name) verify the certificate.");

    public static readonly TextOption SslCa = Tls.Text("SSL CA", ["CA Certificate File"], "File with the certificate authorities to trust, in place of the system's: PEM, or DER with a single one. Empty means the system's. With `Required` it makes the mode `VerifyCA`.");

    public static readonly TextOption SslCert = Tls.Text("SSL Cert", [], "PEM file with the client's certificate; needs SSL Key.");

    public static readonly TextOption SslKey = Tls.Text("SSL Key", [], "PEM file with the private key of SSL Cert. If it is encrypted, Certificate Password is its password.");

    public static readonly TextOption CertificateFile = Tls.Text("Certificate File", [], "PFX file with the client's certificate and key.");

    public static readonly TextOption CertificatePassword = Tls.Secret("Certificate Password", ["SSL Key Password"], "Password of Certificate File, or of an encrypted SSL Key.");

    public static readonly WordOption CertificateStoreLocation = Tls.Words("Certificate Store Location", [], MySqlCertificateStoreLocation.None,
        [("None", MySqlCertificateStoreLocation.None), ("CurrentUser", MySqlCertificateStoreLocation.CurrentUser), ("LocalMachine", MySqlCertificateStoreLocation.LocalMachine)],
        "Whose personal certificate store has the client's certificate, instead of a file. Read once per data source. Except on Windows and macOS, the runtime has a store for `CurrentUser` only.");

    public static readonly TextOption CertificateThumbprint = Tls.Text("Certificate Thumbprint", ["Certificate Thumb Print"],
        "Which certificate of the store is used: its SHA-1 or SHA-256 in hexadecimal, with or without separators. Empty means that the TLS handshake chooses among those with a private key.");

    public static readonly SwitchOption SkipCertificateRevocationCheck = Tls.Switch("Skip Certificate Revocation Check", [], false, "`VerifyFull` does not ask whether the certificate was revoked. With SSL CA it never asks.");

    public static readonly TextOption TlsVersion = Tls.Text("TLS Version", [], "Allowed versions, separated by commas: `TLS 1.2`, `TLS 1.3`. Empty means what the operating system allows.", "",
        static value => TlsVersions.Refusal(value));

    public static readonly SwitchOption TlsResumption = Tls.Switch("TLS Resumption", [], true,
        "A new connection resumes the TLS session of an earlier one to the same host. False makes a full handshake each time. (Not in MySqlConnector.)");

    public static readonly TextOption TlsCipherSuites = Tls.Text("TLS Cipher Suites", [], "Allowed cipher suites by their IANA names, separated by commas. Empty means what the operating system allows.");

    public static readonly SwitchOption AllowPublicKeyRetrieval = Tls.Switch("Allow Public Key Retrieval", [], false,
        "The server may be asked for its RSA key when a password must be encrypted outside TLS. A man in the middle can send his own key: pin the server's key with Server RSA Public Key File instead.");

    public static readonly TextOption ServerRsaPublicKeyFile = Tls.Text("Server RSA Public Key File", [], "PEM file with the server's RSA key, for caching_sha2_password and sha256_password outside TLS.");

    public static readonly SwitchOption AllowCleartextPassword = Tls.Switch("Allow Cleartext Password", [], false,
        "The driver may answer mysql_clear_password to a server on the loopback address without TLS. It always does over verified TLS and unix sockets, and never to any other server. (Not in MySqlConnector.)");

    public static readonly TextOption ServerSPN = Tls.Text("Server SPN", [],
        "Service principal name for Kerberos (auth_gssapi_client, authentication_kerberos_client), such as mariadb/host@REALM. Empty means the one that the server names, which is only accepted inside verified TLS and over a unix socket.");

    public static readonly TextOption RequireAuth = Tls.Text("Require Auth", [],
        "The authentication methods that the driver may answer, separated by commas: caching_sha2_password, sha256_password, mysql_native_password, client_ed25519, parsec, mysql_clear_password, dialog, authentication_ldap_sasl_client, auth_gssapi_client, authentication_kerberos_client. A server that asks for another one, or for none, is refused. Empty means all. (Not in MySqlConnector.)",
        "", static value => MethodNames.Refusal(value));

    public static readonly NumberOption ScramMinIterations = Tls.Number("Scram Min Iterations", [], 4096, 1, Authentication.Scram.MaxIterations, "",
        "The fewest SCRAM iterations (authentication_ldap_sasl_client) that the server may ask for: with fewer, whoever gets the proof can guess the password more cheaply. (Not in MySqlConnector.)");

    public static readonly SwitchOption CanHandleExpiredPasswords = Tls.Switch("Can Handle Expired Passwords", [], false,
        "An account whose password has expired may log in to change it (ALTER USER, SET PASSWORD); until then everything else fails with error 1820, and the session does not go back to the pool. Each new session asks the server for `MySqlConnection.IsPasswordExpired`, which takes one round trip. (Not in MySqlConnector.)");

    public static readonly TextOption Password2 = Tls.Secret("Password2", ["Pwd2"], "Password of the account's second factor. (From MySql.Data.)");

    public static readonly TextOption Password3 = Tls.Secret("Password3", ["Pwd3"], "Password of the account's third factor. (From MySql.Data.)");

    private static readonly OptionGroup Pool = Table.Group("Pool");

    public static readonly SwitchOption Pooling = Pool.Switch("Pooling", [], true, "Closed connections leave their session in a pool for the next Open.");

    public static readonly NumberOption MinimumPoolSize = Pool.Number("Minimum Pool Size", ["Min Pool Size"], 0u, 0u, (uint)int.MaxValue, "sessions", "Sessions that are kept open even when idle.");

    public static readonly NumberOption MaximumPoolSize = Pool.Number("Maximum Pool Size", ["Max Pool Size"], 100u, 1u, (uint)int.MaxValue, "sessions", "Sessions that may be open at once; a caller that finds all of them busy waits up to Connection Timeout.");

    public static readonly NumberOption MaximumTotalConnections = Pool.Number("Maximum Total Connections", [], 0u, 0u, (uint)int.MaxValue, "sessions",
        "Sessions that all pools of this process with the same Server, Port and value of this option may have open together. A caller that finds that many closes an idle session of another pool, or waits for its turn. 0 means no limit. (Not in MySqlConnector.)");

    public static readonly SwitchOption PoolPerServer = Pool.Switch("Pool Per Server", [], false,
        "One pool for all databases of a server: connection strings that differ only in Database share it, and the first command takes a session to the connection's database. If the database does not exist, the first command fails then, not Open. (Not in MySqlConnector.)");

    public static readonly NumberOption ConnectionIdleTimeout = Pool.Number("Connection Idle Timeout", [], 180u, 0u, MaximumSeconds, "seconds", "An idle session above the minimum is closed after this time. 0 means never.");

    public static readonly NumberOption ConnectionLifeTime = Pool.Number("Connection Lifetime", [], 0u, 0u, MaximumSeconds, "seconds", "A session older than this is closed when it returns to the pool, or when the pool checks its idle sessions. 0 means never.");

    public static readonly SwitchOption ConnectionReset = Pool.Switch("Connection Reset", [], true,
        "A pooled session is reset before its next user's first command, in the same network packet. False leaves variables, temporary tables and locks to the next user.");

    public static readonly WordOption ResetMode = Pool.Words("Reset Mode", [], MySqlResetMode.Automatic,
        [("Automatic", MySqlResetMode.Automatic), ("Always", MySqlResetMode.Always), ("Tracked", MySqlResetMode.Tracked), ("Never", MySqlResetMode.Never)],
        "`Automatic` does what Connection Reset says: true is `Tracked`, false is `Never`. `Tracked` leaves the reset out when the session is proven clean, so that prepared statements survive. `Always`, `Tracked` and `Never` override Connection Reset. (Not in MySqlConnector.)");

    public static readonly SwitchOption DeferConnectionReset = Pool.Switch("Defer Connection Reset", [], true, "Ignored: the reset always travels with the next command.");

    public static readonly NumberOption ConnectionIdlePingTime = Pool.Number("Connection Idle Ping Time", [], 0u, 0u, uint.MaxValue, "seconds", "Ignored: the driver notices a dead idle session without asking the server.");

    private static readonly OptionGroup Times = Table.Group("Timeouts");

    public static readonly NumberOption ConnectionTimeout = Times.Number("Connection Timeout", ["Connect Timeout"], 15u, 0u, uint.MaxValue, "seconds", "For Open: waiting for the pool, connecting and authenticating. 0 means no limit.");

    public static readonly NumberOption DefaultCommandTimeout = Times.Number("Default Command Timeout", ["Command Timeout"], 30u, 0u, uint.MaxValue, "seconds", "CommandTimeout of new commands. 0 means no limit.");

    public static readonly NumberOption ReaderTimeout = Times.Number("Reader Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "How long a data reader may take as a whole, from its execution on; CommandTimeout limits each single wait for the server. When the time has passed, a wait ends as it does at CommandTimeout. 0 means no limit. (Not in MySqlConnector.)");

    public static readonly NumberOption CancellationTimeout = Times.Number("Cancellation Timeout", [], 2, -1, (int)MaximumSeconds, "seconds",
        "How long a command that timed out or was cancelled may take to end after the server was asked to end it; then the connection is closed. The unit is the second, as in MySqlConnector (the PostgreSQL driver counts milliseconds, as Npgsql does). 0 waits without limit; −1 closes the connection at once without asking.");

    public static readonly SwitchOption ServerDeadlines = Times.Switch("Server Deadlines", [], false,
        "The server, too, is told each command's time-out (MariaDB's `max_statement_time`; MySQL's `max_execution_time`, which applies to SELECT only). It then stops the statement itself, even when the client is gone or cannot connect to cancel it. The time-out travels with the command, and only when it differs from the previous command's. The server also counts the time that rows wait for a slow reader. Not used where nothing may travel with a command (`Pipelining Mode`) or where the server has no such variable (before MySQL 5.7.8 and MariaDB 10.1). (Not in MySqlConnector.)");

    private static readonly OptionGroup Behaviour = Table.Group("Commands");

    public static readonly SwitchOption AllowUserVariables = Behaviour.Switch("Allow User Variables", [], false, "True: `@name` is a user variable of the server if there is no parameter of that name. False: it is an error, because a parameter was probably forgotten.");

    public static readonly SwitchOption UseAffectedRows = Behaviour.Switch("Use Affected Rows", [], false, "UPDATE reports the rows that it changed instead of the rows that it found.");

    public static readonly SwitchOption AllowLoadLocalInfile = Behaviour.Switch("Allow Load Local Infile", [], false, "A bulk copy may send its rows with LOAD DATA LOCAL, and a bulk loader those of a stream. This option does not allow reading files of this machine.");

    public static readonly TextOption AllowLoadLocalInfileInPath = Behaviour.Text("Allow Load Local Infile In Path", [],
        "A bulk loader may read the files below this directory. A server that asks for another file than the one that is being loaded gets nothing. Empty means that no file may be read. (Not in MySqlConnector.)");

    public static readonly SwitchOption QueryAttributes = Behaviour.Switch("Query Attributes", [], true,
        "Commands may have query attributes. Each text command then needs two bytes to say that it has none; false saves them, and makes a command with attributes an error. Servers without query attributes (MariaDB, MySQL before 8.0.26) get none. (Not in MySqlConnector.)");

    public static readonly SwitchOption TraceContext = Behaviour.Switch("Trace Context", [], false,
        "Commands and batches carry the id of their span, or of Activity.Current, as query attribute `traceparent`: MySQL's telemetry component links its traces to it. Costs 72 bytes per command. Servers without query attributes get none. (Not in MySqlConnector.)");

    public static readonly SwitchOption NoBackslashEscapes = Behaviour.Switch("No Backslash Escapes", [], false, "Ignored: the server reports in every answer whether a backslash escapes, and the driver follows that.");

    public static readonly SwitchOption IgnoreCommandTransaction = Behaviour.Switch("Ignore Command Transaction", [], false, "A command's Transaction may differ from the connection's; the driver ignores it.");

    public static readonly SwitchOption IgnorePrepare = Behaviour.Switch("Ignore Prepare", [], false, "Prepare() does nothing.");

    public static readonly SwitchOption AutoPrepare = Behaviour.Switch("Auto Prepare", [], true,
        "A statement that is executed repeatedly is prepared automatically when nobody can see a difference. Use false behind proxies that pin a session that prepares (RDS Proxy). (Not in MySqlConnector.)");

    public static readonly NumberOption AutoPrepareMinUses = Behaviour.Number("Auto Prepare Min Uses", [], 2u, 1u, 1000u, "executions",
        "How often a statement is executed as text before it is prepared automatically. (Not in MySqlConnector.)");

    public static readonly NumberOption MaxAutoPrepare = Behaviour.Number("Max Auto Prepare", [], 64u, 0u, 4096u, "statements",
        "Statements that a session keeps prepared. When there are more, a new one takes the place of the least recently used one if that has not been used for long. 0 prepares nothing automatically. (Not in MySqlConnector.)");

    public static readonly NumberOption AutoPrepareBudget = Behaviour.Number("Auto Prepare Budget", [], 4096u, 0u, 1u << 20, "statements",
        "Automatically prepared statements that all sessions of a data source together may keep. The default is a quarter of the server's default max_prepared_stmt_count, which all its clients share. (Not in MySqlConnector.)");

    public static readonly SwitchOption Pipelining = Behaviour.Switch("Pipelining", [], true, "The reset of a pooled session and the start of a transaction travel with the next command. False sends each by itself, for proxies that cannot accept several commands at once.");

    public static readonly WordOption PipeliningMode = Behaviour.Words("Pipelining Mode", [], MySqlPipeliningMode.Automatic,
        [("Automatic", MySqlPipeliningMode.Automatic), ("Auto", MySqlPipeliningMode.Auto), ("On", MySqlPipeliningMode.On), ("Off", MySqlPipeliningMode.Off)],
        "`Automatic` does what Pipelining says: true is `Auto`, false is `Off`. `Auto` finds out with the first connection whether the server (or the proxy in front of it) accepts several commands in one packet; `On` assumes that it does, `Off` that it does not. (Not in MySqlConnector.)");

    public static readonly NumberOption ServerSendBuffer = Behaviour.NumberOrAuto("Server Send Buffer", [], 1 << 20, "bytes",
        "A server sends large results in pieces of 16 KiB until it has received a larger packet. `Auto`: a session that has received a result of more than 512 KiB sends such a packet of 128 KiB once, without a round trip, unless the server looks like a proxy. A number: every session sends a packet of that many bytes with its first command. 0: never. (Not in MySqlConnector.)");

    public static readonly SwitchOption AutoEnlist = Behaviour.Switch("Auto Enlist", [], true, "Open enlists the connection in the ambient transaction (TransactionScope).");

    public static readonly SwitchOption UseXaTransactions = Behaviour.Switch("Use XA Transactions", [], true, "The ambient transaction uses an XA transaction, in which several sessions may take part. False: an ordinary transaction, in one session.");

    public static readonly SwitchOption ForceSynchronous = Behaviour.Switch("Force Synchronous", [], false, "Asynchronous methods block.",
        static value => value ? "not supported. Call the synchronous methods, which never use asynchronous I/O." : null);

    public static readonly SwitchOption UseCompression = Behaviour.Switch("Use Compression", ["Compress"], false, "Traffic is compressed with zlib if the server offers it: for networks that are slow compared with the processors at both ends. (A server that offers only zstd is refused.)");

    public static readonly TextOption CharacterSet = Behaviour.Text("Character Set", ["CharSet"], "Ignored: the connection always uses utf8mb4, which holds every character.");

    private static readonly OptionGroup Batches = Table.Group("Batches");

    public static readonly SwitchOption AllowConcurrentCommands = Batches.Switch("Allow Concurrent Commands", [], false,
        "Asynchronous commands that are started while another one runs on the same connection wait for their turn, with the parameters that they had when they were started. False makes that an error. (Not in MySqlConnector.)");

    public static readonly TextOption Multiplexing = Batches.Text("Multiplexing", [],
        "Withdrawn: each command has a session of its own. Only `Off` is accepted. (Not in MySqlConnector.)", "Off",
        static value => value.Trim().Equals("Off", StringComparison.OrdinalIgnoreCase)
            ? null
            : "commands of a data source share no sessions any more. Leave the option out; for many callers on few sessions set Maximum Pool Size.");

    public static readonly SwitchOption MergeInserts = Batches.Switch("Merge Inserts", [], false,
        "`False`: each INSERT of a batch is a statement of its own. `True`: consecutive commands with the same `INSERT INTO … VALUES (…)` become one statement of many rows, inside and outside transactions, "
        + "whatever the kind of table. The effects can be seen: `LAST_INSERT_ID()` is the first key instead of the last one, `ROW_COUNT()`, warnings and `NOW()` are the statement's; a refused row also undoes the rows merged with it (on a table "
        + "without transactions the rows before it stay) and leaves a gap in the keys, and the error names the first of their commands; on such a table, or without strict mode, values are cut or replaced instead of refused from the second row on; "
        + "triggers and defaults see one statement. Use it where none of this matters. (Not in MySqlConnector.)");

    public static readonly SwitchOption Batching = Batches.Switch("Batching", [], true,
        "The commands of a batch are sent together. False sends each one when the one before it has been answered. (Not in MySqlConnector.)");

    public static readonly WordOption BatchErrors = Batches.Words("Batch Errors", [], MySqlBatchErrors.Stop,
        [("Stop", MySqlBatchErrors.Stop), ("Continue", MySqlBatchErrors.Continue)],
        "`Stop` executes the commands of a batch up to the first error. `Continue` executes all of them, and throws the first error at the end (the PostgreSQL driver throws all of them together, as Npgsql does). In both drivers each command has its own error in `Error`. Inside a transaction, an error that ends it stops the batch. (Not in MySqlConnector.)");

    private static readonly OptionGroup Values = Table.Group("Values");

    public static readonly SwitchOption StrictConversions = Values.Switch("Strict Conversions", [], false,
        "True: a typed getter reads only columns of its type (GetInt32 reads INT), except that integers are also read as other numbers (OverflowException for one that does not fit), FLOAT as Double, and GUIDs as text; anything else is an InvalidCastException, as ADO.NET's documentation says. False: numbers are converted as in MySqlConnector. (Not in MySqlConnector.)");

    public static readonly SwitchOption TreatTinyAsBoolean = Values.Switch("Treat Tiny As Boolean", [], true, "TINYINT(1) is read as Boolean. False: as SByte.");

    public static readonly WordOption GuidFormat = Values.Words("GUID Format", [], MySqlGuidFormat.Default,
        [
            ("Default", MySqlGuidFormat.Default), ("None", MySqlGuidFormat.None), ("Char36", MySqlGuidFormat.Char36), ("Char32", MySqlGuidFormat.Char32),
            ("Binary16", MySqlGuidFormat.Binary16), ("TimeSwapBinary16", MySqlGuidFormat.TimeSwapBinary16), ("LittleEndianBinary16", MySqlGuidFormat.LittleEndianBinary16),
        ],
        "How Guid values are stored, and which columns are read as Guid. `Default` is `Char36`, or `LittleEndianBinary16` with Old Guids.");

    public static readonly SwitchOption OldGuids = Values.Switch("Old Guids", [], false, "BINARY(16) columns are Guids in the byte order of Guid.ToByteArray. Not together with GUID Format.");

    public static readonly SwitchOption AllowZeroDateTime = Values.Switch("Allow Zero DateTime", [], false, "GetValue returns MySqlDateTime for DATE, DATETIME and TIMESTAMP, which can hold 0000-00-00.");

    public static readonly SwitchOption ConvertZeroDateTime = Values.Switch("Convert Zero DateTime", [], false, "0000-00-00 is read as DateTime.MinValue. False: it is an error.");

    public static readonly WordOption DateTimeKind = Values.Words("DateTime Kind", [], MySqlDateTimeKind.Unspecified,
        [("Unspecified", MySqlDateTimeKind.Unspecified), ("Utc", MySqlDateTimeKind.Utc), ("Local", MySqlDateTimeKind.Local)],
        "Kind of the DateTime values that are read; with `Utc` or `Local` a parameter of the other kind is an error.");

    public static readonly SwitchOption DirectLargeValues = Values.Switch("Direct Large Values", [], true,
        "A large value is received into an array of its own, and sent from the caller's memory. With false it passes through the connection's buffers in both directions. (Not in MySqlConnector.)");

    public static readonly NumberOption MaxValueBytes = Values.Number("Max Value Bytes", [], GiB, 1L << 20, int.MaxValue, "bytes",
        "A larger value from the server closes the connection with an error instead of filling the memory. (Not in MySqlConnector.)");

    public static readonly NumberOption MaxRowBytes = Values.Number("Max Row Bytes", [], GiB, 1L << 20, 1L << 40, "bytes",
        "A row of which more than this must be held in memory closes the connection with an error. (Not in MySqlConnector.)");

    private static readonly OptionGroup OnlyMySqlData = Table.Group("Options that only MySql.Data has: accepted at the value that changes nothing");

    public static readonly SwitchOption AllowBatch = OnlyMySqlData.Switch("Allow Batch", [], true, "Several statements in one command, always allowed here.", static value =>
        value ? null : "several statements in one command cannot be forbidden. Leave the option out.");

    public static readonly SwitchOption CheckParameters = OnlyMySqlData.Switch("Check Parameters", [], true, "Ignored.");

    public static readonly SwitchOption CacheServerProperties = OnlyMySqlData.Switch("Cache Server Properties", [], false, "Ignored: server properties are never asked for.");

    public static readonly SwitchOption Logging = OnlyMySqlData.Switch("Logging", [], false, "Ignored: give the data source an ILoggerFactory.");

    public static readonly NumberOption ProcedureCacheSize = OnlyMySqlData.Number("Procedure Cache Size", ["Procedure Cache"], 25u, 0u, uint.MaxValue, "procedures", "Ignored.");

    public static readonly SwitchOption RespectBinaryFlags = OnlyMySqlData.Switch("Respect Binary Flags", [], true, "Binary columns are read as bytes.", static value =>
        value ? null : "binary columns are always read as bytes. Use GetString or CAST where text is wanted.");

    public static readonly SwitchOption FunctionsReturnString = Unsupported("Functions Return String", "Use GetString or CAST where text is wanted.");

    public static readonly SwitchOption TreatBlobsAsUtf8 = Unsupported("Treat Blobs As UTF8", "Use GetString or CAST where text is wanted.");

    public static readonly SwitchOption Replication = Unsupported("Replication", "Name the servers in Server.");

    public static readonly SwitchOption UseUsageAdvisor = Unsupported("Use Usage Advisor", "Leave the option out.", "Usage Advisor");

    public static readonly SwitchOption UsePerformanceMonitor = Unsupported("Use Performance Monitor", "Read the OpenTelemetry metrics.", "Use Perf Mon", "Perf Mon");

    public static readonly SwitchOption TableCaching = Unsupported("Table Caching", "Leave the option out.", "Table Cache");

    public static readonly SwitchOption SqlServerMode = Unsupported("SQL Server Mode", "Quote names with backticks.");

    public static readonly SwitchOption DnsSrv = Unsupported("DNS SRV", "Name the servers in Server.");

    public static readonly TextOption BlobAsUtf8IncludePattern = Absent("Blob As UTF8 Include Pattern", "Use GetString or CAST where text is wanted.");

    public static readonly TextOption BlobAsUtf8ExcludePattern = Absent("Blob As UTF8 Exclude Pattern", "Use GetString or CAST where text is wanted.");

    public static readonly TextOption CommandInterceptors = Absent("Command Interceptors", "Classes are never loaded by name: listen to the OpenTelemetry source Slipstream.MySql, or give the data source an ILoggerFactory.");

    public static readonly TextOption ExceptionInterceptors = Absent("Exception Interceptors", "Classes are never loaded by name: catch MySqlException where the command is run.");

    public static readonly TextOption SharedMemoryName = OnlyMySqlData.Text("Shared Memory Name", [], "Ignored: shared memory is not supported (see Connection Protocol).", "MYSQL");

    public static readonly TextOption DefaultAuthenticationPlugin = OnlyMySqlData.Text("Default Authentication Plugin", [], "Ignored: the server names the user's method, at the cost of one round trip at most.");

    public static readonly TextOption KerberosAuthMode = OnlyMySqlData.Text("Kerberos Auth Mode", [], "Ignored: the operating system's Kerberos is used.", "AUTO");

    public static readonly TextOption OciConfigFile = Absent("OCI Config File", "Oracle's cloud authentication needs its own key files: use a user with a password.");

    public static readonly TextOption OciConfigProfile = OnlyMySqlData.Text("OCI Config Profile", [], "Ignored: see OCI Config File.", "DEFAULT");

    public static readonly TextOption OpenIdIdentityToken = Absent("OpenID Identity Token", "Use a user with a password.");

    public static readonly TextOption SslCrl = Absent("SSL CRL", "Lists of revoked certificates are the operating system's: SSL Mode=VerifyFull asks it.");

    public static readonly TextOption SshHostName = Absent("SSH Host Name", "Open the tunnel with ssh -L or SSH.NET, and name its local end in Server.");

    public static readonly NumberOption SshPort = OnlyMySqlData.Number("SSH Port", [], 22u, 1u, 65535u, "", "Ignored: see SSH Host Name.");

    public static readonly TextOption SshUserName = OnlyMySqlData.Text("SSH User Name", [], "Ignored: see SSH Host Name.");

    public static readonly TextOption SshPassword = OnlyMySqlData.Secret("SSH Password", [], "Ignored: see SSH Host Name.");

    public static readonly TextOption SshKeyFile = OnlyMySqlData.Text("SSH Key File", [], "Ignored: see SSH Host Name.");

    public static readonly TextOption SshPassphrase = OnlyMySqlData.Secret("SSH Passphrase", [], "Ignored: see SSH Host Name.");

    public static readonly NumberOption DefaultTableCacheAge = OnlyMySqlData.Number("Default Table Cache Age", [], 60u, 0u, MaximumSeconds, "seconds", "Ignored: tables are never cached.");

    public static readonly SwitchOption UseProcedureBodies = OnlyMySqlData.Switch("Use Procedure Bodies", ["Procedure Bodies"], true, "Ignored.");

    public static readonly SwitchOption IncludeSecurityAsserts = Unsupported("Include Security Asserts", "Leave the option out.");

    public static readonly SwitchOption IntegratedSecurity = Unsupported("Integrated Security", "Use a user with a password.", "Trusted_Connection");

    public static readonly SwitchOption UseDefaultCommandTimeoutForEF = Unsupported("Use Default Command Timeout For EF", "Leave the option out.");

    private static TextOption Absent(string name, string advice) =>
        OnlyMySqlData.Text(name, [], "Not supported.", "", value => value.Length > 0 ? "not supported. " + advice : null);

    private static SwitchOption Unsupported(string name, string advice, params string[] aliases) =>
        OnlyMySqlData.Switch(name, aliases, false, "Not supported.", value => value ? "not supported. " + advice : null);
}
