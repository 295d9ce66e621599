namespace Slipstream.Core.Tests.Schedules;

/// <summary>Runs a world in all orders of its steps, or in many random orders with a fixed seed.</summary>
internal static class Explorer
{
    /// <summary>The number of different states, and of runs that ended.</summary>
    public readonly record struct Seen(int States, int Ends);

    /// <summary>Runs every order. Equal states are continued only once, so the cost depends on the number of states, not of orders.</summary>
    public static Seen All(Func<IWorld> create, int atMost = 200_000)
    {
        var known = new HashSet<string>(StringComparer.Ordinal);
        var open = new Stack<(int Actor, int Choice)[]>();
        open.Push([]);
        var ends = 0;
        while (open.TryPop(out var path))
        {
            var world = Replay(create, path);
            if (!known.Add($"{world}"))
                continue;
            var steps = new List<(int Actor, int Choice)>(path);
            while (true)
            {
                var ready = Ready(world);
                if (ready.Count == 0)
                {
                    ends++;
                    Guard(world.CheckEnd, world, steps);
                    break;
                }

                // The last one continues here, the others later, from the beginning.
                foreach (var other in ready[..^1])
                    open.Push([.. steps, other]);
                if (!Go(world, ready[^1], steps))
                    break;
            }

            bool Go(IWorld from, (int Actor, int Choice) step, List<(int Actor, int Choice)> so)
            {
                so.Add(step);
                Guard(() => Apply(from, step), from, so);
                return known.Add($"{from}");
            }

            Assert.True(known.Count <= atMost, $"More than {atMost} states: make the case smaller.");
        }

        return new(known.Count, ends);

        IWorld Replay(Func<IWorld> make, (int Actor, int Choice)[] path)
        {
            var world = make();
            foreach (var step in path)
                Guard(() => Apply(world, step), world, path);
            return world;
        }
    }

    /// <summary>Runs some orders of a larger world.</summary>
    public static Seen Some(Func<IWorld> create, int runs, int seed)
    {
        var random = new Random(seed);
        var states = 0;
        for (var run = 0; run < runs; run++)
        {
            var world = create();
            var steps = new List<(int Actor, int Choice)>();
            while (Ready(world) is { Count: > 0 } ready)
            {
                var step = ready[random.Next(ready.Count)];
                steps.Add(step);
                Guard(() => Apply(world, step), world, steps);
                states++;
            }

            Guard(world.CheckEnd, world, steps);
        }

        return new(states, runs);
    }

    private static List<(int Actor, int Choice)> Ready(IWorld world)
    {
        List<(int Actor, int Choice)> ready = [];
        for (var i = 0; i < world.Actors.Count; i++)
            if (world.Actors[i].IsReady)
                for (var choice = 0; choice < world.Actors[i].At.Choices; choice++)
                    ready.Add((i, choice));
        return ready;
    }

    private static void Apply(IWorld world, (int Actor, int Choice) step)
    {
        world.Actors[step.Actor].Step(step.Choice);
        world.Check();
    }

    // A failure contains the order that led to it, so it can be reproduced.
    private static void Guard(Action act, IWorld world, IEnumerable<(int Actor, int Choice)> steps)
    {
        try
        {
            act();
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException(
                $"{exception.Message}\nin this order: " +
                $"{string.Join(", ", steps.Select(step => $"{world.Actors[step.Actor].Name}/{step.Choice}"))}\n{world}", exception);
        }
    }
}
