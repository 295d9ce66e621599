using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;

namespace Slipstream.Core.Tests.Pooling;

/// <summary>A pool whose server is not used any more: its callers go elsewhere, and its sessions in use can be ended.</summary>
public sealed class DivertedCallersTests : IDisposable
{
    private readonly FakeFactory _factory = new();
    private readonly object _holder = new();
    private readonly SessionPool<FakePooledSession> _pool;

    public DivertedCallersTests() => _pool = new(_factory, new(0, 2, 0, 0), "fake");

    public void Dispose() => _pool.Dispose();

    [Theory, InlineData(false), InlineData(true)]
    public async Task Callers_that_wait_for_a_session_get_the_cause(bool asynchronously)
    {
        var (one, two) = (_pool.Lease(_holder, 1000), _pool.Lease(_holder, 1000));
        Assert.False(_pool.HasRoom);
        var waiting = asynchronously
            ? _pool.LeaseAsync(_holder, 60_000, TestContext.Current.CancellationToken).AsTask()
            : Task.Run(() => _pool.Lease(_holder, 60_000));
        while (_pool.GetStatistics().Waiting == 0)
            await Task.Yield();
        var cause = new WireException(WireFailure.Unreachable, "the cause");
        _pool.Divert(cause);
        Assert.Same(cause, await Assert.ThrowsAsync<WireException>(() => waiting));
        _pool.Return(one);
        _pool.Return(two);
        Assert.Contains(_pool.Lease(_holder, 1000), new List<FakePooledSession> { one, two });
    }

    [Fact]
    public void Only_sessions_in_use_for_which_the_condition_holds_are_ended()
    {
        var (one, two) = (_pool.Lease(_holder, 1000), _pool.Lease(_holder, 1000));
        _pool.Cut("the reason", static (session, number) => session.Number == number, one.Number);
        Assert.Equal(("the reason", false), (one.BrokenBecause, two.IsBroken));
        _pool.Return(one);
        _pool.Return(two);
        Assert.True(one.IsClosed);
        _pool.Cut("the reason", static (_, _) => true, 0);
        Assert.False(two.IsBroken);
    }

    [Fact]
    public void Room_and_load_count_idle_sessions_and_places()
    {
        Assert.Equal((true, 0), (_pool.HasRoom, _pool.Load));
        var (one, two) = (_pool.Lease(_holder, 1000), _pool.Lease(_holder, 1000));
        Assert.Equal((false, 2), (_pool.HasRoom, _pool.Load));
        _pool.Return(one);
        Assert.Equal((true, 1), (_pool.HasRoom, _pool.Load));
        _pool.Return(two);
    }
}
