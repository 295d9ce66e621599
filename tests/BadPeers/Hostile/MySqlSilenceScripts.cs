using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>MySQL servers that become silent, send too slowly, or send without end: every phase has a time limit.</summary>
internal static class MySqlSilenceScripts
{
    private static readonly TimeSpan Drip = TimeSpan.FromMilliseconds(100);

    // After 256 rows, the sequence number starts again.
    private static readonly byte[] RoundOfRows = [.. Enumerable.Range(0, 256).SelectMany(static i => MySqlWords.TextRow((3 + i) & 0xFF, "1"))];
    private static readonly byte[] RoundOfResults = [.. Enumerable.Range(0, 256).SelectMany(static i => MySqlWords.Ok((1 + i) & 0xFF, status: 2 | 8))];

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- before the login
        Open("mysql silence before the greeting", "accepts and says nothing", static peer => peer.Stall()),
        Open("mysql silence in the greeting", "stops in the middle of it", static peer => peer.Send(MySqlWords.Greeting().AsSpan(0, 30))),
        Open("mysql silence behind an announcement of 1 MiB", "a header that lies", static peer => peer.Send([.. MySqlWords.Header(1 << 20, 0), 10])),
        Open("mysql greeting byte by byte", "ten bytes a second", static peer => peer.SendSlowly(MySqlWords.Greeting(), Drip)),
        Open("mysql silence in the TLS handshake", "no ServerHello", static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
        }, "SSL Mode=Required"),
        Open("mysql half a TLS record", "a record of 16 KiB of which three bytes come", static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.Send(0x16, 3, 3, 0x40, 0, 2, 0, 0);
        }, "SSL Mode=Required"),
        Open("mysql silence in the ServerHello", "a part of its first message", static peer => StallInTls(peer, 40), "SSL Mode=Required"),
        Open("mysql silence in the certificate", "a part of the handshake's longest message", static peer => StallInTls(peer, 600), "SSL Mode=Required"),
        Open("mysql silence inside TLS", "no answer to the login", static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.Server);
        }, "SSL Mode=Required"),
        Open("mysql silence behind the login", "no answer", static peer => peer.Send(MySqlWords.Greeting())),
        Open("mysql silence behind another method", "no answer to what it asked for", static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(2, "mysql_native_password", [.. MySqlWords.Nonce, 0]));
        }),
        Open("mysql login byte by byte", "an answer to the login at ten bytes a second", static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.SendSlowly(MySqlWords.AuthSwitch(2, "mysql_native_password", [.. MySqlWords.Nonce, 0]), Drip);
        }),

        // ---------------------------------------------------------------- after a command
        Query("mysql silence behind a query", "no answer", static peer => peer.Stall()),
        Query(
            "mysql silence in the columns", "two columns announced, one sent",
            static peer => peer.Send([.. MySqlWords.Packet(1, 2), .. MySqlWords.Column(2, "a", MySqlWords.LongType)])),
        Query("mysql silence before the rows", "columns and nothing behind them", static peer => peer.Send(MySqlWords.Columns(1, MySqlWords.LongType, "a"))),
        Query("mysql silence in a row", "stops in the middle of it", static peer =>
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "one"), .. MySqlWords.TextRow(4, "two").AsSpan(0, 6)])),
        Query("mysql silence between results", "announces another result", static peer =>
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4, status: 2 | 8)])),
        Query("mysql silence in an ERR", "a header of 100 bytes and three of them", static peer => peer.Send([.. MySqlWords.Header(100, 1), 0xFF, 1, 2])),
        Query("mysql silence behind a row of 16 MiB", "a value of a gigabyte announced", static peer =>
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.BlobType, "a"), .. MySqlWords.Header(0xFFFFFF, 3), 0xFE, 0, 0, 0, 0x3F, 0, 0, 0, 0])),
        Query("mysql rows byte by byte", "ten bytes a second", static peer =>
        {
            peer.Send(MySqlWords.Columns(1, MySqlWords.StringType, "a"));
            for (var i = 0; i < 100; i++)
                peer.SendSlowly(MySqlWords.TextRow(3 + i, "a row of four seconds, byte by byte"), Drip);
        }),
        Command("mysql silence behind a PREPARE", "no answer", Act.Prepared, static peer =>
        {
            peer.Welcome();
            peer.ReadPacket();
        }),
        Command("mysql 65,535 columns that never come", "announced by PREPARE_OK", Act.Prepared, static peer =>
        {
            peer.Welcome();
            peer.Expect(0x16);
            peer.Send(MySqlWords.Packet(1, 0, 1, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0));
        }),
        Command("mysql silence behind an execution", "prepares and stops", Act.Prepared, static peer =>
        {
            peer.Welcome();
            peer.Expect(0x16);
            peer.Send([.. MySqlWords.Packet(1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0), .. MySqlWords.Column(2, "a", MySqlWords.LongType)]);
        }),
        Command("mysql silence at the reset", "answers the first lease and not the reset of the second", Act.SecondLease, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Ok(1));
        }),
        Command("mysql silence when the reader is closed", "stops among rows that nobody wants", Act.StopReading, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. RoundOfRows]);
        }),

        // ---------------------------------------------------------------- without end
        Command("mysql rows without end for a reader that stops", "rows as fast as the network", Act.StopReading, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Columns(1, MySqlWords.LongType, "a"));
            peer.SendUntilClosed(RoundOfRows, long.MaxValue);
        }),
        Command("mysql rows without end for who wants none", "rows in answer to ExecuteNonQuery", Act.Count, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Columns(1, MySqlWords.LongType, "a"));
            peer.SendUntilClosed(RoundOfRows, long.MaxValue);
        }),
        Command("mysql warnings without end", "a warning count of 65,535, and rows without end when they are asked for", Act.Warnings, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Packet(1, 0, 0, 0, 2, 0, 0xFF, 0xFF));
            peer.Expect(3);
            peer.Send(MySqlWords.Columns(1, MySqlWords.StringType, "Level", "Code", "Message"));
            byte[] round = [.. Enumerable.Range(0, 256).SelectMany(static i => MySqlWords.TextRow((5 + i) & 0xFF, "Warning", "1265", "Data truncated"))];
            peer.SendUntilClosed(round, long.MaxValue);
        }),
        new("mysql results without end", Victim.MySql, "OK after OK, each announcing another", Act.Query, Outcome.BrokenProtocol, static peer =>
        {
            peer.WelcomeQuery();
            peer.SendUntilClosed(RoundOfResults, long.MaxValue);
        }) { Says = "results" },
        new(
            "mysql results without end for who wants none", Victim.MySql, "the same in answer to ExecuteNonQuery", Act.Count, Outcome.BrokenProtocol,
            static peer =>
            {
                peer.WelcomeQuery();
                peer.SendUntilClosed(RoundOfResults, long.MaxValue);
            }) { Says = "results" },
    ];

    private static void StallInTls(FakePeer peer, int after)
    {
        peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
        peer.ReadPacket();
        peer.StallInTls(Certificates.Server, after);
    }

    private static HostileScript Open(string name, string does, Action<FakePeer> script, string options = "") =>
        new(name, Victim.MySql, does, Act.Open, Outcome.ConnectTimeout, script) { Options = options };

    private static HostileScript Query(string name, string does, Action<FakePeer> script) => Command(name, does, Act.Query, peer =>
    {
        peer.WelcomeQuery();
        script(peer);
    });

    private static HostileScript Command(string name, string does, Act act, Action<FakePeer> script) =>
        new(name, Victim.MySql, does, act, Outcome.CommandTimeout, script);
}
