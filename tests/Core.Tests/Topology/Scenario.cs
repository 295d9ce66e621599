using System.Globalization;
using Slipstream.Core.Causality;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Tests.Topology;

/// <summary>
/// Runs a scenario: a text that says how servers behave, lets time pass and states what the machine must have decided. <c>README.md</c> beside the scenarios
/// lists the sentences.
/// </summary>
internal sealed class Scenario
{
    private readonly Dictionary<string, SimulatedHost> _hosts = [];
    private readonly List<TopologyDecision> _decisions = [];
    private readonly Dictionary<string, int> _probes = [];
    private readonly List<(long At, string Host, long Number, SimulatedHost Saying)> _underWay = [];
    private readonly Dictionary<string, long> _unanswered = [];
    private long _version;
    private TopologySettings _settings = new();
    private string[] _listed = [];
    private TopologyMachine? _machine;
    private Membership? _membership;
    private long _now;

    private TopologyMachine Machine => _machine ??= Start();

    private Membership Membership => _membership ??= new(_listed, _settings.RemovalDelay);

    /// <summary>Runs the text. Throws at the first sentence that is not true.</summary>
    public static void Run(string text)
    {
        var scenario = new Scenario();
        var number = 0;
        foreach (var line in text.Split('\n'))
        {
            number++;
            var sentence = line.Trim();
            if (sentence.Length == 0 || sentence[0] == '#')
                continue;
            try
            {
                scenario.Say(sentence.Split(' ', StringSplitOptions.RemoveEmptyEntries));
            }
            catch (Exception exception)
            {
                var place = $"Line {number}, at {scenario._now} ms, '{sentence}'";
                throw new InvalidOperationException($"{place}: {exception.Message}\n{scenario.Describe()}", exception);
            }
        }
    }

    private void Say(string[] words)
    {
        switch (words)
        {
            case ["hosts", .. var names]:
                _listed = names;
                break;
            case ["rule", var rule]:
                _settings = _settings with { Writers = Enum.Parse<WriterRule>(rule, true) };
                break;
            case ["seek", "nothing"]:
                _settings = _settings with { SeeksPrimary = false };
                break;
            case ["wait", var time]:
                Advance(_now + Number(time));
                break;
            case ["pause", var time]:
                _now += Number(time);
                break;
            case ["list", .. var names]:
                if (Membership.List(names))
                    Take(new HostsListed(_now, Membership.All));
                break;
            case ["session", "of", var host, .. var event_]:
                Doubt(host, event_);
                break;
            case ["expect", .. var rest]:
                Expect(rest);
                break;
            case [var host, .. var behaviour]:
                Behave(host, behaviour);
                break;
        }
    }

    // A server that runs on answers the probe that it has got meanwhile.
    private void Behave(string name, string[] words)
    {
        var host = _hosts.TryGetValue(name, out var known) ? known : _hosts[name] = new();
        var hung = host.Delay is null;
        host.Behave(words);
        if (hung && host.Delay is { } delay && _unanswered.Remove(name, out var number))
            _underWay.Add((_now + delay, name, number, host.Copy()));
    }

    private TopologyMachine Start()
    {
        var machine = new TopologyMachine(_settings, _listed, _now, static () => 0.5);
        _machine = machine;
        Take(new TimePassed(_now));
        return machine;
    }

    private void Advance(long end)
    {
        var machine = Machine;
        while (true)
        {
            var answer = _underWay.Count == 0 ? long.MaxValue : _underWay.Min(static one => one.At);
            var due = machine.DueAt;
            var next = Math.Min(answer, due);
            if (next > end)
                break;
            _now = Math.Max(_now, next);
            // After a pause the machine hears first that time has passed: the order that is harder.
            if (due <= _now)
                Take(new TimePassed(_now));
            else
                Deliver();
        }

        _now = Math.Max(_now, end);
    }

    private void Deliver()
    {
        var one = _underWay.MinBy(static one => one.At);
        _underWay.Remove(one);
        var observation = one.Saying.Answer(_now, one.Host, one.Number);
        Take(observation);
        if (observation is ProbeAnswered answered && Membership.Take(answered, Machine.Snapshot))
            Take(new HostsListed(_now, Membership.All));
    }

    private void Take(Observation observation)
    {
        foreach (var decision in Machine.Take(observation).ToArray())
        {
            switch (decision.Action)
            {
                case TopologyAction.Probe:
                    _probes[decision.Host] = _probes.GetValueOrDefault(decision.Host) + 1;
                    // A server answers with the role that it has when the probe arrives, which is at once.
                    // A server whose behaviour is not stated hangs.
                    if (!_hosts.TryGetValue(decision.Host, out var host))
                        (_hosts[decision.Host] = host = new()).Behave(["hangs"]);
                    if (host.Delay is not { } delay)
                        _unanswered[decision.Host] = decision.Number;
                    else
                        _underWay.Add((_now + delay, decision.Host, decision.Number, host.Receive()));
                    break;
                case TopologyAction.Abandon:
                    _underWay.RemoveAll(one => one.Number == decision.Number);
                    _unanswered.Remove(decision.Host);
                    break;
                default:
                    _decisions.Add(decision);
                    break;
            }
        }
    }

