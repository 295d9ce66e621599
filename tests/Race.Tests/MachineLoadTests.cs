using Slipstream.Race.Measuring;

namespace Slipstream.Race.Tests;

public class MachineLoadTests
{
    [Fact]
    public void Processors_are_busy_when_they_neither_idle_nor_wait_for_a_disk() =>
        Assert.Equal((10L + 20 + 30 + 3 + 4 + 5, 1072L), MachineLoad.Processors("cpu  10 20 30 900 100 3 4 5 7 8"));

    [Fact]
    public void Another_text_tells_no_load() => Assert.Null(MachineLoad.Processors("intr 1 2 3 4 5 6 7 8 9"));

    [Fact]
    public void A_process_counts_with_its_ended_children_whatever_its_name() =>
        Assert.Equal((7, 10L + 20 + 30 + 40), MachineLoad.OfProcess("42 (a) S 1 (b) R 7 42 42 0 -1 4194304 100 200 0 0 10 20 30 40 20 0 1 0 5"));

    [Fact]
    public void What_the_race_uses_itself_is_no_load()
    {
        var begin = new MachineLoad.Reading(Busy: 1000, Total: 10_000, Own: 500);

        Assert.Equal(0.25, MachineLoad.Share(begin, new(Busy: 1800, Total: 11_000, Own: 1050)));
        Assert.Equal(0, MachineLoad.Share(begin, new(Busy: 1800, Total: 11_000, Own: 1300)));
        Assert.Equal(0, MachineLoad.Share(begin, begin));
    }

    [Theory]
    [InlineData(false, "other programs use 40 % of the")]
    [InlineData(true, "during the race other programs used 40 % of the")]
    public void A_busy_machine_is_warned_of(bool isOver, string words) => Assert.Contains(words, MachineLoad.Warning(0.4, isOver), StringComparison.Ordinal);

    [Fact]
    public void A_quiet_machine_or_one_that_does_not_tell_is_not()
    {
        Assert.Null(MachineLoad.Warning(0.05, isOver: false));
        Assert.Null(MachineLoad.Warning(null, isOver: true));
    }

    [Fact]
    public void A_program_of_its_own_is_measured()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells.");
        var load = MachineLoad.Begin([0]);
        Assert.InRange(load!.Others()!.Value, 0, 1);
    }
}
