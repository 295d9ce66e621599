using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;

namespace Slipstream.BadPeers;

/// <summary>Pools whose server is silent.</summary>
[Collection("silent pools")]
public sealed class SilentPoolTests
{
    public static TheoryData<string, bool> Ways => LateCancellationTests.Ways;

    // A server that is silent, not unreachable: no caller waits longer than its own timeout, and callers that wait for another caller's attempt get its error.
    [Theory, MemberData(nameof(Ways))]
    public async Task While_the_server_is_silent_nobody_waits_longer_than_his_time(string provider, bool asynchronously)
    {
        var talk = Talk.Of(provider);
        using var server = FakeServer.Start(static peer => peer.Stall());
        await using var source = talk.Connect(server.Port, "Maximum Pool Size=3;Connect Seconds=1");
        var failures = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => asynchronously
            ? Task.Run(async () =>
            {
                await using var connection = source.CreateConnection();
                return await Assert.ThrowsAnyAsync<DbException>(connection.OpenAsync);
            })
            : Task.Factory.StartNew(() =>
            {
                using var connection = source.CreateConnection();
                return Assert.ThrowsAny<DbException>(connection.Open);
            }, TaskCreationOptions.LongRunning))).WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Contains(failures, static failure => PoolTests.CauseOf(failure) == WireFailure.TimedOut);
        // At most this many at once. After these attempts, some waiting callers may have time for one more.
        Assert.InRange(server.Peers.Count, 1, 20);
        Assert.Equal((0, 0, 0), (source.Statistics.Busy, source.Statistics.Idle, source.Statistics.Waiting));
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
    }
}
