using Slipstream.Core.Conversations;
using Slipstream.Core.Tests.Schedules;

namespace Slipstream.Core.Tests.Sessions.Schedules;

/// <summary>
/// A cancellation in every order of events. <see cref="CancellationWorld"/> contains what always holds: one thread cancels, no request hits a prefix or the
/// next command, no thread waits for ever, and a session that is not broken is in sync.
/// </summary>
public class CancellationSchedulesTests
{
    [Fact]
    public void An_answer_and_two_interruptions_meet_in_any_order() => All(static () => new(), static world =>
    {
        world.AddInterrupter(Interruption.TimedOut);
        world.AddInterrupter(Interruption.Canceled);
    });

    [Fact]
    public void A_command_that_runs_until_it_is_stopped_is_stopped() => All(static () => new() { RunsUntilStopped = true }, static world =>
        world.AddInterrupter(Interruption.TimedOut));

    [Fact]
    public void A_request_never_hits_a_prefix() => All(static () => new(12, owesReset: true), static world =>
        world.AddInterrupter(Interruption.Canceled));

    [Fact]
    public void A_request_that_fails_or_comes_late_hits_no_later_command() => All(static () => new() { MayFailToAsk = true }, static world =>
        world.AddInterrupter(Interruption.Canceled));

    [Fact]
    public void A_server_that_falls_silent_keeps_nobody() => All(static () => new() { IsSilentBehind = true }, static world =>
        world.AddInterrupter(Interruption.TimedOut));

    [Fact]
    public void A_connection_that_is_closed_under_its_command_keeps_nobody() => All(static () => new() { MayFailToAsk = true }, static world =>
    {
        world.AddInterrupter(Interruption.Canceled);
        world.AddClose();
    });

    [Fact]
    public void An_abandoned_command_loses_its_session() => All(static () => new() { RunsUntilStopped = true }, static world =>
    {
        world.AddInterrupter(Interruption.Abandoned);
        world.AddInterrupter(Interruption.Canceled);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void Without_asking_and_without_a_limit_nobody_waits_for_ever(int cancellationTimeout) => All(() => new(cancellationTimeout), static world =>
    {
        world.AddInterrupter(Interruption.TimedOut);
        world.AddClose();
    });

    private static void All(Func<CancellationWorld> create, Action<CancellationWorld> fill)
    {
        var seen = Explorer.All(() =>
        {
            var world = create();
            fill(world);
            return world;
        });
        Assert.True(seen.States > 50, $"{seen.States} states only");
        TestContext.Current.TestOutputHelper!.WriteLine($"{seen.States} states");
    }
}
