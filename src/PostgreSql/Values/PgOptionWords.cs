namespace Slipstream.PostgreSql;

/// <summary>How the connection is protected and what is demanded of the server's certificate.</summary>
public enum SslMode
{
    /// <summary>Clear text.</summary>
    Disable = 0,

    /// <summary>Treated as <see cref="Prefer"/>: TLS when the server offers it.</summary>
    Allow = 1,

    /// <summary>TLS when the server offers it; its certificate is not verified.</summary>
    Prefer = 2,

    /// <summary>TLS or no connection; the certificate is not verified.</summary>
    Require = 3,

    /// <summary>TLS with a certificate that a trusted authority signed.</summary>
    VerifyCA = 4,

    /// <summary>As <see cref="VerifyCA"/>, and the certificate names the host.</summary>
    VerifyFull = 5,
}

/// <summary>How a pooled session is brought back to the state of a new one. An addition to Npgsql's options; wins over No Reset On Close.</summary>
public enum PgResetMode
{
    /// <summary>As No Reset On Close says: false is <see cref="Tracked"/>, true is <see cref="Never"/>.</summary>
    Automatic = 0,

    /// <summary>DISCARD ALL, which drops all that is prepared.</summary>
    Always = 1,

    /// <summary>As DISCARD ALL, but statements that the driver has prepared stay where nothing shows that they could mean something else.</summary>
    Tracked = 2,

    /// <summary>Not at all: the next user finds what the one before has left.</summary>
    Never = 3,
}

/// <summary>Whether SCRAM proves that both ends see the same TLS connection.</summary>
public enum ChannelBinding
{
    /// <summary>Not used.</summary>
    Disable = 0,

    /// <summary>When the server offers it.</summary>
    Prefer = 1,

    /// <summary>Or no connection.</summary>
    Require = 2,
}

/// <summary>How TLS begins.</summary>
public enum SslNegotiation
{
    /// <summary>The server is asked in clear text whether it speaks TLS.</summary>
    Postgres = 0,

    /// <summary>At once; needs PostgreSQL 17.</summary>
    Direct = 1,
}

/// <summary>Whether the connection is encrypted by Kerberos.</summary>
public enum GssEncryptionMode
{
    /// <summary>Not used.</summary>
    Disable = 0,
    /// <summary>Used where the server offers it.</summary>
    Prefer = 1,
    /// <summary>Required: without it the connection is refused.</summary>
    Require = 2,
}

/// <summary>Whether arrays of value types are read as arrays of nullables.</summary>
public enum ArrayNullabilityMode
{
    /// <summary>Never.</summary>
    Never = 0,
    /// <summary>In every message.</summary>
    Always = 1,
    /// <summary>In the messages of the server, not in those of the client.</summary>
    PerInstance = 2,
}

/// <summary>The ways of authentication that the server may ask for.</summary>
[Flags]
internal enum PgAuthenticationMethods
{
    None = 0,

    /// <summary>The server asks for nothing: trust, peer, certificate.</summary>
    Trust = 1,

    /// <summary>The password in clear text: only ever sent inside verified TLS or over a unix socket.</summary>
    Password = 2,

    /// <summary>A broken hash: only when the options name it.</summary>
    Md5 = 4,

    ScramSha256 = 8,
    ScramSha256Plus = 16,
}

/// <summary>What happens when the server refuses a command of a batch.</summary>
public enum PgBatchErrors
{
    /// <summary>The commands after it do not run; outside a transaction those before it are undone.</summary>
    Stop,

    /// <summary>Each command succeeds or fails by itself; all errors are thrown together at the end, and each command has its own in Error.</summary>
    Continue,
}
