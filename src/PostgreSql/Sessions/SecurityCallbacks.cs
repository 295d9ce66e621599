using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>The application's callbacks for opening a connection, from a data source or from one connection.</summary>
internal sealed record SecurityCallbacks
{
    public static readonly SecurityCallbacks None = new();

    /// <summary>Gets the callback for the password of each new session, for blocking callers.</summary>
    public Func<PgConnectionStringBuilder, string>? Password { get; init; }

    /// <summary>Gets the callback for the password of each new session. It also serves blocking callers if <see cref="Password"/> is null.</summary>
    public Func<PgConnectionStringBuilder, CancellationToken, ValueTask<string>>? PasswordAsync { get; init; }

    /// <summary>Gets a connection's callback, which is called if nothing else provides a password.</summary>
    public Func<string, int, string, string, string>? ConnectionPassword { get; init; }

    /// <summary>Gets the callback that adds the client's certificates to those of the options.</summary>
    public Action<X509CertificateCollection>? ClientCertificates { get; init; }

    /// <summary>Gets the callback for the trusted authorities.</summary>
    public Func<X509Certificate2Collection?>? Authorities { get; init; }

    /// <summary>Gets the callback that validates the server's certificate in place of the driver.</summary>
    public RemoteCertificateValidationCallback? ValidateCertificate { get; init; }

    /// <summary>Gets the callback that changes the options of a TLS handshake.</summary>
    public Action<SslClientAuthenticationOptions>? TlsOptions { get; init; }

    /// <summary>Gets the callback that changes the options of a Kerberos login.</summary>
    public Action<NegotiateAuthenticationClientOptions>? NegotiateOptions { get; init; }

    /// <summary>Gets whether a callback provides the password of each new session.</summary>
    public bool ProvidesPassword => Password is not null || PasswordAsync is not null;

    public bool HasTls => ClientCertificates is not null || Authorities is not null || ValidateCertificate is not null || TlsOptions is not null;

    /// <summary>Returns these callbacks, completed with the others.</summary>
    public SecurityCallbacks WithFallback(SecurityCallbacks fallback) => new()
    {
        Password = Password ?? fallback.Password,
        PasswordAsync = PasswordAsync ?? fallback.PasswordAsync,
        ConnectionPassword = ConnectionPassword ?? fallback.ConnectionPassword,
        ClientCertificates = ClientCertificates ?? fallback.ClientCertificates,
        Authorities = Authorities ?? fallback.Authorities,
        ValidateCertificate = ValidateCertificate ?? fallback.ValidateCertificate,
        TlsOptions = TlsOptions ?? fallback.TlsOptions,
        NegotiateOptions = NegotiateOptions ?? fallback.NegotiateOptions,
    };

    /// <summary>Returns the TLS settings with these callbacks; null if TLS is not used.</summary>
    /// <exception cref="ArgumentException">The driver verifies the certificate already.</exception>
    public TlsSettings? Apply(TlsSettings? tls)
    {
        if (tls is null || !HasTls)
            return tls;
        if (ValidateCertificate is not null && (tls.Verification != TlsVerification.None || tls.Authorities is not null || Authorities is not null))
        {
            throw new ArgumentException(
                "A validation callback and the driver cannot both verify the server's certificate: remove UserCertificateValidationCallback, or the "
                + "trusted authorities and SSL Mode=VerifyCA or VerifyFull.");
        }

        return tls with
        {
            ValidateCertificate = ValidateCertificate,
            ProvideClientCertificates = ClientCertificates is null ? null : Provider(tls.ClientCertificates, ClientCertificates),
            ProvideAuthorities = Authorities,
            Configure = TlsOptions,
        };
    }

    private static Func<X509CertificateCollection, ValueTask> Provider(X509CertificateCollection? ofOptions, Action<X509CertificateCollection> callback) =>
        certificates =>
        {
            if (ofOptions is not null)
                certificates.AddRange(ofOptions);
            callback(certificates);
            return default;
        };
}

/// <summary>The requester of a session, with the application's callbacks for opening it. The opener finds it as the holder of the attempt.</summary>
internal interface IHasCallbacks
{
    /// <summary>Gets the callbacks; <see cref="SecurityCallbacks.None"/> if there are none.</summary>
    SecurityCallbacks Callbacks { get; }
}
