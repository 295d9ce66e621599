using Slipstream.Fuzzing.Targets;

namespace Slipstream.Fuzzing;

/// <summary>All targets there are.</summary>
public static class FuzzTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } = [.. MySqlTargets.All, .. CoreTargets.All, .. PgTargets.All, .. ConversationTargets.All];
}
