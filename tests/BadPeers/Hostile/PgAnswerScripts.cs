using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>PostgreSQL servers that accept a client and then send wrong answers.</summary>
internal static class PgAnswerScripts
{
    private static readonly byte[] Bound = [.. PgWords.ParseComplete, .. PgWords.BindComplete];
    private static readonly byte[] Described = [.. Bound, .. PgWords.RowDescription(("a", PgWords.TextOid))];
    private static readonly byte[] OneRow = PgWords.DataRow("one"u8.ToArray());
    private static readonly byte[] End = [.. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];
    private static readonly byte[] Done = [.. Described, .. OneRow, .. End];

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        // ---------------------------------------------------------------- lengths
        Row("pg length of 0", "a length that is not even its own", PgWords.Header('D', 0)),
        Row("pg length of 1", "shorter than itself", PgWords.Header('D', 1)),
        Row("pg length of 2", "shorter than itself", PgWords.Header('D', 2)),
        Row("pg length of 3", "shorter than itself", PgWords.Header('D', 3)),
        Row("pg length of -5", "negative", PgWords.Header('D', -5)),
        Row("pg length of 2^31 - 1", "more than any server sends", PgWords.Header('D', int.MaxValue)),
        Row("pg length of a gigabyte", "one byte more than any server sends", PgWords.Header('D', 0x4000_0000)),
        Row("pg notice of a gigabyte", "a text that fills memory", PgWords.Header('N', 0x3FFF_FFFF)),
        Row("pg command tag of a gigabyte", "a CommandComplete that fills memory", PgWords.Header('C', 0x3FFF_FFFF)),
        Row("pg setting of a gigabyte", "a ParameterStatus that fills memory", PgWords.Header('S', 0x3FFF_FFFF)),
        Row("pg message of an unknown kind and a gigabyte", "type '?'", PgWords.Header('?', 0x3FFF_FFFF)),
        Row(
            "pg value longer than its row", "1,000 bytes in a row of 5",
            [.. PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(1000), .. "short"u8]), .. End]),
        Row("pg value of a negative length", "-2", [.. PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(-2), .. "short"u8]), .. End]),
        Row(
            "pg value of the lowest length", "int.MinValue",
            [.. PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(int.MinValue), .. "short"u8]), .. End]),
        Row("pg row of more values than columns", "two values for one column", [.. PgWords.DataRow("1"u8.ToArray(), "2"u8.ToArray()), .. End]),
        Row("pg row of no values", "a count of 0", [.. PgWords.DataRow(), .. End]),
        Row("pg row of -1 values", "a negative count", [.. PgWords.Message('D', PgWords.Int16(-1)), .. End]),
        Row("pg row of one byte", "half a count", [.. PgWords.Message('D', 0), .. End]),
        Row("pg row that stops before its value", "a length without the value", [.. PgWords.Message('D', [.. PgWords.Int16(1), 0, 0]), .. End]),
        Row(
            "pg large row whose value is larger", "2 MiB of which the value wants 3",
            [.. PgWords.Header('D', 2 << 20), .. PgWords.Int16(1), .. PgWords.Int32(3 << 20), .. new byte[100]]),
        Column("pg -1 columns", "a negative count", PgWords.Int16(-1)),
        Column("pg 1,665 columns", "one more than any server has", [.. PgWords.Int16(1665), .. new byte[1665 * 19]]),
        Column("pg 32,767 columns in two bytes", "a count without its columns", PgWords.Int16(32767)),
        Column("pg column without an end to its name", "no zero", [.. PgWords.Int16(1), .. Encoding.ASCII.GetBytes(new string('a', 30))]),
        Column(
            "pg column of format 7", "neither text nor binary",
            [.. PgWords.Int16(1), .. PgWords.Text("a"), 0, 0, 0, 0, 0, 0, .. PgWords.Int32(25), 255, 255, .. PgWords.Int32(-1), 0, 7]),
        Column("pg more columns than announced", "two behind a count of one", [.. PgWords.Int16(1), .. Field("a"), .. Field("b")]),
        Column("pg fewer columns than announced", "one behind a count of two", [.. PgWords.Int16(2), .. Field("a")]),

        // ---------------------------------------------------------------- wrong kinds, wrong turns
        Query("pg row before its description", "a DataRow at once", [.. Bound, .. OneRow, .. End]),
        Query("pg row in place of ParseComplete", "a DataRow for nothing", OneRow),
        Query("pg description in place of ParseComplete", "RowDescription at once", PgWords.RowDescription(("a", PgWords.TextOid))),
        Query("pg ParseComplete twice", "an answer too many", [.. PgWords.ParseComplete, .. PgWords.ParseComplete, .. Done]),
        Query("pg BindComplete twice", "an answer too many", [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.BindComplete]),
        Query("pg CloseComplete that nobody asked for", "an answer too many", [.. PgWords.Message('3'), .. Done]),
        Query("pg ready in place of an answer", "ReadyForQuery at once", PgWords.Ready()),
        Row("pg ready among the rows", "ReadyForQuery without CommandComplete", [.. OneRow, .. PgWords.Ready()]),
        Row("pg description among the rows", "another RowDescription", [.. OneRow, .. PgWords.RowDescription(("b", PgWords.TextOid))]),
        Row("pg parameters among the rows", "ParameterDescription", [.. OneRow, .. PgWords.ParameterDescription(23)]),
        Row(
            "pg completes twice", "a second CommandComplete",
            [.. OneRow, .. PgWords.CommandComplete("SELECT 1"), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]),
        Row("pg row behind the end", "a DataRow behind CommandComplete", [.. OneRow, .. PgWords.CommandComplete("SELECT 1"), .. OneRow, .. PgWords.Ready()]),
        Row("pg key among the rows", "BackendKeyData", PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)])),
        Row("pg authentication among the rows", "asks for the password in clear text", PgWords.Authentication(3)),
        Row("pg version among the rows", "NegotiateProtocolVersion", PgWords.Message('v', [.. PgWords.Int32(0), .. PgWords.Int32(0)])),
        Row("pg copy data that nobody asked for", "CopyData among the rows", PgWords.Message('d', 1, 2, 3)),
        Row("pg end of a copy that nobody asked for", "CopyDone among the rows", PgWords.Message('c')),
        Row("pg copy in both directions", "CopyBothResponse", PgWords.Message('W', 0, 0, 0)),
        Row("pg function's result", "FunctionCallResponse", PgWords.Message('V', PgWords.Int32(-1))),
        Row("pg message of an unknown kind", "type '?'", PgWords.Message('?', 1, 2, 3)),
        Row("pg message of kind 0", "a zero byte for a type", PgWords.Message('\0', 1)),
        Row("pg MySQL's answer", "an OK packet", MySqlWords.Ok(1)),
        Row("pg ready behind rows in a state that is none", "'?' for a status", [.. OneRow, .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready('?')]),
        Row("pg ready of nothing", "no status at all", [.. OneRow, .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Message('Z')]),
        Row("pg command tag without its end", "no zero", [.. OneRow, .. PgWords.Message('C', "SELECT 1"u8)]),
        Row("pg notice without its end", "no zero behind the last text", PgWords.Message('N', [(byte)'S', .. "NOTICE"u8])),
        Row(
            "pg notice of 100 fields", "more than there are",
            PgWords.Message('N', [.. Enumerable.Range(1, 100).SelectMany(static i => (byte[])[(byte)(i + 30), .. PgWords.Text("x")]), 0])),
        Row(
            "pg error of 100 fields", "more than there are",
            PgWords.Message('E', [.. Enumerable.Range(1, 100).SelectMany(static i => (byte[])[(byte)(i + 30), .. PgWords.Text("x")]), 0])),
        Row("pg error without its end", "no zero behind the last text", PgWords.Message('E', [(byte)'S', .. "ERROR"u8])),
        new("pg PREPARE answered by rows", Victim.PostgreSql, "rows of a statement that was not executed", Act.Prepared, Outcome.BrokenProtocol, static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(
                [
                    .. PgWords.ParseComplete, .. PgWords.ParameterDescription(), .. PgWords.RowDescription(("a", PgWords.TextOid)), .. OneRow,
                    .. PgWords.Ready()
                ]);
        }),
        new(
            "pg error of 200,000 control characters", Victim.PostgreSql, "escape sequences in a text without end", Act.Query, Outcome.ServerError,
            static peer =>
            {
                peer.WelcomePg();
                peer.ReadToSync();
                peer.Send(
                    [
                        .. PgWords.Error(('S', "ERROR"), ('C', "42601"), ('M', string.Concat(Enumerable.Repeat("\u001B]0;pwned\u0007", 20_000)))),
                        .. PgWords.Ready()
                    ]);
            }) { KeepsSession = true },
        new(
            "pg copy into the server that nobody asked for", Victim.PostgreSql,
            "CopyInResponse in answer to a SELECT, then whatever the client says is refused", Act.Query, Outcome.ServerError, static peer =>
            {
                peer.WelcomePg();
                peer.ReadToSync();
                peer.Send([.. Bound, .. PgWords.Message('n'), .. PgWords.Message('G', 0, 0, 0)]);
                peer.ReadToSync();
                peer.Send([.. PgWords.Error(('S', "ERROR"), ('C', "57014"), ('M', "COPY from stdin failed")), .. PgWords.Ready()]);
            }) { KeepsSession = true },

        // ---------------------------------------------------------------- truncated
        Lost("pg closes in a row", "FIN in the middle of it", static peer =>
        {
            peer.Send([.. Described, .. OneRow, .. OneRow.AsSpan(0, 8)]);
            peer.Close();
        }),
        Lost("pg resets behind a row", "RST", static peer =>
        {
            peer.Send([.. Described, .. OneRow]);
            peer.Reset();
        }),
        Lost("pg closes half in a row", "shuts its sending side and listens on", static peer =>
        {
            peer.Send([.. Described, .. OneRow, .. OneRow.AsSpan(0, 8)]);
            peer.CloseHalf();
        }),
        Lost("pg closes in place of an answer", "FIN", static peer => peer.Close()),
        Lost("pg closes in a value of 3 MiB", "FIN in the middle of it", static peer =>
        {
            peer.Send([.. Described, .. PgWords.Header('D', (3 << 20) + 10), .. PgWords.Int16(1), .. PgWords.Int32(3 << 20), .. new byte[100_000]]);
            peer.Close();
        }),
        new("pg FATAL behind the rows", Victim.PostgreSql, "ends the session with a text", Act.Query, Outcome.ServerError, static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(
                [.. Described, .. OneRow, .. PgWords.Error(('S', "FATAL"), ('C', "57P01"), ('M', "terminating connection due to administrator command"))]);
        }),

        // ---------------------------------------------------------------- out of turn
        new(
            "pg two answers to one query", Victim.PostgreSql, "a second ReadyForQuery and more behind the first", Act.SecondLease, Outcome.Unharmed,
            static peer =>
            {
                peer.WelcomePg();
                peer.ReadToSync();
                peer.Send(peer.Number == 0 ? [.. Done, .. Done] : Done);
            }),
        new(
            "pg answer to a command never sent", Victim.PostgreSql, "rows while the session lies in the pool", Act.LateSecondLease, Outcome.Unharmed,
            static peer =>
            {
                peer.WelcomePg();
                peer.ReadToSync();
                peer.Send(Done);
                if (peer.Number > 0)
                    return;
                peer.IsIdle.Wait(HostileRun.Hang);
                peer.Send(Done);
                peer.HasSpoken.Set();
            }),
        new(
            "pg reset answered by rows", Victim.PostgreSql, "a result in place of what resets a session", Act.SecondLease, Outcome.BrokenProtocol,
            static peer =>
            {
                peer.WelcomePg();
                peer.ReadToSync();
                peer.Send(Done);
                peer.ReadSegment();
                peer.Send([.. OneRow, .. OneRow]);
            }),
    ];

    private static HostileScript Query(string name, string does, byte[] answer) => new(name, Victim.PostgreSql, does, Act.Query, Outcome.BrokenProtocol, peer =>
    {
        peer.WelcomePg();
        peer.ReadToSync();
        peer.Send(answer);
    });

    private static HostileScript Row(string name, string does, byte[] answer) => Query(name, does, [.. Described, .. answer]);

    private static HostileScript Column(string name, string does, byte[] body) =>
        Query(name, does, [.. Bound, .. PgWords.Message('T', body), .. OneRow, .. End]);

    private static HostileScript Lost(string name, string does, Action<FakePeer> script) => new(name, Victim.PostgreSql, does, Act.Query, Outcome.Lost, peer =>
    {
        peer.WelcomePg();
        peer.ReadToSync();
        script(peer);
    });

    // name\0 | table_oid | attribute_number | type_oid | type_size | type_modifier | format
    private static byte[] Field(string name) =>
        [.. PgWords.Text(name), 0, 0, 0, 0, 0, 0, .. PgWords.Int32(PgWords.TextOid), 255, 255, .. PgWords.Int32(-1), 0, 0];
}
