namespace Slipstream.Lab.Tests;

public class LabNetworkTests
{
    /// <summary>What the machine permits decides whether the partitions of the soak and of other tests run.</summary>
    [Fact]
    [Trait("Set", "All")]
    public async Task A_network_of_its_own_has_only_a_loopback_which_is_up()
    {
        if (await LabNetwork.WhyUnavailableAsync(TestContext.Current.CancellationToken) is { } reason)
            Assert.Skip(reason);
        var command = LabNetwork.Inside(["ip", "-o", "address", "show", "up"]);
        var lines = Shell.Must(command[0], command[1..], ct: TestContext.Current.CancellationToken).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains(lines, static line => line.Contains("127.0.0.1", StringComparison.Ordinal));
        Assert.All(lines, static line => Assert.Contains(" lo ", line, StringComparison.Ordinal));
        Assert.False(LabNetwork.IsPrivate);
    }

    [Fact]
    public void A_server_outside_is_in_no_group_of_its_own()
    {
        Assert.Equal(0, LabNetwork.GroupOf(1));
        Assert.DoesNotContain("--groups", ServerUser.Prefix("KILL", LabNetwork.GroupOf(1)));
    }
}
