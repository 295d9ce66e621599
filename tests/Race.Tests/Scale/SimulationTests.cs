using Slipstream.ScaleModel.Simulating;

namespace Slipstream.ScaleModel.Tests;

public class SimulationTests
{
    private static readonly SerialCosts NothingSerial = new() { Epoll = 0, IdleCount = 0, PoolLock = 0 };

    private static readonly Costs Simple = new()
    {
        Receive = 6, Send = 4, Sleep = 0, Hop = 0, Server = 20, WakeUp = 0, OperationsPerCollection = 0, Collection = 0, Neighbour = 1,
    };

    [Fact]
    public void A_lonely_caller_waits_for_client_server_and_network_in_turn()
    {
        var outcome = Run(Simple, new("any", 1, 1, Processors.Divided) { RoundTrip = 70 });

        Near(1e6 / (6 + 4 + 20 + 70), outcome.PerSecond);
        Assert.Equal("callers", outcome.Limit);
    }

    [Fact]
    public void Many_callers_use_the_busier_side_up()
    {
        var outcome = Run(Simple, new("any", 64, 64, Processors.Divided));

        Near(1e6 / 20, outcome.PerSecond);
        Near(0.5, outcome.ClientBusy);
        Assert.Equal("server's processors", outcome.Limit);
    }

    [Fact]
    public void A_shared_processor_does_the_work_of_both_sides() => Near(1e6 / 30, Run(Simple, new("any", 64, 64, Processors.One)).PerSecond);

    [Fact]
    public void The_engine_starts_threads_for_idle_processors()
    {
        var outcome = Run(Simple, new("any", 200, 200, new(4, 64)));

        Near(4 * 1e6 / 10, outcome.PerSecond);
        Assert.Equal(4, outcome.Engines);
    }

    [Fact]
    public void A_pool_that_is_too_small_leaves_processors_idle()
    {
        var outcome = Run(Simple, new("any", 1000, 2, new(8, 8)) { RoundTrip = 470 });

        Near(2 * 1e6 / (6 + 4 + 20 + 470), outcome.PerSecond);
        // The callers are served in turn.
        Near(1000 * 250, outcome.Median);
    }

    [Fact]
    public void A_caller_that_waits_costs_the_hop_to_the_thread_pool() =>
        Near(1e6 / (10 + 15), Run(Simple with { Hop = 15, Server = 1 }, new("any", 100, 50, Processors.Divided)).PerSecond);

    [Fact]
    public void What_one_processor_does_at_a_time_limits_all_of_them()
    {
        var outcome = new Simulation(Simple, NothingSerial with { Epoll = 5 }, new("any", 500, 500, new(16, 64)), 1).Run(50_000);

        Near(1e6 / 5, outcome.PerSecond);
        Assert.Equal("epoll", outcome.Limit);
    }

    [Fact]
    public void A_collection_stops_the_client()
    {
        var outcome = Run(Simple with { OperationsPerCollection = 1000, Collection = 10_000 }, new("any", 64, 64, Processors.Divided));

        // 1,000 operations take the server 20 ms, and 10 ms of it are a pause of the client.
        Assert.InRange(outcome.PerSecond, 1e6 / 31, 1e6 / 20);
    }

    [Fact]
    public void The_same_seed_gives_the_same_figures()
    {
        Setting setting = new("any", 100, 10, Processors.Together);

        Assert.Equal(new Simulation(Simple, new(), setting, 7).Run(20_000), new Simulation(Simple, new(), setting, 7).Run(20_000));
        Assert.NotEqual(new Simulation(Simple, new(), setting, 7).Run(20_000), new Simulation(Simple, new(), setting, 8).Run(20_000));
    }

    private static Outcome Run(Costs costs, Setting setting) => new Simulation(costs, NothingSerial, setting, 1).Run(50_000);

    private static void Near(double expected, double actual) => Assert.InRange(actual, expected * 0.95, expected * 1.05);
}
