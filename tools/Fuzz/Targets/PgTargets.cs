using Slipstream.Fuzzing.Targets.PostgreSql;

namespace Slipstream.Fuzzing.Targets;

/// <summary>What a PostgreSQL server sends, message by message and value by value; and the text of commands.</summary>
internal static class PgTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [.. PgMessages.All, .. PgLogin.All, .. PgCodecs.All, .. PgTexts.All];
}
