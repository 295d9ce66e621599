using Slipstream.Fuzzing.Targets;

namespace Slipstream.Fuzzing;

/// <summary>The list of all targets.</summary>
public static class FuzzTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [.. MySqlTargets.All, .. CoreTargets.All, .. PgTargets.All, .. ConversationTargets.All];
}
