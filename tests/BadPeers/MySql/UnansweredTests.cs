using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>A peer that answers the packet that makes the server's send buffer grow, which no server answers.</summary>
public sealed class UnansweredTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_proxy_that_answers_long_data_is_noticed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(0x18);
            peer.Expect(3);
            peer.Send([.. MySqlWords.Error(1, 1243, "Unknown prepared statement handler (0) given to mysqld_stmt_send_long_data"), .. MySqlWords.Ok(1)]);
        });
        IsBrokenProtocol(await Connect(server, asynchronously, "Server Send Buffer=65536").QueryFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_commands_own_error_stays_its_own(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(0x18);
            peer.Expect(3);
            peer.Send(MySqlWords.Error(1, 1243, "Unknown prepared statement handler (a) given to EXECUTE"));
        });
        Assert.Equal(1243, Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Server Send Buffer=65536;Pooling=false").QueryFails()).Number);
    }
}
