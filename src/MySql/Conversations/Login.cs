using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// What is answered to a server that asks for a password, and what is refused. A recoverable password leaves only towards a peer that is
/// verified now, over a unix socket, or to loopback; verification is never put off until later.
/// </summary>
internal sealed class Login
{
    private readonly ConnectOptions _options;
    private readonly ITransport _transport;
    private byte[] _nonce;
    private bool _keyRequested;

    /// <param name="options">The user and the rules.</param>
    /// <param name="transport">The connection as it is now: how trustworthy the peer is.</param>
    /// <param name="plugin">The server's default method.</param>
    /// <param name="nonce">From the greeting.</param>
    public Login(ConnectOptions options, ITransport transport, string plugin, byte[] nonce)
    {
        _options = options;
        _transport = transport;
        _nonce = nonce;
        // A default method that needs more than a nonce, or is unknown here, is answered with nothing: the server then asks for the account's own method.
        (Method, FirstResponse) = plugin switch
        {
            CachingSha2.Name => (plugin, CachingSha2.Respond(nonce, options.Password)),
            NativePassword.Name => (plugin, NativePassword.Respond(nonce, options.Password)),
            _ => (NativePassword.Name, []),
        };
    }

    /// <summary>The method under way.</summary>
    public string Method { get; private set; }

    /// <summary>What goes with the handshake response: a scramble or nothing, never the password.</summary>
    public byte[] FirstResponse { get; }

    /// <summary>The answer to an AuthSwitchRequest or AuthMoreData; null when the server expects none.</summary>
    public byte[]? Answer(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        switch (reader.Byte())
        {
            case AuthSwitchRequest.Header:
                var request = AuthSwitchRequest.Read(ref reader);
                if (reader.Failed)
                    throw new ProtocolException("an authentication method's name", $"an AuthSwitchRequest of {message.Length} bytes");
                Method = request.Plugin;
                _nonce = request.Data;
                return Begin();
            case AuthMoreData.Header:
                var more = AuthMoreData.Read(ref reader);
                if (reader.Failed)
                    throw new ProtocolException("authentication data", "an empty AuthMoreData");
                return Continue(more);
            default:
                throw new ProtocolException("OK, ERR, AuthSwitchRequest or AuthMoreData during authentication", $"{message.Length} bytes beginning with 0x{(message.Length > 0 ? message[0] : 0):X2}");
        }
    }

    private byte[] Begin()
    {
        switch (Method)
        {
            case NativePassword.Name:
                CheckNonce(InitialHandshake.NonceLength);
                return NativePassword.Respond(_nonce, _options.Password);
            case CachingSha2.Name:
                CheckNonce(InitialHandshake.NonceLength);
                return CachingSha2.Respond(_nonce, _options.Password);
            case RsaPassword.Sha256Name:
                CheckNonce(InitialHandshake.NonceLength);
                if (_options.Password.Length == 0)
                    return [0];
                return FullAuthentication(RsaPassword.RequestPublicKeySha256);
            case Ed25519.Name:
                CheckNonce(Ed25519.NonceLength);
                return Ed25519.Respond(_nonce, _options.Password);
            case ClearPassword.Name:
                return MaySendPassword(byOption: true)
                    ? ClearPassword.Respond(_options.Password)
                    : throw Forbidden("asks for the password in clear text (mysql_clear_password)", "use SslMode=VerifyCA or VerifyFull, or a unix socket; for a server on this machine AllowCleartextPassword=true allows it");
            default:
                throw Forbidden($"asks for the authentication method '{Printable(Method)}', which this client does not have", "give the account one of caching_sha2_password, sha256_password, mysql_native_password or client_ed25519");
        }
    }

    private byte[]? Continue(AuthMoreData more)
    {
        if (_keyRequested && Method is CachingSha2.Name or RsaPassword.Sha256Name)
        {
            _keyRequested = false;
            return Encrypt(more.Data);
        }

        if (Method == CachingSha2.Name)
        {
            if (more.IsFastSuccess)
                return null;                                                // S: OK follows
            if (more.IsFullAuthenticationNeeded)
                return FullAuthentication(CachingSha2.RequestPublicKey);
        }

        throw new ProtocolException($"what {Printable(Method)} says next", $"AuthMoreData of {more.Data.Length} bytes");
    }

    // The server has no cached hash and needs the password itself.
    private byte[] FullAuthentication(byte keyRequest)
    {
        if (_transport.Trust is not PeerTrust.Loopback && MaySendPassword(byOption: false))
            return ClearPassword.Respond(_options.Password);
        if (_options.PublicKey is { } pinned)
            return Encrypt(System.Text.Encoding.ASCII.GetBytes(pinned));
        if (!_options.AllowPublicKeyRetrieval)
            throw Forbidden(
                $"needs the password itself ({Method}, full authentication), and the connection is not verified TLS",
                "use SslMode=VerifyCA or VerifyFull, or a unix socket, or name the server's key with ServerRsaPublicKeyFile; AllowPublicKeyRetrieval=true trusts the key the server sends");
        _keyRequested = true;
        return [keyRequest];
    }

    // Clear text to loopback without TLS is refused by the server in the full exchange, and by option only for mysql_clear_password.
    private bool MaySendPassword(bool byOption) => _transport.Trust switch
    {
        PeerTrust.Verified or PeerTrust.UnixSocket => true,
        PeerTrust.EncryptedLoopback => !byOption || _options.AllowCleartextOnLoopback,
        PeerTrust.Loopback => byOption && _options.AllowCleartextOnLoopback,
        _ => false,
    };

    private byte[] Encrypt(ReadOnlySpan<byte> pem)
    {
        if (!RsaPassword.TryReadKey(pem, out var key, out var problem))
            throw Forbidden($"sent a public key that cannot be used: {problem}", "check the server's key, or ServerRsaPublicKeyFile");
        using (key)
            return RsaPassword.Encrypt(_nonce, _options.Password, key);
    }

    private void CheckNonce(int length)
    {
        if (_nonce.Length != length)
            throw new ProtocolException($"a nonce of {length} bytes for {Printable(Method)}", $"one of {_nonce.Length}");
    }

    private WireException Forbidden(string what, string wayOut) => new(
        WireFailure.Forbidden, $"{_transport.Peer} {what}; nothing secret was sent. Ways out: {wayOut}.")
    { RetrySafety = RetrySafety.NotSent };

    // The name comes from the server: it may hold anything.
    private static string Printable(string name) => new([.. name.Take(64).Select(static c => char.IsControl(c) ? '?' : c)]);
}
