using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>PostgreSQL servers that begin a COPY and then send what does not belong to it, become silent, or never end.</summary>
internal static class PgCopyScripts
{
    private static readonly byte[] Bound = [.. PgWords.ParseComplete, .. PgWords.BindComplete];
    private static readonly byte[] Out = [.. Bound, .. PgWords.Message('H', 1, 0, 1, 0, 1)];
    private static readonly byte[] TextOut = [.. Bound, .. PgWords.Message('H', 0, 0, 1, 0, 0)];
    private static readonly byte[] In = [.. Bound, .. PgWords.Message('G', 1, 0, 1, 0, 1)];
    private static readonly byte[] Signature = [.. "PGCOPY\n"u8, 0xFF, (byte)'\r', (byte)'\n', 0];
    private static readonly byte[] Header = [.. Signature, 0, 0, 0, 0, 0, 0, 0, 0];
    private static readonly byte[] Row = [0, 1, 0, 0, 0, 4, 0, 0, 0, 7];
    private static readonly byte[] First = PgWords.Message('d', [.. Header, .. Row]);
    private static readonly byte[] Trailer = PgWords.Message('d', 0xFF, 0xFF);
    private static readonly byte[] CopyDone = PgWords.Message('c');
    private static readonly byte[] End = [.. PgWords.CommandComplete("COPY 1"), .. PgWords.Ready()];
    private static readonly byte[] Refusal = PgWords.Error(('S', "ERROR"), ('C', "22P04"), ('M', "no more"));
    private static readonly byte[] Notices =
        Repeat(PgWords.Message('N', [(byte)'S', .. PgWords.Text("NOTICE"), (byte)'C', .. PgWords.Text("00000"), (byte)'M', .. PgWords.Text("hello"), 0]));
    private static readonly byte[] Notifications = Repeat(PgWords.Message('A', [.. PgWords.Int32(7), .. PgWords.Text("channel"), .. PgWords.Text("payload")]));
    private static readonly byte[] Rows = Repeat(PgWords.Message('d', Row));

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- the beginning
        Breaks("pg copy of -1 columns", "a negative count", [.. Bound, .. PgWords.Message('H', 1, 0xFF, 0xFF)]),
        Breaks("pg copy of 32,767 columns in two bytes", "a count without its formats", [.. Bound, .. PgWords.Message('H', 1, 0x7F, 0xFF)]),
        Breaks("pg copy of fewer columns than formats", "bytes left over", [.. Bound, .. PgWords.Message('H', 1, 0, 1, 0, 1, 0, 1)]),
        Breaks("pg copy of format 7", "neither text nor binary", [.. Bound, .. PgWords.Message('H', 7, 0, 1, 0, 1)]),
        Breaks("pg copy in both directions in place of one", "CopyBothResponse, which is for replication", [.. Bound, .. PgWords.Message('W', 1, 0, 1, 0, 1)]),
        Breaks("pg copy before it is bound", "CopyOutResponse in place of BindComplete", [.. PgWords.ParseComplete, .. PgWords.Message('H', 1, 0, 1, 0, 1)]),
        Breaks("pg copy data before the copy", "CopyData in place of CopyOutResponse", [.. Bound, .. First]),
        Breaks("pg CopyDone before the copy", "an end without a beginning", [.. Bound, .. CopyDone, .. End]),
        Breaks("pg ReadyForQuery in place of a copy", "nothing was executed", [.. Bound, .. PgWords.Ready()]),
        Breaks("pg description in place of a copy", "RowDescription", [.. Bound, .. PgWords.RowDescription(("a", PgWords.TextOid))]),
        Breaks("pg import in place of an export", "CopyInResponse", In),
        Breaks("pg login in place of a copy", "a request for the password in clear text", [.. Bound, .. PgWords.Authentication(3)]),

