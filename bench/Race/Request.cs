using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race;

/// <summary>What was asked for on the command line, checked.</summary>
internal sealed record Request
{
    public required IReadOnlyList<Scenario> Scenarios { get; init; }

    public required IReadOnlyList<ServerKind> Servers { get; init; }

    public required IReadOnlyList<Mode> Modes { get; init; }

    public required IReadOnlyList<Settings> Settings { get; init; }

    public required IReadOnlyList<PeerOption> Peers { get; init; }

    public required IReadOnlyList<Variant> Variants { get; init; }

    /// <summary>The C program of the insert race; null: it does not take part.</summary>
    public required JetOption? Jet { get; init; }

    /// <summary>Each scenario runs in the first of <see cref="Modes"/> that it has, not in all.</summary>
    public required bool FirstModeOnly { get; init; }

    /// <summary>Names of the contestants to let run besides the variants; empty: all.</summary>
    public required IReadOnlyList<string> Providers { get; init; }

    /// <summary>Contestants that run only when they are asked for by name.</summary>
    public required IReadOnlyList<string> OnlyIfAsked { get; init; }

    /// <summary>For every scenario; null: as many as each needs.</summary>
    public required int? Rounds { get; init; }

    /// <summary>Rounds of a scenario that says nothing of its own.</summary>
    public required int UsualRounds { get; init; }

    /// <summary>Whether synchronous contestants with one worker stay on one processor.</summary>
    public required bool Pin { get; init; }

    /// <summary>Multiplies the length of a block.</summary>
    public required double BlockScale { get; init; }

    /// <summary>Per direction.</summary>
    public required TimeSpan Latency { get; init; }

    /// <summary>Where race.json goes.</summary>
    public required string Json { get; init; }

    /// <summary>Where index.html goes.</summary>
    public required string Html { get; init; }

    public required string PeersFolder { get; init; }
}

/// <summary>What was asked for cannot be done; the message says what can.</summary>
internal sealed class RequestException(string message) : Exception(message);
