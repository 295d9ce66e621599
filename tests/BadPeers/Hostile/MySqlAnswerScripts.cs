using System.IO.Compression;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>MySQL servers that accept a client and then send wrong answers.</summary>
internal static class MySqlAnswerScripts
{
    private const byte Prepare = 0x16;
    private const byte Execute = 0x17;
    private const uint Compress = 0x20;
    private const uint SessionTrack = 0x800000;
    private const int MoreResults = 8;
    private const int StateChanged = 0x4000;

    private static readonly byte[] Zeros = new byte[65536];
    private static readonly byte[] Columns = MySqlWords.Columns(1, MySqlWords.LongType, "a");
    private static readonly byte[] Strings = MySqlWords.Columns(1, MySqlWords.StringType, "a");
    private static readonly byte[] Rows = [.. Columns, .. MySqlWords.TextRow(3, "41"), .. MySqlWords.End(4)];

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- wrong numbers, wrong kinds
        Query("mysql OK with a wrong number", "number 2", MySqlWords.Ok(2)),
        Query("mysql column with a wrong number", "number 7", [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(7, "a", MySqlWords.LongType)]),
        Query(
            "mysql row with a wrong number", "the same number twice",
            [.. Columns, .. MySqlWords.TextRow(3, "1"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)]),
        Query("mysql end with a wrong number", "number 9", [.. Columns, .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(9)]),
        Query("mysql answer of nothing", "an empty packet", MySqlWords.Packet(1)),
        Query("mysql EOF for an answer", "the end of rows that never began", MySqlWords.End(1)),
        Query("mysql method for an answer", "an AuthSwitchRequest in place of a result", MySqlWords.AuthSwitch(1, "mysql_clear_password")),
        Query("mysql greeting for an answer", "a second greeting", MySqlWords.Greeting(sequence: 1)),
        Query("mysql file for an answer", "LOCAL INFILE that nobody asked for", MySqlWords.Packet(1, [0xFB, .. "/etc/passwd"u8])),
        Query(
            "mysql file for an answer, though files are allowed", "LOCAL INFILE in answer to a SELECT", MySqlWords.Packet(1, [0xFB, .. "/etc/passwd"u8]),
            "Allow Load Local Infile=true"),
        Query(
            "mysql file among the rows", "LOCAL INFILE where a row with NULL could be",
            [.. Strings, .. MySqlWords.Packet(3, [0xFB, .. "/etc/passwd"u8]), .. MySqlWords.Packet(4)]),
        Query("mysql row of nothing", "an empty packet among the rows", [.. Columns, .. MySqlWords.Packet(3), .. MySqlWords.End(4)]),
        Query(
            "mysql result behind a result that is none", "announces another and sends an empty packet",
            [.. MySqlWords.Ok(1, status: 2 | MoreResults), .. MySqlWords.Packet(2)]),

