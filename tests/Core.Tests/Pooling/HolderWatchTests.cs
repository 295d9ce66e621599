using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;

namespace Slipstream.Core.Tests.Pooling;

public class HolderWatchTests
{
    [Fact]
    public void It_knows_who_leases_and_forgets_who_gave_back()
    {
        var watch = new LeakDetector();
        Assert.Null(watch.Holder);
        Assert.False(watch.IsLeaked);
        var holder = new object();
        watch.Holder = holder;
        Assert.Same(holder, watch.Holder);
        Assert.False(watch.IsLeaked);
        watch.Holder = null;
        Assert.Null(watch.Holder);
        Assert.False(watch.IsLeaked);
        GC.KeepAlive(holder);
    }

    [Fact]
    public void Whose_holder_is_garbage_has_leaked()
    {
        var watch = new LeakDetector();
        watch.Holder = this;
        watch.Holder = null;
        Lease(watch);
        Eventually.True(() =>
        {
            GC.Collect();
            return watch.IsLeaked;
        });
        watch.Holder = null;
        Assert.False(watch.IsLeaked);
    }

    // The sweeper checks while others lease and return: one wrong answer, and it would close a session that is in use.
    [Fact]
    public async Task A_lease_that_begins_or_ends_just_now_has_not_leaked()
    {
        var watch = new LeakDetector();
        var holder = new object();
        var stop = false;
        var leases = 0;
        var user = Eventually.OnThread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                watch.Holder = holder;
                watch.Holder = null;
                leases++;
            }
        });
        var looks = 0;
        for (; looks < 3_000_000; looks++)
            if (watch.IsLeaked)
                break;
        Volatile.Write(ref stop, true);
        await user;
        Assert.True(looks == 3_000_000, $"After {leases} leases by a holder that lives one was taken for leaked.");
        GC.KeepAlive(holder);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Lease(LeakDetector watch) => watch.Holder = new object();
}
