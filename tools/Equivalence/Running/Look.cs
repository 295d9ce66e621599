using System.Data.Common;

namespace Slipstream.Equivalence.Running;

/// <summary>Leases all sessions of the pool that are idle, and compares what each begins with against a new session's.</summary>
internal sealed class Look(World world, Side side, Trace trace, int step)
{
    /// <summary>Everything is asked.</summary>
    public bool IsThorough { get; init; }

    /// <summary>Otherwise: which questions are asked besides the digest.</summary>
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
            Tell(expected, await world.StateAsync(connection, side.Driver, asksKeyFirst));
            return;
        }

        var glance = await world.GlanceAsync(connection, side.Driver, asksKeyFirst, Turn / 2 + number);
        if (glance.All(seen => expected.GetValueOrDefault(seen.Key) == seen.Value))
            return;
        // What it is that differs; the digest itself where nothing else does.
        var before = trace.Observations.Count;
        Tell(expected, glance.Where(static seen => seen.Key != World.DigestName));
        Tell(expected, await world.StateAsync(connection, side.Driver, asksKeyFirst));
        if (trace.Observations.Count == before)
            Tell(expected, glance);
    }

    private void Tell(IReadOnlyDictionary<string, string> expected, IEnumerable<KeyValuePair<string, string>> state)
    {
        foreach (var (name, value) in state)
            if (!expected.TryGetValue(name, out var usual) || usual != value)
                trace.Violation(step, $"the next lease begins with {name} = {value}, a new session with {usual ?? "nothing"}");
    }
}
