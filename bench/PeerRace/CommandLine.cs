using System.CommandLine;
using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.PeerRace;

/// <summary>The options of <c>./race --peer-java --peer-node</c>. README.md describes them.</summary>
internal static class CommandLine
{
    /// <param name="run">Runs the race with a plan, and the file for the figures if one is named.</param>
    public static RootCommand Create(Func<Plan, string?, CancellationToken, Task<int>> run)
    {
        var java = new Option<bool>("--peer-java");
        var node = new Option<bool>("--peer-node");
        var scenario = new Option<string?>("--scenario");
        var server = new Option<string>("--server") { DefaultValueFactory = _ => "mariadb,mysql,postgresql" };
        var mode = new Option<string?>("--mode");
        var callers = new Option<string>("--callers") { DefaultValueFactory = _ => "1,16,64" };
        var seating = new Option<string>("--seating") { DefaultValueFactory = _ => "together" };
        var rounds = new Option<string>("--rounds") { DefaultValueFactory = _ => "5" };
        var seconds = new Option<string>("--seconds") { DefaultValueFactory = _ => "2" };
        var warmUp = new Option<string>("--warm-up") { DefaultValueFactory = _ => "4" };
        var json = new Option<string?>("--json");
        var list = new Option<bool>("--list");
        var root = new RootCommand { java, node, scenario, server, mode, callers, seating, rounds, seconds, warmUp, json, list };
        root.SetAction(async (result, stop) =>
        {
            if (result.GetValue(list))
            {
                Console.WriteLine(string.Join(Environment.NewLine, Plan.AllScenarios));
                return 0;
            }

            try
            {
                var plan = new Plan
                {
                    Scenarios = Names.Choose(result.GetValue(scenario), Plan.AllScenarios, "--scenario"),
                    Servers = Names.ChooseServers(result.GetValue(server), ServerKinds.All),
                    Modes = Names.Choose(result.GetValue(mode) is "both" ? null : result.GetValue(mode), Plan.AllModes, "--mode"),
                    Callers = Names.Numbers(result.GetValue(callers)!, "--callers", Plan.MostCallers),
                    Seatings = Names.ChooseSeatings(result.GetValue(seating) is "both" ? null : result.GetValue(seating)),
                    Rounds = Names.Number(result.GetValue(rounds)!, "--rounds", 1000),
                    Seconds = Names.Number(result.GetValue(seconds)!, "--seconds", 600),
                    WarmUp = Names.Number(result.GetValue(warmUp)!, "--warm-up", 600),
                    HasJava = result.GetValue(java),
                    HasNode = result.GetValue(node),
                };
                return await run(plan, result.GetValue(json), stop);
            }
            catch (ArgumentException exception)
            {
                await Console.Error.WriteLineAsync($"race: {exception.Message}. See --help.");
                return 2;
            }
            catch (Exception exception) when (exception is LabUnavailableException or InvalidOperationException or System.ComponentModel.Win32Exception)
            {
                await Console.Error.WriteLineAsync($"race: {exception.Message}");
                return 1;
            }
        });
        return root;
    }
}
