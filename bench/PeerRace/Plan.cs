using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.PeerRace;

/// <summary>What a run measures.</summary>
internal sealed record Plan
{
    public const string Single = "single";
    public const string Fortunes = "fortunes";
    public const string Sync = "sync";
    public const string Async = "async";

    /// <summary>The most callers. With all contestants connected, the lab's servers have no room for more.</summary>
    public const int MostCallers = 64;

    public static IReadOnlyList<string> AllScenarios { get; } = [Single, Fortunes];

    public static IReadOnlyList<string> AllModes { get; } = [Sync, Async];

    public required IReadOnlyList<string> Scenarios { get; init; }

    public required IReadOnlyList<ServerKind> Servers { get; init; }

    public required IReadOnlyList<string> Modes { get; init; }

    public required IReadOnlyList<int> Callers { get; init; }

    public required IReadOnlyList<Seating> Seatings { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The length of a block.</summary>
    public required int Seconds { get; init; }

    /// <summary>The length of the block before the rounds, which does not count.</summary>
    public required int WarmUp { get; init; }

    public required bool HasJava { get; init; }

    public required bool HasNode { get; init; }
}
