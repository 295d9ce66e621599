using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Sessions;

public class NameWatchTests
{
    private static readonly Endpoint[] Endpoints = [new("db", 1), new("10.0.0.9", 1), new("DB", 2), Endpoint.Unix("/tmp/x")];

    [Theory]
    // Two lookups must agree: name servers that disagree for a while cause no closed session.
    [InlineData("1.1.1.1 | 1.1.1.1 | 2.2.2.2 | 2.2.2.2 | 2.2.2.2", "---c-")]
    [InlineData("1.1.1.1 | 2.2.2.2 | 1.1.1.1 | 2.2.2.2 | 1.1.1.1", "-----")]
    [InlineData("1.1.1.1 | 2.2.2.2 | 3.3.3.3 | 3.3.3.3", "---c")]
    [InlineData("1.1.1.1,2.2.2.2 | 2.2.2.2,1.1.1.1 | 2.2.2.2,1.1.1.1", "---")]
    [InlineData("1.1.1.1 | ! | 2.2.2.2 | ! | 2.2.2.2 | !", "----c-")]
    [InlineData("! | 1.1.1.1 | 1.1.1.1", "---")]
    public void A_change_counts_when_two_looks_agree(string answers, string expected)
    {
        var watch = new NameWatch(Endpoints, 5000);
        var now = 0L;
        var seen = string.Concat(answers.Split(" | ").Select(answer =>
        {
            Assert.True(watch.TryBeginLookup(now));
            Assert.False(watch.TryBeginLookup(now));
            var changed =
                watch.Resolve(name => name == "db" && answer != "!" ? Array.ConvertAll(answer.Split(','), IPAddress.Parse) : throw new SocketException(), now);
            now += 5000;
            return changed.Count == 0 ? "-" : "c";
        }));
        Assert.Equal(expected, seen);
    }

    [Fact]
    public void The_second_look_comes_soon_and_the_others_after_the_interval()
    {
        var watch = new NameWatch(Endpoints, 60_000);
        Look(watch, "1.1.1.1", 0);
        Assert.False(watch.TryBeginLookup(59_999));
        Assert.True(watch.TryBeginLookup(60_000));
        Look(watch, "2.2.2.2", 60_000);
        Assert.False(watch.TryBeginLookup(60_999));
        Assert.True(watch.TryBeginLookup(61_000));
        Assert.Equal(["db"], Look(watch, "2.2.2.2", 61_000));
        Assert.False(watch.TryBeginLookup(62_000));
    }

    [Fact]
    public void Addresses_need_no_watching() => Assert.False(new NameWatch(Endpoints[1..2], 1000).TryBeginLookup(long.MaxValue));

    private static IReadOnlyList<string> Look(NameWatch watch, string address, long now) => watch.Resolve(_ => [IPAddress.Parse(address)], now);
}
