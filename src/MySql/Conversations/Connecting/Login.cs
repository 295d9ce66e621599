using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Decides what the client answers to authentication requests and what it refuses. It refuses methods that the user has not allowed. Before the server's
/// certificate is proved, it also refuses all methods from which the password could be recovered.
/// </summary>
internal sealed class Login
{
    private readonly LoginContext _context;
    private readonly ConnectOptions _options;
    private readonly byte[] _greetingNonce;
    private readonly bool _hasFactors;
    private LoginMethod _method;
    private bool _isBegun;

    /// <param name="options">The user and the rules.</param>
    /// <param name="transport">The connection in its current state, with the trust in the peer.</param>
    /// <param name="greeting">The greeting with the server's default method and nonce.</param>
    /// <param name="hasFactors">True if several factors were agreed.</param>
    public Login(ConnectOptions options, ITransport transport, InitialHandshake greeting, bool hasFactors)
    {
        _options = options;
        _context = new(options, transport);
        _greetingNonce = greeting.Nonce;
        _hasFactors = hasFactors;
        _method = LoginMethod.Create(FirstMethod(greeting.Plugin), _context);
        // The first response is empty if the default method needs more than a nonce, is unsupported or is not allowed. The server then requests the account's
        // own method.
        FirstResponse = [];
        if (!IsAllowed(_method.Name) || (_method.Name != greeting.Plugin && !IsAllowedFirst(_method.Name, greeting.Plugin)))
            return;
        _isBegun = true;
        FirstResponse = _method.Begin(greeting.Nonce);
    }

    /// <summary>Gets the name of the current method.</summary>
    public string Method => _method.Name;

    /// <summary>Gets the first response, which the handshake response contains: a scramble or nothing, never the password.</summary>
    public byte[] FirstResponse { get; }

    /// <summary>Returns the answer to a packet other than OK or ERR, or null if the server does not expect one.</summary>
    public byte[]? Answer(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        switch (reader.Byte())
        {
            case AuthNextFactor.Header when _hasFactors:
                if (_context.Factor == 2)
                    throw new ProtocolException("at most three authentication factors", "a fourth one");
                if (_isBegun)
                    _method.Complete();
                _context.Factor++;
                return Begin(AuthNextFactor.Read(ref reader), ref reader, message.Length);
            case AuthSwitchRequest.Header:
                return Begin(AuthSwitchRequest.Read(ref reader), ref reader, message.Length);
            case AuthMoreData.Header:
                var more = AuthMoreData.Read(ref reader);
                return reader.Failed ? throw new ProtocolException("authentication data", "an empty AuthMoreData") : Continue(more.Data.ToArray());
            default:
                return _method.TakesRawPackets && message.Length > 0
                    ? Continue(message.ToArray())
                    : throw new ProtocolException(
                        "OK, ERR, AuthSwitchRequest or AuthMoreData during authentication",
                        $"{message.Length} bytes beginning with 0x{(message.Length > 0 ? message[0] : 0):X2}");
        }
    }

    /// <summary>Completes the login after the server's OK. Checks that an allowed method was used, and that the server has proved what it must prove.</summary>
    /// <param name="info">The info of the OK: the proof of a certificate that is not verified yet.</param>
    public void Complete(string info)
    {
        if (!_isBegun && _options.AllowedMethods.Length > 0 && _context.Password.Length > 0)
            throw _context.Forbidden("accepted the login without any authentication method that Require Auth allows", "check the account on the server, or "
                + "remove Require Auth");
        if (_isBegun)
            _method.Complete();
        if (!_context.IsUnproven)
            return;
        if (!Proves(info))
            throw _context.Forbidden("has an unverified certificate, and did not prove with the password that the certificate is its own: there may be a man "
                + "in the middle", "set SSL CA to the authority's certificate");
        ((TlsTransport)_context.Transport).Prove(true);
    }

    private byte[] Begin(AuthSwitchRequest request, ref ByteReader reader, int length)
    {
        if (reader.Failed)
            throw new ProtocolException("an authentication method's name", $"a request of {length} bytes without one");
        if (_options.AllowedMethods.Length > 0 && !_options.AllowedMethods.Contains(request.Plugin))
        {
            throw _context.Forbidden(
                $"asks for the authentication method '{LoginContext.Printable(request.Plugin)}', which Require Auth does not allow", "change the account's "
                + $"method to one of {string.Join(", ", _options.AllowedMethods)}, or add the method to Require Auth");
        }

        _method = LoginMethod.Create(request.Plugin, _context);
        _isBegun = true;
        return !_context.IsUnproven || _method.ProvesCertificate
            ? _method.Begin(request.Data)
            : throw _context.Forbidden(
                $"has an unverified certificate and asks for {_method.Name}, which cannot prove the certificate",
                $"set SSL CA to the authority's certificate, or change the account's method to {NativePassword.Name}, {Ed25519.Name} or {Parsec.Name}");
    }

    private byte[]? Continue(byte[] data) => _isBegun
        ? _method.Continue(data)
        : throw new ProtocolException("a method's name before its data", $"{data.Length} bytes of data");

    // Only methods that answer the greeting's nonce with a scramble begin without a request.
    private string FirstMethod(string offered)
    {
        var fits = offered is NativePassword.Name || (offered is CachingSha2.Name && !_context.IsUnproven);
        if (fits && IsAllowed(offered))
            return offered;
        return IsAllowed(CachingSha2.Name) && !IsAllowed(NativePassword.Name) && !_context.IsUnproven ? CachingSha2.Name : NativePassword.Name;
    }

    // The server's default method is not allowed. The client answers the same nonce with the allowed method, in case that is the account's method.
    private bool IsAllowedFirst(string method, string offered) =>
        _options.AllowedMethods.Length > 0 && offered is NativePassword.Name or CachingSha2.Name && IsAllowed(method);

    private bool IsAllowed(string method) => _options.AllowedMethods.Length == 0 || _options.AllowedMethods.Contains(method);

    // MariaDB 11.4 and later: a byte 01, then SHA-256 in hexadecimal digits. The input is the server's stored form of the password, the greeting's nonce and
    // the certificate's fingerprint.
    private bool Proves(string info)
    {
        if (_context.Password.Length == 0
            || !_method.ProvesCertificate
            || !_method.HasAnswered
            || info.Length != 1 + SHA256.HashSizeInBytes * 2
            || info[0] != '\x01')
            return false;
        var fingerprint = SHA256.HashData(((TlsTransport)_context.Transport).PeerCertificate!.GetRawCertData());
        var expected = SHA256.HashData([.. _method.PasswordHash(), .. _greetingNonce, .. fingerprint]);
        return CryptographicOperations.FixedTimeEquals(
            Encoding.Latin1.GetBytes(Convert.ToHexStringLower(expected)), Encoding.Latin1.GetBytes(info[1..].ToLowerInvariant()));
    }
}
