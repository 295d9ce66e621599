using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Sessions;

/// <summary>The user's own code in the making of a connection: of a data source, or of one connection.</summary>
internal sealed record SecurityCallbacks
{
    public static readonly SecurityCallbacks None = new();

    public RemoteCertificateValidationCallback? Judge { get; init; }

    public Func<X509CertificateCollection, ValueTask>? ClientCertificates { get; init; }

    /// <summary>Asked for each new session.</summary>
    public Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>>? Credentials { get; init; }

    /// <summary>Asked when nobody else gives a password.</summary>
    public Func<MySqlProvidePasswordContext, string>? Password { get; init; }

    public bool HasTls => Judge is not null || ClientCertificates is not null;

    /// <summary>These, and where they say nothing the others.</summary>
    public SecurityCallbacks Over(SecurityCallbacks others) => new()
    {
        Judge = Judge ?? others.Judge,
        ClientCertificates = ClientCertificates ?? others.ClientCertificates,
        Credentials = Credentials ?? others.Credentials,
        Password = Password ?? others.Password,
    };

    /// <summary>What TLS makes of them: null when none is wanted.</summary>
    public TlsSettings? Apply(TlsSettings? tls) => tls is null || !HasTls ? tls : tls with { Judge = Judge, ProvideClientCertificates = ClientCertificates };
}
