using System.Security.Cryptography;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Conversations;

/// <summary>caching_sha2_password, and sha256_password, which is its second half: the password itself, inside TLS or encrypted with the server's key.</summary>
internal sealed class Sha2Method(string name, LoginContext login) : LoginMethod(name, login)
{
    private byte[] _nonce = [];
    private bool _keyRequested;

    public override byte[] Begin(byte[] data)
    {
        CheckNonce(data, InitialHandshake.NonceLength);
        _nonce = data;
        HasAnswered = true;
        if (Name == CachingSha2.Name)
            return CachingSha2.Respond(_nonce, Password);
        return Password.Length == 0 ? [0] : FullAuthentication(RsaPassword.RequestPublicKeySha256);
    }

    public override byte[]? Continue(byte[] data)
    {
        if (_keyRequested)
        {
            _keyRequested = false;
            HasAnswered = true;
            return Encrypt(data);
        }

        if (Name != CachingSha2.Name)
            return base.Continue(data);
        return data switch
        {
            [3] => null,                                                    // The scramble matched the server's cache: OK follows.
            [4] => FullAuthentication(CachingSha2.RequestPublicKey),        // The cache has no entry.
            _ => base.Continue(data),
        };
    }

    private byte[] FullAuthentication(byte keyRequest)
    {
        // Servers refuse clear text to loopback without TLS.
        if (Login.Trust is not PeerTrust.Loopback && Login.MaySendPassword(byOption: false))
            return ClearPassword.Respond(Password);
        // Servers use their RSA key only outside TLS (sha256_password_authenticate, caching_sha2_password_authenticate).
        // Inside TLS, they would treat the encrypted password, and the request for the key, as a wrong password.
        if (Login.Trust.IsEncrypted())
        {
            throw Login.Forbidden(
                $"needs the password itself ({Name}, full authentication), but this SSL Mode does not verify the server's certificate: a man in the middle "
                + "could read the password",
                "use SSL Mode=VerifyCA or VerifyFull (with SSL CA for a private authority), or a unix socket; Server RSA Public Key File and Allow Public "
                + "Key Retrieval apply only without TLS");
        }

        if (Login.Options.PublicKey is { } pinned)
            return Encrypt(System.Text.Encoding.ASCII.GetBytes(pinned));
        if (!Login.Options.AllowPublicKeyRetrieval)
        {
            throw Login.Forbidden(
                $"needs the password itself ({Name}, full authentication), but the connection does not use TLS",
                "use SSL Mode=VerifyCA or VerifyFull, or a unix socket, or set Server RSA Public Key File to the file with the server's key; Allow Public "
                + "Key Retrieval=true trusts any key that the server sends");
        }

        _keyRequested = true;
        HasAnswered = false;
        return [keyRequest];
    }

    private byte[] Encrypt(ReadOnlySpan<byte> pem)
    {
        if (!RsaPassword.TryReadKey(pem, out var key, out var problem))
            throw UnusableKey(problem, null);
        using (key)
        {
            try
            {
                return RsaPassword.Encrypt(_nonce, Password, key);
            }
            catch (CryptographicException exception)
            {
                throw UnusableKey("its numbers are not those of an RSA key", exception);
            }
        }
    }

    private WireException UnusableKey(string problem, Exception? inner) =>
        Login.Forbidden($"sent a public key that cannot be used: {problem}", "check the server's key, or Server RSA Public Key File", inner);
}
