using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;

namespace Slipstream.Live.PostgreSql;

/// <summary>Physical replication with a real server.</summary>
public class PhysicalReplicationTests : ReplicationTestBase
{
    [Theory]
    [InlineData("")]
    [InlineData("SSL Mode=Require")]
    public async Task The_log_itself_can_be_streamed(string options)
    {
        await using var connection = new PhysicalReplicationConnection(await StringAsync(options));
        await connection.Open(Token);
        var system = await connection.IdentifySystem(Token);
        Assert.Equal((1U, null), (system.Timeline, system.DbName));
        Assert.NotEqual("", system.SystemId);
        Assert.Null(await connection.ReadReplicationSlot("no_such_slot", Token));
        var created = await connection.CreateReplicationSlot(Slot, isTemporary: true, reserveWal: true, Token);
        var slot = await connection.ReadReplicationSlot(created.Name, Token);
        Assert.Equal((Slot, 1U), (slot!.Name, slot.RestartTimeline));
        await ExecuteAsync("SELECT pg_logical_emit_message(false, 'find', '{0}')");

        // A session can stream the log several times.
        for (var i = 0; i < 2; i++)
        {
            var log = new MemoryStream();
            var needle = Encoding.ASCII.GetBytes("find\0" + Name);
            var at = slot.RestartLsn!.Value;
            await foreach (var message in Limited(i == 0 ? connection.StartReplication(slot, Token) : connection.StartReplication(at, Token, timeline: 1)))
            {
                Assert.Equal(at, message.WalStart);
                Assert.True(message.WalEnd >= message.WalStart);
                at += message.Data.Length;
                await message.Data.CopyToAsync(log, Token);
                connection.SetReplicationStatus(at);
                if (log.GetBuffer().AsSpan(0, (int)log.Length).IndexOf(needle) >= 0)
                    break;
            }

            Assert.True(log.Length > 0);
        }

        Assert.Equal("logical", await connection.Show("wal_level", Token));
        await connection.DropReplicationSlot(Slot, cancellationToken: Token);
        await using var future = connection.StartReplication(PgLogSequenceNumber.Parse("FFFFFF/0"), Token).GetAsyncEnumerator(Token);
        await Assert.ThrowsAsync<PgException>(() => future.MoveNextAsync().AsTask());
    }
}

public class PhysicalReplicationOn18Tests : PhysicalReplicationTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}
