using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography.X509Certificates;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

// The user's own code in the making of this connection. A session that comes out of the pool was made already, by whatever connection needed it first.
public sealed partial class MySqlConnection : IHasCallbacks
{
    // Beside the objects, as those who listen to messages are: asked for when a session is made, and few connections have any.
    private static readonly ConditionalWeakTable<MySqlConnection, SecurityCallbacks> Given = [];

    /// <summary>
    /// Gives the password of a new session when the connection string has none: for short-lived tokens. Not asked when the session comes out of the pool.
    /// What it throws ends Open with <see cref="MySqlErrorCode.ProvidePasswordCallbackFailed"/>.
    /// </summary>
    public Func<MySqlProvidePasswordContext, string>? ProvidePasswordCallback
    {
        get => Callbacks.Password;
        set => Callbacks = Callbacks with { Password = value };
    }

    /// <summary>Fills the collection with the client's certificates before the TLS handshake of a new session.</summary>
    public Func<X509CertificateCollection, ValueTask>? ProvideClientCertificatesCallback
    {
        get => Callbacks.ClientCertificates;
        set => Callbacks = Callbacks with { ClientCertificates = value };
    }

    /// <summary>
    /// Judges the server's certificate in a new session's TLS handshake with SSL Mode=Preferred or Required and without SSL CA;
    /// otherwise the driver does, and this is not asked. Whom it accepts counts as verified: the password may be sent there.
    /// </summary>
    public RemoteCertificateValidationCallback? RemoteCertificateValidationCallback
    {
        get => Callbacks.Judge;
        set => Callbacks = Callbacks with { Judge = value };
    }

    SecurityCallbacks IHasCallbacks.Callbacks => Callbacks;

    internal SecurityCallbacks Callbacks
    {
        get => Given.TryGetValue(this, out var callbacks) ? callbacks : SecurityCallbacks.None;
        private set
        {
            if (ReferenceEquals(value, SecurityCallbacks.None))
                Given.Remove(this);
            else
                Given.AddOrUpdate(this, value);
        }
    }
}
