using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql.Authentication;

namespace Slipstream.BadPeers.Hostile;

/// <summary>All logins: those recorded from real servers, and handwritten ones that only servers with plug-ins or other accounts request.</summary>
public static class HonestLogins
{
    private const string Password = "open sesame";
    private const uint OfMariaDb = (MySqlWords.Capabilities & ~1u) | MySqlWords.Tls;
    private static readonly byte[] Secret = Encoding.UTF8.GetBytes(Password);
    private static readonly byte[] Salt = [(byte)'P', 0, .. "eighteen bytes ..."u8];
    private static readonly byte[] Nonce32 = [.. Enumerable.Repeat((byte)9, 32)];
    private static readonly byte[] Ok = MySqlWords.Ok(0)[4..];

    public static IReadOnlyList<HonestLogin> All { get; } = [.. Recorded(), .. ByHand()];

    private static IEnumerable<HonestLogin> Recorded() =>
        Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, "recordings"), "connect-*.txt", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Select(HonestLogin.FromRecording);

    private static IEnumerable<HonestLogin> ByHand()
    {
        yield return Proving("mysql_native_password", NativePassword.HashTwice(Secret));
        yield return Proving("client_ed25519", Ed25519.PublicKey(Secret), Switch("client_ed25519", Nonce32), LoginStep.Receive);
        yield return Proving("parsec", [.. Salt, .. Ed25519.PublicKey(Rfc2898DeriveBytes.Pbkdf2(Secret, Salt.AsSpan(2), 1024, HashAlgorithmName.SHA512, 32))],
            Switch("parsec", Nonce32), LoginStep.Receive, LoginStep.Send(Salt), LoginStep.Receive);

        yield return MySql("parsec", false, -1, Switch("parsec", Nonce32), LoginStep.Receive, LoginStep.Send(Salt), LoginStep.Receive, LoginStep.Send(Ok));
        yield return MySql("mysql_clear_password", true, -1, Switch("mysql_clear_password", []), LoginStep.Receive, LoginStep.Send(Ok));
        yield return MySql("dialog", true, -1, Switch("dialog", [5, .. "Password: "u8]), LoginStep.Receive, LoginStep.Send(Ok));
        using var key = RSA.Create(2048);
        yield return MySql(
            "caching_sha2_password by RSA", false, -1, LoginStep.Send([1, 4]), LoginStep.Receive,
            LoginStep.Send([1, .. Encoding.ASCII.GetBytes(key.ExportSubjectPublicKeyInfoPem())]), LoginStep.Receive, LoginStep.Send(Ok))
            with
            { Options = $"User ID=somebody;Password={Password};SSL Mode=None;Allow Public Key Retrieval=true" };
        // With Require Auth: otherwise a server could accept the client with its default method, without any proof.
        var directory = new Directories("SCRAM-SHA-256");
        yield return MySql("SCRAM of a directory", false, 6, Switch("authentication_ldap_sasl_client", "SCRAM-SHA-256"u8.ToArray()), LoginStep.Receive,
            new(Turn.Sends, received => [1, .. directory.First(received)]), LoginStep.Receive,
            new(Turn.Sends, received => [1, .. directory.Final(received)]), LoginStep.Send(Ok))
            with
            { Options = $"User ID=somebody;Password={Password};SSL Mode=None;Require Auth=authentication_ldap_sasl_client" };

        foreach (var isInTls in new[] { false, true })
        {
            var scram = new Directories("SCRAM-SHA-256");
            LoginStep[] tls = isInTls ? [LoginStep.Receive, LoginStep.Send([(byte)'S']), LoginStep.Tls] : [];
            yield return new HonestLogin(
                isInTls ? "PostgreSQL, SCRAM inside TLS" : "PostgreSQL, SCRAM", Victim.PostgreSql,
                $"{PgLogin.Text};Password={Password};Database=db;Channel Binding=Disable;Require "
                    + $"Auth=ScramSHA256;{(isInTls ? $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}" : "SSL Mode=Disable")}",
                [
                    .. tls, LoginStep.Receive, LoginStep.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0])), LoginStep.Receive,
                    // The mechanism, a zero and a length come first.
                    new(Turn.Sends, received => PgWords.Authentication(11, scram.First(received[(Array.IndexOf(received, (byte)0) + 5)..]))), LoginStep.Receive,
                    new(Turn.Sends, received => PgWords.Authentication(12, scram.Final(received))),
                    LoginStep.Send(PgWords.Authentication(0)), LoginStep.Send(PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)])),
                    LoginStep.Send(PgWords.Ready()),
                ])
            { Certificate = isInTls ? Certificates.Server : null, Password = Password, ProofAt = tls.Length + 5, EndAt = tls.Length + 6 };
        }
    }

    // A server with a self-signed certificate, which the password proves at the end.
    private static HonestLogin Proving(string method, byte[] kept, params LoginStep[] steps)
    {
        var certificate = Certificates.Untrusted;
        var proof = "\x01" + Convert.ToHexStringLower(SHA256.HashData([.. kept, .. MySqlWords.Nonce, .. SHA256.HashData(certificate.RawData)]));
        LoginStep[] all =
        [
            LoginStep.Send(MySqlWords.Greeting("mysql_native_password", OfMariaDb, "11.8.2-MariaDB")[4..]), LoginStep.Receive, LoginStep.Tls, LoginStep.Receive,
            .. steps,
            LoginStep.Send([0, 0, 0, 2, 0, 0, 0, .. Encoding.ASCII.GetBytes(proof)]),
        ];
        return new(
            $"MariaDB, a certificate proved by {method}", Victim.MySql,
            $"User ID=somebody;Password={Password};SSL Mode=VerifyFull;Skip Certificate Revocation Check=true", all)
        {
            Certificate = certificate,
            Password = Password,
            ProofAt = all.Length - 1,
            Forgery =
                [
                    0, 0, 0, 2, 0, 0, 0,
                    .. Encoding.ASCII.GetBytes(
                        "\x01" + Convert.ToHexStringLower(SHA256.HashData([.. MySqlWords.Nonce, .. SHA256.HashData(certificate.RawData)])))
                ],
        };
    }

    private static HonestLogin MySql(string method, bool isInTls, int proofAt, params LoginStep[] steps)
    {
        LoginStep[] tls = isInTls ? [LoginStep.Receive, LoginStep.Tls] : [];
        return new(
            $"MySQL, {method}", Victim.MySql,
            $"User ID=somebody;Password={Password};{(isInTls ? $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}" : "SSL Mode=None")}",
            [
                LoginStep.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | (isInTls ? MySqlWords.Tls : 0))[4..]),
                .. tls, LoginStep.Receive, .. steps
            ])
        {
            Certificate = isInTls ? Certificates.Server : null,
            Password = Password,
            MayReceivePassword = isInTls,
            ProofAt = proofAt,
        };
    }

    private static LoginStep Switch(string method, byte[] data) => LoginStep.Send(MySqlWords.AuthSwitch(0, method, data)[4..]);

    /// <summary>
    /// The server's side of SCRAM, which knows the password. It uses only the client's messages, so one instance can serve many connections at once.
    /// </summary>
    private sealed class Directories(string mechanism)
    {
        private static readonly byte[] ScramSalt = "salt of 16 bytes"u8.ToArray();
        private static readonly byte[] Salted = Rfc2898DeriveBytes.Pbkdf2(Secret, ScramSalt, 4096, HashAlgorithmName.SHA256, 32);

        // Keyed by the nonce, because the client's last message contains nothing else that identifies the exchange.
        private readonly System.Collections.Concurrent.ConcurrentDictionary<string, string> _bare = [];

        public byte[] First(byte[] clientFirst)
        {
            var first = Encoding.UTF8.GetString(clientFirst);
            var bare = first[first.IndexOf("n=", first.IndexOf(',', StringComparison.Ordinal) + 1, StringComparison.Ordinal)..];
            var nonce = $"{bare[(bare.IndexOf("r=", StringComparison.Ordinal) + 2)..]}{mechanism}";
            var words = $"r={nonce},s={Convert.ToBase64String(ScramSalt)},i=4096";
            _bare[nonce] = $"{bare},{words}";
            return Encoding.ASCII.GetBytes(words);
        }

        public byte[] Final(byte[] clientFinal)
        {
            var final = Encoding.ASCII.GetString(clientFinal);
            var withoutProof = final[..final.LastIndexOf(",p=", StringComparison.Ordinal)];
            var nonce = withoutProof[(withoutProof.IndexOf("r=", StringComparison.Ordinal) + 2)..];
            var key = HMACSHA256.HashData(Salted, "Server Key"u8.ToArray());
            return Encoding.ASCII.GetBytes($"v={Convert.ToBase64String(HMACSHA256.HashData(key, Encoding.ASCII.GetBytes($"{_bare[nonce]},{withoutProof}")))}");
        }
    }
}
