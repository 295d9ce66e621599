using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>One provider in the race, for the servers whose dialect it speaks.</summary>
internal abstract class Contestant(string name, string version, Dialect dialect)
{
    public const string SlipstreamName = "Slipstream";
    public const string RawName = "Raw";

    public string Name { get; } = name;

    public string Version { get; } = version;

    public Dialect Dialect { get; } = dialect;

    /// <summary>Whether this contestant takes part.</summary>
    public virtual bool Runs(Scenario scenario, Mode mode) => scenario.Has(mode);

    public abstract Operation Create(Scenario scenario, Track track, Mode mode);

    /// <summary>Closes idle pooled connections, so that a server's limit is not reached by contestants that are no longer running.</summary>
    public virtual void ClearPools() { }
}
