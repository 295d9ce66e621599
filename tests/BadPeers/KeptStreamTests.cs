using System.Data;
using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// A stream on a large value that the caller keeps beyond the row. By then the bytes on the wire belong to another row, of another command or even of another
/// user of the pooled session. The stream returns none of them and consumes none.
/// </summary>
public sealed class KeptStreamTests
{
    private const int Size = 100_000;

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public Task A_kept_stream_gives_nothing_of_another_row(bool postgreSql, bool asynchronously) => Uses(postgreSql, asynchronously, Keep);

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public Task Characters_that_were_decoded_of_one_row_are_not_given_for_the_next(bool postgreSql, bool asynchronously) =>
        Uses(postgreSql, asynchronously, DecodeSome);

    private static async Task DecodeSome(DbConnection connection, bool asynchronously)
    {
        using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        using var reader = await Execute(command, asynchronously);
        await Read(reader, asynchronously);
        Assert.Equal(10, reader.GetChars(0, 0, new char[10], 0, 10));
        await Read(reader, asynchronously);
        // As many bytes as the client read of the first row to decode those ten characters.
        for (var bytes = 1; bytes <= 4096; bytes++)
        {
            Assert.Equal(1, reader.GetBytes(0, bytes - 1, new byte[1], 0, 1));
            Assert.Throws<InvalidOperationException>(() => reader.GetChars(0, 10, new char[10], 0, 10));
        }
    }

    private static async Task Uses(bool postgreSql, bool asynchronously, Func<DbConnection, bool, Task> use)
    {
        using var server = FakeServer.Start(postgreSql ? PgScript : MySqlScript);
        ProviderDataSource source = postgreSql
            ? PgDataSource.Create($"Host={server.Address};Port={server.Port};{PgLogin.Text};Password=x;SSL Mode=Disable;Auto Prepare=false")
            : new MySqlDataSource($"Server={server.Address};Port={server.Port};User ID=somebody;Password=x;SSL Mode=None;Auto Prepare=Off;Pipelining Mode=On");
        await using (source)
            await new Client(source, server, asynchronously).Uses(connection => use(connection, asynchronously));
    }

    private static async Task Keep(DbConnection connection, bool asynchronously)
    {
        using var first = connection.CreateCommand();
        first.CommandText = "SELECT 1";
        Stream unread, partlyRead;
        using (var reader = await Execute(first, asynchronously))
        {
            await Read(reader, asynchronously);
            unread = reader.GetStream(0);
            await Read(reader, asynchronously);
            using (var whole = reader.GetStream(0))
            {
                await GivesNothing(unread, asynchronously);
                await Gives(whole, 'b', asynchronously);
            }

            await GivesNothing(unread, asynchronously);
            await Read(reader, asynchronously);
            partlyRead = reader.GetStream(0);
            await GivesNothing(unread, asynchronously);
            Assert.Equal(1, asynchronously ? await partlyRead.ReadAsync(new byte[1]) : partlyRead.Read(new byte[1]));
        }

        await GivesNothing(unread, asynchronously);
        await GivesNothing(partlyRead, asynchronously);
        using var second = connection.CreateCommand();
        second.CommandText = "SELECT 2";
        using (var reader = await Execute(second, asynchronously))
        {
            await Read(reader, asynchronously);
            var stream = reader.GetStream(0);
            await GivesNothing(unread, asynchronously);
            Assert.Equal('a', stream.ReadByte());
            await GivesNothing(partlyRead, asynchronously);
            Assert.Equal(1, stream.Position);
        }
    }

    private static async Task GivesNothing(Stream stream, bool asynchronously)
    {
        _ = asynchronously
            ? await Assert.ThrowsAsync<InvalidOperationException>(async () => Assert.Equal(-1, await stream.ReadAsync(new byte[10])))
            : Assert.Throws<InvalidOperationException>(() => stream.Read(new byte[10]));
        Assert.Throws<InvalidOperationException>(() => stream.Length);
        Assert.Throws<InvalidOperationException>(() => stream.Position);
    }

    private static async Task Gives(Stream stream, char letter, bool asynchronously)
    {
        var target = new MemoryStream();
        if (asynchronously)
            await stream.CopyToAsync(target);
        else
            stream.CopyTo(target);
        Assert.Equal(Value(letter), target.ToArray());
    }

    private static async Task<DbDataReader> Execute(DbCommand command, bool asynchronously) =>
        asynchronously ? await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess) : command.ExecuteReader(CommandBehavior.SequentialAccess);

    private static async Task Read(DbDataReader reader, bool asynchronously) => Assert.True(asynchronously ? await reader.ReadAsync() : reader.Read());

    private static void MySqlScript(FakePeer peer)
    {
        peer.Welcome();
        for (var i = 0; i < 2; i++)
        {
            peer.Expect(3);
            peer.Send([
                .. MySqlWords.Columns(1, MySqlWords.StringType, "a"),
                .. MySqlRow(3, 'a'), .. MySqlRow(4, 'b'), .. MySqlRow(5, 'c'), .. MySqlWords.End(6)]);
        }
    }

    private static void PgScript(FakePeer peer)
    {
        peer.WelcomePg();
        for (var i = 0; i < 2; i++)
        {
            peer.ReadToSync();
            peer.Send([
                .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)),
                .. PgWords.DataRow(Value('a')), .. PgWords.DataRow(Value('b')), .. PgWords.DataRow(Value('c')),
                .. PgWords.CommandComplete("SELECT 3"), .. PgWords.Ready()]);
        }
    }

    private static byte[] Value(char letter) => Enumerable.Repeat((byte)letter, Size).ToArray();

    // With the length in three bytes, as servers write it: a packet that begins with the longest form (0xFE) and has arrived whole is the end of the rows.
    private static byte[] MySqlRow(int sequence, char letter) =>
        MySqlWords.Packet(sequence, [0xFD, Size & 0xFF, Size >> 8 & 0xFF, Size >> 16, .. Value(letter)]);
}
