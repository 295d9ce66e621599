using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Answers to a PREPARE and an execution that were sent together: the driver never executes another statement than the intended one.</summary>
public sealed class FirstExecutionTests : MySqlPeerTests
{
    private const byte Query = 0x03;
    private const byte Prepare = 0x16;
    private const byte Execute = 0x17;

    // MARIADB_CLIENT_STMT_BULK_OPERATIONS
    private const byte BulkOperations = 4;
    private const uint SessionTrack = 0x800000;

    [Fact]
    public void A_result_behind_a_refused_PREPARE_closes_the_connection()
    {
        using var server = FakeServer.Start(static peer =>
        {
            WelcomeToMariaDb(peer);
            peer.Expect(Prepare);
            peer.Expect(Execute);
            peer.Send([.. MySqlWords.Error(1, 1461, "Can't create more than max_prepared_stmt_count statements"), .. MySqlWords.Ok(1, affected: 3)]);
        });
        using var connection = Open(server);
        Assert.Throws<MySqlProtocolException>(() => Run(connection, "DELETE FROM a"));
        Assert.NotEqual(System.Data.ConnectionState.Open, connection.State);
    }

    [Fact]
    public void A_full_server_gets_the_text()
    {
        using var server = FakeServer.Start(static peer =>
        {
            WelcomeToMariaDb(peer);
            peer.Expect(Prepare);
            peer.Expect(Execute);
            peer.Send([.. MySqlWords.Error(1, 1461, "Can't create more than max_prepared_stmt_count statements"), .. NoStatement(0xFFFFFFFF)]);
            peer.Expect(Query);
            peer.Send(MySqlWords.Ok(1, affected: 3));
        });
        using var connection = Open(server);
        Assert.Equal(3, Run(connection, "DELETE FROM a"));
    }

    [Theory]
    [InlineData(1205, "HY000")]
    [InlineData(3024, "HY000")]
    [InlineData(1213, "40001")]
    [InlineData(1317, "70100")]
    public void What_was_refused_for_a_lock_or_a_KILL_is_not_prepared_again(int number, string sqlState)
    {
        using var server = FakeServer.Start(peer =>
        {
            WelcomeToMariaDb(peer);
            peer.Expect(Prepare);
            peer.Expect(Execute);
            peer.Send([.. MySqlWords.Error(1, number, "not now", sqlState), .. NoStatement(0xFFFFFFFF)]);
        });
        using var connection = Open(server);
        Assert.Equal(number, Assert.Throws<MySqlException>(() => Run(connection, "DELETE FROM a")).Number);
        Assert.Equal(System.Data.ConnectionState.Open, connection.State);
    }

    [Fact]
    public void The_error_of_a_refused_PREPARE_is_the_commands()
    {
        using var server = FakeServer.Start(static peer =>
        {
            WelcomeToMariaDb(peer);
            peer.Expect(Prepare);
            peer.Expect(Execute);
            peer.Send([.. MySqlWords.Error(1, 1064, "syntax", "42000"), .. NoStatement(0xFFFFFFFF)]);
            // The driver sends the PREPARE again, alone, because the server reports only its last error.
            peer.Expect(Prepare);
            peer.Send(MySqlWords.Error(1, 1064, "syntax", "42000"));
        });
        using var connection = Open(server);
        Assert.Equal(1064, Assert.Throws<MySqlException>(() => Run(connection, "DELETE FROM a")).Number);
        Assert.Equal(System.Data.ConnectionState.Open, connection.State);
    }

    [Fact]
    public void A_result_behind_another_number_than_the_foretold_closes_the_connection()
    {
        using var server = FakeServer.Start(static peer =>
        {
            WelcomeAndPrepareOnce(peer);
            peer.Expect(Prepare);
            Assert.Equal([2, 0, 0, 0], peer.Expect(Execute)[1..5]);
            peer.Send([.. PrepareOk(9), .. MySqlWords.Ok(1, affected: 1)]);
        });
        using var connection = Open(server);
        Assert.Equal(1, Run(connection, "DELETE FROM a"));
        Assert.Throws<MySqlProtocolException>(() => Run(connection, "DELETE FROM b"));
        Assert.NotEqual(System.Data.ConnectionState.Open, connection.State);
    }

    [Fact]
    public void An_execution_that_found_no_statement_is_sent_again_with_the_number_that_came()
    {
        using var server = FakeServer.Start(static peer =>
        {
            WelcomeAndPrepareOnce(peer);
            peer.Expect(Prepare);
            Assert.Equal([2, 0, 0, 0], peer.Expect(Execute)[1..5]);
            peer.Send([.. PrepareOk(9), .. NoStatement(2)]);
            Assert.Equal([9, 0, 0, 0], peer.Expect(Execute)[1..5]);
            peer.Send(MySqlWords.Ok(1, affected: 4));
            peer.Expect(Prepare);
            Assert.Equal([10, 0, 0, 0], peer.Expect(Execute)[1..5]);
            peer.Send([.. PrepareOk(10), .. MySqlWords.Ok(1, affected: 5)]);
        });
        using var connection = Open(server);
        Assert.Equal(1, Run(connection, "DELETE FROM a"));
        Assert.Equal(4, Run(connection, "DELETE FROM b"));
        Assert.Equal(5, Run(connection, "DELETE FROM c"));
    }

