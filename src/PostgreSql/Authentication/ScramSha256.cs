using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Authentication;

/// <summary>
/// SCRAM-SHA-256 and, with channel binding, SCRAM-SHA-256-PLUS. The client proves that it knows the password without sending it, and the server proves that it
/// knows the password, too.
/// <code>
/// C: n,,n=,r={client nonce}                        (y,, the client could bind, the server does not offer it; p=tls-server-end-point,, bound)
/// S: r={client nonce}{server nonce},s={salt},i={iterations}
/// C: c={base64 of the binding},r={both nonces},p={base64 of the proof}
/// S: v={base64 of the server's signature}
/// </code>
/// Source: RFC 5802, RFC 7677, RFC 5929; PostgreSQL 18, 54.3 "SASL Authentication" (the server takes the user's name from the start-up message).
/// </summary>
internal sealed class ScramSha256
{
    public const string Mechanism = "SCRAM-SHA-256";
    public const string MechanismPlus = "SCRAM-SHA-256-PLUS";

    /// <summary>
    /// The most iterations that the driver performs. A million take about a third of a second. Without a limit, a hostile server could keep a client busy for
    /// hours.
    /// </summary>
    public const int MaxIterations = 1_000_000;

    private const int MaxSaltLength = 256;
    private const int MaxNonceLength = 512;

    private readonly string _gs2Header;
    private readonly byte[] _channelBinding;
    private readonly string _clientNonce;
    private string _authMessage = "";
    private byte[] _serverKey = [];

    /// <param name="nonce">24 random characters; fixed in tests.</param>
    /// <param name="gs2Header"><c>n,,</c>, <c>y,,</c> or <c>p=tls-server-end-point,,</c>.</param>
    /// <param name="channelBinding">The hash of the server's certificate, or empty.</param>
    internal ScramSha256(string nonce, string gs2Header = "n,,", byte[]? channelBinding = null)
    {
        _clientNonce = nonce;
        _gs2Header = gs2Header;
        _channelBinding = channelBinding ?? [];
    }

    /// <summary>True after the client has answered the server's challenge. There is only one.</summary>
    public bool HasAnswered => _serverKey.Length > 0;

    /// <summary>True after the server has proved that it knows the password.</summary>
    public bool IsServerVerified { get; private set; }

    /// <param name="couldBind">True if the client supports channel binding and the server does not offer it. The client reports this to the server. A server
    /// that did offer it detects that an attacker has removed its offer.</param>
    public static ScramSha256 Create(bool couldBind) => new(NewNonce(), couldBind ? "y,," : "n,,");

    /// <param name="certificateHash">The hash of the server's certificate, by the hash algorithm of the certificate's signature, but at least SHA-256.</param>
    public static ScramSha256 CreateBound(byte[] certificateHash) => new(NewNonce(), "p=tls-server-end-point,,", certificateHash);

    /// <summary>Returns the client's first message.</summary>
    public byte[] ClientFirst() => Encoding.UTF8.GetBytes(_gs2Header + ClientFirstBare);

