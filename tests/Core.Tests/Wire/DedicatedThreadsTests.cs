using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

public sealed class DedicatedThreadsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Many_that_block_run_at_the_same_time_on_threads_that_are_not_the_pools()
    {
        const int Count = 60;
        using var go = new ManualResetEventSlim();
        var ofThePool = 0;
        var all = Enumerable.Range(0, Count).Select(static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).ToArray();
        var over = Enumerable.Range(0, Count).Select(static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).ToArray();
        for (var i = 0; i < Count; i++)
        {
            var number = i;
            DedicatedThreads.Interruptions.Begin(() =>
            {
                if (Thread.CurrentThread.IsThreadPoolThread)
                    Interlocked.Increment(ref ofThePool);
                all[number].SetResult();
                go.Wait(Patience);
                over[number].SetResult();
            });
        }

        // None ends before all have begun.
        await Task.WhenAll(all.Select(static one => one.Task)).WaitAsync(Patience);
        go.Set();
        await Task.WhenAll(over.Select(static one => one.Task)).WaitAsync(Patience);
        Assert.Equal(0, ofThePool);
    }

    [Fact]
    public async Task One_after_the_other_is_begun_too()
    {
        for (var i = 0; i < 2000; i++)
        {
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            DedicatedThreads.Interruptions.Begin(done.SetResult);
            await done.Task.WaitAsync(Patience);
        }
    }

    [Fact]
    public async Task Beginners_on_many_threads_lose_none()
    {
        var done = 0;
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() =>
        {
            for (var i = 0; i < 500; i++)
                DedicatedThreads.Interruptions.Begin(() => Interlocked.Increment(ref done));
        })));
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref done) == 4000, Patience), $"{done} of 4000 ran");
    }

    [Fact]
    public async Task When_no_thread_can_be_started_the_one_that_is_kept_does_everything_one_after_the_other()
    {
        var room = 1;
        var threads = new DedicatedThreads("test", 1, (work, name) => Interlocked.Decrement(ref room) >= 0 && OwnThread.TryStart(work, name));
        Assert.True(threads.TryKeepOne());
        for (var i = 0; i < 20; i++)
        {
            var all = Enumerable.Range(0, 3).Select(static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).ToArray();
            foreach (var one in all)
                threads.Begin(one.SetResult);
            await Task.WhenAll(all.Select(static one => one.Task)).WaitAsync(Patience);
            // Longer than an idle thread waits: the kept one stays.
            await Task.Delay(3);
        }
    }

    [Fact]
    public async Task A_thread_that_could_not_be_started_is_told_to_who_needs_it_and_keeps_nobody_from_starting_the_next()
    {
        var isFull = true;
        var threads = new DedicatedThreads("test", 1000, (work, name) => !Volatile.Read(ref isFull) && OwnThread.TryStart(work, name));
        Assert.False(threads.TryKeepOne());
        var hasRun = false;
        var failure = Assert.Throws<WireException>(() => threads.Begin(() => hasRun = true));
        Assert.Contains("limit", failure.Message, StringComparison.Ordinal);
        Volatile.Write(ref isFull, false);
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        threads.Begin(done.SetResult);
        await done.Task.WaitAsync(Patience);
        Assert.False(hasRun, "What its asker took for failed has run all the same.");
        Assert.True(threads.TryKeepOne());
    }
}
