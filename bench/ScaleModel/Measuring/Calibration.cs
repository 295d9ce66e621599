using Slipstream.ScaleModel.Simulating;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>Computes the costs from a few measured cells.</summary>
internal static class Calibration
{
    // Of the processor time of an operation; both ends are system calls.
    private const double ShareOfReceive = 0.55;

    /// <summary>Gets the only cells that the costs come from.</summary>
    public static IEnumerable<Setting> Settings(string server) =>
    [
        Lonely(server), Shared(server), Divided(server), Crowded(server), Waiting(server),
    ];

    private static Setting Lonely(string server) => new(server, 1, 1, Processors.Divided);

    private static Setting Shared(string server) => new(server, 16, 16, Processors.One);

    private static Setting Divided(string server) => new(server, 16, 16, Processors.Divided);

    private static Setting Crowded(string server) => new(server, 64, 64, Processors.One);

    private static Setting Waiting(string server) => new(server, 64, 10, Processors.One);

    /// <summary>Returns the costs of a server.</summary>
    public static Costs From(string server, Func<Setting, Sample> measured)
    {
        var (lonely, shared, divided) = (measured(Lonely(server)), measured(Shared(server)), measured(Divided(server)));
        var (crowded, waiting) = (measured(Crowded(server)), measured(Waiting(server)));
        var neighbour = Math.Max(1, divided.ServerCpu / shared.ServerCpu);
        // Two equations: operation + sleeps × sleep, once with the neighbour's share.
        var sleeps = divided.Sleeps - shared.Sleeps;
        var sleep = sleeps > 0.05 ? Math.Clamp(((divided.ClientCpu / neighbour) - shared.ClientCpu) / sleeps, 0, shared.ClientCpu / 2) : 0;
        var operation = shared.ClientCpu - (shared.Sleeps * sleep);
        var alone = (operation + shared.ServerCpu) * neighbour;
        Costs costs = new()
        {
            Receive = Round(operation * ShareOfReceive),
            Send = Round(operation * (1 - ShareOfReceive)),
            Sleep = Round(sleep),
            Hop = Round(Math.Max(0, waiting.ClientCpu - shared.ClientCpu)),
            Server = Round(shared.ServerCpu),
            // A lonely caller's engine polls: only the server's thread is woken.
            WakeUp = Round(Math.Max(0, lonely.Median - alone)),
            OperationsPerCollection = shared.Collections > 0 ? Math.Round(1 / shared.Collections) : 0,
            Collection = Round(shared.Collection),
            Neighbour = Round(neighbour),
            // From 16 to 64 sessions, they double twice.
            ClientCrowding = Round(Math.Max(0, (crowded.ClientCpu / shared.ClientCpu) - 1) / 2),
            ServerCrowding = Round(Math.Max(0, (crowded.ServerCpu / shared.ServerCpu) - 1) / 2),
        };
        return costs with { Disorder = FindDisorder(costs, Shared(server), shared.P99 / shared.Median) };
    }

    // The order in which the processors serve threads decides about the tail: the one that gives the measured ratio to the median.
    private static double FindDisorder(Costs costs, Setting setting, double ratio)
    {
        const int Steps = 20;
        const int Operations = 30_000;
        for (var step = 0; step < Steps; step++)
        {
            var outcome = new Simulation(costs with { Disorder = (double)step / Steps }, new(), setting, seed: 1).Run(Operations);
            if (outcome.P99 / outcome.Median >= ratio)
                return (double)step / Steps;
        }

        return 1;
    }

    private static double Round(double value) => Math.Round(value, 2);
}
