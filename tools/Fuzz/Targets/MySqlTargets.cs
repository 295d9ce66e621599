namespace Slipstream.Fuzzing.Targets;

/// <summary>What reads a MySQL or MariaDB server's bytes.</summary>
internal static class MySqlTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [.. MySqlResponses.All];
}
