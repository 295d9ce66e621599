using System.Text;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// What the methods of one login share: the options, the password whose turn it is, and how far the peer is to be trusted. A recoverable password leaves only
/// towards a peer that is verified now, over a unix socket, or to loopback; verification is never put off until later.
/// </summary>
internal sealed class LoginContext(ConnectOptions options, ITransport transport)
{
    /// <summary>From 0: which of the account's factors is being proved.</summary>
    public int Factor { get; set; }

    public ConnectOptions Options => options;

    public string User => options.User;

    public ITransport Transport => transport;

    public string Peer => transport.Peer;

    /// <summary>UTF-8; not to be changed.</summary>
    public byte[] Password => PasswordOf(Factor);

    public PeerTrust Trust => transport.Trust;

    /// <summary>True while the server's certificate is not verified and only the server itself can still prove it, at the end of the login.</summary>
    public bool IsUnproven => transport is TlsTransport { IsUnproven: true };

    /// <summary>The password of a factor; empty for none.</summary>
    public byte[] PasswordOf(int factor) => factor switch
    {
        0 => options.Password,
        1 => options.Password2,
        2 => options.Password3,
        _ => [],
    };

    /// <summary>Whether the password may be sent as it is.</summary>
    /// <param name="byOption">Clear text to loopback: the method knows no encryption of its own, and the user may have allowed it.</param>
    public bool MaySendPassword(bool byOption) => !IsUnproven && Trust switch
    {
        PeerTrust.Verified or PeerTrust.UnixSocket => true,
        PeerTrust.EncryptedLoopback => !byOption || options.AllowCleartextOnLoopback,
        PeerTrust.Loopback => byOption && options.AllowCleartextOnLoopback,
        _ => false,
    };

    public WireException Forbidden(string what, string wayOut, Exception? inner = null) => new(
        WireFailure.Forbidden, $"{Peer} {what}; nothing secret was sent. Ways out: {wayOut}.", inner)
    { RetrySafety = RetrySafety.NotSent };

    /// <summary>Text of the server, which may hold anything, for messages.</summary>
    public static string Printable(string text) => ServerText.OneLine(text, 64);

    /// <summary>The password as text, for what is not built in.</summary>
    public string PasswordText => Encoding.UTF8.GetString(Password);
}
