namespace Slipstream.PostgreSql;

/// <summary>Specifies whether the connection uses TLS, and how the driver verifies the server's certificate.</summary>
public enum SslMode
{
    /// <summary>The connection is not encrypted.</summary>
    Disable = 0,

    /// <summary>The same as <see cref="Prefer"/>: TLS if the server offers it.</summary>
    Allow = 1,

    /// <summary>TLS if the server offers it. The certificate is not verified. The default.</summary>
    Prefer = 2,

    /// <summary>TLS is required. The certificate is not verified.</summary>
    Require = 3,

    /// <summary>TLS is required, and a trusted authority must have signed the certificate.</summary>
    VerifyCA = 4,

    /// <summary>As <see cref="VerifyCA"/>, and the certificate must contain the host name.</summary>
    VerifyFull = 5,
}

/// <summary>Specifies how a pooled session is reset to the state of a new one. An addition to Npgsql's options; overrides No Reset On Close.</summary>
public enum PgResetMode
{
    /// <summary>Follows No Reset On Close: false means <see cref="Tracked"/>, true means <see cref="Never"/>. The default.</summary>
    Automatic = 0,

    /// <summary>DISCARD ALL, which also drops all prepared statements.</summary>
    Always = 1,

    /// <summary>
    /// Resets the same state as DISCARD ALL, but keeps the driver's prepared statements unless there are signs that their meaning may have changed.
    /// </summary>
    Tracked = 2,

    /// <summary>No reset: the next user of the session gets the state that the previous one left.</summary>
    Never = 3,
}

/// <summary>Specifies whether SCRAM proves that both ends see the same TLS connection.</summary>
public enum ChannelBinding
{
    /// <summary>Channel binding is not used.</summary>
    Disable = 0,

    /// <summary>Channel binding is used if the server offers it. The default.</summary>
    Prefer = 1,

    /// <summary>Channel binding is required; otherwise the connection fails.</summary>
    Require = 2,
}

/// <summary>Specifies how TLS begins.</summary>
public enum SslNegotiation
{
    /// <summary>The driver first asks the server in clear text whether it supports TLS. The default.</summary>
    Postgres = 0,

    /// <summary>TLS begins immediately, without a request in clear text; requires PostgreSQL 17 or later.</summary>
    Direct = 1,
}

/// <summary>Specifies whether Kerberos encrypts the connection. The driver does not support this.</summary>
public enum GssEncryptionMode
{
    /// <summary>Not used.</summary>
    Disable = 0,
    /// <summary>In Npgsql: used if the server offers it. In this driver: not used. The default.</summary>
    Prefer = 1,
    /// <summary>Required. The driver rejects this value.</summary>
    Require = 2,
}

/// <summary>Specifies whether arrays of value types are read as arrays of nullables. The driver does not support arrays.</summary>
public enum ArrayNullabilityMode
{
    /// <summary>Arrays of value types never contain nullables. The default.</summary>
    Never = 0,
    /// <summary>Arrays of value types always contain nullables.</summary>
    Always = 1,
    /// <summary>An array contains nullables if one of its elements is NULL.</summary>
    PerInstance = 2,
}

/// <summary>Whether the driver loads the types of the database.</summary>
public enum ServerCompatibilityMode
{
    /// <summary>The types are loaded when the first connection is opened. The default.</summary>
    None = 0,
    /// <summary>The same as <see cref="None"/>.</summary>
    Redshift = 1,
    /// <summary>The types are not loaded: values of types that are not built in are read as text.</summary>
    NoTypeLoading = 2,
}

/// <summary>The authentication methods that the server may request.</summary>
[Flags]
internal enum PgAuthenticationMethods
{
    None = 0,

    /// <summary>No password: trust, peer, certificate.</summary>
    Trust = 1,

    /// <summary>
    /// The password in clear text, which the driver sends only inside verified TLS, over a unix socket, or over loopback if the options name this method.
    /// </summary>
    Password = 2,

    /// <summary>A broken hash, used only if the options name it.</summary>
    Md5 = 4,

    ScramSha256 = 8,
    ScramSha256Plus = 16,

    /// <summary>Kerberos through GSSAPI.</summary>
    Gss = 32,

    /// <summary>Kerberos through the SSPI of a server on Windows.</summary>
    Sspi = 64,
}

/// <summary>Specifies what a batch does if the server rejects one of its commands.</summary>
public enum PgBatchErrors
{
    /// <summary>The commands after it are not executed. Outside a transaction, the commands before it are rolled back. The default.</summary>
    Stop,

    /// <summary>
    /// Each command succeeds or fails separately. At the end, one exception with all errors is thrown; each command also has its own error in <c>Error</c>.
    /// </summary>
    Continue,
}
