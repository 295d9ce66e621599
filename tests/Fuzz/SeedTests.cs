using Slipstream.Fuzzing.Targets.Conversations;

namespace Slipstream.Fuzzing.Tests;

/// <summary>The recorded conversations that mutations start from still run as recorded. If the driver now sends something else: <c>./fuzz record</c>.</summary>
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
