using System.Data.Common;

namespace Slipstream.Equivalence.Running;

/// <summary>Leases all sessions of the pool that are idle, and compares what each begins with against a new session's.</summary>
internal sealed class Look(World world, Side side, Trace trace, int step)
{
    public async Task At(DbDataSource source, int sessions)
    {
        var expected = await world.NewStateAsync(side);
        var leases = new List<DbConnection>();
        try
        {
            for (var i = 0; i < sessions; i++)
                leases.Add(await source.OpenConnectionAsync());
            for (var i = 0; i < leases.Count; i++)
                await Compare(expected, leases[i], asksKeyFirst: (step + i) % 2 == 0);
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

    private async Task Compare(IReadOnlyDictionary<string, string> expected, DbConnection connection, bool asksKeyFirst)
    {
        var state = await world.StateAsync(connection, side.Driver, asksKeyFirst);
        foreach (var (name, value) in state)
            if (!expected.TryGetValue(name, out var usual) || usual != value)
                trace.Violation(step, $"the next lease begins with {name} = {value}, a new session with {usual ?? "nothing"}");
    }
}
