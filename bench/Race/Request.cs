using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race;

/// <summary>The checked request from the command line.</summary>
internal sealed record Request
{
    public required IReadOnlyList<Scenario> Scenarios { get; init; }

    public required IReadOnlyList<ServerKind> Servers { get; init; }

    public required IReadOnlyList<Mode> Modes { get; init; }

    public required IReadOnlyList<Settings> Settings { get; init; }

    public required IReadOnlyList<PeerOption> Peers { get; init; }

    public required IReadOnlyList<Variant> Variants { get; init; }

    /// <summary>The C program of the insert race; null if it does not take part.</summary>
    public required JetOption? Jet { get; init; }

    /// <summary>True if each scenario runs only in the first of its <see cref="Modes"/>, not in all.</summary>
    public required bool FirstModeOnly { get; init; }

    /// <summary>The names of the contestants to run besides the variants; empty means all.</summary>
    public required IReadOnlyList<string> Providers { get; init; }

    /// <summary>The contestants that run only if the request names them.</summary>
    public required IReadOnlyList<string> OnlyIfAsked { get; init; }

    /// <summary>The number of rounds for every scenario; null means as many as each needs.</summary>
    public required int? Rounds { get; init; }

    /// <summary>The number of rounds of a scenario that has no number of its own.</summary>
    public required int UsualRounds { get; init; }

    /// <summary>Whether synchronous contestants with one worker stay on one processor: a heat for each value.</summary>
    public required IReadOnlyList<bool> Pinning { get; init; }

    /// <summary>The factor for the length of a block.</summary>
    public required double BlockScale { get; init; }

    /// <summary>The latency per direction.</summary>
    public required TimeSpan Latency { get; init; }

    /// <summary>The path of race.json.</summary>
    public required string Json { get; init; }

    /// <summary>The path of index.html.</summary>
    public required string Html { get; init; }

    public required string PeersFolder { get; init; }
}

/// <summary>The exception for a request that is not possible. The message names what is possible.</summary>
internal sealed class RequestException(string message) : Exception(message);
