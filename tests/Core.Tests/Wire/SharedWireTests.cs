using System.Threading.Channels;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>Whose answer is whose on a shared connection, and what its callers hear when it breaks. Messages are a byte of length and as many bytes; one that ends with 0 ends an answer.</summary>
public class SharedWireTests
{
    [Fact]
    public async Task Each_caller_gets_its_own_answer_whole()
    {
        var (shared, peer) = Start();
        var (one, other) = (shared.Open(), shared.Open());
        one.Send([1, 7]);
        other.Send([1, 8]);
        var (first, second) = (Receive(one), Receive(other));
        await peer.Answer([2, 7, 9]);
        Assert.False(first.IsCompleted);
        await peer.Answer([2, 7, 0, 2, 8]);
        Assert.Equal([2, 7, 9, 2, 7, 0], await first);
        Assert.False(second.IsCompleted);
        await peer.Answer([0]);
        Assert.Equal([2, 8, 0], await second);
        Assert.True(one.IsSettled && other.IsSettled);
        Assert.Equal((6L, 3L), (one.AnswerBytes, other.AnswerBytes));
        Assert.Equal(0, shared.Depth);
    }

    [Fact]
    public async Task The_answer_of_who_has_gone_reaches_nobody()
    {
        var (shared, peer) = Start();
        var (gone, other) = (shared.Open(), shared.Open());
        gone.Send([1, 7]);
        other.Send([1, 8]);
        var (first, second) = (Receive(gone), Receive(other));
        gone.Shutdown();
        Assert.True((await Assert.ThrowsAsync<WireException>(() => first)).IsGivenUp);
        await peer.Answer([2, 7, 0, 2, 8, 0]);
        Assert.Equal([2, 8, 0], await second);
        Assert.Equal(1, shared.Dropped);
        Assert.False(gone.IsSettled);
        Assert.Null(shared.Failure);
    }

    [Fact]
    public async Task A_connection_that_breaks_tells_those_whose_bytes_had_not_left()
    {
        var broken = 0;
        var (shared, peer) = Start(() => broken++);
        var (sent, waiting, late) = (shared.Open(), shared.Open(), shared.Open());
        peer.HoldBack();
        sent.Send([1, 7]);
        // The first send is under way and takes no more along.
        waiting.Send([1, 8]);
        var (first, second) = (Receive(sent), Receive(waiting));
        peer.Break();
        Assert.Equal(RetrySafety.Unknown, (await Assert.ThrowsAsync<WireException>(() => first)).RetrySafety);
        Assert.Equal(RetrySafety.NotSent, (await Assert.ThrowsAsync<WireException>(() => second)).RetrySafety);
        Assert.Equal(RetrySafety.NotSent, Assert.Throws<WireException>(() => late.Send([1, 9])).RetrySafety);
        Assert.Equal(1, broken);
        Assert.Equal(0, shared.Depth);
    }

    [Fact]
    public async Task An_answer_to_nothing_breaks_the_connection()
    {
        var broken = new TaskCompletionSource();
        var (shared, peer) = Start(broken.SetResult);
        await peer.Answer([2, 7, 0]);
        await broken.Task;
        Assert.IsType<ProtocolException>(shared.Failure);
    }

    [Fact]
    public async Task What_comes_behind_the_last_answer_is_nobodys_and_those_who_were_answered_keep_theirs()
    {
        var broken = new TaskCompletionSource();
        var (shared, peer) = Start(broken.SetResult);
        var caller = shared.Open();
        caller.Send([1, 7]);
        var answer = Receive(caller);
        await peer.Answer([2, 7, 0, 2, 8, 0]);
        Assert.Equal([2, 7, 0], await answer);
        await broken.Task;
        Assert.IsType<ProtocolException>(shared.Failure);
    }

    [Fact]
    public async Task A_large_answer_is_passed_on_as_it_is_taken_and_the_next_waits_behind_it()
    {
        var (shared, peer) = Start();
        var (large, next) = (shared.Open(), shared.Open());
        large.Send([1, 7]);
        next.Send([1, 8]);
        var small = Receive(next);
        var room = new byte[4 << 20];
        var part = large.ReceiveAsync(room);
        var message = new byte[201];
        message[0] = 200;
        message.AsSpan(1).Fill(1);
        var block = new byte[201 * 100];
        for (var i = 0; i < 100; i++)
            message.CopyTo(block, i * 201);
        long sent = 0, taken = 0;
        // How much a part has, and so how much must come until it does, depends on when the one before was taken.
        for (var parts = 0; parts < 2;)
        {
            for (var i = 0; i < 50; i++, sent += block.Length)
                await peer.Answer(block);
            await Task.Delay(1);
            if (!part.IsCompleted)
                continue;
            parts++;
            taken += await part;
            Assert.True(shared.IsStreaming);
            part = large.ReceiveAsync(room);
        }

        Assert.InRange(taken, 1 << 20, sent);
        Assert.False(small.IsCompleted || large.IsSettled);
        await peer.Answer([1, 0, 2, 8, 0]);
        for (taken += await part; taken < sent + 2;)
            taken += await large.ReceiveAsync(room);
        Assert.Equal(sent + 2, taken);
        Assert.Equal([2, 8, 0], await small);
        Assert.False(shared.IsStreaming);
        Assert.True(large.IsSettled);
    }

