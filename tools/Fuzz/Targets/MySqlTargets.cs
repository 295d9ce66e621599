namespace Slipstream.Fuzzing.Targets;

/// <summary>The targets that read the bytes of a MySQL or MariaDB server.</summary>
internal static class MySqlTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
        [
            .. MySqlResponses.All, new MySqlRows(isBinary: false), new MySqlRows(isBinary: true), .. MySqlFraming.All, .. MySqlCodecs.All, .. MySqlLiterals.All,
            .. MySqlSql.All, .. MySqlLogin.All
        ];
}
