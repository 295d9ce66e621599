using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Clusters;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

// Application callbacks for creating a session. A pooled session was created earlier, for the connection that needed it first.
public sealed partial class MySqlConnection : IHasCallbacks, IHasOwnCallbacks
{
    // Kept beside the connections, like the handlers of messages: needed only when a session is created, and few connections have callbacks.
    private static readonly ConditionalWeakTable<MySqlConnection, SecurityCallbacks> OwnCallbacks = [];

    /// <summary>
    /// Gets or sets the callback that provides the password of a new session if the connection string has none: for short-lived tokens. Default: null. The
    /// driver does not call it for a session of the pool. If it throws, Open fails with <see cref="MySqlErrorCode.ProvidePasswordCallbackFailed"/>. With the
    /// option Topology, Open throws an <see cref="InvalidOperationException"/>: use <see cref="MySqlDataSourceBuilder"/>.
    /// </summary>
    public Func<MySqlProvidePasswordContext, string>? ProvidePasswordCallback
    {
        get => Callbacks.Password;
        set => Callbacks = Callbacks with { Password = value };
    }

    /// <summary>
    /// Gets or sets the callback that adds the client's certificates to the collection, before the TLS handshake of a new session. Default: null. With the
    /// option Topology, Open throws an <see cref="InvalidOperationException"/>: use <see cref="MySqlDataSourceBuilder"/>.
    /// </summary>
    public Func<X509CertificateCollection, ValueTask>? ProvideClientCertificatesCallback
    {
        get => Callbacks.ClientCertificates;
        set => Callbacks = Callbacks with { ClientCertificates = value };
    }

    /// <summary>
    /// Gets or sets the callback that validates the server's certificate in a new session's TLS handshake, with SSL Mode=Preferred or Required and without SSL
    /// CA. Default: null. In other cases the driver validates the certificate and does not call it. A server that the callback accepts counts as verified: the
    /// driver may send it the password. With the option Topology, Open throws an <see cref="InvalidOperationException"/>: use
    /// <see cref="MySqlDataSourceBuilder"/>.
    /// </summary>
    public RemoteCertificateValidationCallback? RemoteCertificateValidationCallback
    {
        get => Callbacks.ValidateCertificate;
        set => Callbacks = Callbacks with { ValidateCertificate = value };
    }

    SecurityCallbacks IHasCallbacks.Callbacks => Callbacks;

    bool IHasOwnCallbacks.HasOwnCallbacks => Callbacks != SecurityCallbacks.None;

    internal SecurityCallbacks Callbacks
    {
        get => OwnCallbacks.TryGetValue(this, out var callbacks) ? callbacks : SecurityCallbacks.None;
        private set
        {
            if (ReferenceEquals(value, SecurityCallbacks.None))
                OwnCallbacks.Remove(this);
            else
            {
                OwnCallbacks.AddOrUpdate(this, value);
                IHasOwnCallbacks.AreUsed = true;
            }
        }
    }
}
