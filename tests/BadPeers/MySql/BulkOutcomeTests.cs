using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>What the exception of a bulk copy in the caller's transaction reports if its server is lost, or refuses it.</summary>
[Collection("Outcomes")]
public sealed class BulkOutcomeTests
{
    private const int InTransaction = 1 | 2;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    // LOAD DATA commits if the table is one of NDB.
    [Theory]
    [InlineData(MySqlBulkCopyMethod.MultiRow, false, RetrySafety.RolledBack), InlineData(MySqlBulkCopyMethod.MultiRow, true, RetrySafety.RolledBack)]
    [InlineData(MySqlBulkCopyMethod.LoadData, false, RetrySafety.Unknown), InlineData(MySqlBulkCopyMethod.LoadData, true, RetrySafety.Unknown)]
    public async Task A_copy_whose_server_is_lost_is_rolled_back_with_its_transaction(MySqlBulkCopyMethod wire, bool asynchronously, RetrySafety safety)
    {
        var failure = await Fails(wire, asynchronously, static (peer, _) => peer.Close());
        Assert.Equal(safety, failure.RetrySafety);
    }

    // The rows before the refusal are undone to the copy's savepoint.
    [Theory, InlineData(1, false), InlineData(1, true), InlineData(2, false), InlineData(2, true)]
    public async Task A_copy_that_a_former_primary_refuses_has_not_run(int refused, bool asynchronously)
    {
        var failure = await Fails(MySqlBulkCopyMethod.MultiRow, asynchronously, (peer, count) => peer.Send(
            count < refused ? MySqlWords.Ok(1, affected: 1, status: InTransaction)
                : MySqlWords.Error(1, 1290, "The MySQL server is running with the --read-only option so it cannot execute this statement")));
        Assert.Equal((ErrorKind.ReadOnly, RetrySafety.NotSent), (failure.Kind, failure.RetrySafety));
    }

    // Repeated in a new transaction.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refused_copy_is_repeated_with_its_transaction(bool asynchronously)
    {
        var executions = 0;
        using var server = FakeServer.Start(peer => Serve(peer, (_, _) => peer.Send(
            Interlocked.Increment(ref executions) == 2
                ? MySqlWords.Error(1, 1290, "The MySQL server is running with the --read-only option so it cannot execute this statement")
                : MySqlWords.Ok(1, affected: 1, status: InTransaction))));
        await using var source = Source(server, MySqlBulkCopyMethod.MultiRow);
        var attempts = 0;
        await source.ExecuteInTransactionAsync(async (connection, transaction, _) =>
        {
            attempts++;
            await Copy(connection, transaction, MySqlBulkCopyMethod.MultiRow, asynchronously);
        }, new() { FirstDelay = TimeSpan.Zero }, Token);
        Assert.Equal((2, 5), (attempts, executions));
    }

    // The node also refuses the undoing: the session is ended, and the server rolls back.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_copy_that_an_unready_node_refuses_is_repeated_with_its_transaction(bool asynchronously)
    {
        var executions = 0;
        var undo = 0;
        var unready = MySqlWords.Error(1, 1047, Statements.UnreadyNode.Message);
        using var server = FakeServer.Start(peer => Serve(
            peer, (_, _) => peer.Send(Interlocked.Increment(ref executions) == 2 ? unready : MySqlWords.Ok(1, affected: 1, status: InTransaction)),
            sql => sql.StartsWith("ROLLBACK TO", StringComparison.Ordinal) && Interlocked.Increment(ref undo) > 0 ? unready : null));
        await using var source = Source(server, MySqlBulkCopyMethod.MultiRow);
        List<RetrySafety> told = [];
        await source.ExecuteInTransactionAsync(async (connection, transaction, _) =>
        {
            try
            {
                await Copy(connection, transaction, MySqlBulkCopyMethod.MultiRow, asynchronously);
            }
            catch (MySqlException failure)
            {
                told.Add(failure.RetrySafety);
                throw;
            }
        }, new() { FirstDelay = TimeSpan.Zero }, Token);
        Assert.Equal([RetrySafety.RolledBack], told);
        Assert.Equal((1, 5), (undo, executions));
    }

