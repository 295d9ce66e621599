using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A KILL contains a session number. The driver sends it only if the server that would execute it knows the session by that number and by its origin.
/// </summary>
[Collection("MySQL, targets of KILL")]
public sealed class KillTargetTests : MySqlPeerTests
{
    private const uint WithTls = MySqlWords.Capabilities | MySqlWords.Tls;

    private static string Verified => $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};";

    /// <summary>An attacker changes the number in the greeting, which is in clear text, to that of another session of the same account.</summary>
    [Theory]
    [InlineData(false, true), InlineData(true, true), InlineData(false, false), InlineData(true, false)]
    public async Task A_number_that_was_forged_is_not_killed(bool asynchronously, bool isVerified) =>
        await NobodyIsKilled(asynchronously, isVerified, static peer => peer.ExpectKill(host: "127.0.0.1:1"));

    /// <summary>
    /// An attacker that forges the number sees all ports in clear text, and chooses a session that comes from the same port of another machine.
    /// </summary>
    [Theory]
    [InlineData(false, true), InlineData(true, true), InlineData(false, false), InlineData(true, false)]
    public async Task The_same_port_of_another_machine_is_somebody_else(bool asynchronously, bool isVerified) =>
        await NobodyIsKilled(asynchronously, isVerified, static peer => peer.ExpectKill(host: $"10.0.0.9:{peer.Server.Peers[0].ClientPort}"));

    /// <summary>A load balancer leads to another server, where the number is unused or belongs to another session.</summary>
    [Theory]
    [InlineData(false, ""), InlineData(true, ""), InlineData(false, "10.0.0.9:40000"), InlineData(true, "10.0.0.9:40000"), InlineData(true, "localhost")]
    public async Task A_session_that_this_server_does_not_know_is_not_killed(bool asynchronously, string host) =>
        await NobodyIsKilled(asynchronously, isVerified: false, peer => peer.ExpectKill(host));

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_of_another_version_is_another_server(bool asynchronously) =>
        await NobodyIsKilled(asynchronously, isVerified: false, static peer => peer.ReadPacket(), version: "9.7.1-other");

    [Theory, InlineData(false), InlineData(true)]
    public async Task Ports_that_something_on_the_way_changes_bind_nothing_to_a_verified_server(bool asynchronously) =>
        await NobodyIsKilled(asynchronously, isVerified: true, static peer => peer.ExpectKill(host: "127.0.0.1:2", port: 1));

    [Theory, InlineData(false), InlineData(true)]
    public async Task Another_host_behind_such_ports_is_somebody_else(bool asynchronously) =>
        await NobodyIsKilled(asynchronously, isVerified: false, static peer => peer.ExpectKill(host: "127.0.0.2:2", port: 1));

    /// <summary>An OK that came with the answer would report that the KILL is done. The KILL would then hit the session's next command.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task An_answer_that_was_there_before_the_KILL_is_not_its_answer(bool asynchronously) =>
        await NobodyIsKilled(asynchronously, isVerified: false, static peer => peer.TryAnswerOrigin(peer.ReadPacket().Payload, behind: MySqlWords.Ok(1)));

    [Theory]
    [InlineData(
        false, "the truth"), InlineData(true, "the truth"), InlineData(true, "other ports"), InlineData(false, "a proxy's numbers"),
        InlineData(true, "no such table")]
    public async Task Who_is_known_or_cannot_be_told_apart_without_verification_is_killed(bool asynchronously, string answer)
    {
        using var killed = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            peer.Welcome();
            if (peer.Number == 0)
            {
                peer.Expect(3);
                killed.Wait(TimeSpan.FromSeconds(30));
                peer.Send(MySqlWords.Error(1, 1317, "Query execution was interrupted", "70100"));
                peer.ReadPacket();
                peer.Send(MySqlWords.Ok(1));
                return;
            }

            string words;
            if (answer == "no such table")
            {
                peer.ReadPacket();
                peer.Send(MySqlWords.Error(1, 1109, "Unknown table", "42S02"));
                words = Encoding.UTF8.GetString(peer.ReadPacket().Payload.AsSpan(1));
            }
            else
            {
                words = answer switch
                {
                    "the truth" => peer.ExpectKill(),
                    "other ports" => peer.ExpectKill(host: "127.0.0.1:2", port: 1),
                    _ => peer.ExpectKill(host: "", own: 4711),
                };
            }

            if (words != "KILL QUERY 7")
                throw new InvalidDataException($"'{words}' came.");
            peer.Send(MySqlWords.Ok(1));
            killed.Set();
        });
        var failure =
            Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Cancellation Timeout=30;Pooling=false").QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        Assert.True(killed.IsSet);
    }

    /// <summary>Even without verification, the certificate distinguishes two servers, also with the compressed protocol.</summary>
    [Theory]
    [InlineData(false, true), InlineData(true, true), InlineData(false, false), InlineData(true, false)]
    public async Task Compression_hides_no_certificate(bool asynchronously, bool isSame)
    {
        const uint Compress = 0x20;
        using var other = Certificates.CreateSelfSigned();
        using var killed = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: WithTls | Compress, id: MySqlWords.FirstNumber + peer.Number));
            peer.ReadPacket();
            peer.UpgradeToTls(peer.Number == 0 || isSame ? Certificates.Server : other);
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Ok(4)]);
            ReadFrame(peer);
            if (peer.Number == 0 && !isSame)
            {
                peer.Stall();
                return;
            }

            if (peer.Number == 0)
            {
                killed.Wait(TimeSpan.FromSeconds(30));
                SendFrame(peer, MySqlWords.Error(1, 1317, "Query execution was interrupted", "70100"));
                ReadFrame(peer);
                SendFrame(peer, MySqlWords.Ok(1));
                return;
            }

            SendFrame(peer, MySqlWords.Error(1, 1109, "Unknown table", "42S02"));
            if (!isSame)
                peer.Stall();
            var words = ReadFrame(peer);
            if (!words.EndsWith("KILL QUERY 7", StringComparison.Ordinal))
                throw new InvalidDataException($"'{words}' came.");
            SendFrame(peer, MySqlWords.Ok(1));
            killed.Set();
        });
        var client = Connect(server, asynchronously, "SSL Mode=Required;Use Compression=true;Cancellation Timeout=20;Pooling=false");
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1)).ErrorCode);
        server.HasSeen(2);
        Assert.Equal(isSame, killed.IsSet);
        if (!isSame)
            NeverSent(server, "KILL"u8);
        killed.Set();
    }

    private static string ReadFrame(FakePeer peer)
    {
        var header = peer.Read(7);
        return Encoding.UTF8.GetString(peer.Read(header[0] | header[1] << 8 | header[2] << 16));
    }

    private static void SendFrame(FakePeer peer, byte[] packets) => peer.Send([.. MySqlWords.Header(packets.Length, 1), 0, 0, 0, .. packets]);

    private static async Task NobodyIsKilled(bool asynchronously, bool isVerified, Action<FakePeer> answer, string version = "9.7.0-fake")
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(
                capabilities: isVerified ? WithTls : MySqlWords.Capabilities, id: MySqlWords.FirstNumber + peer.Number,
                version: peer.Number == 0 ? "9.7.0-fake" : version));
            var sequence = peer.ReadPacket().Sequence;
            if (isVerified)
            {
                peer.UpgradeToTls(Certificates.Server);
                sequence = peer.ReadPacket().Sequence;
            }

            peer.Send([.. MySqlWords.AuthMore(sequence + 1, 3), .. MySqlWords.Ok(sequence + 2)]);
            if (peer.Number > 0)
                answer(peer);
            peer.Stall();
        });
        var client = Connect(server, asynchronously, $"Cancellation Timeout=30;Pooling=false;{(isVerified ? Verified : "")}");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        server.HasSeen(2);
        NeverSent(server, "KILL"u8);
    }
}