    [Fact]
    public async Task A_blocking_receive_hears_of_the_end_too()
    {
        var (shared, peer) = Start();
        var caller = shared.Open();
        caller.Send([1, 7]);
        var receiving = Task.Factory.StartNew(() => caller.Receive(new byte[10]), TaskCreationOptions.LongRunning);
        peer.Break();
        await Assert.ThrowsAsync<WireException>(() => receiving);
    }

    private static async Task<byte[]> Receive(SharedTransport caller)
    {
        var room = new byte[100];
        var count = await caller.ReceiveAsync(room);
        return room[..count];
    }

    private static (SharedWire Shared, FakePeer Peer) Start(Action? broken = null)
    {
        var peer = new FakePeer();
        var shared = new SharedWire(new Wire(peer), new Bounds()) { Broken = broken };
        shared.Start();
        return (shared, peer);
    }

    [Fact]
    public async Task Its_end_is_told_when_nobody_is_sending_any_more()
    {
        var ended = 0;
        var (shared, peer) = Start();
        peer.HoldBack();
        var caller = shared.Open();
        caller.Send([1, 7]);
        // The answer is there before its sender has come back from the send.
        await peer.Answer([2, 7, 0]);
        Assert.Equal([2, 7, 0], await Receive(caller));
        shared.End(() => ended++);
        Assert.Equal(0, ended);
        peer.LetGo();
        Assert.Equal(1, ended);

        (shared, _) = Start();
        shared.End(() => ended++);
        Assert.Equal(2, ended);
    }

    [Fact]
    public void Its_end_is_told_when_the_send_under_way_fails()
    {
        var ended = 0;
        var (shared, peer) = Start();
        peer.HoldBack();
        shared.Open().Send([1, 7]);
        shared.End(() => ended++);
        Assert.Equal(0, ended);
        peer.LetGo(new WireException(WireFailure.Lost, "gone"));
        Assert.Equal(1, ended);
    }

    private sealed class Bounds : AnswerBounds
    {
        public override int FindRequests(ReadOnlySpan<byte> sent, Span<byte> kinds)
        {
            var count = 0;
            for (; sent.Length > 0; sent = sent[(1 + sent[0])..])
                kinds[count++] = sent[1];
            return count;
        }

        public override int Take(ReadOnlySpan<byte> arrived, byte kind, out bool ended, out int wanted)
        {
            var at = 0;
            ended = false;
            wanted = 0;
            while (!ended && at < arrived.Length && at + arrived[at] < arrived.Length)
            {
                at += 1 + arrived[at];
                ended = arrived[at - 1] == 0;
            }

            return at;
        }
    }

    private sealed class FakePeer : ITransport
    {
        private readonly Channel<byte[]> _answers = Channel.CreateUnbounded<byte[]>();
        private readonly TaskCompletionSource _sent = new();
        private bool _holdsBack;
        private byte[] _left = [];

        public ValueTask Answer(byte[] bytes) => _answers.Writer.WriteAsync(bytes);

        public void HoldBack() => _holdsBack = true;

        public void LetGo(Exception? failure = null)
        {
            if (failure is null)
                _sent.SetResult();
            else
                _sent.SetException(failure);
        }

        public void Break() => _answers.Writer.TryComplete(new WireException(WireFailure.Lost, "gone"));

        public async ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            try
            {
                if (_left.Length == 0)
                    _left = await _answers.Reader.ReadAsync();
            }
            catch (ChannelClosedException exception)
            {
                throw exception.InnerException!;
            }

            var count = Math.Min(room.Length, _left.Length);
            _left.AsSpan(0, count).CopyTo(room.Span);
            _left = _left[count..];
            return count;
        }

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => _holdsBack ? new(_sent.Task) : default;

        public int Receive(Span<byte> room) => throw new NotSupportedException();

        public void Send(ReadOnlySpan<byte> bytes) => throw new NotSupportedException();

        public ITransport Upgrade() => throw new NotSupportedException();

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException();

        public bool IsReadable => false;

        public bool HasWaitedAsynchronously => true;

        public PeerTrust Trust => default;

        public string Peer => "peer";

        public void Shutdown() => Break();

        public void Dispose() => Break();
    }
}
