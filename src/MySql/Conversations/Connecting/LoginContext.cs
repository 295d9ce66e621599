using System.Text;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The data that the methods of one login share: the options, the current password, and the trust in the peer. A recoverable password is sent only to a peer
/// that is verified at that time, over a Unix socket, or to loopback. Verification is never postponed.
/// </summary>
internal sealed class LoginContext(ConnectOptions options, ITransport transport)
{
    /// <summary>Gets or sets the number of the current factor, counted from 0.</summary>
    public int Factor { get; set; }

    public ConnectOptions Options => options;

    public string User => options.User;

    public ITransport Transport => transport;

    public string Peer => transport.Peer;

    /// <summary>Gets the current password in UTF-8. Callers must not change it.</summary>
    public byte[] Password => PasswordOf(Factor);

    public PeerTrust Trust => transport.Trust;

    /// <summary>Gets whether the server's certificate is unverified and only the server itself can still prove it, at the end of the login.</summary>
    public bool IsUnproven => transport is TlsTransport { IsUnproven: true };

    /// <summary>Returns the password of a factor; empty for none.</summary>
    public byte[] PasswordOf(int factor) => factor switch
    {
        0 => options.Password,
        1 => options.Password2,
        2 => options.Password3,
        _ => [],
    };

    /// <summary>Returns whether the password may be sent as it is.</summary>
    /// <param name="byOption">True for clear text to loopback: the method has no encryption, and the user may have allowed it.</param>
    public bool MaySendPassword(bool byOption) => !IsUnproven && Trust switch
    {
        PeerTrust.Verified or PeerTrust.UnixSocket => true,
        PeerTrust.EncryptedLoopback => !byOption || options.AllowCleartextOnLoopback,
        PeerTrust.Loopback => byOption && options.AllowCleartextOnLoopback,
        _ => false,
    };

    public WireException Forbidden(string what, string advice, Exception? inner = null) => new(
        WireFailure.Forbidden, $"{Peer} {what}; no secret was sent. What to do: {advice}.", inner)
    { RetrySafety = RetrySafety.NotSent };

    /// <summary>Returns the server's text in a form that is safe in messages.</summary>
    public static string Printable(string text) => ServerText.OneLine(text, 64);

    /// <summary>Gets the password as text, for methods that are not built in.</summary>
    public string PasswordText => Encoding.UTF8.GetString(Password);
}
