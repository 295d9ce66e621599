using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers that answer a replication connection with what the protocol does not allow, or not at all.</summary>
public sealed class ReplicationTests : PgPeerTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, byte[]> Garbage => new()
    {
        { "an empty CopyData", PgWords.Message('d') },
        { "a CopyData of an unknown type", PgWords.Message('d', [(byte)'?', 1, 2]) },
        { "XLogData without its header", PgWords.Message('d', [(byte)'w', .. new byte[23]]) },
        { "a keepalive with excess bytes", PgWords.Message('d', [(byte)'k', .. new byte[18]]) },
        { "a row in the stream", PgWords.DataRow([1]) },
        { "a second beginning", PgWords.Message('W', [0, 0, 0]) },
        { "the end without its beginning", PgWords.Ready() },
        { "an unknown message", PgWords.Message('!') },
        { "a time that does not exist", PgWords.Message('d', [(byte)'w', .. new byte[16], 0x7F, .. new byte[7]]) },
    };

    [Theory]
    [MemberData(nameof(Garbage))]
    public async Task Garbage_in_the_stream_breaks_the_session(string what, byte[] garbage)
    {
        Assert.NotEmpty(what);
        using var server = FakeServer.Start(peer =>
        {
            Begin(peer);
            peer.Send(garbage);
            peer.Stall();
        });
        await using var connection = await OpenAsync(server);
        await using var messages = connection.StartReplication(new PgLogSequenceNumber(1), Token).GetAsyncEnumerator(Token);
        IsBrokenProtocol(await Assert.ThrowsAsync<PgException>(() => messages.MoveNextAsync().AsTask()));
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.Show("wal_level", Token));
    }

    [Fact]
    public async Task A_silent_server_is_asked_for_a_sign_of_life_and_then_given_up()
    {
        using var asked = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            Begin(peer);
            // The last byte of a status update requests a reply.
            while (peer.ReadMessage() is var (type, body))
                if (type == 'd' && body is [(byte)'r', .., 1])
                    asked.Set();
        });
        await using var connection = await OpenAsync(server);
        connection.WalReceiverTimeout = TimeSpan.FromSeconds(2);
        await using var messages = connection.StartReplication(new PgLogSequenceNumber(1), Token).GetAsyncEnumerator(Token);
        var failure = await Assert.ThrowsAsync<PgException>(() => messages.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(60), Token));
        Assert.IsType<TimeoutException>(failure.InnerException);
        Assert.Contains("WalReceiverTimeout", failure.Message);
        Assert.True(asked.Wait(30_000, Token), "The server was not asked.");
    }

    [Fact]
    public async Task A_server_that_does_not_end_the_stream_loses_its_session()
    {
        using var server = FakeServer.Start(peer =>
        {
            var (code, _) = peer.ReadStartup();
            if (code == PgWords.CancelRequestCode)
            {
                peer.Close();
                return;
            }

            peer.Send(PgWords.LoginSuccess);
            peer.ReadMessage();
            peer.Send(PgWords.Message('W', [0, 0, 0]));
            peer.Stall();
        });
        await using var connection = await OpenAsync(server, "Cancellation Timeout=1000");
        using var cancellation = new CancellationTokenSource();
        await using var messages = connection.StartReplication(new PgLogSequenceNumber(1), cancellation.Token).GetAsyncEnumerator(Token);
        var waiting = messages.MoveNextAsync().AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(60), Token));
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.Show("wal_level", Token));
    }

    [Fact]
    public async Task An_answer_of_another_form_than_the_commands_is_refused()
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            peer.ReadMessage();
            peer.SendTogether(
                PgWords.RowDescription(("systemid", PgWords.TextOid)), PgWords.DataRow("x"u8.ToArray()), PgWords.CommandComplete("IDENTIFY_SYSTEM"),
                PgWords.Ready());
            peer.Stall();
        });
        await using var connection = await OpenAsync(server);
        IsBrokenProtocol(await Assert.ThrowsAsync<PgException>(() => connection.IdentifySystem(Token)));
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.Show("wal_level", Token));
    }

    private static void Begin(FakePeer peer)
    {
        peer.WelcomePg();
        Assert.Equal('Q', peer.ReadMessage().Type);
        peer.Send(PgWords.Message('W', [0, 0, 0]));
    }

    private static async Task<PhysicalReplicationConnection> OpenAsync(FakeServer server, string options = "")
    {
        var connection = new PhysicalReplicationConnection(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=30;{options}");
        await connection.Open(Token);
        return connection;
    }
}
