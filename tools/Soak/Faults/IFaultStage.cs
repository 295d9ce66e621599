namespace Slipstream.Soak.Faults;

/// <summary>The servers of a run: what happens to them, and what they know.</summary>
internal interface IFaultStage
{
    /// <summary>Returns everything that can happen to these servers.</summary>
    IEnumerable<Injection> Injections();

    /// <summary>Returns the number of the workers' sessions, as the servers report it.</summary>
    Task<int> CountSessions();

    /// <summary>Returns the number of connections that are open although the pools are empty.</summary>
    Task<int> CountConnections();

    /// <summary>Gets the number of sessions that the data sources have besides those of their pools: one for each server that they monitor.</summary>
    int MonitoringSessions { get; }

    /// <summary>Returns whether a change that was acknowledged at that time may be lost: asynchronous replication does not protect it.</summary>
    bool MayBeLost(long acknowledged);

    /// <summary>Checks what holds while the workers are stopped and the pools have recovered. Returns the violations.</summary>
    Task<IReadOnlyList<string>> Examine();
}

/// <summary>A fault of this run's servers, which is over when <see cref="Inject"/> returns.</summary>
internal sealed record Injection(string Name, bool IsOfNetwork, Func<Task> Inject);
