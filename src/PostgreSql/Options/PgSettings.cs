using Slipstream.Core.Options;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql.Options;

/// <summary>
/// A connection string, read and checked once: what sessions and pools use. Times are in milliseconds, 0 meaning without limit unless said
/// otherwise. Immutable, shared by all connections of a data source. Options that are used as they are given are in the generated base class.
/// </summary>
internal sealed class PgSettings : PgPlainSettings
{
    private const int Second = 1000;
    private const int DefaultKeepAlive = 7200; // What Linux does when nobody says a time.
    private const string SocketName = ".s.PGSQL.";

    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    /// <exception cref="NotSupportedException">An option asks for something that is not here; the message says what to do.</exception>
    public PgSettings(PgConnectionStringBuilder options)
        : base(NotRefused(options))
    {
        Key = options.ToKey();
        ConnectionString = options.ToText();
        ShownConnectionString = options.PersistSecurityInfo ? ConnectionString : options.ToStringWithoutSecrets();

        Endpoints = HostList.IsSocketPath(options.Host)
            ? [SocketAt(options.Host, options.Port)]
            : HostList.Parse(options.Host, options.Port, PgOptions.Host.Name);
        Username = options.Username.Length > 0 ? options.Username : Environment.UserName;
        Database = options.Database.Length > 0 ? options.Database : Username;
        KeepAlive = options.TcpKeepAliveTime > 0 ? options.TcpKeepAliveTime : options.TcpKeepAlive ? DefaultKeepAlive : 0;

        SslMode = options.SslMode == SslMode.Allow ? SslMode.Prefer : options.SslMode;
        Check(ChannelBinding != ChannelBinding.Require || SslMode != SslMode.Disable, "Channel Binding=Require binds to TLS: it contradicts SSL Mode=Disable.");
        AllowedAuthentication = AuthenticationWords.Parse(options.RequireAuth);
        NamesPassword = options.RequireAuth.Length > 0 && !options.RequireAuth.Contains('!') && AllowedAuthentication.HasFlag(PgAuthenticationMethods.Password);
        if (ChannelBinding == ChannelBinding.Require)
            AllowedAuthentication &= PgAuthenticationMethods.ScramSha256Plus;
        else if (ChannelBinding == ChannelBinding.Disable)
            AllowedAuthentication &= ~PgAuthenticationMethods.ScramSha256Plus;

        PoolLimits = new(options.MinPoolSize, options.MaxPoolSize, options.ConnectionIdleLifetime * (long)Second, options.ConnectionLifetime * (long)Second);
        Check(options.MinPoolSize <= options.MaxPoolSize, $"Minimum Pool Size ({options.MinPoolSize}) is more than Maximum Pool Size ({options.MaxPoolSize}).");
        ResetMode = options.ResetMode != PgResetMode.Automatic ? options.ResetMode : options.NoResetOnClose ? PgResetMode.Never : PgResetMode.Tracked;

        ConnectionTimeout = options.Timeout * Second;
        DefaultCommandTimeout = options.CommandTimeout;
        CancellationTimeout = options.CancellationTimeout switch
        {
            -1 => 0,
            0 => System.Threading.Timeout.Infinite,
            var milliseconds => milliseconds,
        };

        Pipelines = options.Pipelining;
        Levers = new()
        {
            Spins = options.Spinning,
            AdaptsReceives = options.AdaptiveReceives,
            PassesLargeValues = options.DirectLargeValues,
        };
        ResumesTls = options.TlsResumption;
        AutoPrepares = options.AutoPrepare && options.MaxAutoPrepare > 0;
        MaxPrepared = options.MaxAutoPrepare > 0 ? options.MaxAutoPrepare : (int)PgOptions.MaxAutoPrepare.Default;
    }

    /// <summary>Equal for connection strings that mean the same. Holds secrets: for comparing only.</summary>
    public string Key { get; }

    /// <summary>The whole connection string, with its secrets.</summary>
    public string ConnectionString { get; }