    private static async Task<MySqlException> Fails(MySqlBulkCopyMethod wire, bool asynchronously, Action<FakePeer, int> execute)
    {
        using var server = FakeServer.Start(peer => Serve(peer, execute));
        await using var source = Source(server, wire);
        await using var connection = await source.OpenConnectionAsync(Token);
        var transaction = await connection.BeginTransactionAsync(Token);
        return await Assert.ThrowsAnyAsync<MySqlException>(() => Copy(connection, transaction, wire, asynchronously));
    }

    private static MySqlDataSource Source(FakeServer server, MySqlBulkCopyMethod wire) => new(
        $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;Allow Load Local "
            + $"Infile={wire == MySqlBulkCopyMethod.LoadData}");

    private static async Task Copy(MySqlConnection connection, MySqlTransaction transaction, MySqlBulkCopyMethod wire, bool asynchronously)
    {
        var copy = new MySqlBulkCopy(connection, transaction) { DestinationTableName = "t", Method = wire, BatchSize = 1, BulkCopyTimeout = 30 };
        _ = asynchronously ? await copy.WriteToServerAsync(Enumerable.Range(0, 3), static (row, item) => row.Write(item), Token)
            : copy.WriteToServer(Enumerable.Range(0, 3), static (row, item) => row.Write(item));
    }

    // Gives each execution, with its number, to a script, which answers it or closes the connection.
    private static void Serve(FakePeer peer, Action<FakePeer, int> execute, Func<string, byte[]?>? answer = null)
    {
        peer.Welcome();
        var executions = 0;
        while (true)
        {
            var (_, payload) = peer.ReadPacket();
            switch (payload[0])
            {
                case 1:
                    return;
                case 3 when peer.TryAnswerOrigin(payload):
                    break;
                case 3 when Text(payload).StartsWith("SHOW COLUMNS", StringComparison.Ordinal):
                    peer.Send(
                    [
                        .. MySqlWords.Columns(1, MySqlWords.StringType, "Field", "Type", "Null", "Key", "Default", "Extra"),
                        .. MySqlWords.TextRow(8, "a", "int", "YES", "", null, ""), .. MySqlWords.End(9, InTransaction),
                    ]);
                    break;
                case 3 when Text(payload).StartsWith("SELECT", StringComparison.Ordinal):
                    peer.Send(
                        [.. MySqlWords.Columns(1, MySqlWords.StringType, "c"), .. MySqlWords.TextRow(3, "utf8mb4"), .. MySqlWords.End(4, InTransaction)]);
                    break;
                case 3 when Text(payload).StartsWith("LOAD DATA", StringComparison.Ordinal):
                    peer.Send(MySqlWords.Packet(1, [0xFB, .. Encoding.UTF8.GetBytes(Text(payload).Split('\'')[1])]));
                    while (peer.ReadPacket().Item2.Length > 0)
                    {
                    }

                    execute(peer, ++executions);
                    return;
                case 3:
                    peer.Send(
                        answer?.Invoke(Text(payload)) ?? MySqlWords.Ok(1, status: Text(payload) is "COMMIT" or "ROLLBACK" ? 2 : InTransaction));
                    break;
                case 0x16:
                    peer.Send(
                        [.. MySqlWords.Packet(1, [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]), .. MySqlWords.Column(2, "?", MySqlWords.LongType)]);
                    break;
                case 0x17:
                    execute(peer, ++executions);
                    break;
                case 0x1F:
                    peer.Send(MySqlWords.Ok(1));
                    break;
            }
        }
    }

    private static string Text(byte[] payload) => Encoding.UTF8.GetString(payload.AsSpan(1));
}
