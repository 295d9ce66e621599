using System.Globalization;
using Slipstream.Core.Causality;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Tests.Topology;

/// <summary>How a server of a scenario answers probes.</summary>
internal sealed class SimulatedHost
{
    private RoleAnswer? _answer;
    private ProbeFailure _failure;
    private long _login;
    private bool _hangs;
    private long _delay = 1;

    /// <summary>Time until the answer in milliseconds; null: no answer.</summary>
    public long? Delay => _hangs ? null : _login + _delay;

    /// <summary>Returns the server as it is now.</summary>
    public SimulatedHost Copy() => (SimulatedHost)MemberwiseClone();

    /// <summary>Takes the words that follow the server's name.</summary>
    public void Behave(string[] words)
    {
        _hangs = false;
        switch (words)
        {
            case ["is", "not", "ready"]:
                Fail(ProbeFailure.NotReady);
                break;
            case ["is", var role, .. var facts]:
                _answer = Told(new(Enum.Parse<HostRole>(role.Replace("-", ""), true)), facts);
                break;
            case ["hangs"]:
                _hangs = true;
                break;
            case ["refuses"]:
                Fail(ProbeFailure.Refused);
                break;
            case ["breaks"]:
                Fail(ProbeFailure.Lost);
                break;
            case ["leaves"]:
                Fail(ProbeFailure.Leaving);
                break;
            case ["denies"]:
                Fail(ProbeFailure.Denied);
                break;
            case ["answers", "after", var delay]:
                _delay = long.Parse(delay, CultureInfo.InvariantCulture);
                break;
            case ["logs", "in", "for", var time]:
                _login = long.Parse(time, CultureInfo.InvariantCulture);
                break;
            default:
                throw new FormatException("No server behaves so.");
        }
    }

    /// <summary>Returns the server as it is when a probe arrives. The session of the first probe stays open.</summary>
    public SimulatedHost Receive()
    {
        var copy = Copy();
        _login = 0;
        return copy;
    }

    /// <summary>Returns what the machine sees of a probe.</summary>
    public Observation Answer(long now, string host, long number) => _answer is { } answer
        ? new ProbeAnswered(now, host, number, answer) { AskedAt = _login > 0 ? now - _delay : null }
        : new ProbeFailed(now, host, number, _failure, $"{_failure}");

    private void Fail(ProbeFailure failure) => (_answer, _failure) = (null, failure);

    private static RoleAnswer Told(RoleAnswer answer, string[] facts) => facts switch
    {
        [] => answer,
        ["guarded", .. var rest] => Told(answer with { IsReadOnlyByDefault = true }, rest),
        ["epoch", var epoch, .. var rest] => Told(answer with { Epoch = long.Parse(epoch, CultureInfo.InvariantCulture) }, rest),
        ["writers", var rule, .. var rest] => Told(answer with { Writers = Enum.Parse<WriterRule>(rule, true) }, rest),
        ["lineage", var lineage, .. var rest] => Told(answer with { Lineage = lineage }, rest),
        ["of", var cluster, .. var rest] => Told(answer with { Cluster = cluster }, rest),
        ["lag", var lag, .. var rest] => Told(answer with { Lag = long.Parse(lag, CultureInfo.InvariantCulture) }, rest),
        ["executed", var position, .. var rest] => Told(answer with { Position = position, Executed = DomainSequences.Parse(position, ',') }, rest),
        ["self", var self, "members", .. var members] => answer with { Members = new(members) { Self = self } },
        ["members", .. var members] => answer with { Members = new(members) },
        _ => throw new FormatException($"What is '{facts[0]}'?"),
    };
}
