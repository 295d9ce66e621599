using System.Collections.Concurrent;
using Slipstream.Core.Clusters;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>How often the application's source is asked, and what becomes of its answers.</summary>
public sealed class SourcePollTests : IDisposable
{
    private readonly ConcurrentQueue<HostsListed> _lists = new();
    private readonly ConcurrentQueue<string> _refusals = new();
    private readonly ConcurrentQueue<Exception> _failures = new();
    private readonly Source _source = new();
    private readonly SourcePoll _poll;

    public SourcePollTests() => _poll = new(
        _source, new() { DefaultPort = 1 }, one => _lists.Enqueue((HostsListed)one), (_, because) => _refusals.Enqueue(because), _failures.Enqueue);

    public void Dispose() => _poll.Dispose();

    [Fact]
    public void One_call_at_a_time_in_its_interval()
    {
        var answer = _source.Answer = new();
        var now = Clock.Now;
        _poll.Tick(now, false);
        Eventually.True(() => _source.Calls == 1);
        _poll.Tick(now + 1_000_000, true);
        Assert.Equal(1, _source.Calls);
        answer.SetResult([new("a"), new("b", 2)]);
        Eventually.True(() => _lists.Count == 1);
        Assert.Equal(["a:1", "b:2"], _lists.First().Hosts);

        // Not before the interval has passed; while there is no primary, every five seconds.
        now = Clock.Now;
        TickAgain(now + 1_000_000, false);
        Eventually.True(() => _lists.Count == 2 && !_poll.IsAsking);
        _poll.Tick(now + 1_004_999, true);
        Assert.Equal(2, _source.Calls);
        TickAgain(now + 1_005_000, true);
    }

    [Fact]
    public void A_failure_is_reported_and_the_next_call_follows()
    {
        (_source.Answer = new()).SetException(new InvalidOperationException("down"));
        _poll.Tick(Clock.Now, false);
        Eventually.True(() => _failures.Count == 1);
        Assert.Equal("down", _poll.Failure!.Message);
        Assert.Empty(_lists);
        (_source.Answer = new()).SetResult([new("a")]);
        TickAgain(Clock.Now + 1_000_000, false);
        Eventually.True(() => _lists.Count == 1);
        Assert.Null(_poll.Failure);
    }

    // The source registers it on the token of the call.
    [Theory, InlineData(false), InlineData(true)]
    public void A_callback_that_throws_or_waits_does_not_disturb_the_end(bool waits)
    {
        using var mayEnd = new ManualResetEventSlim();
        var isCanceled = false;
        _source.Answer = new();
        _source.OnCancel = () =>
        {
            Volatile.Write(ref isCanceled, true);
            if (!waits)
                throw new InvalidOperationException("callback");
            mayEnd.Wait(TestContext.Current.CancellationToken);
        };
        _poll.Tick(Clock.Now, false);
        Eventually.True(() => _source.Calls == 1);
        _poll.Dispose();
        Eventually.True(() => Volatile.Read(ref isCanceled));
        mayEnd.Set();
    }

    [Fact]
    public void An_empty_list_and_null_are_reported()
    {
        (_source.Answer = new()).SetResult([]);
        _poll.Tick(Clock.Now, false);
        Eventually.True(() => _refusals.Count == 1);
        (_source.Answer = new()).SetResult(null!);
        TickAgain(Clock.Now + 1_000_000, false);
        Eventually.True(() => _refusals.Count == 2);
        Assert.All(_refusals, static one => Assert.Equal("it names no server", one));
    }

    [Fact]
    public void After_the_disposal_the_call_is_cancelled_and_nothing_is_reported()
    {
        _source.Answer = new();
        _poll.Tick(Clock.Now, false);
        Eventually.True(() => _source.Calls == 1);
        _poll.Dispose();
        Eventually.True(() => _source.Token.IsCancellationRequested);
        _poll.Tick(Clock.Now + 1_000_000, true);
        Assert.Equal(1, _source.Calls);
        Assert.Empty(_failures);
    }

    // The former call may not have ended yet.
    // The tick after a call that has ended begins exactly one.
    private void TickAgain(long now, bool isSearching)
    {
        Eventually.True(() => !_poll.IsAsking);
        var calls = _source.Calls;
        _poll.Tick(now, isSearching);
        Eventually.True(() => _source.Calls == calls + 1);
    }

    private sealed class Source : ITopologySource
    {
        private int _calls;

        public TaskCompletionSource<IReadOnlyList<TopologyMember>> Answer { get; set; } = new();

        public int Calls => Volatile.Read(ref _calls);

        public CancellationToken Token { get; private set; }

        public Action? OnCancel { get; set; }

        public bool RequiresVerifiedServers => false;

        public ValueTask<IReadOnlyList<TopologyMember>> GetMembersAsync(CancellationToken cancellationToken)
        {
            Token = cancellationToken;
            if (OnCancel is { } callback)
                cancellationToken.Register(callback);
            Interlocked.Increment(ref _calls);
            return new(Answer.Task);
        }
    }
}
