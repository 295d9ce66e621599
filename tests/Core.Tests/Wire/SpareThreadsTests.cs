namespace Slipstream.Core.Wires;

public sealed class SpareThreadsTests
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
            SpareThreads.Interruptions.Begin(() =>
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
            SpareThreads.Interruptions.Begin(done.SetResult);
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
                SpareThreads.Interruptions.Begin(() => Interlocked.Increment(ref done));
        })));
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref done) == 4000, Patience), $"{done} of 4000 ran");
    }
}
