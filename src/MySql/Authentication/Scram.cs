using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// authentication_ldap_sasl_client: SCRAM-SHA-1 or SCRAM-SHA-256, as chosen by the server. It proves that the client knows the password without sending it.
/// It also proves that the directory behind the server knows the password.
/// <code>
/// S: AuthSwitchRequest with the mechanism's name
/// C: n,a={user},n={user},r={client nonce}
/// S: r={client nonce}{server nonce},s={salt},i={iterations}
/// C: c={base64 of n,a={user},},r={both nonces},p={base64 of the proof}
/// S: v={base64 of the server's signature}
/// </code>
/// Source: RFC 5802, RFC 7677.
/// </summary>
internal sealed class Scram
{
    public const string Name = "authentication_ldap_sasl_client";

    /// <summary>
    /// The highest accepted number of iterations: a million take about a third of a second. With more, a hostile server could keep a client busy for hours.
    /// </summary>
    public const int MaxIterations = 1_000_000;

    private const int MaxSaltLength = 256;
    private const int MaxNonceLength = 512;

    private readonly HashAlgorithmName _hash;
    private readonly int _hashLength;
    private readonly string _header;
    private readonly string _firstBare;
    private readonly string _nonce;
    private string _authMessage = "";
    private byte[] _serverKey = [];

    private Scram(HashAlgorithmName hash, int hashLength, string user, string nonce)
    {
        (_hash, _hashLength, _nonce) = (hash, hashLength, nonce);
        // "=" and "," have a meaning in these messages.
        var name = user.Replace("=", "=3D", StringComparison.Ordinal).Replace(",", "=2C", StringComparison.Ordinal);
        _header = $"n,a={name},";
        _firstBare = $"n={name},r={nonce}";
    }

    /// <summary>Whether the server's signature was verified.</summary>
    public bool IsServerVerified { get; private set; }

    /// <summary>Creates an exchange; returns null for an unsupported mechanism.</summary>
    /// <param name="mechanism">The name that the server sent.</param>
    /// <param name="user">The user's name.</param>
    /// <param name="nonce">A fixed nonce for tests; null for a random one.</param>
    public static Scram? Create(string mechanism, string user, string? nonce = null) => mechanism switch
    {
        "SCRAM-SHA-1" => new(HashAlgorithmName.SHA1, SHA1.HashSizeInBytes, user, nonce ?? NewNonce()),
        "SCRAM-SHA-256" => new(HashAlgorithmName.SHA256, SHA256.HashSizeInBytes, user, nonce ?? NewNonce()),
        _ => null,
    };

    /// <summary>Returns the client's first message.</summary>
    public byte[] ClientFirst() => Encoding.UTF8.GetBytes(_header + _firstBare);

    /// <summary>Returns the client's response to the server's first message.</summary>
    /// <param name="serverFirst">The message.</param>
    /// <param name="password">The password in UTF-8; the caller clears it.</param>
    /// <param name="leastIterations">The lowest accepted number of iterations.</param>
    /// <param name="server">The server's name for the exception's message.</param>
    /// <exception cref="WireException">The server requests fewer iterations.</exception>
    /// <exception cref="ProtocolException">The message is malformed, or requests something that a client must not do.</exception>
    public byte[] ClientFinal(ReadOnlySpan<byte> serverFirst, ReadOnlySpan<byte> password, int leastIterations = 1, string server = "The server")
    {
        var text = Encoding.Latin1.GetString(serverFirst);
        var parts = text.Split(',');
        if (serverFirst.ContainsAnyExceptInRange((byte)0x20, (byte)0x7E) || parts.Length < 3 || !parts[0].StartsWith("r=", StringComparison.Ordinal)
            || !parts[1].StartsWith("s=", StringComparison.Ordinal) || !parts[2].StartsWith("i=", StringComparison.Ordinal))
            throw Broken("r=…,s=…,i=…", serverFirst.Length);
        var nonce = parts[0][2..];
        if (nonce.Length <= _nonce.Length || nonce.Length > MaxNonceLength || !nonce.StartsWith(_nonce, StringComparison.Ordinal))
            throw Broken("a nonce that extends the client's nonce", serverFirst.Length);
        var salt = FromBase64(parts[1][2..]);
        if (salt.Length is 0 or > MaxSaltLength)
            throw Broken($"a salt of 1 to {MaxSaltLength} bytes", serverFirst.Length);
        if (!int.TryParse(parts[2].AsSpan(2), NumberStyles.None, CultureInfo.InvariantCulture, out var iterations) || iterations is 0 or > MaxIterations)
            throw Broken($"an iteration count of 1 to {MaxIterations:N0}", serverFirst.Length);

        if (iterations < leastIterations)
            throw TooFewIterations(server, iterations, leastIterations);

        var withoutProof = $"c={Convert.ToBase64String(Encoding.UTF8.GetBytes(_header))},r={nonce}";
        _authMessage = $"{_firstBare},{text},{withoutProof}";
        var salted = Rfc2898DeriveBytes.Pbkdf2(password, salt, iterations, _hash, _hashLength);
        var clientKey = Mac(salted, "Client Key"u8);
        _serverKey = Mac(salted, "Server Key"u8);
        var proof = Mac(CryptographicOperations.HashData(_hash, clientKey), Encoding.UTF8.GetBytes(_authMessage));
        for (var i = 0; i < proof.Length; i++)
            proof[i] ^= clientKey[i];
        CryptographicOperations.ZeroMemory(salted);
        CryptographicOperations.ZeroMemory(clientKey);
        return Encoding.ASCII.GetBytes($"{withoutProof},p={Convert.ToBase64String(proof)}");
    }

    /// <summary>Verifies the server's signature: a server that does not know the password cannot create it.</summary>
    /// <returns>Whether the signature is correct.</returns>
    /// <exception cref="ProtocolException">The message is malformed.</exception>
    public bool VerifyServer(ReadOnlySpan<byte> serverFinal)
    {
        if (_serverKey.Length == 0 || !serverFinal.StartsWith("v="u8))
            throw Broken("v=…", serverFinal.Length);
        var end = serverFinal.IndexOf((byte)',');
        var signature = FromBase64(Encoding.Latin1.GetString(end < 0 ? serverFinal[2..] : serverFinal[2..end]));
        return IsServerVerified = CryptographicOperations.FixedTimeEquals(signature, Mac(_serverKey, Encoding.UTF8.GetBytes(_authMessage)));
    }

    private static WireException TooFewIterations(string server, int iterations, int least) => new(
        WireFailure.Forbidden,
        $"{server} asks for {iterations:N0} SCRAM iterations, but Scram Min Iterations requires at least {least:N0}: with fewer iterations, an attacker who "
        + "obtains the proof can guess the password more cheaply. Set the password again with more iterations, or, if the server is trusted, set Scram Min "
        + $"Iterations={iterations}.")
    { RetrySafety = RetrySafety.NotSent };

    private byte[] Mac(ReadOnlySpan<byte> key, ReadOnlySpan<byte> bytes) => CryptographicOperations.HmacData(_hash, key, bytes);

    private static string NewNonce() => Convert.ToBase64String(RandomNumberGenerator.GetBytes(18));

    private static byte[] FromBase64(string text)
    {
        var bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out var length) ? bytes[..length] : throw Broken("base64", text.Length);
    }

    private static ProtocolException Broken(string expected, int length) => new($"{expected} in a SCRAM message", $"a message of {length} bytes without it");
}
