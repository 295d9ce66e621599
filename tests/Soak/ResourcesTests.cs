using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Tests;

public class ResourcesTests
{
    private static readonly Resources First = new(30, 100, 8 << 20);

    [Fact]
    public void What_stays_or_wavers_is_no_growth() => Assert.Empty(new Resources(34, 110, 20 << 20).GrowthSince(First));

    [Fact]
    public void Each_growth_is_told()
    {
        Assert.Single((First with { Threads = 60 }).GrowthSince(First));
        Assert.Single((First with { Handles = 200 }).GrowthSince(First));
        Assert.Single((First with { Bytes = 64 << 20 }).GrowthSince(First));
    }

    [Fact]
    public void A_thread_and_a_handle_more_are_counted()
    {
        var before = Resources.Now();
        using var end = new ManualResetEventSlim();
        using var file = File.OpenRead("/proc/self/stat");
        var threads = Enumerable.Range(0, 16).Select(_ => new Thread(() => end.Wait()) { IsBackground = true, Name = "counted" }).ToList();
        threads.ForEach(static thread => thread.Start());
        // Other threads start and end in a test program, but not by the dozen.
        Assert.InRange(Resources.Now().Threads, before.Threads + 8, before.Threads + 64);
        end.Set();
        threads.ForEach(static thread => thread.Join());
    }
}
