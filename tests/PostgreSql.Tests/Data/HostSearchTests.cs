using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.PostgreSql.Options;
using Slipstream.Testing;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>The order in which the servers are tried, and the time of each attempt. Nothing is leased.</summary>
public sealed class HostSearchTests : IDisposable
{
    private const long Minute = 60_000;

    private readonly List<PgDataSource> _sources = [];

    public void Dispose() => _sources.ForEach(static source => source.Dispose());

    [Theory]
    [InlineData(TargetSessionAttributes.PreferStandby)]
    [InlineData(TargetSessionAttributes.PreferPrimary)]
    public void A_preference_keeps_time_for_servers_of_another_role(TargetSessionAttributes target)
    {
        var other = target == TargetSessionAttributes.PreferStandby ? ServerRole.Primary : ServerRole.Standby;
        var (healthy, silent) = (Host("healthy"), Host("silent"));
        var search = new HostSearch([healthy, silent], target, Minute);
        Assert.True(search.Next());
        Assert.False(search.Learned(other));
        Assert.True(search.Next());
        Assert.Same(silent, search.Host);
        Assert.InRange(search.Milliseconds, 1, Minute / 2);
        Assert.True(search.Failed(TimedOut()));
        Assert.True(search.Next());
        Assert.Same(healthy, search.Host);
        Assert.True(search.Learned(other));
    }

    [Fact]
    public void A_demand_keeps_time_for_servers_whose_role_may_have_changed()
    {
        var (promoted, silent) = (Host("promoted", ServerRole.Standby), Host("silent", ServerRole.Primary));
        var search = new HostSearch([promoted, silent], TargetSessionAttributes.Primary, Minute);
        Assert.True(search.Next());
        Assert.Same(silent, search.Host);
        Assert.InRange(search.Milliseconds, 1, Minute / 2);
        Assert.True(search.Failed(TimedOut()));
        Assert.True(search.Next());
        Assert.Same(promoted, search.Host);
        Assert.True(search.Learned(ServerRole.Primary));
    }

    [Fact]
    public void Servers_of_another_role_share_one_part_of_the_time()
    {
        var (first, second, third) = (Host("first", ServerRole.Standby), Host("second", ServerRole.Standby), Host("third", ServerRole.Standby));
        var search = new HostSearch([first, second, third, Host("primary", ServerRole.Primary)], TargetSessionAttributes.Primary, Minute);
        Assert.True(search.Next());
        Assert.InRange(search.Milliseconds, (Minute / 3) + 1, Minute / 2);
        Assert.True(search.Failed(TimedOut()));
        Assert.True(search.Next());
        Assert.InRange(search.Milliseconds, 1, Minute / 3);
    }

