using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers and proxies that the driver asks whether the password has expired.</summary>
public sealed class ExpiredPasswordTests : MySqlPeerTests
{
    private const uint HandlesExpired = 1 << 22;
    private const int MustChange = 1820;

    [Theory, InlineData(false), InlineData(true)]
    public async Task Who_does_not_know_of_expired_passwords_is_not_asked(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            LogIn(peer, MySqlWords.Capabilities);
            Assert.Equal(1, peer.ReadPacket().Payload[0]);                  // COM_QUIT
        });
        await using (var connection = new MySqlConnection(Options(server, "On")))
        {
            await Open(connection, asynchronously);
            Assert.False(connection.IsPasswordExpired);
        }

        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
        server.ThrowIfScriptFailed();
    }

    [Theory]
    [InlineData("On", false)]
    [InlineData("On", true)]
    [InlineData("Off", true)]
    public async Task Only_the_demand_to_change_it_is_taken_for_one(string pipelining, bool asynchronously)
    {
        foreach (var number in new[] { 0, MustChange })
        {
            using var server = FakeServer.Start(peer =>
            {
                LogIn(peer, MySqlWords.Capabilities | HandlesExpired);
                Assert.Equal("DO 0"u8, peer.ReadPacket().Payload.AsSpan(1));
                peer.Send(
                    number == 0
                        ? MySqlWords.Ok(1)
                        : MySqlWords.Error(1, number, "You must reset your password using ALTER USER statement before executing this statement."));
            });
            await using var connection = new MySqlConnection(Options(server, pipelining));
            await Open(connection, asynchronously);
            Assert.Equal(number == MustChange, connection.IsPasswordExpired);
            await connection.CloseAsync();
            Assert.False(connection.IsPasswordExpired);
            server.ThrowIfScriptFailed();
        }
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public async Task A_question_that_gets_no_proper_answer_is_not_asked_again_on_a_connection_in_its_place(bool asynchronously, bool answers)
    {
        using var server = FakeServer.Start(peer =>
        {
            LogIn(peer, MySqlWords.Capabilities | HandlesExpired);
            if (peer.Number > 0)
                return;
            peer.ReadPacket();
            if (answers)
                peer.Send(MySqlWords.Packet(1, 0x42));
            else
                peer.Close();
        });
        await using var connection = new MySqlConnection(Options(server, "On"));
        await Open(connection, asynchronously);
        Assert.False(connection.IsPasswordExpired);
        Assert.Equal(2, server.Peers.Count);
        server.ThrowIfScriptFailed();
    }

    private static void LogIn(FakePeer peer, uint capabilities)
    {
        peer.Send(MySqlWords.Greeting("mysql_native_password", capabilities));
        var flags = BitConverter.ToUInt32(peer.ReadPacket().Payload);
        Assert.Equal(capabilities & HandlesExpired, flags & HandlesExpired);
        peer.Send(MySqlWords.Ok(2));
    }

    private static string Options(FakeServer server, string pipelining) =>
        $"Server={server.Address};Port={server.Port};User ID=somebody;SSL Mode=None;Connection Timeout=30;Pooling=false;Pipelining Mode={pipelining};Can "
            + "Handle Expired Passwords=true";

    private static Task Open(MySqlConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);
}