        // ---------------------------------------------------------------- lengths and counts
        Query("mysql short OK", "stops in its numbers", MySqlWords.Packet(1, 0, 0xFC, 1)),
        Query("mysql short ERR", "an ERR without its number", MySqlWords.Packet(1, 0xFF, 1)),
        Query("mysql OK of impossible lengths", "a count of 8 bytes of which one came", MySqlWords.Packet(1, 0, 0xFE, 1)),
        Query("mysql 4,097 columns", "one more than any server has", MySqlWords.Packet(1, 0xFC, 1, 16)),
        Query("mysql 2^63 columns", "a count beyond every memory", MySqlWords.Packet(1, MySqlWords.Long(1UL << 63))),
        Query(
            "mysql fewer columns than announced", "the end where the third column should be",
            [.. MySqlWords.Packet(1, 3), .. MySqlWords.Column(2, "a", 3), .. MySqlWords.Column(3, "b", 3), .. MySqlWords.End(4)]),
        Query(
            "mysql more columns than announced", "a definition where the rows should be",
            [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", 3), .. MySqlWords.Column(3, "b", 3), .. MySqlWords.Packet(4)]),
        Query(
            "mysql column of a name beyond its packet", "lenenc of 16 MiB",
            [.. MySqlWords.Packet(1, 1), .. MySqlWords.Packet(2, [3, .. "def"u8, 0xFD, 0xFF, 0xFF, 0xFF, .. "name and more"u8]), .. MySqlWords.End(3)]),
        Query("mysql columns of 60,000 bytes each", "4,096 definitions longer than any", static peer =>
        {
            peer.Send(MySqlWords.Packet(1, 0xFC, 0, 16));
            peer.Send(MySqlWords.Header(60_000, 2));
            peer.SendUntilClosed(Zeros, 128 << 20);
        }),
        Query("mysql columns of 64 MiB together", "4,096 definitions of which each could be one", static peer =>
        {
            peer.Send(MySqlWords.Packet(1, 0xFC, 0, 16));
            var definition = new byte[16_000 + 4];
            for (var i = 2; i < 4098; i++)
            {
                MySqlWords.Header(16_000, i & 0xFF).CopyTo(definition, 0);
                peer.Send(definition);
            }
        }) with { MemoryBound = 80 << 20 },
        Query(
            "mysql value longer than its row", "65,535 bytes in a packet of 8",
            [.. Strings, .. MySqlWords.Packet(3, [0xFC, 0xFF, 0xFF, .. "short"u8]), .. MySqlWords.End(4)]),
        Query(
            "mysql value of 2^63 bytes", "a length beyond every memory",
            [
                .. MySqlWords.Columns(1, MySqlWords.StringType, "a", "b"),
                .. MySqlWords.Packet(4, [.. MySqlWords.Text("x"), .. MySqlWords.Long(1UL << 63), .. "short"u8]), .. MySqlWords.End(5)
            ]),
        Query("mysql answer of 16 MiB", "a payload of several packets where no row is, without end", static peer =>
        {
            peer.Send(MySqlWords.Header(0xFFFFFF, 1));
            peer.SendUntilClosed(Zeros, 128 << 20);
        }),
        Query("mysql ERR of 16 MiB", "a refusal of several packets", static peer =>
        {
            peer.Send([.. MySqlWords.Header(0xFFFFFF, 1), 0xFF]);
            peer.SendUntilClosed(Zeros, 128 << 20);
        }),

        // ---------------------------------------------------------------- errors
        new("mysql ERR of 60,000 control characters", Victim.MySql, "escape sequences in a text without end", Act.Query, Outcome.ServerError, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Error(1, 1064, string.Concat(Enumerable.Repeat("\u001B]0;pwned\u0007\0", 6000))));
        }) { KeepsSession = true },

