using System.Text;

namespace Slipstream.BadPeers.Peers;

/// <summary>A MySQL server with a role, in no group: it answers the questions for that, and every other command with OK.</summary>
public static class MySqlNode
{
    /// <param name="isReplica">Returns the role, whenever the server is asked for it.</param>
    public static FakeServer Start(Func<bool> isReplica) => FakeServer.Start(peer =>
    {
        peer.Send(MySqlWords.Greeting("mysql_native_password", id: peer.Server.Port * 100 + peer.Number));
        peer.ReadPacket();
        peer.Send(MySqlWords.Ok(2));
        while (true)
        {
            var (_, command) = peer.ReadPacket();
            if (command[0] == 1)
                return;
            var question = command[0] == 3 ? Encoding.UTF8.GetString(command.AsSpan(1)) : "";
            if (!question.Contains("SELECT", StringComparison.Ordinal))
            {
                peer.Send(MySqlWords.Ok(1));
                continue;
            }

            var text = question.Contains("'group'", StringComparison.Ordinal) ? "group|0|||||"
                : question.Contains("wsrep", StringComparison.Ordinal) ? null
                : $"server|{(isReplica() ? 1 : 0)}|";
            peer.Send(
                [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", MySqlWords.StringType), .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)]);
        }
    });
}
