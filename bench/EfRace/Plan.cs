using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.EfRace;

/// <summary>What a run measures.</summary>
internal sealed record Plan
{
    /// <summary>A new process from its start to the answer of its first query.</summary>
    public const string ColdStart = "ColdStart";

    /// <summary>64 workers query by key, each on a context of a pool.</summary>
    public const string Pooled64 = "Pooled64";

    public static IReadOnlyList<string> AllScenarios { get; } =
    [
        "QueryByKey", "QueryByKeyCompiled", "Rows1000Tracked", "Rows1000NoTracking", "IncludeSingle", "IncludeSplit", "Contains3", "Contains30", "Contains300",
        "Insert1", "Insert100", "Insert1000", "Update50", "JsonRead", "JsonUpdate", Pooled64, ColdStart,
    ];

    /// <summary>The servers of MySQL's family, which the contestants have in common.</summary>
    public static IReadOnlyList<ServerKind> AllServers { get; } = [ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.MySql];

    public required IReadOnlyList<string> Scenarios { get; init; }

    public required IReadOnlyList<ServerKind> Servers { get; init; }

    public required IReadOnlyList<string> Modes { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The delay in each direction; zero: contestants connect to the server.</summary>
    public required TimeSpan Latency { get; init; }

    /// <summary>The folder with one folder for each contestant's program.</summary>
    public required string Folder { get; init; }

    public static TimeSpan ParseLatency(string? text)
    {
        if (text is null)
            return TimeSpan.Zero;
        var (digits, unit) = text.EndsWith("us", StringComparison.Ordinal) ? (text[..^2], 1.0)
            : text.EndsWith("ms", StringComparison.Ordinal) ? (text[..^2], 1000.0) : ("", 0);
        return double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number is >= 0 and <= 1000
            ? TimeSpan.FromMicroseconds(number * unit)
            : throw new ArgumentException($"--latency takes a time such as 1ms or 500us, not '{text}'");
    }
}