        // ---------------------------------------------------------------- truncated
        Lost("mysql closes in a row", "FIN in the middle of it", static peer =>
        {
            peer.Send([.. Strings, .. MySqlWords.TextRow(3, "one"), .. MySqlWords.TextRow(4, "two").AsSpan(0, 6)]);
            peer.Close();
        }),
        Lost("mysql resets among the columns", "RST", static peer =>
        {
            peer.Send(MySqlWords.Packet(1, 2));
            peer.Reset();
        }),
        Lost("mysql closes half in a row", "shuts its sending side and listens on", static peer =>
        {
            peer.Send([.. Strings, .. MySqlWords.TextRow(3, "one"), .. MySqlWords.TextRow(4, "two").AsSpan(0, 6)]);
            peer.CloseHalf();
        }),
        Lost("mysql closes in place of an answer", "FIN", static peer => peer.Close()),
        Lost("mysql closes in a value of 3 MiB", "FIN in the middle of it", static peer =>
        {
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.BlobType, "a"), .. MySqlWords.Header(3 << 20, 3), 0xFD, 0xFC, 0xFF, 0x2F, .. new byte[100_000]]);
            peer.Close();
        }),

        // ---------------------------------------------------------------- out of turn
        new("mysql two answers to one query", Victim.MySql, "a second OK behind the first", Act.SecondLease, Outcome.Unharmed, static peer =>
        {
            peer.WelcomeQuery();
            if (peer.Number == 0)
                peer.Send([.. MySqlWords.Ok(1), .. MySqlWords.Ok(1, affected: 42)]);
            else
                peer.Send(Rows);
        }),
        new(
            "mysql answer to a command never sent", Victim.MySql, "an OK while the session lies in the pool", Act.LateSecondLease, Outcome.Unharmed,
            static peer =>
            {
                peer.WelcomeQuery();
                peer.Send(Rows);
                if (peer.Number > 0)
                    return;
                peer.IsIdle.Wait(HostileRun.Hang);
                peer.Send(MySqlWords.Ok(1, affected: 42));
                peer.HasSpoken.Set();
            }),
        new(
            "mysql reset answered by rows", Victim.MySql, "a result set in place of the OK of COM_RESET_CONNECTION", Act.SecondLease, Outcome.BrokenProtocol,
            static peer =>
            {
                peer.WelcomeQuery();
                peer.Send(MySqlWords.Ok(1));
                peer.ReadPacket();
                peer.Send(Rows);
            }),
        new("mysql reset answered by a wrong number", Victim.MySql, "an OK of number 3", Act.SecondLease, Outcome.BrokenProtocol, static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Ok(1));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(3));
        }),
        new("mysql ping answered by rows", Victim.MySql, "a result set in place of OK", Act.Ping, Outcome.BrokenProtocol, static peer =>
        {
            peer.Welcome();
            peer.Expect(0x0E);
            peer.Send(Rows);
        }),

        // ---------------------------------------------------------------- PREPARE
        Prepared(
            "mysql PREPARE_OK with more parameters", "two, for a statement of none",
            [.. PrepareOk(0, 2), .. MySqlWords.Column(2, "?", 3), .. MySqlWords.Column(3, "?", 3)]),
        Prepared("mysql PREPARE_OK cut short", "three bytes", MySqlWords.Packet(1, 0, 1, 0)),
        Prepared("mysql PREPARE_OK with 65,535 columns", "more than any server has", PrepareOk(65_535, 0)),
        Prepared("mysql PREPARE answered by columns", "a result set", MySqlWords.Columns(1, MySqlWords.LongType, "a")),
        Prepared("mysql PREPARE answered by LOCAL INFILE", "wants a file", MySqlWords.Packet(1, [0xFB, .. "/etc/passwd"u8])),
        Executed("mysql binary row cut short", "two bytes of four", [0, 0, 42, 0]),
        Executed("mysql binary row of a wrong first byte", "7 in place of 0", [7, 0, 42, 0, 0, 0]),
        Executed("mysql binary row without its bitmap", "one byte", [0]),

        // ---------------------------------------------------------------- session tracking
        Tracked("mysql state longer than its OK", "session state of 200 bytes in 4", [0, 200, 1, 2, 3]),
        Tracked("mysql state whose entry is longer", "an entry of 100 bytes in 3", [0, 5, 0, 100, 1, 2, 3]),
        Tracked("mysql variable without its value", "a name and nothing behind it", [0, 6, 0, 4, 3, .. "sql"u8]),
        Tracked("mysql transaction state of three letters", "it has eight", [0, 6, 5, 4, 3, .. "T__"u8]),
        Tracked("mysql schema of 2^62 bytes", "a length beyond every memory", [0, 12, 1, 10, .. MySqlWords.Long(1UL << 62), 1]),

        // ---------------------------------------------------------------- compression
        Compressed("mysql frame with a wrong number", "number 3", Frame(3, Rows)),
        Compressed("mysql frame of nothing", "no bytes at all", [0, 0, 0, 1, 0, 0, 0]),
        Compressed("mysql frame that is more than it says", "one byte", Frame(1, Rows, Rows.Length - 1)),
        Compressed("mysql frame that is less than it says", "one byte", Frame(1, Rows, Rows.Length + 1)),
        Compressed("mysql frame that zlib never wrote", "five bytes that are no zlib", [5, 0, 0, 1, 200, 0, 0, 1, 2, 3, 4, 5]),
        Compressed("mysql frame that promises more than zlib can hold", "16 MiB of 100 bytes", [100, 0, 0, 1, 0xFF, 0xFF, 0xFF, .. new byte[100]]),
        Compressed("mysql bomb", "16 KiB that become 16 MiB of zeros", Frame(1, Bomb())),
    ];

    private static HostileScript Query(string name, string does, byte[] answer, string options = "") =>
        Query(name, does, peer => peer.Send(answer), options);

    private static HostileScript Query(string name, string does, Action<FakePeer> script, string options = "") =>
        new(name, Victim.MySql, does, Act.Query, Outcome.BrokenProtocol, peer =>
        {
            peer.WelcomeQuery();
            script(peer);
        }) { Options = options };

    private static HostileScript Lost(string name, string does, Action<FakePeer> script) => new(name, Victim.MySql, does, Act.Query, Outcome.Lost, peer =>
    {
        peer.WelcomeQuery();
        script(peer);
    });

    private static HostileScript Prepared(string name, string does, byte[] answer) =>
        new(name, Victim.MySql, does, Act.Prepared, Outcome.BrokenProtocol, peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send(answer);
        });

    private static HostileScript Executed(string name, string does, byte[] row) => new(name, Victim.MySql, does, Act.Prepared, Outcome.BrokenProtocol, peer =>
    {
        peer.Welcome();
        peer.Expect(Prepare);
        peer.Send([.. PrepareOk(1, 0), .. MySqlWords.Column(2, "a", MySqlWords.LongType)]);
        peer.Expect(Execute);
        peer.Send([.. Columns, .. MySqlWords.Packet(3, row), .. MySqlWords.End(4)]);
    });

    private static HostileScript Tracked(string name, string does, byte[] infoAndState) =>
        new(name, Victim.MySql, does, Act.Query, Outcome.BrokenProtocol, peer =>
        {
            peer.WelcomeQuery(MySqlWords.Capabilities | SessionTrack);
            peer.Send(MySqlWords.Packet(1, [0, 0, 0, 2, StateChanged >> 8, 0, 0, .. infoAndState]));
        });

    private static HostileScript Compressed(string name, string does, byte[] answer) => new(name, Victim.MySql, does, Act.Query, Outcome.BrokenProtocol, peer =>
    {
        peer.Welcome(MySqlWords.Capabilities | Compress);
        var header = peer.Read(7);
        peer.Read(header[0] | header[1] << 8 | header[2] << 16);
        peer.Send(answer);
    }) { Options = "Use Compression=true" };

    // status | statement_id | num_columns | num_params | filler | warnings
    private static byte[] PrepareOk(int columns, int parameters) =>
        MySqlWords.Packet(1, 0, 1, 0, 0, 0, (byte)columns, (byte)(columns >> 8), (byte)parameters, (byte)(parameters >> 8), 0, 0, 0);

    private static byte[] Frame(int sequence, byte[] bytes, int announced = -1)
    {
        using var target = new MemoryStream();
        using (var zlib = new ZLibStream(target, CompressionLevel.Optimal))
            zlib.Write(bytes);
        var (before, body) = (announced >= 0 ? announced : bytes.Length, target.ToArray());
        return [.. MySqlWords.Header(body.Length, sequence), (byte)before, (byte)(before >> 8), (byte)(before >> 16), .. body];
    }

    private static byte[] Bomb()
    {
        var swollen = new byte[0xFF_FFFF];
        (swollen[0], swollen[3], swollen[4]) = (1, 1, 1);
        return swollen;
    }
}
