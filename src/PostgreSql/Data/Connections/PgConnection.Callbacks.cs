using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Clusters;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Provides the password of a new session, for <c>PgConnection.ProvidePasswordCallback</c>.</summary>
/// <param name="host">The host, or the path of the unix socket.</param>
/// <param name="port">The TCP port; 0 for a unix socket.</param>
/// <param name="database">The database.</param>
/// <param name="username">The user.</param>
/// <returns>The password.</returns>
[Obsolete("Use PgDataSourceBuilder.UsePeriodicPasswordProvider, or set PgDataSource.Password.")]
public delegate string ProvidePasswordCallback(string host, int port, string database, string username);

/// <summary>Adds the client's certificates to a collection, before the TLS handshake of a new session.</summary>
/// <param name="certificates">The collection, which contains the certificates of the option SSL Certificate.</param>
public delegate void ProvideClientCertificatesCallback(X509CertificateCollection certificates);

// Application callbacks for creating a session. A pooled session was created earlier, for the connection that needed it first.
public sealed partial class PgConnection : IHasCallbacks, IHasOwnCallbacks
{
    // Kept beside the connections: needed only when a session is created, and few connections have callbacks.
    private static readonly ConditionalWeakTable<PgConnection, SecurityCallbacks> OwnCallbacks = [];

    /// <summary>
    /// Gets or sets the callback that provides the password of a new session if the connection string has none. Default: null. The driver calls it only if the
    /// server asks for a password, and not for a session of the pool.
    /// </summary>
    [Obsolete("Use PgDataSourceBuilder.UsePeriodicPasswordProvider, or set PgDataSource.Password.")]
    public ProvidePasswordCallback? ProvidePasswordCallback
    {
        get => (ProvidePasswordCallback?)Callbacks.ConnectionPassword?.Target;
        set => Callbacks = Callbacks with { ConnectionPassword = value is null ? null : value.Invoke };
    }

    /// <summary>Gets or sets the callback that adds the client's certificates to the collection, before the TLS handshake of a new session. Default: null.
    /// </summary>
    [Obsolete("Use SslClientAuthenticationOptionsCallback.")]
    public ProvideClientCertificatesCallback? ProvideClientCertificatesCallback
    {
        get => (ProvideClientCertificatesCallback?)Callbacks.ClientCertificates?.Target;
        set => Callbacks = Callbacks with { ClientCertificates = value is null ? null : value.Invoke };
    }

    /// <summary>
    /// Gets or sets the callback that validates the server's certificate in a new session's TLS handshake, with SSL Mode=Prefer or Require and without trusted
    /// authorities; otherwise Open throws an <see cref="ArgumentException"/>. Default: null. A server that the callback accepts counts as verified: the driver
    /// may send it the password.
    /// </summary>
    [Obsolete("Use SslClientAuthenticationOptionsCallback.")]
    public RemoteCertificateValidationCallback? UserCertificateValidationCallback
    {
        get => Callbacks.ValidateCertificate;
        set => Callbacks = Callbacks with { ValidateCertificate = value };
    }

    /// <summary>
    /// Gets or sets the callback that changes the options of a new session's TLS handshake. Default: null. With SSL Mode=Prefer or Require and without trusted
    /// authorities, it may set <c>RemoteCertificateValidationCallback</c>: a server that this accepts counts as verified. In other cases the driver verifies
    /// the certificate, and Open throws an <see cref="ArgumentException"/> if the callback sets that property or <c>VerificationFlags</c> of the chain policy.
    /// With Target Session Attributes other than any, Open throws an <see cref="InvalidOperationException"/>: use <see cref="PgDataSourceBuilder"/>.
    /// </summary>
    public Action<SslClientAuthenticationOptions>? SslClientAuthenticationOptionsCallback
    {
        get => Callbacks.TlsOptions;
        set => Callbacks = Callbacks with { TlsOptions = value };
    }

    SecurityCallbacks IHasCallbacks.Callbacks => Callbacks;

    bool IHasOwnCallbacks.HasOwnCallbacks => Callbacks != SecurityCallbacks.None;

    // For a connection that does not belong to the data source.
    private SecurityCallbacks AllCallbacks => SourceOrNull is PgDataSource source ? Callbacks.WithFallback(source.Callbacks) : Callbacks;

    private SecurityCallbacks Callbacks
    {
        get => OwnCallbacks.TryGetValue(this, out var callbacks) ? callbacks : SecurityCallbacks.None;
        set
        {
            if (value == SecurityCallbacks.None)
                OwnCallbacks.Remove(this);
            else
            {
                OwnCallbacks.AddOrUpdate(this, value);
                IHasOwnCallbacks.AreUsed = true;
            }
        }
    }
}
