using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A server that refuses one of the provider's own statements and disconnects: the caller gets the server's reason, not only that the connection is lost.
/// </summary>
public sealed class LastWordsTests : MySqlPeerTests
{
    private const int ServerShutdown = 1053;

    [Theory]
    [InlineData(false, "COMMIT"), InlineData(true, "COMMIT"), InlineData(false, "ROLLBACK"), InlineData(true, "ROLLBACK")]
    [InlineData(false, "SAVEPOINT"), InlineData(true, "SAVEPOINT")]
    [InlineData(false, "START TRANSACTION"), InlineData(true, "START TRANSACTION"), InlineData(false, "UPDATE"), InlineData(true, "UPDATE")]
    public async Task A_statement_of_a_transaction_fails_with_them(bool asynchronously, string statement)
    {
        var statements = new List<string>();
        using var server = FakeServer.Start(peer =>
        {
            peer.Welcome();
            while (true)
            {
                var (_, payload) = peer.ReadPacket();
                if (payload[0] == 1)
                    return;
                var text = Encoding.UTF8.GetString(payload, 1, payload.Length - 1);
                statements.Add(text);
                if (text.Contains(statement, StringComparison.Ordinal))
                {
                    peer.Send(MySqlWords.Error(1, ServerShutdown, "Server shutdown in progress", "08S01"));
                    peer.Close();
                    return;
                }

                peer.Send(MySqlWords.Ok(1, status: 3));
            }
        });
        var exception = await Connect(server, asynchronously, "Connection Reset=false;Auto Prepare=Off;Pooling=false").UseFails(async connection =>
        {
            var transaction = asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction();
            using var command = connection.CreateCommand();
            command.CommandText = "UPDATE t SET a = 1";
            command.Transaction = transaction;
            _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
            if (asynchronously)
            {
                await transaction.SaveAsync("here");
                await (statement == "ROLLBACK" ? transaction.RollbackAsync() : transaction.CommitAsync());
            }
            else
            {
                transaction.Save("here");
                (statement == "ROLLBACK" ? (Action)transaction.Rollback : transaction.Commit)();
            }

            Assert.Fail("Not refused: " + string.Join(" | ", statements));
        });
        var failure = Assert.IsType<MySqlException>(exception);
        Assert.Equal((ServerShutdown, "08S01"), (failure.Number, failure.SqlState));
    }
}