    [Fact]
    public void Another_error_of_that_number_behind_another_number_than_the_foretold_closes_the_connection()
    {
        using var server = FakeServer.Start(static peer =>
        {
            WelcomeAndPrepareOnce(peer);
            peer.Expect(Prepare);
            peer.Expect(Execute);
            peer.Send([.. PrepareOk(9), .. MySqlWords.Error(1, 1243, "said by a trigger")]);
        });
        using var connection = Open(server);
        Assert.Equal(1, Run(connection, "DELETE FROM a"));
        Assert.Throws<MySqlProtocolException>(() => Run(connection, "DELETE FROM b"));
        Assert.NotEqual(System.Data.ConnectionState.Open, connection.State);
    }

    [Theory]
    [InlineData(1243, "Unknown prepared statement handler (1) given to mysqld_stmt_execute", true)]
    [InlineData(1243, "Unknown prepared statement handler (1) given to mysql_stmt_precheck", true)]
    [InlineData(1243, "Unbekannter Prepared-Statement-Handler (1) für mysqld_stmt_execute angegeben", true)]
    [InlineData(1243, "'1' はプリペアードステートメントの不明なハンドルです。(mysqld_stmt_execute で指定されました)", true)]
    [InlineData(1243, "Unknown prepared statement handler (11) given to mysqld_stmt_execute", false)]
    [InlineData(1243, "Unknown prepared statement handler (1) given to EXECUTE", false)]
    [InlineData(1243, "Unknown prepared statement handler", false)]
    [InlineData(1615, "Prepared statement needs to be re-prepared", true)]
    [InlineData(1615, "La sentencia preparada necesita volver a ser preparada", false)]
    public void Only_the_servers_own_message_proves_that_nothing_was_executed(int number, string message, bool repeats)
    {
        using var server = FakeServer.Start(peer =>
        {
            WelcomeAndPrepareOnce(peer);
            Assert.Equal([1, 0, 0, 0], peer.Expect(Execute)[1..5]);
            peer.Send(MySqlWords.Error(1, number, message));
            peer.Expect(0x19);
            peer.Expect(Prepare);
            peer.Send(PrepareOk(2));
            Assert.Equal([2, 0, 0, 0], peer.Expect(Execute)[1..5]);
            peer.Send(MySqlWords.Ok(1, affected: 5));
        });
        using var connection = Open(server);
        Assert.Equal(1, Run(connection, "DELETE FROM a"));
        if (!repeats)
            Assert.Equal(message, Assert.Throws<MySqlException>(() => Run(connection, "DELETE FROM a")).Message);
        Assert.Equal(5, Run(connection, "DELETE FROM a"));
    }

    private static byte[] NoStatement(uint number) => MySqlWords.Error(1, 1243, $"Unknown prepared statement handler ({number}) given to mysqld_stmt_execute");

    private static void WelcomeToMariaDb(FakePeer peer)
    {
        peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities & ~1u, version: "5.5.5-10.11.0-MariaDB-fake", ofMariaDb: BulkOperations));
        peer.ReadPacket();
        peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)]);
    }

    // The session's settings, then a PREPARE whose answer the driver awaits because it is the first.
    private static void WelcomeAndPrepareOnce(FakePeer peer)
    {
        peer.Welcome(MySqlWords.Capabilities | SessionTrack);
        peer.Expect(Query);
        peer.Expect(Prepare);
        peer.Send([.. Tracked(), .. PrepareOk(1)]);
        Assert.Equal([1, 0, 0, 0], peer.Expect(Execute)[1..5]);
        peer.Send(MySqlWords.Ok(1, affected: 1));
    }

    // OK with SERVER_SESSION_STATE_CHANGED: info | state { 0 (system variable) | name and value }
    private static byte[] Tracked()
    {
        byte[] variable = [.. MySqlWords.Text("autocommit"), .. MySqlWords.Text("ON")];
        return MySqlWords.Packet(1, [0, 0, 0, 2, 0x40, 0, 0, 0, (byte)(variable.Length + 2), 0, (byte)variable.Length, .. variable]);
    }

    private static byte[] PrepareOk(byte number) => MySqlWords.Packet(1, 0, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static MySqlConnection Open(FakeServer server)
    {
        var connection = new MySqlConnection(
            $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Pooling=false;Pipelining Mode=On");
        connection.Open();
        return connection;
    }

    private static int Run(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        command.Prepare();
        return command.ExecuteNonQuery();
    }
}
