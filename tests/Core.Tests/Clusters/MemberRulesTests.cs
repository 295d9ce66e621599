using Slipstream.Core.Clusters;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>Which of the servers may be used that a server or a source names.</summary>
public sealed class MemberRulesTests
{
    private static readonly MemberRules Rules = new()
    {
        Listed = [new("Db1.example", 3306), new("10.0.0.1", 3306)],
        DefaultPort = 3306,
        VerifiesServers = true,
        VerifyingOption = "Verify=true",
        IsAllowed = static host => host.EndsWith(".example", StringComparison.Ordinal) || host is "10.0.0.2" or "::2",
        AllowingOption = "Allowed",
    };

    [Fact]
    public void Members_that_are_allowed_are_used_in_one_notation()
    {
        var members = Rules.Read(["DB2.example:3307", "db3.example", "10.0.0.2:3306", "[::2]:3306"], "DB2.example:3307", PeerTrust.Verified);
        Assert.Equal(["db2.example:3307", "db3.example:3306", "10.0.0.2:3306", "[::2]:3306"], members.Addresses);
        Assert.Equal("db2.example:3307", members.Self);
        Assert.Null(members.Refusal);
    }

    [Theory]
    [InlineData("None")]
    [InlineData("Loopback")]
    [InlineData("Encrypted")]
    [InlineData("EncryptedLoopback")]
    [InlineData("UnixSocket")]
    public void A_server_that_is_not_verified_adds_none(string trust)
    {
        var members = Rules.Read(["db1.example:3306", "db2.example:3306"], null, Enum.Parse<PeerTrust>(trust));
        Assert.Equal(["db1.example:3306"], members.Addresses);
        Assert.Contains("set Verify=true", members.Refusal);
        members = (Rules with { VerifiesServers = false }).Read(["db1.example:3306", "db2.example:3306"], null, PeerTrust.Verified);
        Assert.Equal(["db1.example:3306"], members.Addresses);
        Assert.Contains("set Verify=true", members.Refusal);
    }

    [Fact]
    public void A_host_that_is_not_allowed_is_refused_and_the_others_are_used()
    {
        var members = Rules.Read(["db2.example:3306", "evil.test:3306", "10.0.0.3:3306"], null, PeerTrust.Verified);
        Assert.Equal(["db2.example:3306"], members.Addresses);
        Assert.Equal("it names evil.test, which Allowed does not allow", members.Refusal);
    }

    [Theory]
    [InlineData("db2.example:0")]
    [InlineData("db2.example:65536")]
    [InlineData("db2.example:")]
    [InlineData("db2.example:+1")]
    [InlineData("db2.example:1:2")]
    [InlineData("db 2.example:1")]
    [InlineData("user@db2.example:1")]
    [InlineData("db2.example/x:1")]
    [InlineData("db2\n.example:1")]
    [InlineData("dböse.example:1")]
    [InlineData("/tmp/socket.example")]
    [InlineData("[db2.example]:1x")]
    [InlineData("167772162:3306")]
    [InlineData(":3306")]
    [InlineData("[]:3306")]
    public void What_is_no_address_is_refused(string text)
    {
        var members = Rules.Read([text, "db2.example:3306"], text, PeerTrust.Verified);
        Assert.Equal(["db2.example:3306"], members.Addresses);
        Assert.Contains("is not the address of a server", members.Refusal);
        Assert.DoesNotContain("\n", members.Refusal);
        Assert.Null(members.Self);
    }

    [Fact]
    public void Names_that_are_too_long_and_lists_that_are_too_long_are_refused()
    {
        Assert.Contains("is not the address", Rules.Read([new string('a', 300) + ".example:1"], null, PeerTrust.Verified).Refusal);
        var members = Rules.Read([.. Enumerable.Range(0, 65).Select(static at => $"db{at}.example")], null, PeerTrust.Verified);
        Assert.Empty(members.Addresses);
        Assert.Contains("at most 64", members.Refusal);
    }

    [Fact]
    public void Members_without_an_address_are_left_out()
    {
        var members = Rules.Read(["", "AUTO", "db2.example:3306"], "AUTO", PeerTrust.Verified);
        Assert.Equal(["db2.example:3306"], members.Addresses);
        Assert.Null(members.Refusal);
    }

    [Fact]
    public void The_servers_of_a_source_must_be_verified_unless_the_application_answers_for_them()
    {
        TopologyMember[] named = [new("DB1.example"), new("other.test", 7), new("::3")];
        Assert.Equal(["db1.example:3306", "other.test:7", "[::3]:3306"], Rules.Read(named, isTrusted: false).Addresses);
        var unverified = (Rules with { VerifiesServers = false }).Read(named, isTrusted: false);
        Assert.Equal(["db1.example:3306"], unverified.Addresses);
        Assert.Contains("set Verify=true", unverified.Refusal);
        Assert.Equal(3, (Rules with { VerifiesServers = false }).Read(named, isTrusted: true).Addresses.Count);
    }

    [Fact]
    public void What_a_source_names_wrongly_is_refused()
    {
        var members = Rules.Read([null!, new(null!), new(""), new("a:1"), new("a", -1), new("a", 65536), new("a b"), new("db9.example")], isTrusted: true);
        Assert.Equal(["db9.example:3306"], members.Addresses);
        Assert.Contains("is not the address of a server", members.Refusal);
    }

    [Fact]
    public void A_listed_server_keeps_its_own_notation()
    {
        Assert.Equal(new Endpoint("Db1.example", 3306), Rules.EndpointOf("Db1.example:3306"));
        Assert.Equal(new Endpoint("::2", 1), Rules.EndpointOf("[::2]:1"));
    }
}
