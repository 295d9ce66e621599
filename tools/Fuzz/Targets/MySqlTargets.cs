namespace Slipstream.Fuzzing.Targets;

/// <summary>What reads a MySQL or MariaDB server's bytes.</summary>
internal static class MySqlTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [.. MySqlResponses.All, new MySqlRows(isBinary: false), new MySqlRows(isBinary: true), .. MySqlFraming.All, .. MySqlCodecs.All, .. MySqlLiterals.All, .. MySqlSql.All, .. MySqlLogin.All];
}
