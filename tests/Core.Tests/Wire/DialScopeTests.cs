using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

public sealed class DialScopeTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public void Its_time_ends_it_without_a_thread_of_the_pool()
    {
        using var scope = new DialScope(50, default);
        using var ended = new ManualResetEventSlim();
        var ofThePool = true;
        using var listening = scope.Token.UnsafeRegister(
            _ =>
            {
                ofThePool = Thread.CurrentThread.IsThreadPoolThread;
                ended.Set();
            },
            null);
        var connection = new Connection();
        scope.Attach(connection);
        Assert.True(ended.Wait(Patience));
        Assert.False(ofThePool);
        Assert.True(scope.HasEnded);
        Assert.True(SpinWait.SpinUntil(() => connection.IsDisposed, Patience));
        Assert.Equal(WireFailure.TimedOut, scope.Ended(new Endpoint("server", 1), "connecting").Failure);
    }

    [Fact]
    public void Its_time_is_over_when_the_clock_says_so_whoever_has_noticed()
    {
        using var scope = new DialScope(1, default);
        using var endless = new DialScope(0, default);
        for (var begun = Clock.Now; Clock.Now <= begun + 1;)
            Thread.SpinWait(10);
        Assert.True(scope.IsOutOfTime);
        Assert.Equal(WireFailure.TimedOut, scope.Ended(new Endpoint("server", 1), "starting TLS").Failure);
        Assert.False(endless.IsOutOfTime);
        using var callers = new CancellationTokenSource();
        using var given = new DialScope(0, callers.Token);
        callers.Cancel();
        Assert.True(given.IsOutOfTime);
    }

    [Fact]
    public void One_that_has_succeeded_or_is_over_is_not_ended_by_its_time()
    {
        var connection = new Connection();
        using var scope = new DialScope(500, default);
        Assert.True(scope.TryComplete());
        scope.Attach(connection);
        var over = new DialScope(500, default);
        over.Dispose();
        // Longer than two rounds of the sweeper.
        Thread.Sleep(500 + 3 * Deadlines.TickMilliseconds);
        Assert.False(scope.HasEnded || over.HasEnded || connection.IsDisposed);
    }

    [Fact]
    public void What_listens_may_throw()
    {
        using var scope = new DialScope(20, default);
        using var ended = new ManualResetEventSlim();
        using var listening = scope.Token.UnsafeRegister(
            _ =>
            {
                ended.Set();
                throw new InvalidOperationException("somebody's code");
            },
            null);
        Assert.True(ended.Wait(Patience));
    }

    private sealed class Connection : IDisposable
    {
        public bool IsDisposed { get; private set; }

        public void Dispose() => IsDisposed = true;
    }
}
