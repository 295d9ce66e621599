using Slipstream.Race.Raw;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>The raw floor: the protocol written by hand on a blocking socket. It has no ADO.NET, no pool and no TLS, whatever the settings.</summary>
internal sealed class RawContestant(Dialect dialect) : Contestant(RawName, Environment.Version.ToString(), dialect)
{
    public override bool Runs(Scenario scenario, Mode mode) => mode is Mode.Sync && scenario.CreateRaw is not null;

    public override Operation Create(Scenario scenario, Track track, Mode mode) => scenario.CreateRaw!(new RawSeat(track));
}
