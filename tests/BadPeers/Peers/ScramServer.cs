using System.Security.Cryptography;
using System.Text;

namespace Slipstream.BadPeers.Peers;

/// <summary>The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), honest unless configured otherwise.</summary>
/// <param name="password">The password that the client must know.</param>
/// <param name="iterations">The count that the client must use.</param>
public sealed class ScramServer(string password, int iterations = 4096)
{
    private static readonly byte[] Salt = "salt of 16 bytes"u8.ToArray();

    /// <summary>Announced in place of <c>iterations</c>.</summary>
    public string? AnnouncedIterations { get; init; }

    /// <summary>Whether the nonce is a new one that does not continue the client's.</summary>
    public bool ForgetsNonce { get; init; }

    /// <summary>Whether the signature is made without the password.</summary>
    public bool SignsWrongly { get; init; }

    /// <summary>Whether AuthenticationOk comes without any signature.</summary>
    public bool SkipsSignature { get; init; }

    /// <summary>Whether SCRAM-SHA-256-PLUS is offered, too, and used if the client chooses it.</summary>
    public bool OffersBinding { get; init; }

    /// <summary>The header about channel binding that the client must send; null for any.</summary>
    public string? ExpectedHeader { get; init; }

    /// <summary>DER: the certificate that the channel is bound to.</summary>
    public byte[] Certificate { get; init; } = [];

    /// <summary>Runs the exchange up to AuthenticationOk, which is not sent.</summary>
    /// <exception cref="InvalidDataException">The client's proof is wrong.</exception>
    public void Authenticate(FakePeer peer)
    {
        peer.Send(
            PgWords.Authentication(
                10, OffersBinding ? [.. PgWords.Text("SCRAM-SHA-256-PLUS"), .. PgWords.Text("SCRAM-SHA-256"), 0] : [.. PgWords.Text("SCRAM-SHA-256"), 0]));
        var (_, initial) = peer.ReadMessage();
        // mechanism\0 | length | n,,n=,r=nonce
        var mechanism = Array.IndexOf(initial, (byte)0);
        var first = Encoding.ASCII.GetString(initial, mechanism + 5, initial.Length - mechanism - 5);
        var header = first[..(first.IndexOf(",,", StringComparison.Ordinal) + 2)];
        if (ExpectedHeader is { } expected && header != expected)
            throw new InvalidDataException($"'{expected}' was expected about channel binding, '{header}' came.");
        if (header.StartsWith('p') != (mechanism == "SCRAM-SHA-256-PLUS".Length))
            throw new InvalidDataException($"'{header}' does not fit the mechanism.");
        var firstBare = first[header.Length..];
        var clientNonce = firstBare.Split(',').Single(static part => part.StartsWith("r=", StringComparison.Ordinal))[2..];
        var nonce = ForgetsNonce ? "A completely different nonce" : clientNonce + "ServerPart";
        var serverFirst =
            $"r={nonce},s={Convert.ToBase64String(Salt)},i={AnnouncedIterations ?? iterations.ToString(System.Globalization.CultureInfo.InvariantCulture)}";
        peer.Send(PgWords.Authentication(11, Encoding.ASCII.GetBytes(serverFirst)));

        var (_, answer) = peer.ReadMessage();
        var final = Encoding.ASCII.GetString(answer);
        var proofAt = final.LastIndexOf(",p=", StringComparison.Ordinal);
        byte[] binding = [.. Encoding.ASCII.GetBytes(header), .. header.StartsWith('p') ? SHA256.HashData(Certificate) : []];
        if (!final.StartsWith($"c={Convert.ToBase64String(binding)},r={nonce}", StringComparison.Ordinal))
            throw new InvalidDataException("The final message does not repeat what was said about channel binding, and the nonce.");
        var authMessage = Encoding.ASCII.GetBytes($"{firstBare},{serverFirst},{final[..proofAt]}");
        var salted = Rfc2898DeriveBytes.Pbkdf2(Encoding.UTF8.GetBytes(password), Salt, iterations, HashAlgorithmName.SHA256, 32);
        var clientKey = HMACSHA256.HashData(salted, "Client Key"u8.ToArray());
        var signature = HMACSHA256.HashData(SHA256.HashData(clientKey), authMessage);
        if (!Convert.FromBase64String(final[(proofAt + 3)..]).SequenceEqual(clientKey.Zip(signature, static (a, b) => (byte)(a ^ b))))
            throw new InvalidDataException("The client's proof is wrong.");

        if (SkipsSignature)
            return;
        var verifier = HMACSHA256.HashData(HMACSHA256.HashData(salted, SignsWrongly ? "Somebody's Key"u8.ToArray() : "Server Key"u8.ToArray()), authMessage);
        peer.Send(PgWords.Authentication(12, Encoding.ASCII.GetBytes($"v={Convert.ToBase64String(verifier)}")));
    }
}
