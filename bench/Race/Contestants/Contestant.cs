using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>One provider in the race, for the servers whose dialect it supports.</summary>
internal abstract class Contestant(string name, string version, Dialect dialect)
{
    public const string SlipstreamName = "Slipstream";
    public const string RawName = "Raw";

    public string Name { get; } = name;

    public string Version { get; } = version;

    public Dialect Dialect { get; } = dialect;

    /// <summary>Returns true if this contestant takes part.</summary>
    public virtual bool Runs(Scenario scenario, Mode mode) => scenario.Has(mode);

    public abstract Operation Create(Scenario scenario, Track track, Mode mode);

    /// <summary>Closes idle pooled connections, so that contestants that no longer run do not exhaust a server's limit.</summary>
    public virtual void ClearPools() { }
}
