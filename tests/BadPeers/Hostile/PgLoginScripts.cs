using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>PostgreSQL servers that are hostile before the login is complete.</summary>
internal static class PgLoginScripts
{
    private const string Password = "open sesame";

    private static readonly byte[] NewSettings =
        [.. Enumerable.Range(0, 2000).SelectMany(static i => PgWords.ParameterStatus($"setting_{i}", new string('x', 1000)))];

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- TLS
        Tls("pg answer to SSLRequest of garbage", "a byte that is neither S nor N", static peer => peer.Send((byte)'?')),
        Tls(
            "pg answer to SSLRequest by an error", "ErrorResponse in clear text, not to be believed",
            static peer => peer.Send(PgWords.Error(('S', "FATAL"), ('C', "28000"), ('M', "visit \u001B[31mevil")))),
        Tls("pg words before the TLS handshake", "AuthenticationOk behind the S, for the inside of TLS", static peer =>
        {
            peer.Send([(byte)'S', .. PgWords.LoginSuccess]);
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
        }),
        Tls("pg closes in the TLS handshake", "FIN behind the S", static peer =>
        {
            peer.Send((byte)'S');
            peer.Close();
        }),
        Tls("pg words behind a refusal of TLS", "an N and more", static peer =>
        {
            peer.Send([(byte)'N', .. PgWords.LoginSuccess]);
            peer.Stall();
        }, "SSL Mode=Prefer"),

