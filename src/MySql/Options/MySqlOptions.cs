using Slipstream.Core.Options;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Conventions;
using Continuations = Slipstream.Core.Wires.AsyncContinuations;
using Engine = Slipstream.Core.Wires.AsyncEngine;

namespace Slipstream.MySql.Options;

/// <summary>
/// Declares every connection-string option once. Names, aliases and defaults are those of MySqlConnector, with MySql.Data's aliases. The last group has the
/// options that only MySql.Data has, so that its connection strings can be used if they request only features that the driver has.
/// </summary>
/// <remarks>
/// The name of a field is the name of the builder's property. MySqlConnectionStringBuilder.Options.g.cs, MySqlPlainSettings.g.cs and docs/options.md are
/// generated from this table: run MySql.Tests with SLIPSTREAM_UPDATE_DOCS=1. Texts do not name default, unit or range, which are added from the declaration.
/// </remarks>
internal static class MySqlOptions
{
    internal const uint MaximumSeconds = int.MaxValue / 1000;
    private const string Addition = "Not in MySqlConnector.";
    private const long GiB = 1L << 30;

    public static readonly OptionTable Table = new() { Example = "Server=db.example.com;Port=3306;User ID=shop;Password=secret;Database=shop" };

    private static readonly OptionGroup Connect = Table.Group("Server and user");

    public static readonly TextOption Server = Connect.Text("Server", ["Host", "Data Source", "Address", "Addr", "Network Address"],
        "Host name or address of the server; several are separated by commas, each with its own port if needed (`a,b:3307`). "
        + "A value that begins with `/` or `./` is the path of a unix socket. Empty means localhost.");

