using Slipstream.Fuzzing.Targets.Conversations;

namespace Slipstream.Fuzzing.Tests;

/// <summary>The recorded conversations from which mutations are made still go as they went. When the driver says something else now: <c>./fuzz record</c>.</summary>
public sealed class SeedTests
{
    public static TheoryData<string> Targets => [.. FuzzTargets.All.OfType<ConversationTarget>().Select(static target => target.Name)];

    [Theory]
    [MemberData(nameof(Targets))]
    public void Each_recorded_conversation_is_played_to_its_end(string target)
    {
        var chosen = FuzzTargets.All.OfType<ConversationTarget>().Single(one => one.Name == target);
        Assert.Equal("", string.Join("\n", chosen.Rehearse()));
    }
}
