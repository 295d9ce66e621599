namespace Slipstream.Fuzzing.Targets;

internal static class ConversationTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [];
}
