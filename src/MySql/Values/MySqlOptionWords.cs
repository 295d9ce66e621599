namespace Slipstream.MySql;

#pragma warning disable CA1069 // Second names of the same value are part of the public surface.

/// <summary>How the connection is encrypted, and what the driver requires of the server's certificate.</summary>
public enum MySqlSslMode
{
    /// <summary>The connection is not encrypted.</summary>
    None = 0,

    /// <summary>The same as <see cref="None"/>.</summary>
    Disabled = 0,

    /// <summary>TLS if the server offers it. The driver does not verify the certificate.</summary>
    Preferred = 1,

    /// <summary>TLS, or the connection fails. The driver does not verify the certificate.</summary>
    Required = 2,

    /// <summary>TLS with a certificate signed by a trusted authority.</summary>
    VerifyCA = 3,

    /// <summary>Like <see cref="VerifyCA"/>; in addition, the certificate must contain the host name.</summary>
    VerifyFull = 4,
}

/// <summary>The transport of a connection.</summary>
public enum MySqlConnectionProtocol
{
    /// <summary>TCP.</summary>
    Socket = 1,
    /// <summary>TCP.</summary>
    Sockets = 1,
    /// <summary>TCP.</summary>
    Tcp = 1,
    /// <summary>A Windows named pipe.</summary>
    Pipe = 2,
    /// <summary>A Windows named pipe.</summary>
    NamedPipe = 2,
    /// <summary>A Unix domain socket; Server is its path.</summary>
    UnixSocket = 3,
    /// <summary>A Unix domain socket; Server is its path.</summary>
    Unix = 3,
    /// <summary>Windows shared memory; not supported.</summary>
    SharedMemory = 4,
    /// <summary>Windows shared memory; not supported.</summary>
    Memory = 4,
}

/// <summary>How the driver chooses among several servers of a connection string.</summary>
public enum MySqlLoadBalance
{
    /// <summary>Each new connection starts with the next server.</summary>
    RoundRobin = 0,

    /// <summary>In the listed order: the driver uses a server only if the servers before it fail.</summary>
    FailOver = 1,

    /// <summary>In random order.</summary>
    Random = 2,

    /// <summary>In the order of their number of connections, starting with the fewest.</summary>
    LeastConnections = 3,
}

/// <summary>The kind of cluster to which the servers belong.</summary>
public enum MySqlTopology
{
    /// <summary>The driver does not ask for roles: a new connection uses the next server that accepts it.</summary>
    None = 0,

    /// <summary>The driver asks each server to which kind of cluster it belongs.</summary>
    Auto = 1,

    /// <summary>A Galera cluster. All nodes accept writes; the driver uses one of them as the primary.</summary>
    Galera = 2,

    /// <summary>MySQL Group Replication with a single primary.</summary>
    GroupReplication = 3,

    /// <summary>A primary with asynchronous replicas, which are read-only.</summary>
    Replication = 4,
}

/// <summary>Where the driver finds servers of the cluster that the connection string does not name.</summary>
public enum MySqlTopologyDiscovery
{
    /// <summary>Nowhere: the cluster has the servers of the connection string.</summary>
    Off = 0,

    /// <summary>In the list of members that the servers of the cluster have.</summary>
    Members = 1,
}

/// <summary>The role of the server of a cluster that connections use.</summary>
public enum MySqlTargetServerType
{
    /// <summary>The primary.</summary>
    Primary = 0,

    /// <summary>The primary; if there is none, a replica.</summary>
    PreferPrimary = 1,

    /// <summary>A replica.</summary>
    Replica = 2,

    /// <summary>A replica; if there is none, the primary.</summary>
    PreferReplica = 3,

    /// <summary>Any server.</summary>
    Any = 4,
}

/// <summary>Whether a server may redirect the client to another server.</summary>
public enum MySqlServerRedirectionMode
{
    /// <summary>The driver ignores redirections. This is the default.</summary>
    Disabled = 0,
    /// <summary>The driver follows a redirection. If the other server cannot be reached, it keeps the connection to the first one.</summary>
    Preferred = 1,
    /// <summary>The driver follows a redirection. If it cannot, the connection fails.</summary>
    Required = 2,
}