        // ---------------------------------------------------------------- the data
        Exports("pg copy without its header", "a row at once", PgWords.Message('d', Row)),
        Exports("pg copy with half a header", "eleven bytes", PgWords.Message('d', Signature)),
        Exports("pg copy with critical flags", "a format that does not exist", PgWords.Message('d', [.. Signature, 0, 1, 0, 0, 0, 0, 0, 0, .. Row])),
        Exports("pg copy with an extension of 2 GiB", "a length that lies", PgWords.Message('d', [.. Signature, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, .. Row])),
        Exports("pg copy with an extension of -1", "a negative length", PgWords.Message('d', [.. Signature, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, .. Row])),
        Exports("pg copy row of another number of values", "two values for one column", [.. First, .. PgWords.Message('d', 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
        Exports("pg copy row of 32,767 values", "in two bytes", [.. First, .. PgWords.Message('d', 0x7F, 0xFF)]),
        Exports("pg copy row of one byte", "half a count", [.. First, .. PgWords.Message('d', 0)]),
        Exports("pg copy message without bytes", "an empty CopyData", [.. First, .. PgWords.Message('d')]),
        Exports("pg copy value of a negative length", "-2", [.. First, .. PgWords.Message('d', [0, 1, .. PgWords.Int32(-2)])]),
        Exports("pg copy value of 2 GiB", "a length that lies", [.. First, .. PgWords.Message('d', [0, 1, .. PgWords.Int32(int.MaxValue), 1, 2])]),
        Exports("pg copy value longer than its row", "one byte too few", [.. First, .. PgWords.Message('d', [0, 1, .. PgWords.Int32(4), 1, 2, 3])]),
        Exports("pg copy row with bytes behind it", "five bytes of nothing", [.. First, .. PgWords.Message('d', [.. Row, 1, 2, 3, 4, 5])]),
        Exports("pg copy row behind the trailer", "after the end", [.. First, .. Trailer, .. PgWords.Message('d', Row)]),
        Exports("pg copy without its trailer", "CopyDone after a row", [.. First, .. CopyDone, .. End]),
        Exports("pg copy data of length 3", "shorter than its own length", [.. First, .. PgWords.Header('d', 3)]),
        Exports("pg copy data of a negative length", "-5", [.. First, .. PgWords.Header('d', -5)]),
        Exports("pg copy data of 2^31 - 1", "more than any server sends", [.. First, .. PgWords.Header('d', int.MaxValue)]),

        // ---------------------------------------------------------------- out of turn
        Exports("pg DataRow in a copy", "a row of a query", [.. First, .. PgWords.DataRow("1"u8.ToArray())]),
        Exports("pg CommandComplete without CopyDone", "an end in the middle", [.. First, .. End]),
        Exports("pg ReadyForQuery in a copy", "an end in the middle", [.. First, .. PgWords.Ready()]),
        Exports("pg copy in a copy", "CopyOutResponse twice", [.. First, .. PgWords.Message('H', 1, 0, 1, 0, 1)]),
        Exports("pg import in an export", "CopyInResponse", [.. First, .. PgWords.Message('G', 1, 0, 1, 0, 1)]),
        Exports("pg copy data behind CopyDone", "after the end", [.. First, .. Trailer, .. CopyDone, .. PgWords.Message('d', Row)]),
        Exports("pg CopyDone twice", "after the end", [.. First, .. Trailer, .. CopyDone, .. CopyDone]),
        Exports("pg ReadyForQuery without CommandComplete", "nothing was executed", [.. First, .. Trailer, .. CopyDone, .. PgWords.Ready()]),
        Exports("pg login in a copy", "AuthenticationOk", [.. First, .. PgWords.Authentication(0)]),
        Imports("pg copy data to an import", "CopyData from the server", PgWords.Message('d', Row)),
        Imports("pg CopyDone to an import", "CopyDone from the server", CopyDone),
        Imports("pg import in an import", "CopyInResponse twice", PgWords.Message('G', 1, 0, 1, 0, 1)),
        Imports("pg ReadyForQuery in an import", "nothing was executed", PgWords.Ready()),

        // ---------------------------------------------------------------- valid refusals
        new("pg error in the middle of a copy", Victim.PostgreSql, "ErrorResponse among the rows", Act.CopyExport, Outcome.ServerError, static peer =>
        {
            peer.WelcomePg();
            ReadCommand(peer);
            peer.Send([.. Out, .. First, .. Refusal, .. PgWords.Ready()]);
        }) { KeepsSession = true },
        new("pg error at the end of an import", Victim.PostgreSql, "ErrorResponse to the rows", Act.CopyImport, Outcome.ServerError, static peer =>
        {
            peer.WelcomePg();
            ReadCommand(peer);
            peer.Send(In);
            peer.ReadToSync();
            peer.Send([.. Refusal, .. PgWords.Ready()]);
        }) { KeepsSession = true },

        // ---------------------------------------------------------------- silence, and no end
        Silent("pg silence behind a COPY", "no answer", Act.CopyExport, static _ => { }),
        Silent("pg silence behind CopyOutResponse", "no data", Act.CopyExport, static peer => peer.Send(Out)),
        Silent("pg silence in the data of a copy", "half a CopyData", Act.CopyExport, static peer => peer.Send([.. Out, .. First.AsSpan(0, First.Length - 3)])),
        Silent("pg silence among the rows of a copy", "one row", Act.CopyExport, static peer => peer.Send([.. Out, .. First])),
        Silent("pg silence when a copy is left", "one row", Act.CopyLeave, static peer => peer.Send([.. Out, .. First])),
        Silent("pg silence behind CopyDone", "no CommandComplete", Act.CopyExport, static peer => peer.Send([.. Out, .. First, .. Trailer, .. CopyDone])),
        Silent("pg silence in a copy as text", "half a line", Act.CopyText, static peer => peer.Send([.. TextOut, .. PgWords.Message('d', (byte)'a')])),
        Silent("pg silence behind a copy of a gigabyte", "a length that lies", Act.CopyExport, static peer =>
            peer.Send([.. Out, .. PgWords.Header('d', 0x3FFF_FFFF), .. Header, .. Row])),
        Silent("pg silence behind an import", "no CommandComplete", Act.CopyImport, static peer => peer.Send(In)),
        Silent("pg silence behind the error of a copy", "no ReadyForQuery", Act.CopyExport, static peer => peer.Send([.. Out, .. First, .. Refusal])),
        Endless("pg copy without end for a reader that leaves", "rows as fast as the network", Act.CopyLeave, [.. Out, .. First], Rows),
        Endless("pg notices without end in a copy", "NoticeResponse among the rows", Act.CopyExport, [.. Out, .. First], Notices),
        Endless("pg notifications without end in a copy", "NotificationResponse among the rows", Act.CopyExport, [.. Out, .. First], Notifications),
        Endless("pg notices without end in an import", "NoticeResponse and nothing else", Act.CopyImport, In, Notices),
        Endless("pg empty copy data without end", "CopyData of no bytes", Act.CopyText, TextOut, Repeat(PgWords.Message('d'))),
    ];

    private static HostileScript Breaks(string name, string does, byte[] answer, Act act = Act.CopyExport) =>
        new(name, Victim.PostgreSql, does, act, Outcome.BrokenProtocol, peer =>
        {
            peer.WelcomePg();
            ReadCommand(peer);
            peer.Send(answer);
        });

    private static HostileScript Exports(string name, string does, byte[] data) => Breaks(name, does, [.. Out, .. data]);

    private static HostileScript Imports(string name, string does, byte[] answer) => Breaks(name, does, [.. In, .. answer], Act.CopyImport);

    private static HostileScript Silent(string name, string does, Act act, Action<FakePeer> script) =>
        new(name, Victim.PostgreSql, does, act, Outcome.CommandTimeout, peer =>
        {
            peer.WelcomePg();
            ReadCommand(peer);
            script(peer);
        });

    private static HostileScript Endless(string name, string does, Act act, byte[] first, byte[] round) => Silent(name, does, act, peer =>
    {
        peer.Send(first);
        // What is left unread would hide that the client has closed.
        if (act == Act.CopyImport)
            peer.ReadToSync();
        peer.SendUntilClosed(round, long.MaxValue);
    }) with { MemoryBound = long.MaxValue };

    // The command ends with Sync if it is an export, and with Flush if the client sends data before the Sync.
    private static void ReadCommand(FakePeer peer)
    {
        while (peer.ReadMessage().Type is not ('H' or 'S'))
            continue;
    }

    private static byte[] Repeat(byte[] message) => [.. Enumerable.Repeat(message, 100).SelectMany(static one => one)];
}
