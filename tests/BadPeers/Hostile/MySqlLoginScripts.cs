using System.Security.Cryptography;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>MySQL servers that are hostile before the login is complete.</summary>
internal static class MySqlLoginScripts
{
    private const string Native = "mysql_native_password";
    private const string Sasl = "authentication_ldap_sasl_client";
    private const uint MultiFactor = 1u << 28;

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- the greeting
        Open(
            "mysql greeting of garbage", "80 bytes that are no greeting",
            static peer => peer.Send(MySqlWords.Packet(0, [.. Enumerable.Repeat((byte)0xA5, 80)])), "Check the port"),
        Open("mysql greeting of nothing", "an empty packet", static peer => peer.Send(MySqlWords.Packet(0))),
        Open("mysql greeting by a web server", "answers as HTTP does", static peer => peer.Send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"u8)),
        Open("mysql greeting by PostgreSQL", "an ErrorResponse, and FIN", static peer =>
        {
            peer.Send(PgWords.Error(('S', "FATAL"), ('C', "08P01"), ('M', "invalid length of startup packet")));
            peer.Close();
        }),
        Open("mysql greeting with a wrong number", "sequence number 7", static peer => peer.Send(MySqlWords.Greeting(sequence: 7))),
        Open("mysql greeting of the wrong kind", "an OK before anything was asked", static peer => peer.Send(MySqlWords.Ok(0))),
        Open("mysql greeting without end", "announces 16 MiB and sends them, again and again", static peer =>
        {
            peer.Send([.. MySqlWords.Header(0xFFFFFF, 0), 10]);
            peer.SendUntilClosed(new byte[4096], 64 << 20);
        }),
        Open("mysql greeting of 16 MiB that does not come", "a header that lies", static peer => peer.Send([.. MySqlWords.Header(0xFFFFFE, 0), 10])),
        Open("mysql greeting twice", "the second one in place of the answer to the login", static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.Greeting(sequence: 2));
        }),
        Open("mysql greeting whose version is 60,000 bytes", "a version that fills memory and logs", static peer =>
            peer.Send(MySqlWords.Greeting(version: new string('9', 60_000) + "\u001B[2J", capabilities: 0))),
        Open("mysql closes before the greeting", "FIN at once", static peer => peer.Close()),
        Open("mysql resets before the greeting", "RST at once", static peer => peer.Reset()),
        Open("mysql closes half at the greeting", "shuts its sending side and listens on", static peer => peer.CloseHalf()),
        new("mysql refuses with 60,000 control characters", Victim.MySql, "an ERR of escape sequences", Act.Open, Outcome.ServerError, static peer =>
            peer.Send(MySqlWords.Error(0, 1040, string.Concat(Enumerable.Repeat("\u001B]0;pwned\u0007\0", 6000)), state: null))),

        // ---------------------------------------------------------------- TLS
        Open("mysql words before the TLS handshake", "an OK behind the greeting, for the inside of TLS", static peer =>
        {
            peer.Send([.. MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls), .. MySqlWords.Ok(3)]);
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(3));
        }, options: "SSL Mode=Required"),
        Open("mysql words in place of the TLS handshake", "an OK in clear text", static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
        }, options: "SSL Mode=Required"),
        Open("mysql closes in the TLS handshake", "FIN behind the request for TLS", static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.Close();
        }, options: "SSL Mode=Required"),

        // ---------------------------------------------------------------- the answer to the login
        Login("mysql login answered by OK with a wrong number", "OK number 5", static (peer, _) => peer.Send(MySqlWords.Ok(5))),
        Login("mysql login answered before it came", "OK behind the greeting, as if it were the first packet", static (peer, _) => peer.Send(MySqlWords.Ok(1))),
        Login(
            "mysql login answered by a short OK", "an OK that stops in its numbers",
            static (peer, sequence) => peer.Send(MySqlWords.Packet(sequence + 1, 0, 0xFC, 1))),
        Login("mysql login answered by an OK of impossible lengths", "its text reaches beyond the packet", static (peer, sequence) =>
            peer.Send(MySqlWords.Packet(sequence + 1, [0, 0, 0, 2, 0, 0, 0, .. MySqlWords.Long(1UL << 62), 1])), MySqlWords.Capabilities | 0x800000),
        Login(
            "mysql login answered by columns", "a result set",
            static (peer, sequence) => peer.Send(MySqlWords.Columns(sequence + 1, MySqlWords.LongType, "a"))),
        Login(
            "mysql login answered by LOCAL INFILE", "wants a file before it lets anybody in",
            static (peer, sequence) => peer.Send(MySqlWords.Packet(sequence + 1, [0xFB, .. "/etc/passwd"u8]))),
        Login(
            "mysql login answered by a short ERR", "an ERR without its number", static (peer, sequence) => peer.Send(MySqlWords.Packet(sequence + 1, 0xFF, 1))),
        Login(
            "mysql login answered by 2 MiB", "a packet that no login has",
            static (peer, sequence) => peer.Send(MySqlWords.Packet(sequence + 1, new byte[2 << 20]))),
        Login("mysql closes at the login", "FIN in place of the answer", static (peer, _) => peer.Close()),
        Login("mysql resets at the login", "RST in place of the answer", static (peer, _) => peer.Reset()),
        Login("mysql closes half at the login", "shuts its sending side and listens on", static (peer, _) => peer.CloseHalf()),

        // ---------------------------------------------------------------- methods
        Login("mysql method without end", "asks for another method again and again", static (peer, sequence) =>
        {
            for (var rounds = 0; rounds < 1000; rounds++)
            {
                peer.Send(MySqlWords.AuthSwitch(sequence + 1, Native, [.. MySqlWords.Nonce, 0]));
                (sequence, _) = peer.ReadPacket();
            }

            throw new InvalidDataException("The client answered a thousand times.");
        }),
        Login("mysql questions without end", "AuthMoreData that needs no answer, without end", static (peer, sequence) =>
        {
            for (var questions = 0; questions < 1000; questions++)
                peer.Send(MySqlWords.AuthMore(++sequence, 3));
        }),
        Login("mysql factors without end", "asks for factor after factor", static (peer, sequence) =>
        {
            for (var factors = 0; factors < 100; factors++)
            {
                peer.Send(MySqlWords.Packet(sequence + 1, [2, .. Encoding.ASCII.GetBytes(Native), 0, .. MySqlWords.Nonce, 0]));
                (sequence, _) = peer.ReadPacket();
            }

            throw new InvalidDataException("The client answered a hundred factors.");
        }, MySqlWords.Capabilities | MultiFactor, options: "Password2=two;Password3=three"),
        Login("mysql factor that nobody announced", "AuthNextFactor without its capability", static (peer, sequence) =>
            peer.Send(MySqlWords.Packet(sequence + 1, [2, .. Encoding.ASCII.GetBytes(Native), 0, .. MySqlWords.Nonce, 0]))),
        Login("mysql method of an endless name", "100,000 characters and escape sequences", static (peer, sequence) =>
            peer.Send(MySqlWords.AuthSwitch(sequence + 1, "\u001B[2Jpwned" + new string('x', 100_000), MySqlWords.Nonce)), outcome: Outcome.Forbidden),
        Login(
            "mysql method without a name's end", "an AuthSwitchRequest that stops in its name",
            static (peer, sequence) => peer.Send(MySqlWords.Packet(sequence + 1, [0xFE, .. "mysql_nat"u8]))),
        Login("mysql method of before 4.1", "AuthSwitchRequest of one byte", static (peer, sequence) => peer.Send(MySqlWords.Packet(sequence + 1, 0xFE))),
        Login(
            "mysql method in clear text", "asks for the password itself",
            static (peer, sequence) => peer.Send(MySqlWords.AuthSwitch(sequence + 1, "mysql_clear_password")), outcome: Outcome.Forbidden),
        Login(
            "mysql method with a short nonce", "5 bytes in place of 20",
            static (peer, sequence) => peer.Send(MySqlWords.AuthSwitch(sequence + 1, Native, "short"u8))),
        Login(
            "mysql method with a long nonce", "2,000 bytes in place of 20",
            static (peer, sequence) => peer.Send(MySqlWords.AuthSwitch(sequence + 1, Native, new byte[2000]))),

        // ---------------------------------------------------------------- keys
        Key("mysql key of 512 bits", "a key that anybody can break", 512),
        Key("mysql key of 16,384 bits", "a key that costs the client time", 16_384),
        Login(
            "mysql key that is none", "PEM of nothing",
            static (peer, sequence) => SendKey(peer, sequence, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"), options: KeyOptions,
            outcome: Outcome.Forbidden),
        Login("mysql key of 100,000 bytes", "PEM without end", static (peer, sequence) =>
            SendKey(peer, sequence, $"-----BEGIN PUBLIC KEY-----\n{new string('A', 100_000)}\n-----END PUBLIC KEY-----\n"), options: KeyOptions,
            outcome: Outcome.Forbidden),

        // ---------------------------------------------------------------- SCRAM and parsec
        Scram("mysql SCRAM of two billion iterations", "a count that keeps a client busy for an hour", "r={nonce}server,s=c2FsdHNhbHQ=,i=2000000000"),
        Scram("mysql SCRAM of no iterations", "a count of 0", "r={nonce}server,s=c2FsdHNhbHQ=,i=0"),
        Scram("mysql SCRAM with its own nonce", "a nonce that does not continue the client's", "r=mine,s=c2FsdHNhbHQ=,i=4096"),
        Scram("mysql SCRAM that adds nothing to the nonce", "the client's nonce alone", "r={nonce},s=c2FsdHNhbHQ=,i=4096"),
        Scram("mysql SCRAM without salt", "an empty salt", "r={nonce}server,s=,i=4096"),
        Scram("mysql SCRAM with a salt of 3,000 bytes", "more salt than anybody stores", $"r={{nonce}}server,s={new string('A', 4000)},i=4096"),
        Scram("mysql SCRAM of garbage", "bytes that are no message", "\u0001\u0002\u0003"),
        Login("mysql parsec of 2^31 iterations", "a cost that no client should pay", static (peer, sequence) =>
        {
            peer.Send(MySqlWords.AuthSwitch(sequence + 1, "parsec", new byte[32]));
            (sequence, _) = peer.ReadPacket();
            peer.Send(MySqlWords.AuthMore(sequence + 1, [(byte)'P', 21, .. new byte[18]]));
        }),
    ];

    private const string KeyOptions = "Allow Public Key Retrieval=true";

    private static HostileScript Open(string name, string does, Action<FakePeer> script, string says = "", string options = "") =>
        new(name, Victim.MySql, does, Act.Open, Outcome.CannotConnect, script) { Says = says, Options = options };

    /// <summary>An honest greeting, the client's response, and then the script with the response's sequence number.</summary>
    private static HostileScript Login(
        string name, string does, Action<FakePeer, int> script, uint capabilities = MySqlWords.Capabilities, string options = "",
        Outcome outcome = Outcome.CannotConnect) =>
        new(name, Victim.MySql, does, Act.Open, outcome, peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: capabilities));
            script(peer, peer.ReadPacket().Sequence);
        }) { Options = options };

    private static HostileScript Key(string name, string does, int bits) => Login(name, does, (peer, sequence) =>
    {
        // The private half is not needed.
        var modulus = new byte[bits / 8];
        RandomNumberGenerator.Fill(modulus);
        modulus[0] |= 0x80;
        modulus[^1] |= 1;
        using var key = RSA.Create(new RSAParameters { Modulus = modulus, Exponent = [1, 0, 1] });
        SendKey(peer, sequence, key.ExportSubjectPublicKeyInfoPem());
    }, options: KeyOptions, outcome: Outcome.Forbidden);

    private static void SendKey(FakePeer peer, int sequence, string pem)
    {
        peer.Send(MySqlWords.AuthSwitch(sequence + 1, "sha256_password", [.. MySqlWords.Nonce, 0]));
        (sequence, _) = peer.ReadPacket();
        peer.Send(MySqlWords.AuthMore(sequence + 1, Encoding.ASCII.GetBytes(pem)));
        var (_, answer) = peer.ReadPacket();
        throw new InvalidDataException($"The client answered with {answer.Length} bytes.");
    }

    private static HostileScript Scram(string name, string does, string serverFirst) => Login(name, does, (peer, sequence) =>
    {
        peer.Send(MySqlWords.AuthSwitch(sequence + 1, Sasl, "SCRAM-SHA-256"u8));
        (sequence, var answer) = peer.ReadPacket();
        var nonce = Encoding.ASCII.GetString(answer).Split("r=")[1];
        peer.Send(MySqlWords.AuthMore(sequence + 1, Encoding.ASCII.GetBytes(serverFirst.Replace("{nonce}", nonce, StringComparison.Ordinal))));
        peer.ReadPacket();
        throw new InvalidDataException("The client answered.");
    });
}