    [Fact]
    public void A_server_that_used_up_the_time_is_remembered_as_offline_and_the_message_names_all()
    {
        var (standby, silent, third) = (Host("standby"), Host("silent"), Host("third"));
        var search = new HostSearch([standby, silent, third], TargetSessionAttributes.Primary, 1);
        var end = Clock.Now + 1;
        Assert.True(search.Next());
        Assert.False(search.Learned(ServerRole.Standby));
        Assert.True(search.Next());
        Eventually.True(() => Clock.Now > end);
        Assert.True(search.Failed(TimedOut()));
        Assert.Equal(ServerRole.Offline, silent.RoleAt(Clock.Now));
        Assert.False(search.Next());
        var failure = Assert.IsType<WireException>(search.Failure());
        Assert.Equal(WireFailure.TimedOut, failure.Failure);
        Assert.Contains("standby:5432: It is a standby.", failure.Message);
        Assert.Contains("silent:5432: It was silent.", failure.Message);
        Assert.Contains("third:5432: There was no time left to try it.", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public void A_preference_takes_another_role_rather_than_wait(bool primaryIsFirst)
    {
        var (primary, standby) = (Host("primary", ServerRole.Primary), Host("standby", ServerRole.Standby, isFull: true));
        var search = new HostSearch(primaryIsFirst ? [primary, standby] : [standby, primary], TargetSessionAttributes.PreferStandby, Minute);
        Assert.True(search.Next());
        Assert.Same(primary, search.Host);
        Assert.True(search.Learned(ServerRole.Primary));
    }

    [Theory, InlineData(false), InlineData(true)]
    public void A_preference_waits_when_all_pools_are_full_first_for_the_preferred_role(bool primaryIsFirst)
    {
        var (primary, standby) = (Host("primary", ServerRole.Primary, isFull: true), Host("standby", ServerRole.Standby, isFull: true));
        var search = new HostSearch(primaryIsFirst ? [primary, standby] : [standby, primary], TargetSessionAttributes.PreferStandby, Minute);
        Assert.True(search.Next());
        Assert.Same(standby, search.Host);
        Assert.InRange(search.Milliseconds, 1, Minute / 2);
        Assert.True(search.Failed(new PoolExhaustedException("The first is full.")));
        Assert.True(search.Next());
        Assert.Same(primary, search.Host);
        Assert.InRange(search.Milliseconds, Minute / 2, Minute);
        Assert.True(search.Failed(new PoolExhaustedException("The second is full.")));
        Assert.False(search.Next());
        var failure = Assert.IsType<PoolExhaustedException>(search.Failure());
        Assert.Contains("standby:5432: The first is full.", failure.Message);
        Assert.Contains("primary:5432: The second is full.", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public void A_demand_waits_the_whole_time_for_the_only_server_of_its_role(bool primaryIsFirst)
    {
        var (primary, standby) = (Host("primary", ServerRole.Primary, isFull: true), Host("standby", ServerRole.Standby));
        var search = new HostSearch(primaryIsFirst ? [primary, standby] : [standby, primary], TargetSessionAttributes.Primary, Minute);
        Assert.True(search.Next());
        Assert.Same(primary, search.Host);
        Assert.InRange(search.Milliseconds, Minute / 2 + 1, Minute);
    }

    [Fact]
    public void Servers_that_are_offline_are_tried_last()
    {
        var (offline, primary) = (Host("offline", ServerRole.Offline), Host("primary", ServerRole.Primary));
        var search = new HostSearch([offline, primary], TargetSessionAttributes.PreferStandby, Minute);
        Assert.True(search.Next());
        Assert.Same(primary, search.Host);
        Assert.True(search.Failed(TimedOut()));
        Assert.True(search.Next());
        Assert.Same(offline, search.Host);
        Assert.True(search.Failed(TimedOut()));
        Assert.False(search.Next());
    }

    [Fact]
    public void A_refused_password_ends_the_search()
    {
        var search = new HostSearch([Host("a"), Host("b")], TargetSessionAttributes.PreferStandby, Minute);
        Assert.True(search.Next());
        Assert.False(search.Failed(new ServerRefusedException(new ServerError(0, "28P01", "wrong"))));
    }

    private static WireException TimedOut() => new(WireFailure.TimedOut, "It was silent.");

    private HostPool Host(string name, ServerRole role = ServerRole.Unknown, bool isFull = false)
    {
        var source = new PgDataSource(PgSettings.Parse($"Host={name};Maximum Pool Size=1"), null, new Opener());
        _sources.Add(source);
        if (isFull)
            _ = source.Sessions.LeaseAsync(new object(), 0, CancellationToken.None).AsTask();
        var host = new HostPool(source, Minute);
        if (role != ServerRole.Unknown)
            host.Learn(role, Clock.Now);
        return host;
    }

    // The opening of a session never ends, so its place in the pool stays taken.
    private sealed class Opener : ISessionFactory<Session>
    {
        public Session Open(long milliseconds) => throw new NotSupportedException();

        public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => new(new TaskCompletionSource<Session>().Task);
    }
}
