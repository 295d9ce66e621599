using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>Callers that block on the engine's threads. Time limits only prevent hanging.</summary>
public class EngineThreadsTests
{
    private static readonly TimeSpan Hang = TimeSpan.FromSeconds(60);

    private readonly CompletionEngine? _engine = CompletionEngine.TryCreate();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Every_continuation_may_block_on_another_answer(bool asynchronous)
    {
        Assert.SkipWhen(_engine is null, "The own engine needs Linux on x64 or arm64.");
        const int Callers = 24;
        using var peer = new EchoPeer();
        var finished = 0;
        var callers = Enumerable.Range(0, Callers).Select(_ => Task.Run(async () =>
        {
            using var outer = await peer.ConnectAsync(_engine);
            using var inner = await peer.ConnectAsync(_engine);
            for (var i = 0; i < 20; i++)
            {
                await EngineTransportTests.EchoAsync(outer).ConfigureAwait(false);
                if (asynchronous)
                    EngineTransportTests.EchoAsync(inner).GetAwaiter().GetResult();
                else
                    EngineTransportTests.Echo(inner);
            }

            Interlocked.Increment(ref finished);
        })).ToArray();
        await Task.WhenAll(callers).WaitAsync(Hang);
        Assert.Equal(Callers, finished);
        if (asynchronous)
            Assert.True(_engine.Threads.Started > 1, "Somebody else must have completed what the first thread waited for.");
    }

    [Fact]
    public async Task A_thread_that_is_held_for_long_is_replaced_and_given_back()
    {
        Assert.SkipWhen(_engine is null, "The own engine needs Linux on x64 or arm64.");
        using var peer = new EchoPeer();
        using var held = await peer.ConnectAsync(_engine);
        using var other = await peer.ConnectAsync(_engine);
        using var release = new ManualResetEventSlim();
        var holding = Task.Run(async () =>
        {
            // An answer that has already arrived is taken on the thread that asks for it.
            do
                await EngineTransportTests.EchoAsync(held).ConfigureAwait(false);
            while (EngineWorker.Current is null);
            release.Wait();
        });
        for (var i = 0; i < 100; i++)
            await EngineTransportTests.EchoAsync(other).WaitAsync(Hang);
        // The held thread does not keep the other one from polling.
        await EngineTransportTests.OffTheEngine(() => _engine.Threads is { Count: 2, Ready: 1 });
        release.Set();
        await holding.WaitAsync(Hang);
        await EngineTransportTests.OffTheEngine(() => _engine.Threads.Count == 1);
        await EngineTransportTests.EchoAsync(other).WaitAsync(Hang);
    }

    [Fact]
    public async Task All_get_their_turn()
    {
        Assert.SkipWhen(_engine is null, "The own engine needs Linux on x64 or arm64.");
        using var peer = new EchoPeer();
        var counts = new int[32];
        var enough = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var missing = counts.Length;
        var stop = false;
        var callers = Enumerable.Range(0, counts.Length).Select(caller => Task.Run(async () =>
        {
            using var transport = await peer.ConnectAsync(_engine);
            while (!Volatile.Read(ref stop))
            {
                await EngineTransportTests.EchoAsync(transport).ConfigureAwait(false);
                if (++counts[caller] == 200 && Interlocked.Decrement(ref missing) == 0)
                    enough.SetResult();
            }
        })).ToArray();
        await enough.Task.WaitAsync(Hang);
        Volatile.Write(ref stop, true);
        await Task.WhenAll(callers).WaitAsync(Hang);
    }
}
