using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Connect;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>The login: the server's requests, and the texts of SCRAM.</summary>
internal static class PgLogin
{
    private const string Nonce = "fyko+d2lbbFgONRv9qkxdawL";
    private const string Password = "pencil";

    private static readonly ScramKeyCache Keys = new();

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-authentication", ReadRequest) { Origin = RequestSeeds },
        new BytesTarget("pg-scram", ReadScram)
        {
            Origin = ScramSeeds,
            Tokens = [.. "r= s= i= v= e= m= ,  =".Split(' ').Select(Encoding.ASCII.GetBytes), Encoding.ASCII.GetBytes(Nonce)]
        },
        new BytesTarget("pg-password", ReadPassword)
        {
            Origin = static () => ["pencil"u8.ToArray(), "grüße\u00A0世界😀"u8.ToArray(), [0xC2, 0xAD], [0xED, 0xA0, 0x80]],
            AllocationPerByte = 256
        },
    ];

    private static void ReadRequest(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var request = AuthenticationRequest.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(3, (int)request.Kind);
        states.Note(request.Data);
        if (reader.Failed)
            return;
        Outcome.Holds(request.Mechanisms.Length <= AuthenticationRequest.MaxMechanisms, "a handful of mechanisms is offered");
        Outcome.Holds(request.Data.Length <= AuthenticationRequest.MaxDataLength, "the data is short");
        states.Visit(4, request.Mechanisms.Length);
        foreach (var mechanism in request.Mechanisms)
            states.Note(mechanism);
        if (request.Kind == AuthenticationKind.Md5Password)
            states.Note(Md5Password.Answer("user", Password, request.Data));
    }

    // The server's two messages, separated by a line feed. A server that does not know the password must be refused.
    private static void ReadScram(ReadOnlySpan<byte> input, StateSet states)
    {
        var cut = input.IndexOf((byte)'\n');
        var first = cut < 0 ? input : input[..cut];
        var last = cut < 0 ? default : input[(cut + 1)..];
        if (IsSlow(first))
            return;
        var scram = new ScramSha256(Nonce);
        try
        {
            states.Note(scram.ClientFinal(first, Password, Keys));
            states.Visit(1);
            if (cut < 0)
                return;
            scram.VerifyServer(last);
            states.Visit(2);
        }
        catch (ProtocolException exception)
        {
            states.Visit(Conversations.Words.Number(exception.Expected));
        }
        catch (WireException)
        {
            states.Visit(3);
        }

        var comma = last.IndexOf((byte)',');
        Outcome.Holds(!scram.IsServerVerified || IsRight(comma < 0 ? last : last[..comma], first), "only who knows the password is verified");
    }

    // The number of iterations has its own limit and test: here it would cost a third of a second.
    private static bool IsSlow(ReadOnlySpan<byte> first)
    {
        for (var at = first.IndexOf("i="u8); at >= 0;)
        {
            var digits = first[(at + 2)..].IndexOfAnyExceptInRange((byte)'0', (byte)'9');
            if ((digits < 0 ? first.Length - at - 2 : digits) > 2)
                return true;
            var next = first[(at + 2)..].IndexOf("i="u8);
            at = next < 0 ? -1 : at + 2 + next;
        }

        return false;
    }

    private static bool IsRight(ReadOnlySpan<byte> last, ReadOnlySpan<byte> first)
    {
        var text = Encoding.ASCII.GetString(first);
        var parts = text.Split(',');
        var salted = Rfc2898DeriveBytes.Pbkdf2(
            Password, Convert.FromBase64String(parts[1][2..]), int.Parse(parts[2][2..], System.Globalization.CultureInfo.InvariantCulture),
            HashAlgorithmName.SHA256, 32);
        var message = $"n=,r={Nonce},{text},c=biws,r={parts[0][2..]}";
        var signature = HMACSHA256.HashData(HMACSHA256.HashData(salted, "Server Key"u8), Encoding.ASCII.GetBytes(message));
        return Convert.FromBase64String(Encoding.ASCII.GetString(last[2..])).AsSpan().SequenceEqual(signature);
    }

    private static void ReadPassword(ReadOnlySpan<byte> input, StateSet states)
    {
        var prepared = SaslPrep.Apply(Encoding.UTF8.GetString(input));
        states.Visit(1, prepared.Length);
        states.Note(prepared);
        var odd = SaslPrep.Apply(new string([.. System.Runtime.InteropServices.MemoryMarshal.Cast<byte, char>(input)]));
        states.Visit(2, odd.Length);
    }

    private static IReadOnlyList<byte[]> RequestSeeds() =>
    [
        .. PgSeeds.Bodies(BackendMessage.Authentication),
        [0, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 5, 1, 2, 3, 4],
        [0, 0, 0, 10, .. "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"u8],
        [0, 0, 0, 11, .. Encoding.ASCII.GetBytes($"r={Nonce}3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=10")],
        [0, 0, 0, 12, .. "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="u8],
    ];

    private static IReadOnlyList<byte[]> ScramSeeds()
    {
        var first = $"r={Nonce}3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=10";
        var salted = Rfc2898DeriveBytes.Pbkdf2(Password, Convert.FromBase64String("QSXCR+Q6sek8bf92"), 10, HashAlgorithmName.SHA256, 32);
        var signature = HMACSHA256.HashData(
            HMACSHA256.HashData(salted, "Server Key"u8), Encoding.ASCII.GetBytes($"n=,r={Nonce},{first},c=biws,r={Nonce}3rfcNHYJY1ZVvWVs7j"));
        return [
            Encoding.ASCII.GetBytes(first), Encoding.ASCII.GetBytes($"{first}\nv={Convert.ToBase64String(signature)}"),
            Encoding.ASCII.GetBytes($"{first}\nv=AAAA"), Encoding.ASCII.GetBytes($"{first},x=ext\ne=other-error")
        ];
    }
}
