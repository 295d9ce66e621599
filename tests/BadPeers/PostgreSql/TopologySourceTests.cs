using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Topology;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers that a source of the application names, and that change while connections are in use.</summary>
[Collection("PostgreSQL, topology")]
public sealed class TopologySourceTests : PgPeerTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Servers_are_added_and_removed_and_the_application_sees_it()
    {
        using var heard = new Heard("Slipstream.PostgreSql");
        using var logs = new RecordedLogs(LogLevel.Information);
        using var primary = PgNode.Start(static () => false);
        using var standby = PgNode.Start(static () => true);
        var names = new Names { Answer = () => [Member(primary)] };
        await using var source = Builder(primary, names, logs).BuildMultiHost();
        var changes = new ConcurrentQueue<TopologyDescription>();
        source.TopologyChanged += (_, change) => changes.Enqueue(change.Current);
        await using (await source.Primary.OpenConnectionAsync(Token))
            Assert.False(source.Replica.HasSuitableHost);

        names.Answer = () => [Member(primary), Member(standby)];
        await using (await source.Replica.OpenConnectionAsync(Token))
            Assert.Equal([HostRole.Primary, HostRole.Replica], source.Topology.Hosts.Select(static host => host.Role));
        await Eventually.TrueAsync(() => changes.Any(static one => one.Hosts is [_, { Role: HostRole.Replica }]));
        heard.Collect();
        Assert.Single(heard.Measured("slipstream.topology.host.status", standby.Port));

        names.Answer = () => [Member(primary)];
        await Eventually.TrueAsync(() => changes.Last().Hosts.Count == 1);
        Assert.False(source.Replica.HasSuitableHost);
        Assert.True(standby.AllClosedWithin(TimeSpan.FromSeconds(30)), "A session of the removed server was left open.");
        Assert.Equal(
            [1037, 1038], logs.Entries.Where(static one => one.Id is 1037 or 1038).Select(static one => one.Id));

        // The same server again, with a new pool or that of before.
        names.Answer = () => [Member(primary), Member(standby)];
        await using (await source.Replica.OpenConnectionAsync(Token))
            Assert.Equal(2, source.Topology.Hosts.Count);
    }

    [Fact]
    public async Task The_exception_of_a_caller_says_why_the_list_was_refused()
    {
        var names = new Names { RequiresVerifiedServers = true, Answer = static () => [new TopologyMember("db.example", 5432)] };
        await using var source = new PgDataSourceBuilder($"{PgLogin.Text};SSL Mode=Require;Timeout=3").UseTopologySource(names).BuildMultiHost();
        var failure = await Assert.ThrowsAsync<PgException>(async () => await source.Primary.OpenConnectionAsync(Token));
        Assert.Contains(
            "The topology source: it names db.example, whose certificate would not be verified: set SSL Mode", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_source_that_fails_or_names_nothing_changes_nothing()
    {
        using var logs = new RecordedLogs(LogLevel.Information);
        using var primary = PgNode.Start(static () => false);
        using var standby = PgNode.Start(static () => true);
        var names = new Names { Answer = () => [Member(primary), Member(standby)] };
        await using var source = Builder(primary, names, logs).BuildMultiHost();
        await using (await source.Replica.OpenConnectionAsync(Token))
            Assert.Equal(2, source.Topology.Hosts.Count);
        names.Answer = static () => throw new InvalidOperationException("The registry is down.");
        await Eventually.TrueAsync(() => logs.Entries.Any(static one => one.Id == 1040));
        names.Answer = static () => [];
        await Eventually.TrueAsync(() => logs.Entries.Any(static one => one.Id == 1039 && one.Text.Contains("it names no server")));
        Assert.Equal(2, source.Topology.Hosts.Count);
        await using (await source.Replica.OpenConnectionAsync(Token))
            Assert.True(source.HasSuitableHost);
    }

    [Fact]
    public async Task A_server_of_a_source_is_used_only_if_its_certificate_is_verified()
    {
        using var logs = new RecordedLogs(LogLevel.Information);
        using var primary = PgNode.Start(static () => false);
        using var other = PgNode.Start(static () => true);
        var names = new Names { Answer = () => [Member(primary), Member(other)], RequiresVerifiedServers = true };
        await using var source = Builder(primary, names, logs).BuildMultiHost();
        await using (await source.Primary.OpenConnectionAsync(Token))
            await Eventually.TrueAsync(() => logs.Entries.Any(static one => one.Id == 1039));
        Assert.Contains("set SSL Mode=VerifyFull", Assert.Single(logs.Entries, static one => one.Id == 1039).Text);
        Assert.Empty(other.Peers);
        Assert.Single(source.Topology.Hosts);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Without_a_server_the_callers_learn_why_the_source_failed(bool asynchronously)
    {
        var names = new Names { Answer = static () => throw new InvalidOperationException("The registry is down.") };
        await using var source = new PgDataSourceBuilder($"{PgLogin.Text};SSL Mode=Disable;Timeout=2").UseTopologySource(names).Build();
        await using var connection = source.CreateConnection();
        var failure = await Assert.ThrowsAsync<PgException>(
            () => asynchronously ? connection.OpenAsync(Token) : Task.Run(connection.Open, Token));
        Assert.Contains("The topology source failed: The registry is down.", failure.Message);
    }

    [Fact]
    public async Task A_new_password_is_also_that_of_servers_that_are_added_later()
    {
        using var primary = PgNode.Start(static () => false);
        using var standby = PgNode.Start(static () => true);
        var names = new Names { Answer = () => [Member(primary)] };
        await using var source = Builder(primary, names, null).BuildMultiHost();
        await using (await source.Primary.OpenConnectionAsync(Token))
            source.Password = "renewed";
        Assert.Equal("renewed", source.RenewedPassword);
        names.Answer = () => [Member(primary), Member(standby)];
        await using (await source.Replica.OpenConnectionAsync(Token))
            Assert.Equal(2, source.Topology.Hosts.Count);
    }

    private static TopologyMember Member(FakeServer server) => new("127.0.0.1", server.Port);

    private static PgDataSourceBuilder Builder(FakeServer first, Names names, RecordedLogs? logs) => new PgDataSourceBuilder(
        $"Host={first.Address}:{first.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Timeout=30;Topology Refresh Interval=100")
        .UseTopologySource(names).UseLoggerFactory(logs);

    private sealed class Names : ITopologySource
    {
        public volatile Func<IReadOnlyList<TopologyMember>> Answer = static () => [];

        public TimeSpan RefreshInterval => TimeSpan.Zero;

        public bool RequiresVerifiedServers { get; init; }

        public ValueTask<IReadOnlyList<TopologyMember>> GetMembersAsync(CancellationToken cancellationToken) => new(Answer());
    }
}
