using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>A server that answers a bulk loader's LOAD DATA LOCAL with something other than the request for its rows.</summary>
public sealed class BulkLoaderTests : MySqlPeerTests
{
    public enum Answer
    {
        AnotherFile,
        LongerName,
        NoName,
        TheSameAgain,
        Rows,
        Nothing,
    }

    public static TheoryData<Answer, bool> Answers
    {
        get
        {
            var data = new TheoryData<Answer, bool>();
            foreach (var answer in Enum.GetValues<Answer>())
            {
                data.Add(answer, false);
                data.Add(answer, true);
            }

            return data;
        }
    }

    [Theory, MemberData(nameof(Answers))]
    public async Task Only_the_loads_own_name_is_answered_and_only_once(Answer answer, bool asynchronously)
    {
        var folder = Directory.CreateTempSubdirectory("slipstream-bad-");
        try
        {
            var secret = Path.Combine(folder.FullName, "secret");
            await File.WriteAllTextAsync(secret, "nobody's business");
            using var server = FakeServer.Start(peer =>
            {
                peer.Welcome();
                var name = Encoding.UTF8.GetString(peer.Expect(3)).Split('\'')[1];
                var asked = MySqlWords.Packet(
                    1,
                    [
                        0xFB,
                        .. Encoding.UTF8.GetBytes(
                            answer switch { Answer.AnotherFile => secret, Answer.LongerName => name + "x", Answer.NoName => "", _ => name })
                    ]);
                switch (answer)
                {
                    case Answer.Rows:
                        peer.Send([.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.End(3)]);
                        break;
                    case Answer.Nothing:
                        peer.Send(MySqlWords.Packet(1));
                        break;
                    case Answer.TheSameAgain:
                        peer.Send(asked);
                        while (peer.ReadPacket().Payload.Length > 0)
                        {
                        }

                        peer.Send(MySqlWords.Packet(4, asked.AsSpan(4)));
                        break;
                    default:
                        peer.Send(asked);
                        break;
                }

                if (peer.ReadPacket().Payload.Length > 0)
                    throw new InvalidDataException("The client sent something.");
            });
            await using var source = new MySqlDataSource(
                $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;"
                + $"Allow Load Local Infile=true;Allow Load Local Infile In Path={folder.FullName}");
            await using var connection = await source.OpenConnectionAsync();
            var loader = new MySqlBulkLoader(connection) { TableName = "t", SourceStream = new MemoryStream("rows of the load"u8.ToArray()), Timeout = 5 };
            IsBrokenProtocol(asynchronously
                ? await Assert.ThrowsAsync<MySqlProtocolException>(() => loader.LoadAsync())
                : Assert.Throws<MySqlProtocolException>(() => loader.Load()));
            Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
            NeverSent(server, "nobody's business"u8);
            if (answer != Answer.TheSameAgain)
                NeverSent(server, "rows of the load"u8);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
