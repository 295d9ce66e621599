using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Conversations;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The server's side of a login, for each method.</summary>
internal static class MySqlLogin
{
    private const string Password = "canary-of-the-password";

    private static readonly string[] Methods =
    [
        NativePassword.Name, CachingSha2.Name, RsaPassword.Sha256Name, ClearPassword.Name, MethodNames.Dialog, Scram.Name, MethodNames.Gssapi,
        MethodNames.Kerberos, Ed25519.Name, Parsec.Name,
    ];

    private static readonly PeerTrust[] Trusts =
        [PeerTrust.None, PeerTrust.Loopback, PeerTrust.Encrypted, PeerTrust.EncryptedLoopback, PeerTrust.Verified, PeerTrust.UnixSocket];

    private static readonly byte[] ScramNonce = "fyko+d2lbbFgONRv9qkxdawL"u8.ToArray();

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-auth-methods", LogIn) { MostInput = 256, Frames = new LengthEncodedStrings(2), Origin = MethodSeeds },
        new BytesTarget("mysql-auth-scram", AnswerScram)
        {
            MostInput = 512,
            Frames = new LengthEncodedStrings(1),
            Tokens =
                [
                    ScramNonce, "r="u8.ToArray(), ",s="u8.ToArray(), ",i=1"u8.ToArray(), "QSXCR+Q6sek8bf92"u8.ToArray(), "v="u8.ToArray(),
                    "1000001"u8.ToArray(), "0"u8.ToArray()
                ],
            Origin = ScramSeeds,
        },
        new BytesTarget("mysql-auth-rsa-key", ReadKey) { MostInput = 1024, Origin = KeySeeds },
    ];

    // The method, the trust in the peer, then the server's messages with their lengths.
    private static void LogIn(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < 2)
            return;
        var name = Methods[input[0] % Methods.Length];
        var trust = Trusts[(input[1] & 15) % Trusts.Length];
        var options = new ConnectOptions("user", Encoding.UTF8.GetBytes(Password), "db", TlsDemand.IfOffered)
        {
            AllowPublicKeyRetrieval = (input[1] & 16) != 0,
            AllowCleartextOnLoopback = (input[1] & 32) != 0,
            Negotiations = static (_, _, _, _) => new Tokens(),
        };
        var method = LoginMethod.Create(name, new LoginContext(options, new Silence(trust)));
        var rest = input[2..];
        var messages = 0;
        try
        {
            while (!rest.IsEmpty && messages < 8)
            {
                var length = Math.Min(rest[0], rest.Length - 1);
                var message = rest.Slice(1, length).ToArray();
                rest = rest[(1 + length)..];
                // Methods that are expensive by design (keys, PBKDF2, Ed25519) have targets of their own, or a limit that is tested.
                if (IsExpensive(name, messages, message))
                    return;
                var answer = messages++ == 0 ? method.Begin(message) : method.Continue(message);
                states.Visit(1 + (Array.IndexOf(Methods, name) * 16) + messages);
                states.Visit(500, answer?.Length ?? -1);
                CheckSecret(answer, options, trust, name);
            }

            method.Complete();
            states.Visit(600);
        }
        catch (ProtocolException)
        {
            states.Visit(601 + messages);
        }
        catch (WireException e)
        {
            states.Visit(621 + messages);
            Outcome.Holds(!e.Message.Contains(Password, StringComparison.Ordinal), "no exception has the password");
            Outcome.Printable(e.Message, 4096);
        }
    }

    private static bool IsExpensive(string name, int messages, byte[] message) =>
        (name == Ed25519.Name && message.Length == 32)
            || (name == Parsec.Name && messages > 0 && Parsec.IsExtendedSalt(message))
            || (name == Scram.Name && messages > 0)
        || (message.AsSpan().IndexOf("-----BEGIN"u8) >= 0);

    // The most serious fault is a password in clear text for a peer that is not verified.
    private static void CheckSecret(byte[]? answer, ConnectOptions options, PeerTrust trust, string name)
    {
        if (answer is null || answer.AsSpan().IndexOf(options.Password) < 0)
            return;
        var allowed =
            trust is PeerTrust.Verified or PeerTrust.UnixSocket
                || (trust is PeerTrust.EncryptedLoopback && (options.AllowCleartextOnLoopback || name is CachingSha2.Name or RsaPassword.Sha256Name))
            || (trust is PeerTrust.Loopback && options.AllowCleartextOnLoopback);
        Outcome.Holds(allowed, "the password is sent as it is only to a peer that is proved");
    }

    // The mechanism, then the server's two messages with their lengths.
    private static void AnswerScram(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var scram = Scram.Create((input[0] & 1) == 0 ? "SCRAM-SHA-1" : "SCRAM-SHA-256", "user,=name", Encoding.ASCII.GetString(ScramNonce))!;
        var first = Message(input[1..], out var rest);
        var final = Message(rest, out _);
        // An allowed iteration count takes its time; the limit itself is tested elsewhere.
        if (Iterations(first) is > 100 and <= Scram.MaxIterations)
            return;
        try
        {
            states.Note(scram.ClientFinal(first, "pencil"u8));
            states.Visit(1);
            states.Visit(scram.VerifyServer(final) ? 2 : 3);
        }
        catch (ProtocolException)
        {
            states.Visit(4);
        }
    }

    private static long Iterations(ReadOnlySpan<byte> message)
    {
        var parts = Encoding.Latin1.GetString(message).Split(',');
        return parts.Length > 2
            && parts[2].StartsWith("i=", StringComparison.Ordinal)
            && long.TryParse(parts[2].AsSpan(2), NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            ? count
            : 0;
    }

    private static ReadOnlySpan<byte> Message(ReadOnlySpan<byte> input, out ReadOnlySpan<byte> rest)
    {
        if (input.IsEmpty)
            return rest = default;
        var length = Math.Min(input[0], input.Length - 1);
        rest = input[(1 + length)..];
        return input.Slice(1, length);
    }

    // As for sha256_password: the answer is the encrypted password, or the login is refused.
    private static void ReadKey(ReadOnlySpan<byte> input, StateSet states)
    {
        if (RsaPassword.TryReadKey(input, out var key, out _))
        {
            states.Visit(1, key.KeySize);
            Outcome.Holds(key.KeySize is >= RsaPassword.SmallestKey and <= RsaPassword.LargestKey, "a key has a size that protects");
            key.Dispose();
        }

        var options = new ConnectOptions("user", "password"u8.ToArray(), "db", TlsDemand.Never) { AllowPublicKeyRetrieval = true };
        var method = LoginMethod.Create(RsaPassword.Sha256Name, new LoginContext(options, new Silence(PeerTrust.None)));
        Outcome.Holds(method.Begin("01234567890123456789"u8.ToArray()) is [RsaPassword.RequestPublicKeySha256], "the key is asked for");
        try
        {
            states.Visit(2, method.Continue(input.ToArray())!.Length);
        }
        catch (WireException)
        {
            states.Visit(3);
        }
    }

    private static IReadOnlyList<byte[]> MethodSeeds()
    {
        var seeds = new List<byte[]>();
        for (byte method = 0; method < Methods.Length; method++)
        {
            for (byte trust = 0; trust < Trusts.Length; trust++)
            {
                var options = (byte)(trust | (method + trust) % 4 << 4);
                seeds.Add([method, options, 20, .. "abcdefghijklmnopqrst"u8, 1, 3]);
                seeds.Add([method, options, 20, .. "abcdefghijklmnopqrst"u8, 1, 4, 5, .. "-----"u8]);
                seeds.Add([method, options, 13, .. "SCRAM-SHA-256"u8]);
                seeds.Add([method, options, 26, .. "mariadb/host@REALM\0GSSAPI\0"u8, 3, .. "tok"u8, 0]);
                seeds.Add([method, options, 16, 7, 0, .. "service"u8, 5, 0, .. "REALM"u8]);
                seeds.Add([method, options, 0, 10, 5, .. "Password:"u8, 1, 4]);
                seeds.Add([method, options, 32, .. "abcdefghijklmnopqrstuvwxyz012345"u8, 3, (byte)'P', 0, 1]);
            }
        }

        return seeds;
    }

    private static IReadOnlyList<byte[]> ScramSeeds()
    {
        var seeds = new List<byte[]>();
        for (byte mechanism = 0; mechanism < 2; mechanism++)
        {
            byte[] first = [.. "r="u8, .. ScramNonce, .. "3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=1"u8];
            seeds.Add([mechanism, (byte)first.Length, .. first, 30, .. "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="u8]);
            seeds.Add([mechanism, (byte)first.Length, .. first, 46, .. "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="u8]);
        }

        return seeds;
    }

    private static IReadOnlyList<byte[]> KeySeeds()
    {
        using var key = RSA.Create(1024);
        // A key that is always the same, so that a seed is too: 1,024 bits from a fixed modulus.
        var modulus = new byte[128];
        modulus.AsSpan().Fill(0xA7);
        key.ImportParameters(new RSAParameters { Modulus = modulus, Exponent = [1, 0, 1] });
        return [
            Encoding.ASCII.GetBytes(key.ExportSubjectPublicKeyInfoPem()), Encoding.ASCII.GetBytes(key.ExportRSAPublicKeyPem()),
            "-----BEGIN PUBLIC KEY-----\nMA==\n-----END PUBLIC KEY-----"u8.ToArray(), [0]
        ];
    }

    /// <summary>A substitute for Kerberos: one or two tokens, then success.</summary>
    private sealed class Tokens : INegotiation
    {
        private int _count;

        public bool IsCompleted => _count > 1;

        public byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem)
        {
            problem = incoming is [0xFF, ..] ? "no credentials" : null;
            return ++_count > 1 ? null : [1, 2, 3];
        }

        public void Dispose()
        {
            // Nothing to release.
        }
    }
}