    // A session belongs to the generation of its opening, which the scenario does not follow: by default it is the present one.
    private void Doubt(string host, string[] words)
    {
        var doubt = words switch
        {
            ["lost", ..] => HostDoubt.Lost,
            ["timed", "out", ..] => HostDoubt.TimedOut,
            ["quiet", ..] => HostDoubt.Quiet,
            ["not", "primary", ..] => HostDoubt.NotPrimary,
            ["not", "ready", ..] => HostDoubt.NotReady,
            ["leaving", ..] => HostDoubt.Leaving,
            _ => throw new FormatException("What happened to the session?"),
        };
        var generation = words is [.., "generation", var number] ? Number(number) : Status(host).Generation;
        Take(new HostDoubted(_now, host, generation, doubt, string.Join(' ', words)));
    }

    private void Expect(string[] words)
    {
        switch (words)
        {
            case ["primary", var name]:
                Assert.Equal(name == "nothing" ? null : name, Machine.Snapshot.Primary?.Address);
                break;
            case ["search"]:
                Assert.NotEqual(long.MaxValue, Machine.SearchedSince);
                break;
            case ["no", "search"]:
                Assert.Equal(long.MaxValue, Machine.SearchedSince);
                break;
            case ["decisions", .. var expected]:
                Assert.Equal(string.Join(' ', expected), _decisions.Count == 0 ? "none" : string.Join(' ', _decisions.Select(Word)));
                _decisions.Clear();
                break;
            case ["choose", "after", var need, "of", var writer, var wish, .. var expected]:
                Assert.Equal(string.Join(' ', expected), ChoicesAfter(need, wish, writer));
                break;
            case ["choose", "after", var need, var wish, .. var expected]:
                Assert.Equal(string.Join(' ', expected), ChoicesAfter(need, wish, null));
                break;
            case ["choose", "within", var lag, var wish, .. var expected]:
                Assert.Equal(string.Join(' ', expected), Choices(wish, new(LongestLag: Number(lag))));
                break;
            case ["choose", var wish, .. var expected]:
                Assert.Equal(string.Join(' ', expected), Choices(wish, new()));
                break;
            case ["probes", "of", var host, "from", var low, "to", var high]:
                Assert.InRange(_probes.GetValueOrDefault(host), Number(low), Number(high));
                _probes[host] = 0;
                break;
            case ["version", "unchanged"]:
                Assert.Equal(_version, Machine.Snapshot.Version);
                break;
            case ["version"]:
                _version = Machine.Snapshot.Version;
                break;
            case ["hosts", .. var names]:
                Assert.Equal(names, Machine.Snapshot.Hosts.Select(static host => host.Address));
                break;
            case [var host, .. var facts]:
                foreach (var fact in facts)
                    Assert.Contains(fact, Facts(Status(host)));
                break;
        }
    }

    private static string Word(TopologyDecision decision) => decision.Action switch
    {
        TopologyAction.ReportTwoPrimaries => "two-primaries",
        var action => action.ToString().ToLowerInvariant(),
    } + ":" + decision.Host;

    // Draws often enough that every server that may be chosen is chosen.
    private string Choices(string wish, SelectionLimits limits)
    {
        var random = new Random(1);
        var load = new int[Machine.Snapshot.Hosts.Length];
        var chosen = Enumerable.Range(0, 200)
            .Select(_ => Selection.Choose(Machine.Snapshot, Enum.Parse<HostWish>(wish, true), limits, load, random.Next)).Distinct().Order().ToArray();
        return chosen is [-1] ? "nothing" : string.Join(' ', chosen.Select(at => Machine.Snapshot.Hosts[at].Address));
    }

    // All servers that may be used, in the order of preference. A server that must be asked first has a question mark.
    private string ChoicesAfter(string need, string wish, string? writer)
    {
        var position = need == "unknown" ? LogPosition.Unknown : DomainSequences.Parse(need, ',') ?? throw new FormatException("No position.");
        var by = Array.FindIndex(Machine.Snapshot.Hosts, host => host.Address == writer);
        var tiers = CausalSelection.Tiers(Machine.Snapshot, Enum.Parse<HostWish>(wish, true), new(), position, by);
        var chosen = tiers.SelectMany(tier => tier.Hosts.Select(at => Machine.Snapshot.Hosts[at].Address + (tier.IsFresh ? "" : "?")));
        return string.Join(' ', chosen) is { Length: > 0 } servers ? servers : "nothing";
    }

    private HostStatus Status(string host) =>
        Array.Find(Machine.Snapshot.Hosts, one => one.Address == host) ?? throw new FormatException("There is no such server.");

    private static string[] Facts(HostStatus host) =>
    [
        host.State.ToString().ToLowerInvariant(), host.Role.ToString().ToLowerInvariant(), host.IsSilent ? "silent" : "heard",
        $"generation={host.Generation}", host.IsUsable ? "usable" : "unusable", $"epoch={host.Epoch}",
    ];

    private string Describe() => _machine is null ? "" : string.Join('\n', _machine.Snapshot.Hosts.Select(
        host => $"  {host.Address}: {string.Join(' ', Facts(host))} {host.Error}")) + $"\n  primary: {_machine.Snapshot.Primary?.Address ?? "nothing"}";

    private static int Number(string word) => int.Parse(word, CultureInfo.InvariantCulture);
}
