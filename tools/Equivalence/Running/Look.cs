using System.Data.Common;

namespace Slipstream.Equivalence.Running;

/// <summary>Leases all idle sessions of the pool, and compares the state of each with that of a new session.</summary>
internal sealed class Look(World world, Side side, Trace trace, int step)
{
    /// <summary>Gets whether the complete state is queried.</summary>
    public bool IsThorough { get; init; }

    /// <summary>Gets which queries are made besides the digest, if not all.</summary>
    public int Turn { get; init; }

    public async Task At(DbDataSource source, int sessions)
    {
        var expected = await world.NewStateAsync(side);
        var leases = new List<DbConnection>();
        try
        {
            for (var i = 0; i < sessions; i++)
                leases.Add(await source.OpenConnectionAsync());
            for (var i = 0; i < leases.Count; i++)
                await Compare(expected, leases[i], i);
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException)
        {
            trace.Violation(step, "the next lease: " + Canonical.Error(side.Driver, exception));
        }
        finally
        {
            foreach (var lease in leases)
                await lease.DisposeAsync();
        }
    }

    private async Task Compare(IReadOnlyDictionary<string, string> expected, DbConnection connection, int number)
    {
        var asksKeyFirst = (Turn + number) % 2 == 0;
        if (IsThorough)
        {
            Report(expected, await world.StateAsync(connection, side.Driver, asksKeyFirst));
            return;
        }

        var glance = await world.DigestAsync(connection, side.Driver, asksKeyFirst, Turn / 2 + number);
        if (glance.All(seen => expected.GetValueOrDefault(seen.Key) == seen.Value))
            return;
        // Report the parts that differ; the digest itself if no part does.
        var before = trace.Observations.Count;
        Report(expected, glance.Where(static seen => seen.Key != World.DigestName));
        Report(expected, await world.StateAsync(connection, side.Driver, asksKeyFirst));
        if (trace.Observations.Count == before)
            Report(expected, glance);
    }

    private void Report(IReadOnlyDictionary<string, string> expected, IEnumerable<KeyValuePair<string, string>> state)
    {
        foreach (var (name, value) in state)
            if (!expected.TryGetValue(name, out var usual) || usual != value)
                trace.Violation(step, $"the next lease begins with {name} = {value}, a new session with {usual ?? "nothing"}");
    }
}
