namespace Slipstream.MySql;

#pragma warning disable CA1069 // Second names of the same value are part of the public surface.

/// <summary>How the connection is protected and what is demanded of the server's certificate.</summary>
public enum MySqlSslMode
{
    /// <summary>Clear text.</summary>
    None = 0,

    /// <summary>The same as <see cref="None"/>.</summary>
    Disabled = 0,

    /// <summary>TLS when the server offers it; its certificate is not verified.</summary>
    Preferred = 1,

    /// <summary>TLS or no connection; the certificate is not verified.</summary>
    Required = 2,

    /// <summary>TLS with a certificate that a trusted authority signed.</summary>
    VerifyCA = 3,

    /// <summary>As <see cref="VerifyCA"/>, and the certificate names the host.</summary>
    VerifyFull = 4,
}

/// <summary>How the server is reached.</summary>
public enum MySqlConnectionProtocol
{
    /// <summary>TCP.</summary>
    Socket = 1,
    /// <summary>TCP.</summary>
    Sockets = 1,
    /// <summary>TCP.</summary>
    Tcp = 1,
    /// <summary>A named pipe of Windows.</summary>
    Pipe = 2,
    /// <summary>A named pipe of Windows.</summary>
    NamedPipe = 2,
    /// <summary>A socket of the file system: Server is its path.</summary>
    UnixSocket = 3,
    /// <summary>A socket of the file system: Server is its path.</summary>
    Unix = 3,
    /// <summary>Shared memory of Windows: not supported.</summary>
    SharedMemory = 4,
    /// <summary>Shared memory of Windows: not supported.</summary>
    Memory = 4,
}

/// <summary>How several servers of one connection string are chosen from.</summary>
public enum MySqlLoadBalance
{
    /// <summary>Each new connection begins with the next server.</summary>
    RoundRobin = 0,

    /// <summary>In the order they were written: a later one only when the earlier ones fail.</summary>
    FailOver = 1,

    /// <summary>In a random order.</summary>
    Random = 2,

    /// <summary>The server with the fewest connections first.</summary>
    LeastConnections = 3,
}

/// <summary>Whether a server may send the client to another server.</summary>
public enum MySqlServerRedirectionMode
{
    /// <summary>Stays with the server that was named. The default.</summary>
    Disabled = 0,
    /// <summary>Goes where the server points, and stays when that cannot be reached.</summary>
    Preferred = 1,
    /// <summary>Goes where the server points; an error when it cannot.</summary>
    Required = 2,
}

/// <summary>How a <see cref="Guid"/> is stored, and which columns are read as one.</summary>
public enum MySqlGuidFormat
{
    /// <summary><see cref="Char36"/>, or <see cref="LittleEndianBinary16"/> when the option Old Guids is on.</summary>
    Default = 0,

    /// <summary>No column is read as a Guid; parameters are written as 36 characters.</summary>
    None = 1,

    /// <summary>CHAR(36): 00112233-4455-6677-8899-aabbccddeeff.</summary>
    Char36 = 2,

    /// <summary>CHAR(32): 00112233445566778899aabbccddeeff.</summary>
    Char32 = 3,

    /// <summary>BINARY(16), bytes in the order of the text: 00 11 22 33 44 55 …</summary>
    Binary16 = 4,

    /// <summary>BINARY(16), time parts swapped as by UUID_TO_BIN(x, 1): 66 77 44 55 00 11 22 33 …</summary>
    TimeSwapBinary16 = 5,

    /// <summary>BINARY(16), bytes as Guid.ToByteArray gives them: 33 22 11 00 55 44 …</summary>
    LittleEndianBinary16 = 6,
}

/// <summary>The kind of the DateTime values that are read, and what is demanded of those that are written.</summary>
public enum MySqlDateTimeKind
{
    /// <summary>Values are read without a kind, and written whatever their kind. The default.</summary>
    Unspecified = 0,
    /// <summary>Values are read as UTC; writing a local one is an error.</summary>
    Utc = 1,
    /// <summary>Values are read as local; writing one of UTC is an error.</summary>
    Local = 2,
}

/// <summary>The store of the operating system in which a client certificate is looked for.</summary>
public enum MySqlCertificateStoreLocation
{
    /// <summary>No store: the certificate comes from a file, or there is none.</summary>
    None = 0,
    /// <summary>The user's own store.</summary>
    CurrentUser = 1,
    /// <summary>The machine's store.</summary>
    LocalMachine = 2,
}

/// <summary>Whether several commands travel in one packet. An addition to MySqlConnector's options; wins over Pipelining.</summary>
public enum MySqlPipeliningMode
{
    /// <summary>As Pipelining says: true is Auto, false is Off.</summary>
    Automatic = 0,

    /// <summary>Found out with the first connection to each server; a server or proxy that cannot take it is served as with Off, and the log says so.</summary>
    Auto = 1,

    /// <summary>Always, without finding out: a proxy that cannot take it may hang or close the connection.</summary>
    On = 2,

    /// <summary>Never: whatever stands in front of a command has a round trip of its own.</summary>
    Off = 3,
}

/// <summary>When a pooled session is reset before its next user gets it. An addition to MySqlConnector's options; wins over Connection Reset.</summary>
public enum MySqlResetMode
{
    /// <summary>As Connection Reset says: true is the provider's best safe way, false is never.</summary>
    Automatic = 0,

    /// <summary>Before every reuse, sent together with the next command: it costs no round trip.</summary>
    Always = 1,

    /// <summary>Only when the session is not proven clean. What it has prepared survives the pool.</summary>
    Tracked = 2,

    /// <summary>Never: variables, temporary tables and locks of one user reach the next.</summary>
    Never = 3,
}

#pragma warning restore CA1069

/// <summary>What a batch does when the server refuses one of its commands.</summary>
public enum MySqlBatchErrors
{
    /// <summary>The commands after it are not executed.</summary>
    Stop = 0,

    /// <summary>The others are executed all the same; the first error is thrown at the end, and each command has its own in Error.</summary>
    Continue = 1,
}
