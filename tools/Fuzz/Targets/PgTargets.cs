using Slipstream.Fuzzing.Targets.PostgreSql;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The targets of a PostgreSQL server's messages and values, and of the text of commands.</summary>
internal static class PgTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
        [.. PgMessages.All, .. PgLogin.All, .. PgCodecs.All, .. PgTexts.All, .. PgTypeValues.All,
        .. PgValueTexts.All, .. PgExchanges.All, .. PgReplication.All];
}
