using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>A server that answers a bulk copy's LOAD DATA LOCAL with a request for something else.</summary>
public sealed class BulkCopyTests : MySqlPeerTests
{
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task Only_the_copys_own_name_is_answered(bool asynchronously, bool almost)
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, "nobody's business");
            using var server = FakeServer.Start(peer =>
            {
                peer.Welcome();
                peer.Expect(3);
                peer.Expect(3);
                peer.Send([
                    .. MySqlWords.Ok(1), .. MySqlWords.Columns(1, MySqlWords.StringType, "Field", "Type", "Null", "Key", "Default", "Extra"),
                    .. MySqlWords.TextRow(8, "a", "int", "YES", "", null, ""), .. MySqlWords.End(9)]);
                // If a server does not report its session state, the driver queries the character set.
                peer.Expect(3);
                peer.Send(
                    [
                        .. MySqlWords.Columns(1, MySqlWords.StringType, "@@SESSION.character_set_client"), .. MySqlWords.TextRow(3, "utf8mb4"),
                        .. MySqlWords.End(4)
                    ]);
                var load = Encoding.UTF8.GetString(peer.Expect(3));
                var name = load.Split('\'')[1];
                peer.Send(MySqlWords.Packet(1, [0xFB, .. Encoding.UTF8.GetBytes(almost ? name + "x" : file)]));
                if (peer.ReadPacket().Payload.Length > 0)
                    throw new InvalidDataException("The client sent something.");
            });
            await using var source = new MySqlDataSource(
                $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Pipelining "
                    + "Mode=On;Allow Load Local Infile=true");
            await using var connection = await source.OpenConnectionAsync();
            var bulk = new MySqlBulkCopy((MySqlConnection)connection) { DestinationTableName = "t", Method = MySqlBulkCopyMethod.LoadData };
            IsBrokenProtocol(asynchronously
                ? await Assert.ThrowsAsync<MySqlProtocolException>(
                    async () => await bulk.WriteToServerAsync(new[] { 4711 }, static (row, item) => row.Write(item)))
                : Assert.Throws<MySqlProtocolException>(() => bulk.WriteToServer(new[] { 4711 }, static (row, item) => row.Write(item))));
            Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
            NeverSent(server, "nobody's business"u8);
            NeverSent(server, "4711"u8);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
