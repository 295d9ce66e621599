using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;

namespace Slipstream.Live.PostgreSql;

/// <summary>Replication slots and sessions with a real server.</summary>
public class ReplicationSlotTests : ReplicationTestBase
{
    [Fact]
    public async Task A_snapshot_shows_the_database_as_it_was()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)", "INSERT INTO {0} VALUES (1)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, true, LogicalSlotSnapshotInitMode.Export, cancellationToken: Token);
        Assert.NotNull(slot.SnapshotName);
        await ExecuteAsync("INSERT INTO {0} VALUES (2)");
        await using (var reader = new PgConnection(await StringAsync()))
        {
            await reader.OpenAsync(Token);
            await using var transaction = await reader.BeginTransactionAsync(System.Data.IsolationLevel.RepeatableRead, Token);
            await using var use = new PgCommand($"SET TRANSACTION SNAPSHOT '{slot.SnapshotName}'", reader, transaction);
            await use.ExecuteNonQueryAsync(Token);
            await using var count = new PgCommand($"SELECT count(*) FROM {Name}", reader, transaction);
            Assert.Equal(1L, await count.ExecuteScalarAsync(Token));
        }

        await using var other = await OpenAsync();
        var without = await other.CreatePgOutputReplicationSlot(Name + "_n", true, LogicalSlotSnapshotInitMode.NoExport, cancellationToken: Token);
        Assert.Null(without.SnapshotName);
        // The snapshot can be used only inside of a transaction.
        await Assert.ThrowsAsync<PgException>(
            () => other.CreatePgOutputReplicationSlot(Name + "_u", true, LogicalSlotSnapshotInitMode.Use, cancellationToken: Token));
        Assert.Equal("logical", await other.Show("wal_level", Token));
    }

    [Fact]
    public async Task The_server_forgets_what_was_confirmed_and_sends_the_rest_again()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        var options = new PgOutputReplicationOptions(Publication, 1);
        try
        {
            var connection = await OpenAsync();
            var slot = await connection.CreatePgOutputReplicationSlot(Slot, cancellationToken: Token);
            await ExecuteAsync("INSERT INTO {0} VALUES (1)", "INSERT INTO {0} VALUES (2)", "INSERT INTO {0} VALUES (3)");
            var confirmed = PgLogSequenceNumber.Invalid;
            await using (connection)
            {
                await foreach (var message in Limited(connection.StartReplication(slot, options, Token)))
                {
                    if (message is not CommitMessage commit)
                        continue;
                    confirmed = commit.TransactionEndLsn;
                    connection.SetReplicationStatus(confirmed);
                    await connection.SendStatusUpdate(Token);
                    Assert.True(connection.LastReceivedLsn >= commit.CommitLsn);
                    break;
                }
            }

            await UntilAsync("SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{0}'");
            Assert.Equal(confirmed.ToString(), await ScalarAsync($"SELECT confirmed_flush_lsn::text FROM pg_replication_slots WHERE slot_name = '{Name}'"));

            // A program that starts again knows only the name of the slot.
            await using var again = await OpenAsync();
            var rows = new List<int>();
            await foreach (var message in Limited(again.StartReplication(new PgOutputReplicationSlot(Slot), options, Token)))
            {
                if (message is InsertMessage insert)
                    await foreach (var value in insert.NewRow.WithCancellation(Token))
                        rows.Add(await value.Get<int>(Token));
                if (rows.Count == 2)
                    break;
            }

            Assert.Equal([2, 3], rows);
        }
        finally
        {
            await using var dropping = await OpenAsync();
            await dropping.DropReplicationSlot(Slot, wait: true, Token);
        }
    }

    [Fact]
    public async Task What_the_server_refuses_leaves_the_connection_usable()
    {
        await using var connection = await OpenAsync();
        var missing = connection.StartReplication(new PgOutputReplicationSlot("no_such_slot"), new PgOutputReplicationOptions("p", 1), Token);
        await using (var messages = missing.GetAsyncEnumerator(Token))
            Assert.Equal("42704", (await Assert.ThrowsAsync<PgException>(() => messages.MoveNextAsync().AsTask())).SqlState);
        Assert.Equal("42704", (await Assert.ThrowsAsync<PgException>(() => connection.DropReplicationSlot("no_such_slot", cancellationToken: Token))).SqlState);
        Assert.Equal("42602", (await Assert.ThrowsAsync<PgException>(
            () => connection.CreatePgOutputReplicationSlot("a b", cancellationToken: Token))).SqlState);
        Assert.Equal("42704", (await Assert.ThrowsAsync<PgException>(() => connection.Show("no_such_setting", Token))).SqlState);
        Assert.Equal("58P01", (await Assert.ThrowsAsync<PgException>(() => connection.TimelineHistory(77, Token))).SqlState);
        var slot = await connection.CreateTestDecodingReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        Assert.Equal("42710", (await Assert.ThrowsAsync<PgException>(
            () => connection.CreateTestDecodingReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token))).SqlState);
        Assert.Equal("logical", await connection.Show("wal_level", Token));
        Assert.Equal(Slot, slot.Name);
    }

    [Fact]
    public async Task A_connection_reports_its_session()
    {
        await using var connection = await OpenAsync();
        Assert.InRange(connection.PostgreSqlVersion.Major, 15, 30);
        Assert.StartsWith($"{connection.PostgreSqlVersion.Major}", connection.ServerVersion);
        Assert.Equal(Encoding.UTF8, connection.Encoding);
        Assert.Equal(1L, await ScalarAsync($"SELECT count(*) FROM pg_stat_activity WHERE pid = {connection.ProcessID} AND backend_type = 'walsender'"));
        Assert.Equal("slipstream", (await connection.IdentifySystem(Token)).DbName);
        Assert.DoesNotContain("assword", connection.ConnectionString);
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.Open(Token));
        Assert.Throws<InvalidOperationException>(() => connection.ConnectionString = "Host=h");
    }
}

public class ReplicationSlotOn18Tests : ReplicationSlotTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}
