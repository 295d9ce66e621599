using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Sessions;

/// <summary>The user of a session as the sweeper sees it while leases begin and end.</summary>
public class LeaseTests
{
    [Fact]
    public void No_lease_that_begins_or_ends_looks_like_a_leak()
    {
        var session = new FakeSession(new MemoryTransport());
        var (first, second) = (new object(), new object());
        var isOver = false;
        var leaks = 0;
        var sweeper = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
                leaks += session.IsLeaked ? 1 : 0;
        });
        sweeper.Start();
        for (var i = 0; i < 3_000_000; i++)
        {
            session.Holder = first;
            if (i % 16 == 0)
                session.Holder = second;
            session.Holder = null;
        }

        Volatile.Write(ref isOver, true);
        sweeper.Join();
        Assert.Equal(0, leaks);
        GC.KeepAlive(first);
        GC.KeepAlive(second);
    }

    [Fact]
    public void A_holder_that_is_gone_is_a_leak_until_the_session_comes_back()
    {
        var session = new FakeSession(new MemoryTransport());
        Assert.False(session.IsLeaked);
        LeaseAndForget(session);
        Eventually.True(() =>
        {
            GC.Collect();
            return session.IsLeaked;
        });
        session.Holder = null;
        Assert.False(session.IsLeaked);
        session.Holder = this;
        Assert.False(session.IsLeaked);
    }

    [Theory]
    [InlineData(false, Wire.NormalCapacity)]
    [InlineData(true, Wire.StreamingCapacity)]
    public void A_lent_buffer_goes_back_with_the_lease_unless_somebody_may_still_receive_into_it(bool isClosedUnderACommand, int capacity)
    {
        var session = new FakeSession(new MemoryTransport());
        for (var receive = 0; receive < 8; receive++)
        {
            session.Wire.Advance(session.Wire.FreeSpan().Length);
            session.Wire.Start = session.Wire.End;
        }

        Assert.Equal(Wire.StreamingCapacity, session.Wire.In.Length);
        if (isClosedUnderACommand)
            session.Break("the connection was closed while a command was running");
        session.Released();
        Assert.Equal(capacity, session.Wire.In.Length);
    }

    [Fact]
    public void A_socket_is_not_checked_again_within_fifty_microseconds()
    {
        const long Now = 1_000_000_000;
        using var transport = new MemoryTransport();
        var session = new FakeSession(transport);
        Assert.True(session.IsAliveAt(Now));
        transport.CloseByPeer();
        Assert.True(session.IsAliveAt(Now + Clock.FiftyMicroseconds - 1));
        Assert.False(session.IsAliveAt(Now + Clock.FiftyMicroseconds));
        Assert.False(session.IsAliveAt(Now + Clock.FiftyMicroseconds + 1));
    }

    [Fact]
    public void A_socket_is_checked_after_every_exchange()
    {
        const long Now = 1_000_000_000;
        using var transport = new MemoryTransport();
        var session = new FakeSession(transport);
        Assert.True(session.IsAliveAt(Now));
        session.Wire.Out.Byte((byte)'Q');
        session.Wire.Left();
        transport.Enqueue((byte)'!');
        Assert.False(session.IsAliveAt(Now));
    }

    [Theory, InlineData(false), InlineData(true)]
    public void A_session_that_breaks_or_keeps_bytes_is_not_alive_at_any_time(bool isBroken)
    {
        const long Now = 1_000_000_000;
        using var transport = new MemoryTransport();
        var session = new FakeSession(transport);
        Assert.True(session.IsAliveAt(Now));
        if (isBroken)
            session.Break("the connection was closed while a command was running");
        else
            session.Wire.Advance(1);
        Assert.False(session.IsAliveAt(Now));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void LeaseAndForget(FakeSession session) => session.Holder = new object();
}
