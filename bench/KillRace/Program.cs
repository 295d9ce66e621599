using System.CommandLine;
using System.Globalization;
using Slipstream.Bench;
using Slipstream.KillRace;
using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Spectre.Console;
using Contestant = Slipstream.KillRace.Contestant;

// ./race --killed: the server ends sessions of a pool, and the program counts the first commands that are lost. README.md describes how.
var killed = new Option<bool>("--killed");
var server = new Option<string>("--server") { DefaultValueFactory = _ => "mysql,postgresql" };
var provider = new Option<string?>("--provider");
var peer = new Option<string[]>("--peer");
var mode = new Option<string?>("--mode");
var ending = new Option<string?>("--ending");
var sessions = new Option<string>("--sessions") { DefaultValueFactory = _ => "10000" };
var root = new RootCommand { killed, server, provider, peer, mode, ending, sessions };
root.SetAction(async (result, stop) =>
{
    try
    {
        var kinds = Names.ChooseServers(result.GetValue(server), ServerKinds.All);
        var modes = Names.Choose(result.GetValue(mode) is "both" ? null : result.GetValue(mode), ["sync", "async"], "--mode");
        var endings = Names.Choose(result.GetValue(ending), Enum.GetNames<Ending>(), "--ending");
        var total = Names.Number(result.GetValue(sessions)!, "--sessions", 1_000_000);
        PeerOption[] others = [.. (result.GetValue(peer) ?? []).Select(PeerOption.Parse)];
        var peers = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "..", "artifacts", "race", "peers"));
        AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 160);
        var table = new Table().Border(TableBorder.Markdown);
        foreach (var column in (string[])["server", "mode", "sessions", "driver"])
            table.AddColumn(column);
        foreach (var column in (string[])["ended", "opens failed", "first commands lost"])
            table.AddColumn(new TableColumn(column).RightAligned());
        foreach (var kind in kinds)
        {
            await using var lab = await LabServer.StartAsync(kind, stop);
            var contestants = Contestant.Of(kind.IsPostgreSql(), result.GetValue(provider)?.Split(','), others, peers);
            using var killer = new Killer(lab);
            foreach (var one in modes)
                foreach (var pattern in Pattern.All.Where(pattern => endings.Contains(pattern.Ending.ToString())))
                    foreach (var victim in await RunAsync(lab, killer, contestants, pattern, one == "async", total, stop))
                        table.AddRow(
                            kind.Word(), one, pattern.ToString(), victim.Contestant.Name, Number(victim.Count.Ended), Number(victim.Count.FailedOpens),
                            Number(victim.Count.LostCommands));
        }

        AnsiConsole.Write(table);
        return 0;
    }
    catch (Exception exception) when (exception is ArgumentException or PeerException)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}");
        return 2;
    }
    catch (LabUnavailableException exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}");
        return 1;
    }
});
return await root.Parse(args).InvokeAsync();

// The contestants take turns, so that the load of the machine affects all of them alike.
static async Task<List<Victim>> RunAsync(
    LabServer lab, Killer killer, IReadOnlyList<Contestant> contestants, Pattern pattern, bool isAsync, int total, CancellationToken stop)
{
    var rounds = Math.Max(1, (int)(total * pattern.Share / pattern.Sessions));
    List<Victim> victims = [.. contestants.Select(one => new Victim(one, lab, killer, pattern.Sessions, isAsync))];
    for (var round = 0; round < rounds; round++)
        foreach (var victim in victims)
        {
            stop.ThrowIfCancellationRequested();
            await Task.Run(() => victim.RunAsync(pattern), stop);
        }

    foreach (var victim in victims)
    {
        await victim.DisposeAsync();
        await Console.Error.WriteLineAsync(
            $"{lab.Kind.Word()} {(isAsync ? "async" : "sync")}, {pattern}: {victim.Contestant.Name} {victim.Count.Ended} ended, "
                + $"{victim.Count.FailedOpens} opens failed, {victim.Count.LostCommands} first commands lost");
        foreach (var message in victim.Count.Messages)
            await Console.Error.WriteLineAsync($"    {message}");
    }

    return victims;
}

static string Number(int value) => value.ToString("#,##0", CultureInfo.InvariantCulture);
