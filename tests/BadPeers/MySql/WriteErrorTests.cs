using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>What is known about the position of writes after errors, whose packets report no identifiers of transactions.</summary>
[Collection("MySQL, causal reads")]
public sealed class WriteErrorTests : MySqlPeerTests
{
    private const string Uuid = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private const string Version = "9.7.0-fake";
    private const uint SessionTrack = 0x800000;
    private const string Before = $"s.{Uuid}:5";
    private const string After = $"s.{Uuid}:5-6";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("CALL p()", 1644)]
    [InlineData("CALL p()", 1146)]
    [InlineData("BEGIN NOT ATOMIC INSERT INTO t VALUES (1); SIGNAL SQLSTATE '45000'; END", 1644)]
    [InlineData("INSERT INTO t VALUES (1), (1)", 1062)]
    [InlineData("UPDATE t SET a = 1", 1317)]
    [InlineData("DELETE FROM t", 3024)]
    [InlineData("SELECT f()", 1644)]
    [InlineData("DROP TABLE t, missing", 1051)]
    [InlineData("INSERT INTO t VALUES (1); SELECT missing", 1054)]
    public async Task A_statement_that_may_have_written_before_its_error_makes_the_token_unknown(string sql, int error) =>
        await Expect("u", async connection => await Fails(connection, sql, error));

    [Theory]
    [InlineData("SELECT a FROM t", 1317)]
    [InlineData("SHOW TABLES", 1044)]
    [InlineData("INSERT INTO missing VALUES (1)", 1146)]
    [InlineData("INSERT INTO t VALUES", 1064)]
    [InlineData("UPDATE t SET missing = 1", 1054)]
    [InlineData("DELETE FROM t", 1142)]
    public async Task A_statement_that_has_surely_written_nothing_leaves_the_token_as_it_is(string sql, int error) =>
        await Expect(Before, async connection => await Fails(connection, sql, error));

    [Fact]
    public async Task An_error_in_a_batch_makes_the_token_unknown() => await Expect("u", static async connection =>
    {
        await using var batch = new MySqlBatch(connection);
        batch.BatchCommands.Add(new MySqlBatchCommand("INSERT INTO t VALUES (1)"));
        batch.BatchCommands.Add(new MySqlBatchCommand("CALL p() -- fails 1644"));
        await Assert.ThrowsAsync<MySqlException>(() => batch.ExecuteNonQueryAsync(Token));
    });

    [Fact]
    public async Task A_transaction_begun_by_a_text_is_committed_by_a_definition_that_fails() => await Expect("u", static async connection =>
    {
        await Execute(connection, "START TRANSACTION; INSERT INTO t VALUES (1)");
        await Fails(connection, "DROP TABLE missing", 1051);
    });

    [Theory]
    [InlineData("INSERT INTO t VALUES (1)", 1062)]
    [InlineData("SELECT f()", 1644)]
    [InlineData("UPDATE t SET a = 1", 1205)]
    public async Task A_commit_reports_what_came_before_an_error_in_its_transaction(string sql, int error) => await Expect(After, async connection =>
    {
        await using var transaction = await connection.BeginTransactionAsync(Token);
        await Fails(connection, sql, error, transaction);
        await transaction.CommitAsync(Token);
    });

    [Theory, InlineData("DROP TABLE missing", 1051), InlineData("CALL p()", 1644)]
    public async Task A_statement_that_may_have_ended_its_transaction_before_its_error_makes_the_token_unknown(string sql, int error) =>
        await Expect("u", async connection =>
        {
            await using var transaction = await connection.BeginTransactionAsync(Token);
            await Execute(connection, "INSERT INTO t VALUES (1)", transaction);
            await Fails(connection, sql, error, transaction);
        });

    [Fact]
    public async Task A_commit_that_fails_makes_the_token_unknown() => await Expect("u", static async connection =>
    {
        await using var transaction = await connection.BeginTransactionAsync(Token);
        await Execute(connection, "INSERT INTO t VALUES (1) -- commit fails 1180", transaction);
        await Assert.ThrowsAsync<MySqlException>(() => transaction.CommitAsync(Token));
    });

    // Begins with a write whose position is known.
    private static async Task Expect(string token, Func<MySqlConnection, Task> act)
    {
        using var primary = Start(isPrimary: true);
        using var replica = Start(isPrimary: false);
        await using var source = new MySqlDataSource(
            $"Server={primary.Address}:{primary.Port},{replica.Address}:{replica.Port};User ID=somebody;Password={Password};SSL Mode=None;"
            + "Topology=Auto;Connection Timeout=15;Pipelining Mode=On");
        using var scope = source.BeginCausalScope();
        await using (var connection = await source.Primary.OpenConnectionAsync(Token))
        {
            await Execute(connection, "INSERT INTO t VALUES (0)");
            Assert.Equal(Before, connection.LastWriteToken?.ToString());
            await act(connection);
            Assert.Equal(token, connection.LastWriteToken?.ToString());
            await Execute(connection, "INSERT INTO t VALUES (2)");
            Assert.Equal(token == "u", connection.LastWriteToken?.ToString() == "u");
        }

        Assert.Equal(token == "u", scope.Token?.ToString() == "u");
        await using var reader = await source.PreferReplica.OpenConnectionAsync(Token);
        Assert.Equal(token == "u" ? primary.Port : replica.Port, reader.ServerThread / 100);
    }

    private static async Task Fails(MySqlConnection connection, string sql, int error, MySqlTransaction? transaction = null)
    {
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Execute(connection, $"{sql} -- fails {error}", transaction));
        Assert.Equal(error, failure.Number);
    }

    private static async Task Execute(MySqlConnection connection, string sql, MySqlTransaction? transaction = null)
    {
        await using var command = new MySqlCommand(sql, connection, transaction);
        await command.ExecuteNonQueryAsync(Token);
    }

    // A server with a tracker: each write outside of a transaction, and each commit, has the next identifier. The replica has executed them all.
    private static FakeServer Start(bool isPrimary)
    {
        var last = 4;
        return FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(
                "mysql_native_password", MySqlWords.Capabilities | SessionTrack, Version, id: peer.Server.Port * 100 + peer.Number));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
            var isInTransaction = false;
            var commitError = 0;
            while (true)
            {
                var (_, command) = peer.ReadPacket();
                if (command[0] == 1)
                    return;
                var sql = command[0] == 3 ? Encoding.UTF8.GetString(command.AsSpan(1)) : "";
                if (sql.Contains("'group'", StringComparison.Ordinal))
                    peer.Send(Row("group|0|||||"));
                else if (sql.Contains("wsrep", StringComparison.Ordinal))
                    peer.Send(Row(null));
                else if (sql.Contains("'server'", StringComparison.Ordinal))
                    peer.Send(Row($"server|{(isPrimary ? 0 : 1)}|OFF|{Uuid}:1-9"));
                else if (sql.Contains("WAIT", StringComparison.Ordinal))
                    peer.Send(Row("0"));
                else if (sql.Contains("session_track", StringComparison.Ordinal))
                    peer.Send(Changed(1, 2, 0, [.. MySqlWords.Text("autocommit"), .. MySqlWords.Text("ON")]));
                else if (sql.StartsWith("INSERT INTO t VALUES (1);", StringComparison.Ordinal))
                    peer.Send([.. Wrote(1, 2 | 8, ++last), .. MySqlWords.Error(2, Number(sql), "fails")]);
                else if (sql.Contains("-- fails", StringComparison.Ordinal))
                    peer.Send(MySqlWords.Error(1, Number(sql), "fails"));
                else if (sql.Contains("START TRANSACTION", StringComparison.Ordinal))
                {
                    isInTransaction = true;
                    var count = sql.Split(';').Length;
                    peer.Send([.. Enumerable.Range(1, count).SelectMany(number => MySqlWords.Ok(number, 0, number < count ? 3 | 8 : 3))]);
                }
                else if (isInTransaction && !sql.StartsWith("COMMIT", StringComparison.Ordinal) && !sql.StartsWith("ROLLBACK", StringComparison.Ordinal))
                {
                    commitError = sql.Contains("commit fails", StringComparison.Ordinal) ? Number(sql) : 0;
                    peer.Send(MySqlWords.Ok(1, 0, 3));
                }
                else
                {
                    isInTransaction = false;
                    peer.Send(commitError != 0 ? MySqlWords.Error(1, commitError, "fails")
                        : sql.StartsWith("INSERT", StringComparison.Ordinal) || sql.StartsWith("COMMIT", StringComparison.Ordinal) ? Wrote(1, 2, ++last)
                        : MySqlWords.Ok(1));
                    commitError = 0;
                }
            }
        });
    }

    private static int Number(string sql) => int.Parse(sql[(sql.LastIndexOf(' ') + 1)..], System.Globalization.CultureInfo.InvariantCulture);

    private static byte[] Row(string? text) =>
        [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", MySqlWords.StringType), .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)];

    // 3 (GTIDs) | encoding 0 | set
    private static byte[] Wrote(int sequence, int status, int number) => Changed(sequence, status, 3, [0, .. MySqlWords.Text($"{Uuid}:{number}")]);

    // OK with SERVER_SESSION_STATE_CHANGED: info | state { type | data }
    private static byte[] Changed(int sequence, int status, byte type, byte[] data) =>
        MySqlWords.Packet(sequence, [0, 1, 0, (byte)status, 0x40, 0, 0, 0, (byte)(data.Length + 2), type, (byte)data.Length, .. data]);
}
