using Slipstream.Bench;

namespace Slipstream.PeerRace.Tests;

public class SampleTests
{
    private static readonly (double Cpu, long WakeUps) Used = (4_000, 20);

    [Fact]
    public void Figures_are_for_one_operation()
    {
        var sample = Sample.Parse("200 2000000 7:42", Used, static check => check == "7:42");

        Assert.Equal(new Sample(100, 20, 0.1), sample);
    }

    [Theory]
    [InlineData("0 2000000 7:42")]
    [InlineData("200 2000000 7:43")]
    [InlineData("200 0 7:42")]
    [InlineData("200 7:42")]
    [InlineData("-5 2000000 7:42")]
    [InlineData("")]
    public void An_answer_without_right_rows_is_no_sample(string answer) =>
        Assert.Throws<InvalidOperationException>(() => Sample.Parse(answer, Used, static check => check == "7:42"));

    [Fact]
    public void A_process_has_the_usage_of_its_threads()
    {
        var (cpu, wakeUps) = ProcessUsage.Of(Environment.ProcessId).Since(new(0, []));

        Assert.True(cpu > 0);
        Assert.True(wakeUps > 0);
    }

    [Fact]
    public void The_wake_ups_of_a_thread_that_has_ended_do_not_count()
    {
        var earlier = new ProcessUsage(100, new() { ["lasts"] = 10, ["ends"] = 1_000 });
        var later = new ProcessUsage(150, new() { ["lasts"] = 12, ["begins"] = 3 });

        Assert.Equal((50.0, 5L), later.Since(earlier));
    }
}
