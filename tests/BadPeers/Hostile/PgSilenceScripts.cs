using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>PostgreSQL servers that become silent, send too slowly, or send without end: every phase has a time limit.</summary>
internal static class PgSilenceScripts
{
    private static readonly TimeSpan Drip = TimeSpan.FromMilliseconds(100);
    private static readonly byte[] Described = [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid))];
    private static readonly byte[] OneRow = PgWords.DataRow("a row of four seconds, byte by byte"u8.ToArray());
    private static readonly byte[] Done = [.. Described, .. OneRow, .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];
    private static readonly byte[] Rows = Repeat(OneRow);
    private static readonly byte[] Notices =
        Repeat(PgWords.Message('N', [(byte)'S', .. PgWords.Text("NOTICE"), (byte)'C', .. PgWords.Text("00000"), (byte)'M', .. PgWords.Text("hello"), 0]));
    private static readonly byte[] Settings = Repeat(PgWords.ParameterStatus("TimeZone", "UTC"));
    private static readonly byte[] Notifications = Repeat(PgWords.Message('A', [.. PgWords.Int32(7), .. PgWords.Text("channel"), .. PgWords.Text("payload")]));

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- before the login
        Open("pg silence at SSLRequest", "no answer to the request for TLS", static peer => peer.Stall(), "SSL Mode=Require"),
        Open("pg silence in the TLS handshake", "an S and no ServerHello", static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
        }, "SSL Mode=Require"),
        Open("pg silence in the ServerHello", "a part of its first message", static peer => StallInTls(peer, 40), "SSL Mode=Require"),
        Open("pg silence in the certificate", "a part of the handshake's longest message", static peer => StallInTls(peer, 600), "SSL Mode=Require"),
        Open("pg silence inside TLS", "no answer to the start-up", static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
        }, "SSL Mode=Require"),
        Open("pg silence at start-up", "no answer", static peer => peer.ReadStartup()),
        Open("pg silence behind an announcement of 60,000 bytes", "a header that lies", static peer => peer.Send([.. PgWords.Header('R', 60_000), 0])),
        Open("pg silence in SASL", "no answer to the client's first message", static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
        }),
        Open("pg silence behind AuthenticationOk", "no ReadyForQuery", static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(0));
        }),
        Open("pg start-up byte by byte", "ten bytes a second", static peer =>
        {
            peer.ReadStartup();
            peer.SendSlowly(PgWords.LoginSuccess, Drip);
        }),

        // ---------------------------------------------------------------- after a command
        Query("pg silence behind a query", "no answer", static _ => { }),
        Query("pg silence behind BindComplete", "no description", static peer => peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete])),
        Query("pg silence in the description", "half a RowDescription", static peer => peer.Send(Described.AsSpan(0, Described.Length - 5))),
        Query("pg silence in a row", "stops in the middle of it", static peer => peer.Send([.. Described, .. OneRow, .. OneRow.AsSpan(0, 8)])),
        Query("pg silence behind the rows", "no CommandComplete", static peer => peer.Send([.. Described, .. OneRow])),
        Query(
            "pg silence behind CommandComplete", "no ReadyForQuery",
            static peer => peer.Send([.. Described, .. OneRow, .. PgWords.CommandComplete("SELECT 1")])),
        Query(
            "pg silence behind a row of a gigabyte", "a length that lies",
            static peer => peer.Send([.. Described, .. PgWords.Header('D', 0x3FFF_FFFF), .. PgWords.Int16(1), .. PgWords.Int32(0x3FFF_FFF0), 1, 2, 3])),
        Query(
            "pg silence behind an error", "ErrorResponse and no ReadyForQuery",
            static peer => peer.Send(PgWords.Error(('S', "ERROR"), ('C', "42601"), ('M', "no")))),
        Query("pg rows byte by byte", "ten bytes a second", static peer =>
        {
            peer.Send(Described);
            for (var i = 0; i < 100; i++)
                peer.SendSlowly(OneRow, Drip);
        }),
        Command("pg silence behind a PREPARE", "no answer", Act.Prepared, static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
        }),
        Command("pg silence at the reset", "answers the first lease and not the second", Act.SecondLease, static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(Done);
        }),
        Command("pg silence when the reader is closed", "stops among rows that nobody wants", Act.StopReading, static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Described, .. Rows]);
        }),

        // ---------------------------------------------------------------- without end
        Command("pg rows without end for a reader that stops", "rows as fast as the network", Act.StopReading, static peer => Flood(peer, Described, Rows)),
        Command("pg rows without end for who wants none", "rows in answer to ExecuteNonQuery", Act.Count, static peer => Flood(peer, Described, Rows)),
        Command("pg notices without end", "NoticeResponse among the rows", Act.Query, static peer => Flood(peer, Described, Notices)),
        Command("pg settings without end behind a query", "ParameterStatus among the rows", Act.Query, static peer => Flood(peer, Described, Settings)),
        Command("pg notifications without end", "NotificationResponse among the rows", Act.Query, static peer => Flood(peer, Described, Notifications)),
        Command("pg notices without end in place of an answer", "NoticeResponse and nothing else", Act.Count, static peer => Flood(peer, [], Notices)),
        Command("pg copy without end", "CopyOutResponse and its data, which nobody asked for", Act.Query, static peer =>
            Flood(
                peer, [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.Message('H', 0, 0, 0)],
                Repeat(PgWords.Message('d', new byte[100])))),
    ];

    private static void Flood(FakePeer peer, byte[] first, byte[] round)
    {
        peer.WelcomePg();
        peer.ReadToSync();
        peer.Send(first);
        peer.SendUntilClosed(round, long.MaxValue);
    }

    private static void StallInTls(FakePeer peer, int after)
    {
        peer.ExpectSslRequest();
        peer.Send((byte)'S');
        peer.StallInTls(Certificates.Server, after);
    }

    private static HostileScript Open(string name, string does, Action<FakePeer> script, string options = "") =>
        new(name, Victim.PostgreSql, does, Act.Open, Outcome.ConnectTimeout, script) { Options = options };

    private static HostileScript Query(string name, string does, Action<FakePeer> script) => Command(name, does, Act.Query, peer =>
    {
        peer.WelcomePg();
        peer.ReadToSync();
        script(peer);
    });

    // The client reads a notice, processes it and keeps nothing: what remains is garbage for the collector, as much as arrived.
    private static HostileScript Command(string name, string does, Act act, Action<FakePeer> script) =>
        new(name, Victim.PostgreSql, does, act, Outcome.CommandTimeout, script)
        {
            MemoryBound = name.Contains("without end", StringComparison.Ordinal) ? long.MaxValue : 6 << 20
        };

    private static byte[] Repeat(byte[] message) => [.. Enumerable.Repeat(message, 100).SelectMany(static one => one)];
}
