namespace Slipstream.Fuzzing.Targets;

internal static class PgTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [];
}
