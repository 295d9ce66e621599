using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.PeerRace.Tests;

internal static class Plans
{
    public static Plan Of(params string[] modes) => new()
    {
        Scenarios = Plan.AllScenarios, Servers = ServerKinds.All, Modes = modes.Length == 0 ? Plan.AllModes : modes, Callers = [1],
        Seatings = [Seating.Together],
        Rounds = 1, Seconds = 1, WarmUp = 1, HasJava = true, HasNode = true,
    };
}