        // ---------------------------------------------------------------- start-up
        Start("pg start-up answered by MySQL", "a greeting", static peer => peer.Send(MySqlWords.Greeting())),
        Start(
            "pg start-up answered by a web server", "answers as HTTP does",
            static peer => peer.Send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"u8)),
        Start("pg start-up answered with a length of 0", "a length that is not even its own", static peer => peer.Send(PgWords.Header('R', 0))),
        Start("pg start-up answered with a length of 3", "a length shorter than itself", static peer => peer.Send(PgWords.Header('R', 3))),
        Start("pg start-up answered with a negative length", "-8", static peer => peer.Send(PgWords.Header('R', -8))),
        Start("pg start-up answered with a length of 2 GiB", "int.MaxValue", static peer => peer.Send(PgWords.Header('R', int.MaxValue))),
        Start(
            "pg start-up answered with 1 MiB", "more than any message before authentication has",
            static peer => peer.Send(PgWords.Message('N', new byte[1 << 20]))),
        Start("pg start-up answered by rows", "a DataRow", static peer => peer.Send(PgWords.DataRow("1"u8.ToArray()))),
        Start("pg ready before authentication", "ReadyForQuery at once", static peer => peer.Send(PgWords.Ready())),
        Start("pg settings before authentication", "ParameterStatus at once", static peer => peer.Send(PgWords.ParameterStatus("server_version", "18.0"))),
        Start(
            "pg key before authentication", "BackendKeyData at once",
            static peer => peer.Send(PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]))),
        Start("pg closes at start-up", "FIN", static peer => peer.Close()),
        Start("pg resets at start-up", "RST", static peer => peer.Reset()),
        Start("pg closes half at start-up", "shuts its sending side and listens on", static peer => peer.CloseHalf()),
        Start("pg notices without end at start-up", "NoticeResponse as fast as the network", static peer =>
            peer.SendUntilClosed(Repeat(PgWords.Message('N', [(byte)'S', .. PgWords.Text("NOTICE"), (byte)'M', .. PgWords.Text("hello"), 0])), 256 << 20)),
        Start("pg settings without end", "ParameterStatus of ever new names as fast as the network", static peer =>
        {
            peer.Send(PgWords.Authentication(0));
            peer.Send(NewSettings);
            peer.SendUntilClosed(NewSettings, 64 << 20);
        }),
        Start("pg version without end", "NegotiateProtocolVersion again and again", static peer =>
            peer.SendUntilClosed(Repeat(PgWords.Message('v', [.. PgWords.Int32(0), .. PgWords.Int32(0)])), 256 << 20)),
        Start("pg version of negative options", "a count of -1", static peer => peer.Send(PgWords.Message('v', [.. PgWords.Int32(0), .. PgWords.Int32(-1)]))),
        Start(
            "pg version of two billion options", "a count beyond every memory",
            static peer => peer.Send(PgWords.Message('v', [.. PgWords.Int32(0), .. PgWords.Int32(int.MaxValue)]))),
        Start(
            "pg version whose option has no end", "no zero behind the name",
            static peer => peer.Send(PgWords.Message('v', [.. PgWords.Int32(0), .. PgWords.Int32(1), .. "_pq_.x"u8]))),
        new(
            "pg refuses with 60,000 control characters", Victim.PostgreSql, "an ErrorResponse of escape sequences", Act.Open, Outcome.ServerError,
            static peer =>
            {
                peer.ReadStartup();
                peer.Send(PgWords.Error(('S', "FATAL"), ('C', "53300"), ('M', string.Concat(Enumerable.Repeat("\u001B]0;pwned\u0007", 6000)))));
            }),
        Start(
            "pg error without end", "an ErrorResponse whose last text has no zero", static peer => peer.Send(PgWords.Message('E', [(byte)'S', .. "FATAL"u8]))),

        // ---------------------------------------------------------------- authentication
        Auth("pg authentication by GSS", "code 7", static peer => peer.Send(PgWords.Authentication(7)), Outcome.Forbidden),
        Auth("pg authentication goes on with GSS", "code 8 before 7", static peer => peer.Send(PgWords.Authentication(8, 1, 2, 3)), Outcome.Forbidden),
        Auth("pg authentication by SSPI", "code 9", static peer => peer.Send(PgWords.Authentication(9)), Outcome.Forbidden),
        Auth("pg authentication by Kerberos 5", "code 2", static peer => peer.Send(PgWords.Authentication(2)), Outcome.Forbidden),
        Auth("pg authentication by code 4711", "a code that nobody knows", static peer => peer.Send(PgWords.Authentication(4711)), Outcome.Forbidden),
        Auth("pg authentication by code -1", "a negative code", static peer => peer.Send(PgWords.Authentication(-1)), Outcome.Forbidden),
        Auth("pg authentication in clear text", "asks for the password itself", static peer => peer.Send(PgWords.Authentication(3)), Outcome.Forbidden),
        Auth("pg authentication by MD5", "asks for a hash that is broken", static peer => peer.Send(PgWords.Authentication(5, "salt"u8)), Outcome.Forbidden),
        Auth("pg authentication by MD5 with half a salt", "two bytes of four", static peer => peer.Send(PgWords.Authentication(5, 1, 2))),
        Auth("pg authentication of 5,000 bytes", "more words than SCRAM has", static peer => peer.Send(PgWords.Authentication(11, new byte[5000]))),
        Auth("pg authentication of two bytes", "half a code", static peer => peer.Send(PgWords.Message('R', 0, 0))),
        Auth("pg a thousand mechanisms", "a list without end", static peer =>
            peer.Send(PgWords.Authentication(10, [.. Enumerable.Range(0, 300).SelectMany(static i => PgWords.Text($"M{i}")), 0]))),
        Auth("pg unknown mechanisms", "names of escape sequences", static peer =>
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("\u001B[2JSCRAM-MD2"), .. PgWords.Text(new string('x', 3000)), 0])), Outcome.Forbidden),
        Auth(
            "pg mechanisms without end of list", "no zero behind the last",
            static peer => peer.Send(PgWords.Authentication(10, PgWords.Text("SCRAM-SHA-256")))),
        Auth(
            "pg SASL continued before it began", "code 11 first", static peer => peer.Send(PgWords.Authentication(11, "r=x,s=c2FsdA==,i=4096"u8)),
            Outcome.Forbidden),
        Auth("pg SASL ended before it began", "code 12 first", static peer => peer.Send(PgWords.Authentication(12, "v=AAAA"u8)), Outcome.Forbidden),
        Scripted(
            "pg SASL twice", "begins again after the client's first message",
            static peer => peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]))),
        Scripted(
            "pg SASL ended too early", "the server's signature before the client's proof", static peer => peer.Send(PgWords.Authentication(12, "v=AAAA"u8))),
        Scripted("pg lets in before its proof", "AuthenticationOk in the middle of SCRAM", static peer => peer.Send(PgWords.LoginSuccess), Outcome.Forbidden),
        Scram("pg SCRAM of two billion iterations", "a count that keeps a client busy for an hour", "r={nonce}server,s=c2FsdHNhbHQ=,i=2000000000"),
        Scram("pg SCRAM of 10^20 iterations", "a count beyond every integer", "r={nonce}server,s=c2FsdHNhbHQ=,i=100000000000000000000"),
        Scram("pg SCRAM of no iterations", "a count of 0", "r={nonce}server,s=c2FsdHNhbHQ=,i=0"),
        Scram("pg SCRAM of a negative count", "-1", "r={nonce}server,s=c2FsdHNhbHQ=,i=-1"),
        Scram("pg SCRAM with its own nonce", "a nonce that does not continue the client's", "r=mine,s=c2FsdHNhbHQ=,i=4096"),
        Scram("pg SCRAM that adds nothing to the nonce", "the client's nonce alone", "r={nonce},s=c2FsdHNhbHQ=,i=4096"),
        Scram("pg SCRAM of a nonce of 3,000 characters", "more than any server adds", $"r={{nonce}}{new string('n', 3000)},s=c2FsdHNhbHQ=,i=4096"),
        Scram("pg SCRAM without salt", "an empty salt", "r={nonce}server,s=,i=4096"),
        Scram("pg SCRAM with a salt of 2,000 bytes", "more salt than anybody stores", $"r={{nonce}}server,s={new string('A', 2800)},i=4096"),
        Scram("pg SCRAM with a salt that is no base64", "other characters", "r={nonce}server,s=*salt*,i=4096"),
        Scram("pg SCRAM of garbage", "bytes that are no message", "\u0001\u0002\u0003"),
        Signed("pg SCRAM with a wrong signature", "signs without knowing the password", new ScramServer(Password) { SignsWrongly = true }),
        Signed("pg SCRAM without a signature", "lets in without having proved anything", new ScramServer(Password) { SkipsSignature = true }),

        // ---------------------------------------------------------------- after authentication
        Start(
            "pg authenticates twice", "AuthenticationOk again",
            static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.Authentication(0), .. PgWords.LoginSuccess])),
        Start(
            "pg asks for a password when it has let in", "clear text behind AuthenticationOk",
            static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.Authentication(3)])),
        Start("pg key twice", "two keys for one session", static peer =>
            peer.Send(
                [
                    .. PgWords.Authentication(0), .. PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]),
                    .. PgWords.Message('K', [.. PgWords.Int32(8), .. PgWords.Int32(98)]), .. PgWords.Ready()
                ])),
        Start(
            "pg key of two bytes", "shorter than a key",
            static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.Message('K', [.. PgWords.Int32(7), 1, 2]), .. PgWords.Ready()])),
        Start(
            "pg key of 257 bytes", "longer than a key",
            static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.Message('K', [.. PgWords.Int32(7), .. new byte[257]]), .. PgWords.Ready()])),
        Start(
            "pg setting without a value", "a name and no zero behind it",
            static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.Message('S', "server_version"u8)])),
        Start("pg ready in a state that is none", "'?' for a status", static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.Ready('?')])),
        Start(
            "pg rows in place of settings", "a DataRow behind AuthenticationOk",
            static peer => peer.Send([.. PgWords.Authentication(0), .. PgWords.DataRow("1"u8.ToArray())])),
    ];

    private static HostileScript Tls(string name, string does, Action<FakePeer> script, string options = "SSL Mode=Require") =>
        new(name, Victim.PostgreSql, does, Act.Open, Outcome.CannotConnect, peer =>
        {
            peer.ExpectSslRequest();
            script(peer);
        }) { Options = options };

    private static HostileScript Start(string name, string does, Action<FakePeer> script) => Auth(name, does, script);

    private static HostileScript Auth(string name, string does, Action<FakePeer> script, Outcome outcome = Outcome.CannotConnect) =>
        new(name, Victim.PostgreSql, does, Act.Open, outcome, peer =>
        {
            peer.ReadStartup();
            script(peer);
        });

    private static HostileScript Scripted(string name, string does, Action<FakePeer> script, Outcome outcome = Outcome.CannotConnect) =>
        Auth(name, does, peer =>
        {
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
            peer.ReadMessage();
            script(peer);
        }, outcome);

    private static HostileScript Scram(string name, string does, string serverFirst) => Auth(name, does, peer =>
    {
        peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
        var nonce = Encoding.ASCII.GetString(peer.ReadMessage().Body).Split("r=")[1];
        peer.Send(PgWords.Authentication(11, Encoding.ASCII.GetBytes(serverFirst.Replace("{nonce}", nonce, StringComparison.Ordinal))));
        peer.ReadMessage();
        throw new InvalidDataException("The client answered.");
    });

    private static HostileScript Signed(string name, string does, ScramServer server) => Auth(name, does, peer =>
    {
        server.Authenticate(peer);
        peer.Send(PgWords.LoginSuccess);
    }, Outcome.Forbidden);

    private static byte[] Repeat(byte[] message) => [.. Enumerable.Repeat(message, 100).SelectMany(static one => one)];
}
