using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>PostgreSQL servers that answer a wait for notifications, in which the client sends nothing.</summary>
internal static class PgWaitScripts
{
    private static readonly byte[] Notification = PgWords.Message('A', [.. PgWords.Int32(7), .. PgWords.Text("channel"), .. PgWords.Text("payload")]);

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        Breaks("pg row in a wait", "a DataRow", PgWords.DataRow("1"u8.ToArray())),
        Breaks("pg ReadyForQuery in a wait", "an answer to nothing", PgWords.Ready()),
        Breaks("pg CommandComplete in a wait", "an answer to nothing", PgWords.CommandComplete("SELECT 1")),
        Breaks("pg copy in a wait", "CopyOutResponse", PgWords.Message('H', 0, 0, 0)),
        Breaks("pg login in a wait", "a request for the password in clear text", PgWords.Authentication(3)),
        Breaks("pg error in a wait", "an error that does not end the session", PgWords.Error(('S', "ERROR"), ('C', "42601"), ('M', "no"))),
        Breaks("pg notification without a payload", "one text", PgWords.Message('A', [.. PgWords.Int32(7), .. PgWords.Text("channel")])),
        Breaks("pg notification without an end", "no zero", PgWords.Message('A', [.. PgWords.Int32(7), .. "channel"u8])),
        Breaks("pg notification with more behind it", "a third text", PgWords.Message('A', [.. Notification.AsSpan(5), .. PgWords.Text("more")])),
        Breaks("pg notification of 16 MiB and a byte", "more than the limit", PgWords.Header('A', (16 << 20) + 5)),
        Breaks("pg notification of a negative length", "-5", PgWords.Header('A', -5)),
        Breaks("pg message of an unknown kind in a wait", "type '?'", PgWords.Message('?', 1, 2, 3)),
        new("pg end of the session in a wait", Victim.PostgreSql, "FATAL", Act.Wait, Outcome.ServerError, static peer =>
        {
            peer.WelcomePg();
            peer.Send(PgWords.Error(('S', "FATAL"), ('C', "57P01"), ('M', "terminating connection due to administrator command")));
        }),
        new("pg half a notification in a wait", Victim.PostgreSql, "no more than its header", Act.WaitAndQuery, Outcome.CommandTimeout, static peer =>
        {
            peer.WelcomePg();
            peer.Send([.. PgWords.Header('A', 16 << 20), 0, 0]);
        }),
        new("pg lost connection in a wait", Victim.PostgreSql, "closes", Act.Wait, Outcome.Lost, static peer =>
        {
            peer.WelcomePg();
            peer.Close();
        }),
    ];

    private static HostileScript Breaks(string name, string does, byte[] words) => new(name, Victim.PostgreSql, does, Act.Wait, Outcome.BrokenProtocol, peer =>
    {
        peer.WelcomePg();
        peer.Send(words);
    });
}
