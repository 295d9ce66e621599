namespace Slipstream.Fuzzing.Targets;

internal static class CoreTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [];
}