    /// <summary>What a connection shows once it is open: without secrets, unless Persist Security Info is on.</summary>
    public string ShownConnectionString { get; }

    /// <summary>At least one; a unix socket is always alone.</summary>
    public IReadOnlyList<Endpoint> Endpoints { get; }

    public string Username { get; }

    public string Database { get; }

    /// <summary>Seconds; 0 for the operating system's default, which is off.</summary>
    public int KeepAlive { get; }

    /// <summary>Never <see cref="SslMode.Allow"/>.</summary>
    public SslMode SslMode { get; }

    /// <summary>What the server may ask for, with what <see cref="ChannelBinding"/> forbids taken away.</summary>
    public PgAuthenticationMethods AllowedAuthentication { get; }

    /// <summary>Require Auth names Password: then it may also be sent in clear text to this machine's own loopback address.</summary>
    public bool NamesPassword { get; }

    public PoolLimits PoolLimits { get; }

    /// <summary>A pooled session is reset in front of its next user's first command.</summary>
    public bool ResetsSessions => ResetMode != PgResetMode.Never;

    public int ConnectionTimeout { get; }

    /// <summary>Seconds, as CommandTimeout is; 0 means without limit.</summary>
    public int DefaultCommandTimeout { get; }

    /// <summary>Milliseconds from asking the server to closing the connection; 0 closes without asking, −1 waits without limit.</summary>
    public int CancellationTimeout { get; }

    /// <summary>Which of the wire's levers are on.</summary>
    public WireLevers Levers { get; }

    /// <summary>A TLS session may be resumed.</summary>
    public bool ResumesTls { get; }

    /// <summary>What is owed travels with the next command.</summary>
    public bool Pipelines { get; }

    /// <summary>How a pooled session is reset: never Automatic.</summary>
    public PgResetMode ResetMode { get; }

    public bool AutoPrepares { get; }

    /// <summary>Texts that a session keeps prepared at once, those that were asked for included.</summary>
    public int MaxPrepared { get; }

    /// <summary>The settings of a connection string.</summary>
    public static PgSettings Parse(string? connectionString) => new(PgConnectionStringBuilder.ForReading(connectionString));

    /// <summary>What TLS needs, with its files read: once per data source. Null when TLS is not wanted.</summary>
    /// <exception cref="ArgumentException">A file cannot be used.</exception>
    public TlsSettings? ReadTls() => SslMode == SslMode.Disable ? null : new(
        SslMode switch
        {
            SslMode.VerifyFull => TlsVerification.Full,
            SslMode.VerifyCA => TlsVerification.Authority,
            _ => TlsVerification.None,
        },
        CertificateFiles.ReadAuthorities(RootCertificate, PgOptions.RootCertificate.Name),
        CertificateFiles.ReadClientCertificate(SslCertificate, SslKey, SslPassword, PgOptions.SslCertificate.Name),
        CheckRevocation: CheckCertificateRevocation && SslMode >= SslMode.VerifyCA)
    {
        Resumes = ResumesTls,
        ReceivesAhead = Levers.AdaptsReceives,
        AuthorityOption = PgOptions.RootCertificate.Name,
        RevocationOption = $"{PgOptions.CheckCertificateRevocation.Name}=false",
    };

    /// <summary>Without secrets, whatever Persist Security Info says: this ends up in logs.</summary>
    public override string ToString() => PgConnectionStringBuilder.ForReading(ConnectionString).ToStringWithoutSecrets();

    // The folder, as everywhere in PostgreSQL, or the socket itself.
    private static Endpoint SocketAt(string path, int port) =>
        Endpoint.Unix(Path.GetFullPath(
            Path.GetFileName(path).StartsWith(SocketName, StringComparison.Ordinal) ? path : Path.Combine(path, $"{SocketName}{port}")));

    private static PgConnectionStringBuilder NotRefused(PgConnectionStringBuilder options)
    {
        options.ThrowIfRefused();
        return options;
    }

    private static void Check(bool isFine, string message)
    {
        if (!isFine)
            throw new ArgumentException(message);
    }
}
