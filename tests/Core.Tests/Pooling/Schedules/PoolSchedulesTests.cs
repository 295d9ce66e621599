using Slipstream.Core.Tests.Schedules;

namespace Slipstream.Core.Tests.Pooling.Schedules;

/// <summary>
/// The pool in every order of events. <see cref="World.Check"/> contains what always holds: never more sessions than the limit, no session used by two callers,
/// no caller woken twice or served before its turn, none forgotten beside an idle session or a free place, every total correct. At the end no caller waits and
/// nothing is left over.
/// </summary>
public class PoolSchedulesTests
{
    [Fact]
    public void Callers_for_one_session_are_served_each_in_turn() => All(static world =>
    {
        var pool = world.AddPool(1);
        for (var i = 0; i < 3; i++)
            world.AddCaller(pool);
    });

    [Fact]
    public void Callers_that_come_again_are_served() => All(static world =>
    {
        var pool = world.AddPool(1);
        world.AddCaller(pool, rounds: 2);
        world.AddCaller(pool, rounds: 2);
    });

    [Fact]
    public void A_session_that_breaks_makes_room() => All(static world =>
    {
        var pool = world.AddPool(1);
        world.AddCaller(pool, mayBreak: true);
        world.AddCaller(pool, mayBreak: true);
        world.AddCaller(pool);
    });

    [Fact]
    public void A_session_that_has_died_is_replaced() => All(static world =>
    {
        var pool = world.AddPool(2);
        world.AddCaller(pool);
        world.AddCaller(pool);
        world.AddCaller(pool);
        world.AddDeath();
    });

    [Fact]
    public void Who_gives_up_keeps_nobody_from_being_served() => All(static world =>
    {
        var pool = world.AddPool(1);
        world.AddCaller(pool);
        world.AddCaller(pool, mayGiveUp: true);
        world.AddCaller(pool);
    });

    [Fact]
    public void Opening_that_fails_gives_the_place_to_the_next_or_tells_all_who_wait() => All(static world =>
    {
        var pool = world.AddPool(1);
        world.AddCaller(pool, mayFail: true);
        world.AddCaller(pool, mayFail: true);
        world.AddCaller(pool);
    });

    [Fact]
    public void An_opening_that_ends_lets_the_next_one_begin() => All(static world =>
    {
        var pool = world.AddPool(3, mostOpening: 1);
        world.AddCaller(pool);
        world.AddCaller(pool, mayFail: true);
        world.AddCaller(pool, mayGiveUp: true);
    });

    [Fact]
    public void Openings_are_bounded_for_each_pool_below_one_limit() => All(static world =>
    {
        var (one, other) = (world.AddPool(2, mostOpening: 1), world.AddPool(2));
        world.AddCaller(one);
        world.AddCaller(one, mayFail: true);
        world.AddCaller(other);
    }, limit: 2);

    [Fact]
    public void Clearing_lets_nothing_outdated_lie_and_forgets_nobody() => All(static world =>
    {
        var pool = world.AddPool(1);
        world.AddCaller(pool);
        world.AddCaller(pool);
        world.AddCaller(pool);
        world.AddClear(pool);
    });

    [Fact]
    public void Disposing_ends_everything() => All(static world =>
    {
        var pool = world.AddPool(1);
        world.AddCaller(pool);
        world.AddCaller(pool, mayGiveUp: true);
        world.AddCaller(pool);
        world.AddDispose(pool);
    });

    [Fact]
    public void Time_ends_waits_and_idle_sessions_and_nothing_else() => All(static world =>
    {
        var pool = world.AddPool(1, idleTimeout: 1000);
        world.AddCaller(pool);
        world.AddCaller(pool, patience: 500);
        world.AddCaller(pool);
        world.AddTime(1000);
    });

    [Fact]
    public void Two_pools_below_one_limit_serve_each_other() => All(static world =>
    {
        var (one, other) = (world.AddPool(1), world.AddPool(1));
        world.AddCaller(one);
        world.AddCaller(other);
        world.AddCaller(one, mayGiveUp: true);
    }, limit: 1);

    [Fact]
    public void A_limit_that_is_raised_lets_those_go_on_who_wait() => All(static world =>
    {
        var (one, other) = (world.AddPool(2), world.AddPool(2));
        world.AddCaller(one);
        world.AddCaller(other);
        world.AddCaller(one);
        world.AddRaise();
    }, limit: 1);

    [Fact]
    public void A_pool_that_is_disposed_gives_its_places_to_others() => All(static world =>
    {
        var (one, other) = (world.AddPool(1), world.AddPool(1));
        world.AddCaller(one);
        world.AddCaller(other);
        world.AddCaller(other);
        world.AddDispose(one);
    }, limit: 1);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Everything_at_once_in_many_orders(int seed)
    {
        var seen = Explorer.Some(
            static () =>
            {
                var world = new World(2);
                var (one, other) = (world.AddPool(2, idleTimeout: 1000), world.AddPool(1));
                world.AddCaller(one, 3, mayGiveUp: true, mayFail: true, mayBreak: true);
                world.AddCaller(one, 3, patience: 500, mayBreak: true);
                world.AddCaller(one, 3);
                world.AddCaller(other, 3, mayFail: true, mayBreak: true);
                world.AddCaller(other, 3, patience: 700);
                world.AddClear(one);
                world.AddTime(600);
                world.AddTime(1000);
                world.AddDeath();
                world.AddRaise();
                world.AddDispose(other);
                return world;
            },
            runs: 2000,
            seed);
        Assert.True(seen.States > 50_000, $"{seen.States} steps only");
    }

    private static void All(Action<World> fill, int limit = int.MaxValue)
    {
        var seen = Explorer.All(() =>
        {
            var world = new World(limit);
            fill(world);
            return world;
        });
        Assert.True(seen.States > 100, $"{seen.States} states only");
        TestContext.Current.TestOutputHelper!.WriteLine($"{seen.States} states");
    }
}
