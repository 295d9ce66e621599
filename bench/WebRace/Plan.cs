using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.WebRace;

/// <summary>What a run measures.</summary>
internal sealed record Plan
{
    public static IReadOnlyList<string> AllPages { get; } = ["db", "queries", "updates", "fortunes", "cached"];

    public static IReadOnlyList<string> AllSettings { get; } = ["seed", "default"];

    public required IReadOnlyList<string> Pages { get; init; }

    public required IReadOnlyList<ServerKind> Servers { get; init; }

    public required IReadOnlyList<int> Connections { get; init; }

    public required IReadOnlyList<Seating> Seatings { get; init; }

    public required IReadOnlyList<string> Settings { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The length of a block.</summary>
    public required int Seconds { get; init; }
}