/// <summary>How a <see cref="Guid"/> is stored, and which columns are read as one.</summary>
public enum MySqlGuidFormat
{
    /// <summary><see cref="Char36"/>, or <see cref="LittleEndianBinary16"/> with Old Guids=true.</summary>
    Default = 0,

    /// <summary>No column is read as a Guid. Parameters are written as 36 characters.</summary>
    None = 1,

    /// <summary>CHAR(36): 00112233-4455-6677-8899-aabbccddeeff.</summary>
    Char36 = 2,

    /// <summary>CHAR(32): 00112233445566778899aabbccddeeff.</summary>
    Char32 = 3,

    /// <summary>BINARY(16), bytes in the order of the text: 00 11 22 33 44 55 …</summary>
    Binary16 = 4,

    /// <summary>BINARY(16), time parts swapped as by UUID_TO_BIN(x, 1): 66 77 44 55 00 11 22 33 …</summary>
    TimeSwapBinary16 = 5,

    /// <summary>BINARY(16), bytes in the order of Guid.ToByteArray: 33 22 11 00 55 44 …</summary>
    LittleEndianBinary16 = 6,
}

/// <summary>The kind of DateTime values that are read, and the kind required of those that are written.</summary>
public enum MySqlDateTimeKind
{
    /// <summary>Values are read without a kind; values of any kind are written. This is the default.</summary>
    Unspecified = 0,
    /// <summary>Values are read as UTC. Writing a local value is an error.</summary>
    Utc = 1,
    /// <summary>Values are read as local. Writing a UTC value is an error.</summary>
    Local = 2,
}

/// <summary>The operating system's store that contains the client certificate.</summary>
public enum MySqlCertificateStoreLocation
{
    /// <summary>None: the certificate is in a file, or there is none.</summary>
    None = 0,
    /// <summary>The current user's store.</summary>
    CurrentUser = 1,
    /// <summary>The machine's store.</summary>
    LocalMachine = 2,
}

/// <summary>Whether the driver sends several commands in one packet. Not in MySqlConnector; takes precedence over Pipelining.</summary>
public enum MySqlPipeliningMode
{
    /// <summary>The option Pipelining decides: true means <see cref="Auto"/>, false means <see cref="Off"/>.</summary>
    Automatic = 0,

    /// <summary>
    /// The first connection to each server tests it. If a server or proxy does not support pipelining, the driver uses <see cref="Off"/> for it and logs that.
    /// </summary>
    Auto = 1,

    /// <summary>Always, without a test. A proxy without support may hang or close the connection.</summary>
    On = 2,

    /// <summary>Never: each request that precedes a command takes its own round trip.</summary>
    Off = 3,
}

/// <summary>When the driver resets a pooled session before its next use. Not in MySqlConnector; takes precedence over Connection Reset.</summary>
public enum MySqlResetMode
{
    /// <summary>The option Connection Reset decides: true means the provider's best safe mode, false means <see cref="Never"/>.</summary>
    Automatic = 0,

    /// <summary>Before each reuse. The reset is sent together with the next command and takes no round trip.</summary>
    Always = 1,

    /// <summary>Only if the session is not known to be clean. Prepared statements survive in the pool.</summary>
    Tracked = 2,

    /// <summary>Never. Variables, temporary tables and locks remain for the next user of the session.</summary>
    Never = 3,
}

#pragma warning restore CA1069

/// <summary>What a batch does if the server refuses one of its commands.</summary>
public enum MySqlBatchErrors
{
    /// <summary>The batch does not execute the commands after it.</summary>
    Stop = 0,

    /// <summary>
    /// The batch executes the other commands. It throws the first error at the end; each refused command has its own error in
    /// <see cref="MySqlBatchCommand.Error"/>.
    /// </summary>
    Continue = 1,
}
