using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Sessions;

/// <summary>The application's callbacks for opening a connection, from a data source or from one connection.</summary>
internal sealed record SecurityCallbacks
{
    public static readonly SecurityCallbacks None = new();

    public RemoteCertificateValidationCallback? ValidateCertificate { get; init; }

    public Func<X509CertificateCollection, ValueTask>? ClientCertificates { get; init; }

    /// <summary>Gets the callback for the credentials of each new session.</summary>
    public Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>>? Credentials { get; init; }

    /// <summary>Gets the callback that is called if nothing else provides a password.</summary>
    public Func<MySqlProvidePasswordContext, string>? Password { get; init; }

    public bool HasTls => ValidateCertificate is not null || ClientCertificates is not null;

    /// <summary>Returns these callbacks, completed with the others.</summary>
    public SecurityCallbacks WithFallback(SecurityCallbacks fallback) => new()
    {
        ValidateCertificate = ValidateCertificate ?? fallback.ValidateCertificate,
        ClientCertificates = ClientCertificates ?? fallback.ClientCertificates,
        Credentials = Credentials ?? fallback.Credentials,
        Password = Password ?? fallback.Password,
    };

    /// <summary>Returns the TLS settings with these callbacks; null if TLS is not used.</summary>
    public TlsSettings? Apply(TlsSettings? tls) => tls is null || !HasTls
        ? tls
        : tls with { ValidateCertificate = ValidateCertificate, ProvideClientCertificates = ClientCertificates };
}