    /// <summary>Returns the client's answer to the server's first message.</summary>
    /// <exception cref="ProtocolException">The message is malformed, or requests something that a client must not do.</exception>
    public byte[] ClientFinal(ReadOnlySpan<byte> serverFirst, string password, ScramKeyCache cache, int leastIterations = 1, string server = "The server")
    {
        if (!IsPrintableAscii(serverFirst))
            throw Broken("printable ASCII", serverFirst.Length);
        var text = Encoding.ASCII.GetString(serverFirst);
        var parts = text.Split(',');
        if (parts.Length < 3 || !parts[0].StartsWith("r=", StringComparison.Ordinal) || !parts[1].StartsWith("s=", StringComparison.Ordinal)
            || !parts[2].StartsWith("i=", StringComparison.Ordinal))
            throw Broken("r=…,s=…,i=…", serverFirst.Length);

        var nonce = parts[0][2..];
        if (nonce.Length <= _clientNonce.Length || nonce.Length > MaxNonceLength || !nonce.StartsWith(_clientNonce, StringComparison.Ordinal))
            throw Broken("a nonce that extends the client's nonce", serverFirst.Length);
        var salt = FromBase64(parts[1][2..]);
        if (salt.Length is 0 or > MaxSaltLength)
            throw Broken($"a salt of 1 to {MaxSaltLength} bytes", serverFirst.Length);
        if (!int.TryParse(parts[2].AsSpan(2), NumberStyles.None, CultureInfo.InvariantCulture, out var iterations) || iterations is 0 or > MaxIterations)
            throw Broken($"an iteration count of 1 to {MaxIterations:N0}", serverFirst.Length);

        if (iterations < leastIterations)
            throw TooFewIterations(server, iterations, leastIterations);

        var keys = cache.Get(password, salt, iterations);
        var withoutProof = $"c={Convert.ToBase64String([.. Encoding.ASCII.GetBytes(_gs2Header), .. _channelBinding])},r={nonce}";
        _authMessage = $"{ClientFirstBare},{text},{withoutProof}";
        _serverKey = keys.ServerKey;
        var proof = HMACSHA256.HashData(keys.StoredKey, Encoding.ASCII.GetBytes(_authMessage));
        for (var i = 0; i < proof.Length; i++)
            proof[i] ^= keys.ClientKey[i];
        return Encoding.ASCII.GetBytes($"{withoutProof},p={Convert.ToBase64String(proof)}");
    }

    private static WireException TooFewIterations(string server, int iterations, int least) => new(
        WireFailure.Forbidden,
        $"{server} asks for {iterations:N0} SCRAM iterations, but Scram Min Iterations requires at least {least:N0}: with fewer iterations, an attacker who "
        + "obtains the proof can guess the password more cheaply. Set the password again with more iterations (scram_iterations), or, if the server is "
        + $"trusted, set Scram Min Iterations={iterations}.")
    { RetrySafety = RetrySafety.NotSent };

    /// <summary>Checks the server's signature. A server that does not know the password cannot create it.</summary>
    /// <param name="serverFinal">The server's final message.</param>
    /// <param name="server">The server's name for the exception's text.</param>
    /// <exception cref="WireException">The signature is wrong: the peer is not the server that the password belongs to.</exception>
    /// <exception cref="ProtocolException">The message is malformed.</exception>
    public void VerifyServer(ReadOnlySpan<byte> serverFinal, string server = "The server")
    {
        if (_serverKey.Length == 0 || !serverFinal.StartsWith("v="u8))
            throw Broken("v=…", serverFinal.Length);
        var end = serverFinal.IndexOf((byte)',');
        var signature = FromBase64(Encoding.ASCII.GetString(end < 0 ? serverFinal[2..] : serverFinal[2..end]));
        var expected = HMACSHA256.HashData(_serverKey, Encoding.ASCII.GetBytes(_authMessage));
        if (!CryptographicOperations.FixedTimeEquals(signature, expected))
            throw new WireException(WireFailure.Forbidden, $"{server} did not prove that it knows the password: it may not be the intended server. Nothing "
                + "that reveals the password was sent.") { RetrySafety = RetrySafety.NotSent };
        IsServerVerified = true;
    }

    private string ClientFirstBare => $"n=,r={_clientNonce}";

    private static string NewNonce() => Convert.ToBase64String(RandomNumberGenerator.GetBytes(18));

    private static bool IsPrintableAscii(ReadOnlySpan<byte> text) => !text.ContainsAnyExceptInRange((byte)0x20, (byte)0x7E);

    private static byte[] FromBase64(string text)
    {
        var bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out var length) ? bytes[..length] : throw Broken("base64", text.Length);
    }

    private static ProtocolException Broken(string expected, int length) => new($"{expected} in a SCRAM-SHA-256 message", $"a message of {length} bytes "
        + "without it");
}
