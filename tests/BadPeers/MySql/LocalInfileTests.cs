using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>A server may answer any statement with a request for a file of the client's machine. No content of the file may reach the server.</summary>
public sealed class LocalInfileTests : MySqlPeerTests
{
    private const string Secret = "the content of a file that is nobody's business";

    [Theory]
    [InlineData(false, "", "SELECT 1")]
    [InlineData(true, "", "SELECT 1")]
    [InlineData(false, "Allow Load Local Infile=true", "SELECT 1")]
    [InlineData(true, "Allow Load Local Infile=true", "SELECT 1")]
    [InlineData(false, "", "LOAD DATA LOCAL INFILE '{file}' INTO TABLE t")]
    [InlineData(true, "", "LOAD DATA LOCAL INFILE '{file}' INTO TABLE t")]
    public async Task An_unasked_request_for_a_file_gets_nothing(bool asynchronously, string options, string sql)
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, Secret);
            using var server = FakeServer.Start(peer =>
            {
                peer.WelcomeQuery();
                peer.Send(MySqlWords.Packet(1, [0xFB, .. System.Text.Encoding.UTF8.GetBytes(file)]));
                if (peer.ReadPacket().Payload.Length > 0)
                    throw new InvalidDataException("The client sent something of the file.");
                peer.Send(MySqlWords.Ok(3));
            });
            var failure = await Connect(server, asynchronously, options).QueryFails(sql.Replace("{file}", file, StringComparison.Ordinal));
            Assert.True(failure is Slipstream.MySql.MySqlException or Slipstream.MySql.MySqlProtocolException, failure.ToString());
            NeverSent(server, "nobody's business"u8);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_statement_that_may_ask_gets_an_empty_file_once(bool asynchronously)
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, Secret);
            using var server = FakeServer.Start(peer =>
            {
                peer.WelcomeQuery();
                foreach (var sequence in (int[])[1, 3])
                {
                    peer.Send(MySqlWords.Packet(sequence, [0xFB, .. System.Text.Encoding.UTF8.GetBytes(file)]));
                    if (peer.ReadPacket().Payload.Length > 0)
                        throw new InvalidDataException("The client sent something of the file.");
                }
            });
            IsBrokenProtocol(await Connect(server, asynchronously, "Allow Load Local Infile=true").QueryFails($"LOAD DATA LOCAL INFILE '{file}' INTO TABLE t"));
            NeverSent(server, "nobody's business"u8);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_capability_is_not_announced_by_default(bool asynchronously)
    {
        uint capabilities = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting());
            capabilities = BitConverter.ToUInt32(peer.ReadPacket().Payload);
            peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)]);
        });
        await Connect(server, asynchronously).Opens();
        Assert.Equal(0u, capabilities & 0x80);
    }
}