    public static readonly NumberOption Port = Connect.Number("Port", [], 3306u, 1u, 65535u, "", "TCP port of the servers that are written without one.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption UserID = Connect.Text("User ID", ["Username", "Uid", "User"], "Name of the user.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption Password = Connect.Secret("Password", ["Pwd", "Password1", "Pwd1"], "Password of the user.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption Database = Connect.Text("Database", ["Initial Catalog"], "Default database of the connection. Empty means none.");

    public static readonly WordOption ConnectionProtocol = Connect.Words("Connection Protocol", ["Protocol"], MySqlConnectionProtocol.Socket,
        [
            (Written("Socket", "Sockets"), MySqlConnectionProtocol.Socket), (Written("Sockets", "Socket"), MySqlConnectionProtocol.Socket),
            ("Tcp", MySqlConnectionProtocol.Socket),
            ("UnixSocket", MySqlConnectionProtocol.UnixSocket), ("Unix", MySqlConnectionProtocol.UnixSocket),
            ("Pipe", MySqlConnectionProtocol.Pipe), ("NamedPipe", MySqlConnectionProtocol.Pipe),
            (Written("Memory", "SharedMemory"), MySqlConnectionProtocol.Memory), (Written("SharedMemory", "Memory"), MySqlConnectionProtocol.Memory),
        ],
        "How the driver connects to the server. `Socket` means TCP, or a unix socket if Server is a path; `UnixSocket` means that Server is a path; "
        + "`Pipe` means a named pipe of Windows (see Pipe Name). Shared memory is not supported.",
        static value => value switch
        {
            MySqlConnectionProtocol.Pipe when !OperatingSystem.IsWindows() => "named pipes exist only on Windows. Use TCP or a unix socket.",
            MySqlConnectionProtocol.Memory => "shared memory is not supported. Use a named pipe or TCP.",
            _ => null,
        });

    public static readonly TextOption PipeName = Connect.Text("Pipe Name", ["Pipe"],
        "Name of the pipe for `Connection Protocol=Pipe`, on the machine that Server names.", "MYSQL");

    [OptionFacts(IsSetting = true)]
    public static readonly WordOption LoadBalance = Connect.Words("Load Balance", [], MySqlLoadBalance.RoundRobin,
        [
            ("RoundRobin", MySqlLoadBalance.RoundRobin), ("FailOver", MySqlLoadBalance.FailOver),
            ("Random", MySqlLoadBalance.Random), ("LeastConnections", MySqlLoadBalance.LeastConnections),
        ],
        "Order in which a new connection tries several servers. A server that did not answer is tried last until a background check finds it alive. "
        + "`LeastConnections` counts the connections of the data source.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption HostConnectTimeout = Connect.Number("Host Connect Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "Time limit for connecting to one of several servers, after which the next one is tried. "
        + "0 means that the servers not yet tried share the rest of Connection Timeout equally.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption Topology = Connect.Words("Topology", [], MySqlTopology.None,
        [
            ("None", MySqlTopology.None), ("Auto", MySqlTopology.Auto), ("Galera", MySqlTopology.Galera),
            ("GroupReplication", MySqlTopology.GroupReplication), ("Replication", MySqlTopology.Replication),
        ],
        "Kind of cluster to which the servers in Server belong. With any value but `None`, the driver asks each server for its role in the background, has a "
        + "pool for each server, and follows the primary to another server. `Auto` asks the servers for the kind.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption TopologyDiscovery = Connect.Words("Topology Discovery", [], MySqlTopologyDiscovery.Off,
        [("Off", MySqlTopologyDiscovery.Off), ("Members", MySqlTopologyDiscovery.Members)],
        "Whether the driver also uses servers that Server does not name. With `Members`, it asks the servers for the members of their cluster (Galera, Group "
        + "Replication) and follows the changes. It uses only members that Redirection Hosts allows, and only if SSL Mode verifies their certificates: "
        + "otherwise, a server could send the password elsewhere.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption TargetServerType = Connect.Words("Target Server Type", [], MySqlTargetServerType.Primary,
        [
            ("Primary", MySqlTargetServerType.Primary), ("PreferPrimary", MySqlTargetServerType.PreferPrimary),
            ("Replica", MySqlTargetServerType.Replica), ("PreferReplica", MySqlTargetServerType.PreferReplica), ("Any", MySqlTargetServerType.Any),
        ],
        "Role of the server that connections use, if Topology is set.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption ServerSelectionTimeout = Connect.Number("Server Selection Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "Time limit of the wait for a server with the role of Target Server Type, such as the next primary. 0 means that of Connection Timeout.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption TopologyRefreshInterval = Connect.Number("Topology Refresh Interval", [], 1000u, 100u, int.MaxValue, "milliseconds",
        "Interval at which the driver asks the primary for its role in the background, if Topology is set. Other servers are asked half as often.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption FailureDetectionInterval = Connect.Number("Failure Detection Interval", [], 1000u, 100u, int.MaxValue, "milliseconds",
        "Time limit for a server's answer to the question for its role.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption FailureDetectionCount = Connect.Number("Failure Detection Count", [], 3u, 2u, 1000u, "questions",
        "Number of questions in a row without any answer after which the commands that run on the server are ended.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption LocalThreshold = Connect.Number("Local Threshold", [], 15u, 0u, int.MaxValue, "milliseconds",
        "How much longer than the fastest server a server may take for an answer, if Topology is set and Load Balance is not `FailOver`. Slower ones are used "
        + "only if no other suits.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption DrainTimeout = Connect.Number("Drain Timeout", [], 30u, 1u, MaximumSeconds, "seconds",
        "How long commands and transactions may go on at a server that is no longer the primary, before their connections are closed.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption CausalReadTimeout = Connect.Number("Causal Read Timeout", [], 50u, 0u, int.MaxValue, "milliseconds",
        "How long a replica may take to execute the writes of a write token or a causal scope, before the primary is used instead. With 0, only replicas are "
        + "used that are known to have executed them.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption TrackWriteToken = Connect.Switch("Track Write Token", [], false,
        "Connections have a LastWriteToken also if Topology is not set: for reads through another data source.");

    public static readonly NumberOption DnsCheckInterval = Connect.Number("DNS Check Interval", [], 0u, 0u, MaximumSeconds, "seconds",
        "Interval at which host names are resolved again in the background. The pool is cleared when two successive answers agree that the addresses have "
        + "changed. 0 means never: only new connections follow a change.");

    [OptionFacts(IsSetting = true)]
    public static readonly WordOption ServerRedirectionMode = Connect.Words("Server Redirection Mode", [], MySqlServerRedirectionMode.Disabled,
        [
            ("Disabled", MySqlServerRedirectionMode.Disabled), ("Preferred", MySqlServerRedirectionMode.Preferred),
            ("Required", MySqlServerRedirectionMode.Required),
        ],
        "Whether the server may redirect a new connection to another server (MariaDB's redirect_url, Azure's gateway). A redirection is followed once, only "
        + "after the certificate was verified and only to Redirection Hosts. If it cannot be followed, `Preferred` stays on the first server and "
        + "`Required` is an error.");

    [OptionFacts(Peer = Addition)]
    public static readonly TextOption RedirectionHosts = Connect.Text("Redirection Hosts", [],
        "Hosts to which the server may redirect, and of the members that Topology Discovery may use: host names, addresses and `*.domain`, separated by "
        + "commas. Empty means the hosts of Server.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption ApplicationName = Connect.Text("Application Name", [],
        "Name of the application: sent to the server as the connection attribute program_name, and used in the names of metrics.");

    [OptionFacts(IsSetting = true)]
    public static readonly NumberOption Keepalive = Connect.Number("Keep Alive", [], 0u, 0u, MaximumSeconds, "seconds",
        "Idle time after which TCP probes whether the server is still there. 0 means the default of the operating system.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption InteractiveSession = Connect.Switch("Interactive Session", ["Interactive"], false,
        "The server applies interactive_timeout instead of wait_timeout to the connection.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption AsyncEngine = Connect.Words("Async Engine", [], Engine.Auto,
        [("Auto", Engine.Auto), ("Own", Engine.Own), ("Runtime", Engine.Runtime)],
        "Engine that completes asynchronous waits for the server. `Runtime` means the sockets of .NET; `Own` means the driver's own engine on Linux with x64 "
        + "or arm64, and the sockets of .NET elsewhere; `Auto` leaves the choice to the driver, which currently uses `Own`.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption AsyncContinuations = Connect.Words("Async Continuations", [], Continuations.Engine,
        [("Engine", Continuations.Engine), ("ThreadPool", Continuations.ThreadPool)],
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

    [OptionFacts(IsSetting = true)]
    public static readonly WordOption SslMode = Tls.Words("SSL Mode", [], MySqlSslMode.Preferred,
        [
            ("None", MySqlSslMode.None), ("Disabled", MySqlSslMode.None), ("Preferred", MySqlSslMode.Preferred), ("Required", MySqlSslMode.Required),
            ("VerifyCA", MySqlSslMode.VerifyCA), ("VerifyFull", MySqlSslMode.VerifyFull),
        ],
        "Whether TLS is used and the server's certificate verified. `Preferred` uses TLS if the server offers it; `Required` requires TLS. Only `VerifyCA` "
        + "(a trusted authority) and `VerifyFull` (a trusted authority and the host's name) verify the certificate.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SslCa = Tls.Text("SSL CA", ["CA Certificate File"],
        "File with the certificate authorities to trust instead of the system's: PEM, or DER with a single certificate. Empty means the system's. "
        + "With `SSL Mode=Required`, naming a file has the effect of `VerifyCA`.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SslCert = Tls.Text("SSL Cert", [], "PEM file with the client's certificate. It needs SSL Key.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption SslKey = Tls.Text("SSL Key", [],
        "PEM file with the private key of SSL Cert. If the key is encrypted, Certificate Password is its password.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption CertificateFile = Tls.Text("Certificate File", [], "PFX file with the client's certificate and private key.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption CertificatePassword = Tls.Secret("Certificate Password", ["SSL Key Password"],
        "Password of Certificate File, or of an encrypted SSL Key.");

    public static readonly WordOption CertificateStoreLocation = Tls.Words("Certificate Store Location", [], MySqlCertificateStoreLocation.None,
        [
            ("None", MySqlCertificateStoreLocation.None), ("CurrentUser", MySqlCertificateStoreLocation.CurrentUser),
            ("LocalMachine", MySqlCertificateStoreLocation.LocalMachine),
        ],
        "Personal certificate store that holds the client's certificate, instead of a file. The store is read once per data source. On systems other than "
        + "Windows and macOS, only `CurrentUser` exists.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption CertificateThumbprint = Tls.Text("Certificate Thumbprint", ["Certificate Thumb Print"],
        "SHA-1 or SHA-256 thumbprint of the certificate to use from the store, in hexadecimal, with or without separators. Empty means that the TLS handshake "
        + "chooses among the certificates that have a private key.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption SkipCertificateRevocationCheck = Tls.Switch("Skip Certificate Revocation Check", [], false,
        "`VerifyFull` does not check whether the certificate was revoked. With SSL CA, revocation is never checked.");

    public static readonly TextOption TlsVersion = Tls.Text("TLS Version", [],
        "Allowed TLS versions, separated by commas: `TLS 1.2`, `TLS 1.3`. Empty means those that the operating system allows.", "",
        static value => TlsVersions.Refusal(value));

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption TlsResumption = Tls.Switch("TLS Resumption", [], true,
        "A new connection resumes the TLS session of an earlier connection to the same host. False makes a full handshake each time.");

    public static readonly TextOption TlsCipherSuites = Tls.Text("TLS Cipher Suites", [],
        "Allowed cipher suites by their IANA names, separated by commas. Empty means those that the operating system allows.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption AllowPublicKeyRetrieval = Tls.Switch("Allow Public Key Retrieval", [], false,
        "The driver may ask the server for its RSA key when it must encrypt a password without TLS. A man in the middle can send another key: pin the "
        + "server's key with Server RSA Public Key File instead.");

    [OptionFacts(IsSetting = true)]
    public static readonly TextOption ServerRsaPublicKeyFile = Tls.Text("Server RSA Public Key File", [],
        "PEM file with the server's RSA key, for caching_sha2_password and sha256_password without TLS.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption AllowCleartextPassword = Tls.Switch("Allow Cleartext Password", [], false,
        "The driver may send the password in clear text (mysql_clear_password) to a server on the loopback address without TLS. Over verified TLS and unix "
        + "sockets it always may; to any other server it never does.");

    public static readonly TextOption ServerSPN = Tls.Text("Server SPN", [],
        "Service principal name for Kerberos (auth_gssapi_client, authentication_kerberos_client), such as mariadb/host@REALM. Empty means the name that the "
        + "server sends, which is accepted only inside verified TLS and over a unix socket.");

    [OptionFacts(Peer = Addition)]
    public static readonly TextOption RequireAuth = Tls.Text("Require Auth", [],
        "Authentication methods that the driver may use, separated by commas: caching_sha2_password, sha256_password, mysql_native_password, client_ed25519, "
        + "parsec, mysql_clear_password, dialog, authentication_ldap_sasl_client, auth_gssapi_client, authentication_kerberos_client. A server that asks for "
        + "another method, or for none, is refused. Empty means all.",
        "", static value => MethodNames.Refusal(value));

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption ScramMinIterations = Tls.Number("Scram Min Iterations", [], 4096, 1, Authentication.Scram.MaxIterations, "iterations",
        "Minimum number of SCRAM iterations that the server may ask for (authentication_ldap_sasl_client). With fewer iterations, an attacker who obtains "
        + "the proof can "
        + "guess the password more cheaply.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption CanHandleExpiredPasswords = Tls.Switch("Can Handle Expired Passwords", [], false,
        "An account whose password has expired may log in to change it (ALTER USER, SET PASSWORD). Until then, every other statement fails with error 1820, "
        + "and the connection does not return to the pool. Each new connection asks the server for `MySqlConnection.IsPasswordExpired`, which costs one round "
        + "trip. False: Open fails with error 1862.");

    [OptionFacts(Peer = "Not in MySqlConnector; MySql.Data has it.", IsSetting = true)]
    public static readonly TextOption Password2 = Tls.Secret("Password2", ["Pwd2"], "Password of the account's second factor.");

    [OptionFacts(Peer = "Not in MySqlConnector; MySql.Data has it.", IsSetting = true)]
    public static readonly TextOption Password3 = Tls.Secret("Password3", ["Pwd3"], "Password of the account's third factor.");

    private static readonly OptionGroup Pool = Table.Group("Pool");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption Pooling = Pool.Switch("Pooling", [], true,
        "Closing a connection returns its session to a pool, where the next Open takes it. False opens and closes a session each time.");

    public static readonly NumberOption MinimumPoolSize = Pool.Number("Minimum Pool Size", ["Min Pool Size"], 0u, 0u, (uint)int.MaxValue, "connections",
        "Minimum number of connections that the pool keeps open, even when they are idle.");

    public static readonly NumberOption MaximumPoolSize = Pool.Number("Maximum Pool Size", ["Max Pool Size"], 100u, 1u, (uint)int.MaxValue, "connections",
        "Maximum number of open connections in the pool. If all are in use, further callers wait up to Connection Timeout.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption MaximumTotalConnections = Pool.Number("Maximum Total Connections", [], 0u, 0u, (uint)int.MaxValue, "connections",
        "Maximum number of open connections in all pools of this process that have the same Server, Port and value of this option. At the limit, an idle "
        + "connection of another pool is closed, or the caller waits. 0 means no limit.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption PoolPerServer = Pool.Switch("Pool Per Server", [], false,
        "All databases of a server share one pool: connection strings that differ only in Database use the same sessions, and the first command switches the "
        + "session to the connection's database. If that database does not exist, the first command fails instead of Open.");

    public static readonly NumberOption ConnectionIdleTimeout = Pool.Number("Connection Idle Timeout", [], 180u, 0u, MaximumSeconds, "seconds",
        "Idle time after which a pooled connection above Minimum Pool Size is closed. 0 means never.");

    public static readonly NumberOption ConnectionLifeTime = Pool.Number("Connection Lifetime", [], 0u, 0u, MaximumSeconds, "seconds",
        "Age at which a connection is closed, when it returns to the pool or when the pool checks its idle connections. 0 means never.");

    public static readonly SwitchOption ConnectionReset = Pool.Switch("Connection Reset", [], true,
        "A pooled session is reset before the first command of its next user, in the same network packet. False leaves variables, temporary tables and locks "
        + "to the next user.");

    [OptionFacts(Peer = Addition)]
    public static readonly WordOption ResetMode = Pool.Words("Reset Mode", [], MySqlResetMode.Automatic,
        [
            ("Automatic", MySqlResetMode.Automatic), ("Always", MySqlResetMode.Always),
            ("Tracked", MySqlResetMode.Tracked), ("Never", MySqlResetMode.Never),
        ],
        "When a pooled session is reset. `Automatic` follows Connection Reset: true means `Tracked`, false means `Never`. `Tracked` omits the reset when the "
        + "session is proven clean, so that prepared statements survive. The other values override Connection Reset.");

    [OptionFacts(Property = OptionProperty.Obsolete)]
    public static readonly SwitchOption DeferConnectionReset = Pool.Switch("Defer Connection Reset", [], true,
        "Ignored: the reset always travels with the next command.");

    [OptionFacts(Property = OptionProperty.Obsolete)]
    public static readonly NumberOption ConnectionIdlePingTime = Pool.Number("Connection Idle Ping Time", [], 0u, 0u, uint.MaxValue, "seconds",
        "Ignored: the driver detects a dead idle connection without a ping.");

    private static readonly OptionGroup Times = Table.Group("Timeouts");

    public static readonly NumberOption ConnectionTimeout = Times.Number("Connection Timeout", ["Connect Timeout"], 15u, 0u, uint.MaxValue, "seconds",
        "Time limit for Open: waiting for the pool, connecting and authenticating. 0 means no limit.");

    public static readonly NumberOption DefaultCommandTimeout = Times.Number(
        "Default Command Timeout", ["Command Timeout"], 30u, 0u, uint.MaxValue, "seconds", "CommandTimeout of new commands: the time limit for each wait for "
        + "the server. 0 means no limit.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption ReaderTimeout = Times.Number("Reader Timeout", [], 0u, 0u, MaximumSeconds, "seconds",
        "Time limit for a data reader as a whole, from the start of its execution; CommandTimeout limits each single wait for the server. After the limit, the "
        + "next wait ends as it does at CommandTimeout. 0 means no limit.");

    [OptionFacts(Peer = "The unit is the second, as in MySqlConnector; the PostgreSQL driver counts milliseconds, as Npgsql does.")]
    public static readonly NumberOption CancellationTimeout = Times.Number("Cancellation Timeout", [], 2, -1, (int)MaximumSeconds, "seconds",
        "Time that the driver waits for the end of a command that timed out or was cancelled, after it asked the server to stop the command; then it closes "
        + "the "
        + "connection. 0 means no limit; −1 closes the connection immediately, without asking.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption ServerDeadlines = Times.Switch("Server Deadlines", [], false,
        "The driver also sends the time-out of each command to the server (MariaDB's `max_statement_time`; MySQL's `max_execution_time`, which applies to "
        + "SELECT "
        + "only). The server then stops the statement itself, even if the client has disconnected or cannot connect to cancel it. The time-out travels with "
        + "the "
        + "command, and only when it differs from the previous command's. The server also counts the time that rows wait for a slow reader. Not used if "
        + "nothing may be sent with a command (Pipelining Mode), or if the server has no such variable (before MySQL 5.7.8 and MariaDB 10.1).");

    private static readonly OptionGroup Behaviour = Table.Group("Commands");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption AllowUserVariables = Behaviour.Switch("Allow User Variables", [], false,
        "`@name` in a command is a user variable of the server if the command has no parameter of that name. False makes it an error, because a parameter "
        + "was probably forgotten.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption UseAffectedRows = Behaviour.Switch("Use Affected Rows", [], false,
        "UPDATE reports the number of rows that it changed instead of the number of rows that it found.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption AllowLoadLocalInfile = Behaviour.Switch("Allow Load Local Infile", [], false,
        "A bulk copy may send its rows, and a bulk loader the rows of a stream, with LOAD DATA LOCAL. This option does not allow reading files of the client's "
        + "machine.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly TextOption AllowLoadLocalInfileInPath = Behaviour.Text("Allow Load Local Infile In Path", [],
        "Directory from which a bulk loader may read files, including its subdirectories. A server that asks for any other file than the one being loaded "
        + "receives "
        + "nothing. Empty means that no file may be read.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption QueryAttributes = Behaviour.Switch("Query Attributes", [], true,
        "Commands may have query attributes. A text command without attributes then carries two extra bytes, which false saves; with false, a command "
        + "with attributes is an error. Servers without query attributes (MariaDB, MySQL before 8.0.26) receive none.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption TraceContext = Behaviour.Switch("Trace Context", [], false,
        "Commands and batches carry the identifier of their span, or of Activity.Current, as the query attribute `traceparent`, so that MySQL's telemetry "
        + "component can link its traces to it. Costs 72 bytes per command. Servers without query attributes receive none.");

    public static readonly SwitchOption NoBackslashEscapes = Behaviour.Switch("No Backslash Escapes", [], false,
        "Ignored: the server reports with every answer whether a backslash escapes, and the driver follows that.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption IgnoreCommandTransaction = Behaviour.Switch("Ignore Command Transaction", [], false,
        "The Transaction of a command may differ from the transaction of its connection; the driver ignores it.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption IgnorePrepare = Behaviour.Switch("Ignore Prepare", [], false, "Prepare and PrepareAsync do nothing.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption AutoPrepare = Behaviour.Switch("Auto Prepare", [], true,
        "Repeated statements are prepared automatically if that cannot change their results. Use false behind a proxy that pins a session which prepares "
        + "(RDS Proxy).");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption AutoPrepareMinUses = Behaviour.Number("Auto Prepare Min Uses", [], 2u, 1u, 1000u, "executions",
        "Number of times a statement is executed as text before it is prepared automatically.");

    [OptionFacts(Peer = Addition)]
    public static readonly NumberOption MaxAutoPrepare = Behaviour.Number("Max Auto Prepare", [], 64u, 0u, 4096u, "statements",
        "Maximum number of statements that a session keeps prepared. At the limit, a new statement replaces the least recently used one, if that one has not "
        + "been used for a long time. 0 prepares nothing automatically.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption AutoPrepareBudget = Behaviour.Number("Auto Prepare Budget", [], 4096u, 0u, 1u << 20, "statements",
        "Maximum number of automatically prepared statements in all sessions of a data source together. The default is a quarter of the server's default "
        + "max_prepared_stmt_count, which all clients of the server share.");

    public static readonly SwitchOption Pipelining = Behaviour.Switch("Pipelining", [], true,
        "The reset of a pooled session and the start of a transaction travel with the next command. False sends each separately, for proxies that cannot "
        + "accept "
        + "several commands at once.");

    [OptionFacts(Peer = Addition)]
    public static readonly WordOption PipeliningMode = Behaviour.Words("Pipelining Mode", [], MySqlPipeliningMode.Automatic,
        [
            ("Automatic", MySqlPipeliningMode.Automatic), ("Auto", MySqlPipeliningMode.Auto),
            ("On", MySqlPipeliningMode.On), ("Off", MySqlPipeliningMode.Off),
        ],
        "Whether several commands travel in one packet. `Automatic` follows Pipelining: true means `Auto`, false means `Off`. `Auto` checks with the first "
        + "connection whether the server, or the proxy in front of it, accepts that; `On` assumes that it does, and `Off` that it does not.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption ServerSendBuffer = Behaviour.NumberOrAuto("Server Send Buffer", [], 1 << 20, "bytes",
        "Size of the packet that makes the server send large results in larger pieces: until it has received a packet of more than 16 KiB, it sends pieces of "
        + "16 KiB. `Auto` (−1 in the property): a session that has received a result of more than 512 KiB sends such a packet of 128 KiB once, without a round "
        + "trip, unless the server looks like a proxy. A number: every session sends a packet of that size with its first command. 0 means never.");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption AutoEnlist = Behaviour.Switch("Auto Enlist", [], true,
        "Open enlists the connection in the ambient transaction (TransactionScope).");

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption UseXaTransactions = Behaviour.Switch("Use XA Transactions", [], true,
        "The ambient transaction uses an XA transaction, in which several sessions can take part. False uses an ordinary transaction, in one session.");

    public static readonly SwitchOption ForceSynchronous = Behaviour.Switch("Force Synchronous", [], false,
        "Not supported: asynchronous methods never block. Call the synchronous methods instead.",
        static value => value && !ThisAssembly.Conventions.AcceptsForceSynchronous
            ? "asynchronous methods never block. Call the synchronous methods, which never use asynchronous I/O."
            : null);

    [OptionFacts(IsSetting = true)]
    public static readonly SwitchOption UseCompression = Behaviour.Switch("Use Compression", ["Compress"], false,
        "Traffic is compressed with zlib if the server offers it. Use it on networks that are slow compared with the processors at both ends. A server that "
        + "offers only zstd is refused.");

    public static readonly TextOption CharacterSet = Behaviour.Text("Character Set", ["CharSet"],
        "Ignored: the connection always uses utf8mb4, which holds every character.");

    private static readonly OptionGroup Batches = Table.Group("Batches");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption AllowConcurrentCommands = Batches.Switch("Allow Concurrent Commands", [], false,
        "Asynchronous commands that are started while another command runs on the same connection wait for their turn, with the parameter values of the moment "
        + "they were started. False makes that an error.");

    [OptionFacts(Peer = Addition)]
    public static readonly TextOption Multiplexing = Batches.Text("Multiplexing", [],
        "Withdrawn: each command has a session of its own. Only `Off` is accepted.", "Off",
        static value => value.Trim().Equals("Off", StringComparison.OrdinalIgnoreCase)
            ? null
            : "the commands of a data source no longer share sessions. Remove the option; for many callers on few sessions, set Maximum Pool Size.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption MergeInserts = Batches.Switch("Merge Inserts", [], false,
        "Consecutive commands of a batch with the same `INSERT INTO … VALUES (…)` become one statement with many rows, inside and outside transactions and for "
        + "every kind of table. False executes each INSERT separately. Merging has visible effects: `LAST_INSERT_ID()` is the first key instead of the last; "
        + "`ROW_COUNT()`, warnings and `NOW()` are those of the merged statement; a refused row also undoes the rows merged with it (on a table without "
        + "transactions, the rows before it stay), leaves a gap in the keys, and is reported for the first of the merged commands; on a table without "
        + "transactions, or without strict mode, values are cut or replaced instead of refused from the second row on; triggers and defaults see one "
        + "statement. Use it only if none of this matters.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly SwitchOption Batching = Batches.Switch("Batching", [], true,
        "The commands of a batch are sent together. False sends each command after the previous one was answered.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly WordOption BatchErrors = Batches.Words("Batch Errors", [], MySqlBatchErrors.Stop,
        [("Stop", MySqlBatchErrors.Stop), ("Continue", MySqlBatchErrors.Continue)],
        "What a batch does if the server refuses one of its commands. `Stop` executes the commands up to the first error. `Continue` executes all of them "
        + "and throws the first error at the end (the PostgreSQL driver throws all errors together, as Npgsql does). In both drivers, each command has its own "
        + "error in `Error`. Inside a transaction, an error that ends the transaction stops the batch.");

    private static readonly OptionGroup Values = Table.Group("Values");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption StrictConversions = Values.Switch("Strict Conversions", [], false,
        "A typed getter reads only columns of its type (GetInt32 reads INT), with three exceptions: integers can be read as other numbers (OverflowException "
        + "for a value that does not fit), FLOAT as Double, and GUIDs as text. Anything else is an InvalidCastException, as the documentation of ADO.NET says. "
        + "False converts numbers as MySqlConnector does.");

    public static readonly SwitchOption TreatTinyAsBoolean = Values.Switch("Treat Tiny As Boolean", [], true,
        "TINYINT(1) is read as Boolean. False reads it as SByte.");

    public static readonly WordOption GuidFormat = Values.Words("GUID Format", [], MySqlGuidFormat.Default,
        [
            ("Default", MySqlGuidFormat.Default), ("None", MySqlGuidFormat.None), ("Char36", MySqlGuidFormat.Char36), ("Char32", MySqlGuidFormat.Char32),
            ("Binary16", MySqlGuidFormat.Binary16), ("TimeSwapBinary16", MySqlGuidFormat.TimeSwapBinary16),
            ("LittleEndianBinary16", MySqlGuidFormat.LittleEndianBinary16),
        ],
        "How Guid values are stored, and which columns are read as Guid. `Default` means `Char36`, or `LittleEndianBinary16` with Old Guids.");

    public static readonly SwitchOption OldGuids = Values.Switch("Old Guids", [], false,
        "BINARY(16) columns are Guids in the byte order of Guid.ToByteArray. Cannot be combined with GUID Format.");

    public static readonly SwitchOption AllowZeroDateTime = Values.Switch("Allow Zero DateTime", [], false,
        "GetValue returns MySqlDateTime, which can hold 0000-00-00, for DATE, DATETIME and TIMESTAMP.");

    public static readonly SwitchOption ConvertZeroDateTime = Values.Switch("Convert Zero DateTime", [], false,
        "0000-00-00 is read as DateTime.MinValue. False makes it an error.");

    public static readonly WordOption DateTimeKind = Values.Words("DateTime Kind", [], MySqlDateTimeKind.Unspecified,
        [("Unspecified", MySqlDateTimeKind.Unspecified), ("Utc", MySqlDateTimeKind.Utc), ("Local", MySqlDateTimeKind.Local)],
        "Kind of the DateTime values that are read. With `Utc` or `Local`, a parameter of the other kind is an error.");

    [OptionFacts(Peer = Addition)]
    public static readonly SwitchOption DirectLargeValues = Values.Switch("Direct Large Values", [], true,
        "A large value is received into an array of its own, and sent directly from the caller's memory. False passes it through the buffers of the connection "
        + "in both directions.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption MaxValueBytes = Values.Number("Max Value Bytes", [], GiB, 1L << 20, int.MaxValue, "bytes",
        "Maximum size of a value that the driver accepts from the server. A larger value is an error that closes the connection, so that it cannot fill the "
        + "memory.");

    [OptionFacts(Peer = Addition, IsSetting = true)]
    public static readonly NumberOption MaxRowBytes = Values.Number("Max Row Bytes", [], GiB, 1L << 20, 1L << 40, "bytes",
        "Maximum size of the part of a row that the driver holds in memory. A row that needs more is an error that closes the connection.");

    [OptionFacts(Peer = "Only in MySql.Data: accepted at the value that changes nothing.")]
    private static readonly OptionGroup OnlyMySqlData = Table.Group("Options that only MySql.Data has: accepted at the value that changes nothing");

    public static readonly SwitchOption AllowBatch = OnlyMySqlData.Switch("Allow Batch", [], true,
        "A command may contain several statements. This cannot be forbidden.",
        static value => value ? null : "several statements in one command cannot be forbidden. Remove the option.");

    public static readonly SwitchOption CheckParameters = OnlyMySqlData.Switch("Check Parameters", [], true, "Ignored.");

    public static readonly SwitchOption CacheServerProperties = OnlyMySqlData.Switch("Cache Server Properties", [], false,
        "Ignored: the driver never asks for server properties.");

    public static readonly SwitchOption Logging = OnlyMySqlData.Switch("Logging", [], false, "Ignored: give the data source an ILoggerFactory to log "
        + "messages.");

    public static readonly NumberOption ProcedureCacheSize = OnlyMySqlData.Number(
        "Procedure Cache Size", ["Procedure Cache"], 25u, 0u, uint.MaxValue, "procedures", "Ignored.");

    public static readonly SwitchOption RespectBinaryFlags = OnlyMySqlData.Switch("Respect Binary Flags", [], true,
        "Binary columns are read as bytes. This cannot be switched off.",
        static value => value ? null : "binary columns are always read as bytes. To read text, use GetString or CAST.");

    public static readonly SwitchOption FunctionsReturnString = Unsupported("Functions Return String", "To read text, use GetString or CAST.");

    public static readonly SwitchOption TreatBlobsAsUTF8 = Unsupported("Treat Blobs As UTF8", "To read text, use GetString or CAST.");

    public static readonly SwitchOption Replication = Unsupported("Replication", "List the servers in Server.");

    public static readonly SwitchOption UseUsageAdvisor = Unsupported("Use Usage Advisor", "Remove the option.", "Usage Advisor");

    public static readonly SwitchOption UsePerformanceMonitor = Unsupported(
        "Use Performance Monitor", "Read the OpenTelemetry metrics.", "Use Perf Mon", "Perf Mon");

    public static readonly SwitchOption TableCaching = Unsupported("Table Caching", "Remove the option.", "Table Cache");

    public static readonly SwitchOption SqlServerMode = Unsupported("SQL Server Mode", "Quote names with backticks.");

    public static readonly SwitchOption DnsSrv = Unsupported("DNS SRV", "List the servers in Server.");

    public static readonly TextOption BlobAsUTF8IncludePattern = Absent("Blob As UTF8 Include Pattern", "To read text, use GetString or CAST.");

    public static readonly TextOption BlobAsUTF8ExcludePattern = Absent("Blob As UTF8 Exclude Pattern", "To read text, use GetString or CAST.");

    public static readonly TextOption CommandInterceptors = Absent("Command Interceptors",
        "The driver never loads classes by name: listen to the OpenTelemetry source Slipstream.MySql, or give the data source an ILoggerFactory.");

    public static readonly TextOption ExceptionInterceptors = Absent("Exception Interceptors",
        "The driver never loads classes by name: catch MySqlException where the command is executed.");

    public static readonly TextOption SharedMemoryName = OnlyMySqlData.Text("Shared Memory Name", [],
        "Ignored: shared memory is not supported (see Connection Protocol).", "MYSQL");

    public static readonly TextOption DefaultAuthenticationPlugin = OnlyMySqlData.Text("Default Authentication Plugin", [],
        "Ignored: the server chooses the method of the user, which costs at most one round trip.");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption KerberosAuthMode = OnlyMySqlData.Text("Kerberos Auth Mode", [],
        "Ignored: the driver uses the operating system's Kerberos.", "AUTO");

    public static readonly TextOption OciConfigFile = Absent("OCI Config File",
        "Oracle Cloud's authentication needs its own key files: log in as a user with a password.");

    public static readonly TextOption OciConfigProfile = OnlyMySqlData.Text("OCI Config Profile", [], "Ignored: see OCI Config File.", "DEFAULT");

    public static readonly TextOption OpenIdIdentityToken = Absent("OpenID Identity Token", "Log in as a user with a password.");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption SslCrl = Absent("SSL CRL",
        "With SSL Mode=VerifyFull, the operating system checks whether a certificate was revoked.");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption SshHostName = Absent("SSH Host Name", "Open the tunnel with ssh -L or SSH.NET, and name its local end in Server.");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly NumberOption SshPort = OnlyMySqlData.Number("SSH Port", [], 22u, 1u, 65535u, "", "Ignored: the driver opens no SSH tunnel (see "
        + "SSH Host Name).");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption SshUserName = OnlyMySqlData.Text("SSH User Name", [], "Ignored: the driver opens no SSH tunnel (see SSH Host Name).");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption SshPassword = OnlyMySqlData.Secret("SSH Password", [], "Ignored: the driver opens no SSH tunnel (see SSH Host Name).");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption SshKeyFile = OnlyMySqlData.Text("SSH Key File", [], "Ignored: the driver opens no SSH tunnel (see SSH Host Name).");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly TextOption SshPassphrase = OnlyMySqlData.Secret("SSH Passphrase", [], "Ignored: the driver opens no SSH tunnel (see SSH Host "
        + "Name).");

    public static readonly NumberOption DefaultTableCacheAge = OnlyMySqlData.Number(
        "Default Table Cache Age", [], 60u, 0u, MaximumSeconds, "seconds", "Ignored: the driver never caches tables.");

    [OptionFacts(Property = OptionProperty.None)]
    public static readonly SwitchOption UseProcedureBodies = OnlyMySqlData.Switch("Use Procedure Bodies", ["Procedure Bodies"], true, "Ignored.");

    public static readonly SwitchOption IncludeSecurityAsserts = Unsupported("Include Security Asserts", "Remove the option.");

    public static readonly SwitchOption IntegratedSecurity = Unsupported("Integrated Security", "Log in as a user with a password.", "Trusted_Connection");

    public static readonly SwitchOption UseDefaultCommandTimeoutForEF = Unsupported("Use Default Command Timeout For EF", "Remove the option.");

    private static TextOption Absent(string name, string advice) =>
        OnlyMySqlData.Text(name, [], "Not supported. " + advice, "", value => value.Length > 0 ? "not supported. " + advice : null);

    private static SwitchOption Unsupported(string name, string advice, params string[] aliases) =>
        OnlyMySqlData.Switch(name, aliases, false, "Not supported. " + advice, value => value ? "not supported. " + advice : null);

    // The first word of a value is the one that the builder writes.
    private static string Written(string here, string byMySqlConnector) => ThisAssembly.Conventions.WritesProtocolInPlural ? byMySqlConnector : here;
}
