using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;

namespace Slipstream.Core.Tests.Wires;

public class DeadlinesTests
{
    [Fact]
    public void Expires_after_its_time_and_not_before()
    {
        var target = new Target();
        Deadlines.Watch(target);
        target.Arm(120);
        Eventually.True(() => target.ExpiredAt != 0);
        Assert.InRange(target.ExpiredAt - target.ArmedAt, 120, 30_000);
        Deadlines.Forget(target);
    }

    [Fact]
    public void A_sleeping_sweeper_is_woken_by_a_new_deadline()
    {
        var target = new Target();
        Deadlines.Watch(target);
        for (var round = 0; round < 5; round++)
        {
            // Longer than a tick without any deadline: the sweeper sleeps, unless other tests wake it.
            Thread.Sleep(3 * Deadlines.TickMilliseconds);
            target.ExpiredAt = 0;
            target.Arm(1);
            Eventually.True(() => target.ExpiredAt != 0);
        }

        Deadlines.Forget(target);
    }

    [Fact]
    public void What_is_forgotten_is_left_alone()
    {
        var target = new Target();
        Deadlines.Watch(target);
        Deadlines.Forget(target);
        target.Arm(1);
        // Some ticks of the sweeper: it would expire the target at one of them.
        Thread.Sleep(4 * Deadlines.TickMilliseconds);
        Assert.Equal(0, target.ExpiredAt);
    }

    [Fact]
    public void Many_deadlines_expire_each_once()
    {
        var targets = Enumerable.Range(0, 200).Select(_ => new Target()).ToArray();
        foreach (var target in targets)
            Deadlines.Watch(target);
        foreach (var target in targets)
            target.Arm(Random.Shared.Next(1, 100));
        Eventually.True(() => targets.All(target => target.ExpiredAt != 0));
        // More ticks of the sweeper: a second expiration would come at one of them.
        Thread.Sleep(2 * Deadlines.TickMilliseconds);
        Assert.All(targets, target => Assert.Equal(1, target.Expirations));
        foreach (var target in targets)
            Deadlines.Forget(target);
    }

    [Fact]
    public void Watching_keeps_nothing_alive()
    {
        var reference = WatchGarbage();
        Eventually.True(() =>
        {
            GC.Collect();
            return !reference.IsAlive;
        });
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference WatchGarbage()
    {
        var target = new Target();
        Deadlines.Watch(target);
        return new WeakReference(target);
    }

    [Fact]
    public void Without_a_thread_nothing_is_watched_and_the_next_one_who_asks_is_served()
    {
        var room = 0;
        bool TryStart(ThreadStart work, string name) => room-- > 0 && OwnThread.TryStart(work, name);
        var sweeper = new DeadlineSweeper(new DedicatedThreads("test", 100, TryStart), 10, TryStart);
        var target = new Target(sweeper.Noticed);
        // First no thread for the interruptions, then one for these but none for the sweeper itself.
        for (room = 0; room < 2; room++)
        {
            var before = room;
            Assert.Equal(WireFailure.Unreachable, Assert.Throws<WireException>(() => sweeper.Watch(target)).Failure);
            room = before;
        }

        room = 2;
        sweeper.Watch(target);
        target.Arm(1);
        Eventually.True(() => target.ExpiredAt != 0);
    }

    [Fact]
    public void One_that_throws_when_its_time_is_over_ends_neither_the_sweeper_nor_the_process()
    {
        var sweeper = new DeadlineSweeper(new DedicatedThreads("test", 100), 10);
        var thrower = new Target(sweeper.Noticed) { Expired = static () => throw new OutOfMemoryException() };
        var target = new Target(sweeper.Noticed);
        sweeper.Watch(target);
        sweeper.Watch(thrower);
        thrower.Arm(1);
        Eventually.True(() => thrower.ExpiredAt != 0);
        target.Arm(1);
        Eventually.True(() => target.ExpiredAt != 0);
    }

    private sealed class Target(Action? noticed = null) : IDeadlined
    {
        private long _due = Clock.Never;
        private long _expiredAt;

        public long ArmedAt { get; private set; }

        public int Expirations { get; private set; }

        public long ExpiredAt
        {
            get => Volatile.Read(ref _expiredAt);
            set => Volatile.Write(ref _expiredAt, value);
        }

        public long Due => Volatile.Read(ref _due);

        public void Arm(long milliseconds)
        {
            ArmedAt = Clock.Now;
            Volatile.Write(ref _due, Clock.In(milliseconds));
            (noticed ?? Deadlines.Noticed)();
        }

        public Action? Expired { get; init; }

        public void Expire(long now)
        {
            Volatile.Write(ref _due, Clock.Never);
            Expirations++;
            ExpiredAt = now;
            Expired?.Invoke();
        }
    }
}
