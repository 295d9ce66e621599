using System.Collections.Concurrent;
using System.Diagnostics;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;

namespace Slipstream.Live.PostgreSql;

/// <summary>The spans of a replication connection's commands. Runs alone, because a listener receives the events of every test.</summary>
[Collection(nameof(AllocationTests))]
public class ReplicationTelemetryTests : ReplicationTestBase
{
    [Fact]
    public async Task Each_command_has_a_span()
    {
        var spans = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Slipstream.PostgreSql",
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        var connection = new PhysicalReplicationConnection(await StringAsync());
        await using (connection)
        {
            await connection.Open(Token);
            await connection.CreateReplicationSlot(Slot, isTemporary: true, reserveWal: true, Token);
            var slot = await connection.ReadReplicationSlot(Slot, Token);
            await using (var stream = connection.StartReplication(slot!, Token).GetAsyncEnumerator(Token))
            {
                await ExecuteAsync("SELECT pg_logical_emit_message(false, 'span', '{0}')");
                Assert.True(await stream.MoveNextAsync());
                // The span of the command ends although its stream does not.
                Assert.Contains(spans, static span => span.DisplayName == "START_REPLICATION");
            }

            Assert.Equal("logical", await connection.Show("wal_level", Token));
            await Assert.ThrowsAsync<PgException>(() => connection.TimelineHistory(77, Token));
        }

        string[] words = ["CREATE_REPLICATION_SLOT", "READ_REPLICATION_SLOT", "START_REPLICATION", "SHOW", "TIMELINE_HISTORY"];
        var commands = spans.Where(span => words.Contains(span.DisplayName)).ToArray();
        Assert.Equal(words, commands.Select(static span => span.DisplayName));
        Assert.Equal([.. Enumerable.Repeat(ActivityStatusCode.Unset, 4), ActivityStatusCode.Error], commands.Select(static span => span.Status));
        Assert.Equal("58P01", commands[4].GetTagItem("error.type"));
        Assert.All(commands, span => Assert.DoesNotContain(Slot, string.Join(' ', span.Tags.Select(static tag => tag.Value))));
    }
}
