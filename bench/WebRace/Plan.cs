using System.Globalization;
using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.WebRace;

/// <summary>How the processors are divided.</summary>
internal enum Seating
{
    /// <summary>The site has the first processor for itself; the load generator and the server have the others.</summary>
    Divided,

    /// <summary>All share all processors.</summary>
    Together,
}

/// <summary>What a run measures.</summary>
internal sealed record Plan
{
    public static IReadOnlyList<string> AllPages { get; } = ["db", "queries", "updates", "fortunes", "cached"];

    public static IReadOnlyList<string> AllSettings { get; } = ["seed", "default"];

    public static IReadOnlyList<ServerKind> AllServers { get; } =
        [ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.MySql, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    public required IReadOnlyList<string> Pages { get; init; }

    public required IReadOnlyList<ServerKind> Servers { get; init; }

    public required IReadOnlyList<int> Connections { get; init; }

    public required IReadOnlyList<Seating> Seatings { get; init; }

    public required IReadOnlyList<string> Settings { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The length of a block.</summary>
    public required int Seconds { get; init; }

    public static IReadOnlyList<Seating> ChooseSeatings(string? text) =>
        [.. Names.Choose(text, [.. Enum.GetNames<Seating>().Select(static name => name.ToLowerInvariant())], "--seating")
            .Select(static name => Enum.Parse<Seating>(name, ignoreCase: true))];

    public static IReadOnlyList<int> ChooseConnections(string text) =>
        [.. text.Split(',').Select(static word => Number(word, "--connections", 10_000))];

    public static int Number(string text, string option, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= 1 && number <= most
            ? number
            : throw new ArgumentException($"{option} takes 1 to {most}, not '{text}'");
}
