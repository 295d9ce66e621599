using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>All hostile scripts. A new one is an entry in one of the lists; the tests run whatever is in them.</summary>
public static class HostileCatalogue
{
    public static IReadOnlyList<HostileScript> All { get; } =
        [
            .. MySqlLoginScripts.All, .. MySqlAnswerScripts.All, .. MySqlSilenceScripts.All, .. PgLoginScripts.All, .. PgAnswerScripts.All,
            .. PgSilenceScripts.All, .. PgCopyScripts.All, .. PgWaitScripts.All, .. WritingScripts.All
        ];

    public static HostileScript Named(string name) => All.Single(script => script.Name == name);

    /// <summary>What the server does on connections after it has become honest: it answers 42, once.</summary>
    public static void BeHonest(Victim client, FakePeer peer)
    {
        if (client == Victim.MySql)
            BeHonestMySql(peer);
        else
            BeHonestPg(peer);
    }

    private static void BeHonestMySql(FakePeer peer)
    {
        const int SslRequestLength = 32;
        peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
        var (sequence, payload) = peer.ReadPacket();
        if (payload.Length == SslRequestLength)
        {
            peer.UpgradeToTls(Certificates.Server);
            (sequence, _) = peer.ReadPacket();
        }

        peer.Send([.. MySqlWords.AuthMore(sequence + 1, 3), .. MySqlWords.Ok(sequence + 2)]);
        GoOnHonestly(Victim.MySql, peer);
    }

    /// <summary>After the login: accepts every command, and answers each query with 42.</summary>
    public static void GoOnHonestly(Victim client, FakePeer peer)
    {
        while (client == Victim.PostgreSql)
        {
            peer.Send(peer.ReadToSync().EndsWith('Q')
                ? [.. PgWords.CommandComplete("DISCARD ALL"), .. PgWords.Ready()]
                : [
                    .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)),
                    .. PgWords.DataRow("42"u8.ToArray()), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);
        }

        while (peer.ReadPacket().Payload is [not 1, ..] command)
        {
            if (command[0] == 3)
                peer.Send([.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "42"), .. MySqlWords.End(4)]);
            else
                peer.Send(MySqlWords.Ok(1));
        }
    }

    private static void BeHonestPg(FakePeer peer)
    {
        if (peer.ReadStartup().Code == PgWords.SslRequestCode)
        {
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
        }

        peer.Send(PgWords.LoginSuccess);
        GoOnHonestly(Victim.PostgreSql, peer);
    }
}
