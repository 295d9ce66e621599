using Slipstream.Race.Raw;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>The floor: the protocol written by hand on a blocking socket. No ADO.NET, no pool, no TLS, whatever the settings say.</summary>
internal sealed class RawContestant(Dialect dialect) : Contestant(RawName, Environment.Version.ToString(), dialect)
{
    public override bool Runs(Scenario scenario, Mode mode) => mode is Mode.Sync && scenario.CreateRaw is not null;

    public override Operation Create(Scenario scenario, Track track, Mode mode) => scenario.CreateRaw!(new RawSeat(track));
}
