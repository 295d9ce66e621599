using System.Data;
using System.Data.Common;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A device on the way changes ports, as NAT and load balancers do. Inside TLS, the server of a verified session reports its own identity and the session's
/// number. The server that would execute a KILL must report the same identity.
/// </summary>
[Collection("MySQL, identities of servers")]
public sealed class KillIdentityTests : MySqlPeerTests
{
    private const uint WithTracker = MySqlWords.Capabilities | 0x800000;
    private const string Own = "/363/db-1/3306/uuid-1";

    private static string Verified => $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};";

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_says_the_same_in_both_sessions_gets_the_KILL(bool asynchronously)
    {
        var server = new Server();
        await server.IsKilled(asynchronously, Verified);
        Assert.DoesNotContain(server.Received, static words => words.Contains("PROCESSLIST"));
    }

    [Theory]
    [InlineData(false, "8/363/db-2/3306/uuid-2"), InlineData(true, "8/363/db-2/3306/uuid-2"), InlineData(false, "8/364/db-1/3306/uuid-1")]
    [InlineData(true, "4711" + Own), InlineData(false, ""), InlineData(true, "an error")]
    public async Task Another_server_behind_the_balancer_gets_none(bool asynchronously, string says) =>
        await new Server { KillerIdentity = says }.IsClosed(asynchronously, Verified);

    /// <summary>An attacker has changed the number in the greeting, or a proxy counts sessions itself.</summary>
    [Theory]
    [InlineData(false, "31337" + Own), InlineData(true, "31337" + Own), InlineData(false, ""), InlineData(true, "an error")]
    public async Task A_number_that_the_server_does_not_confirm_inside_TLS_is_not_killed(bool asynchronously, string says) =>
        await new Server { SessionIdentity = says }.IsClosed(asynchronously, Verified);

    [Theory, InlineData(false), InlineData(true)]
    public async Task Without_an_answer_the_own_port_still_shows_whose_the_number_is(bool asynchronously) =>
        await new Server { SessionIdentity = "an error", ChangesPorts = false }.IsKilled(asynchronously, Verified);

    [Theory]
    [InlineData(
        false, "no number"), InlineData(true, "7"), InlineData(false, "two rows"), InlineData(true, "one result"), InlineData(false, "three results"),
        InlineData(true, "two columns"), InlineData(false, "too long")]
    public async Task An_answer_of_another_form_ends_the_session(bool asynchronously, string says)
    {
        var server = new Server { SessionIdentity = says };
        using var fake = server.Start(isVerified: true);
        IsBrokenProtocol(await Connect(fake, asynchronously, Verified).QueryFails());
    }

    /// <summary>
    /// Clear text proves nothing, but the driver still detects a load balancer with several servers: after it has seen that ports are changed, it queries the
    /// identity in new sessions.
    /// </summary>
    [Theory, InlineData(false, Own), InlineData(true, Own), InlineData(true, "/363/db-2/3306/uuid-2")]
    public async Task Behind_changed_ports_the_first_unverified_session_is_closed_and_the_next_ones_are_asked(bool asynchronously, string second)
    {
        var server = new Server { KillerIdentity = "10" + second };
        using var fake = server.Start(isVerified: false);
        await using var source = Source(fake, "SSL Mode=None;");
        for (var round = 0; round < 2; round++)
        {
            await using var connection = await source.OpenConnectionAsync();
            await IsInterrupted(connection, asynchronously);
            var isKilled = round == 1 && second == Own;
            Assert.Equal(isKilled ? ConnectionState.Open : ConnectionState.Closed, connection.State);
            Assert.Equal(isKilled, server.Received.Contains("KILL QUERY 9"));
        }

        Assert.DoesNotContain("KILL QUERY 7", server.Received);
        // Asked by the second session, and at least once by the connection that would send the KILL.
        Assert.True(server.Received.Count(static words => words.Contains("CONNECTION_ID(),UUID_SHORT()")) >= 2);
        Assert.Equal(1, server.Received.Count(static words => words.Contains("PROCESSLIST")));
    }

    private static MySqlDataSource Source(FakeServer server, string options) => new(
        $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};Connection Timeout=30;Pipelining Mode=On;Cancellation "
            + $"Timeout=30;Auto Prepare=false;Maximum Pool Size=1;{options}");

    private static async Task IsInterrupted(DbConnection connection, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT long";
        command.CommandTimeout = 1;
        var failure = await Assert.ThrowsAsync<MySqlException>(async () => _ = asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
    }

    private sealed class Server
    {
        private readonly ManualResetEventSlim _killed = new();

        public string? SessionIdentity { get; init; }

        public string KillerIdentity { get; init; } = "8" + Own;

        public bool ChangesPorts { get; init; } = true;

        public System.Collections.Concurrent.ConcurrentQueue<string> Received { get; } = new();

        public FakeServer Start(bool isVerified) => FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: WithTracker | (isVerified ? MySqlWords.Tls : 0), id: MySqlWords.FirstNumber + peer.Number));
            var sequence = peer.ReadPacket().Sequence;
            if (isVerified)
            {
                peer.UpgradeToTls(Certificates.Server);
                sequence = peer.ReadPacket().Sequence;
            }

            peer.Send([.. MySqlWords.AuthMore(sequence + 1, 3), .. MySqlWords.Ok(sequence + 2)]);
            var isKiller = peer.Number % 2 == 1;
            while (true)
            {
                var (_, payload) = peer.ReadPacket();
                if (payload[0] != 3)
                    return;
                var words = Encoding.UTF8.GetString(payload.AsSpan(1));
                Received.Enqueue(words);
                if (peer.TryAnswerOrigin(payload, ChangesPorts ? "127.0.0.1:2" : null, port: ChangesPorts ? 1 : 0))
                    continue;
                if (words.Contains("UUID_SHORT"))
                    peer.Send(Answer(isKiller ? KillerIdentity : SessionIdentity ?? $"{MySqlWords.FirstNumber + peer.Number}{Own}"));
                else if (words == "SELECT long")
                {
                    _killed.Wait(TimeSpan.FromSeconds(40));
                    peer.Send(MySqlWords.Error(1, 1317, "Query execution was interrupted", "70100"));
                }
                else
                    peer.Send(words.StartsWith("SELECT", StringComparison.Ordinal) ? One : MySqlWords.Ok(1));
                if (words.StartsWith("KILL", StringComparison.Ordinal))
                    _killed.Set();
            }
        });

        private static byte[] One => [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)];

        private static byte[] Empty(int sequence, int status = 2) =>
            [.. MySqlWords.Columns(sequence, MySqlWords.LongType, "0"), .. MySqlWords.End(sequence + 2, status)];

        private static byte[] Answer(string says) => says switch
        {
            "an error" => MySqlWords.Error(1, 1193, "Unknown system variable"),
            "two rows" => [.. Rows("7/1", "7/1"), .. Empty(6)],
            "one result" => [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "7/1"), .. MySqlWords.End(4)],
            "three results" => [.. Rows("7/1"), .. Empty(5, status: 10), .. Empty(8)],
            "two columns" =>
                [.. MySqlWords.Columns(1, MySqlWords.StringType, "a", "b"), .. MySqlWords.TextRow(4, "7/1", "x"), .. MySqlWords.End(5, 10), .. Empty(6)],
            "too long" => [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.Header(5000, 3), .. new byte[5000]],
            "" => [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.End(3, 10), .. Empty(4)],
            _ => [.. Rows(says), .. Empty(5)],
        };

        private static byte[] Rows(params string[] texts) =>
            [
                .. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. texts.SelectMany(static (text, i) => MySqlWords.TextRow(3 + i, text)),
                .. MySqlWords.End(3 + texts.Length, 10)
            ];

        public async Task IsKilled(bool asynchronously, string options)
        {
            using var fake = Start(isVerified: true);
            await using var source = Source(fake, options);
            await using var connection = await source.OpenConnectionAsync();
            await IsInterrupted(connection, asynchronously);
            Assert.Contains("KILL QUERY 7", Received);
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 1";
            Assert.Equal("1", await command.ExecuteScalarAsync());
        }

        public async Task IsClosed(bool asynchronously, string options)
        {
            using var fake = Start(isVerified: true);
            await using var source = Source(fake, options);
            await using var connection = await source.OpenConnectionAsync();
            await IsInterrupted(connection, asynchronously);
            Assert.Equal(ConnectionState.Closed, connection.State);
            Assert.DoesNotContain(Received, static words => words.StartsWith("KILL", StringComparison.Ordinal));
        }
    }
}
