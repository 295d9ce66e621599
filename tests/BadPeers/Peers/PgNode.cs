using System.Text;

namespace Slipstream.BadPeers.Peers;

/// <summary>
/// A PostgreSQL server with a role: it answers the question for that, and every other command with one row, whatever comes before the command.
/// </summary>
public static class PgNode
{
    /// <param name="isStandby">Returns the role, whenever the server is asked for it.</param>
    public static FakeServer Start(Func<bool> isStandby) => FakeServer.Start(peer =>
    {
        peer.ReadStartupWithoutTls();
        peer.Send(
        [
            .. PgWords.Authentication(0), .. PgWords.ParameterStatus("in_hot_standby", isStandby() ? "on" : "off"),
            .. PgWords.ParameterStatus("default_transaction_read_only", "off"), .. PgWords.ParameterStatus("server_version", "18.0"),
            .. PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]), .. PgWords.Ready(),
        ]);
        // The driver prepares what it repeats: then no text comes with the command.
        Dictionary<string, bool> statements = [];
        var (isQuery, isBinary) = (false, false);
        while (true)
        {
            var (type, body) = peer.ReadMessage();
            if (type == 'P')
                statements[TextAt(body, 0)] = isQuery = TextAt(body, 1).StartsWith("SELECT", StringComparison.Ordinal);
            else if (type == 'B')
                (isQuery, isBinary) = (statements[TextAt(body, 1)], body[^1] == 1);
            peer.Send(type switch
            {
                'Q' => [.. TextAt(body, 0).Split(';').SelectMany(one => Answer(one, isStandby())), .. PgWords.Ready()],
                'P' => PgWords.ParseComplete,
                'B' => PgWords.BindComplete,
                'C' => PgWords.Message('3'),
                'D' => isQuery ? Column(isBinary && body[0] == 'P') : PgWords.Message('n'),
                'E' when isQuery => [.. PgWords.DataRow(isBinary ? PgWords.Int32(1) : "1"u8.ToArray()), .. PgWords.CommandComplete("SELECT 1")],
                'E' => PgWords.CommandComplete("RESET"),
                'S' => PgWords.Ready(),
                _ => [],
            });
        }
    });

    // Parse: name, text. Bind: portal, name; at its end, the format of the only column.
    private static string TextAt(byte[] body, int number) => Encoding.UTF8.GetString(body).Split('\0')[number];

    // The last field of its description is the format.
    private static byte[] Column(bool isBinary) => [.. PgWords.RowDescription(("a", PgWords.Int4)).AsSpan()[..^1], (byte)(isBinary ? 1 : 0)];

    // The reset of a session is a text with several statements.
    private static byte[] Answer(string text, bool isStandby) => text.StartsWith("SELECT", StringComparison.Ordinal)
        ?
        [
            .. PgWords.RowDescription(("a", 16), ("b", 25)), .. PgWords.DataRow(isStandby ? "t"u8.ToArray() : "f"u8.ToArray(), "off"u8.ToArray()),
            .. PgWords.CommandComplete("SELECT 1"),
        ]
        : PgWords.CommandComplete("RESET");
}
