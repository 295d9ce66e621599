using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that become silent during the login: every phase has a time limit.</summary>
[Collection("MySQL, silence")]
public sealed class SilenceTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public Task Before_the_greeting_the_connection_timeout_counts(bool asynchronously) =>
        LoginTimesOut(asynchronously, "check Server and Port", static peer => peer.Stall());

    [Theory, InlineData(false), InlineData(true)]
    public Task In_the_middle_of_the_greeting_the_connection_timeout_counts(bool asynchronously) => LoginTimesOut(asynchronously, "greeting", static peer =>
    {
        peer.Send(MySqlWords.Greeting().AsSpan(0, 20));
        peer.Stall();
    });

    [Theory, InlineData(false), InlineData(true)]
    public Task After_the_login_the_connection_timeout_counts(bool asynchronously) => LoginTimesOut(asynchronously, "", static peer =>
    {
        peer.Send(MySqlWords.Greeting());
        peer.Stall();
    });

    [Theory, InlineData(false), InlineData(true)]
    public Task A_login_byte_by_byte_does_not_stretch_the_connection_timeout(bool asynchronously) => LoginTimesOut(asynchronously, "", static peer =>
        peer.SendSlowly(MySqlWords.Greeting(), TimeSpan.FromMilliseconds(200)));

    private static async Task LoginTimesOut(bool asynchronously, string phase, Action<FakePeer> script)
    {
        using var server = FakeServer.Start(script);
        var client = Connect(server, asynchronously, "Connection Timeout=1");
        var failure = IsConnectFailure(server, await client.OpenFails());
        Assert.Contains(phase, failure.Message, StringComparison.Ordinal);
        Assert.Contains("Raise Connection Timeout", failure.Message, StringComparison.Ordinal);
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }
}
