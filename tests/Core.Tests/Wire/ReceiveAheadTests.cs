using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class ReceiveAheadTests
{
    // The size that TLS requests.
    private const int Record = 16 * 1024;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_is_received_ahead_is_handed_out_in_order_and_saves_receives(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous };
        var said = Bytes(40 * Record + 100);
        transport.Enqueue(said);
        var ahead = new ReceiveAhead(transport);

        var heard = new List<byte>();
        while (heard.Count < said.Length)
            heard.AddRange(await ReceiveAsync(ahead, asynchronous));

        Assert.Equal(said, heard);
        // Four records, after which it expects more, 256 KiB twice, and the rest.
        Assert.Equal(4 + 3, transport.Receives);
        Assert.False(ahead.IsHolding);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_receive_that_empties_the_socket_ends_it(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous };
        transport.Enqueue(Bytes(4 * Record + 50));
        var ahead = new ReceiveAhead(transport);
        for (var i = 0; i < 5; i++)
            await ReceiveAsync(ahead, asynchronous);
        Assert.Equal(5, transport.Receives);

        transport.Enqueue(Bytes(Record + 30));
        Assert.Equal(Record, (await ReceiveAsync(ahead, asynchronous)).Length);
        Assert.False(ahead.IsHolding);
        Assert.Equal(30, (await ReceiveAsync(ahead, asynchronous)).Length);
        Assert.Equal(7, transport.Receives);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Small_answers_are_received_as_they_come(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous };
        var ahead = new ReceiveAhead(transport);
        for (var i = 0; i < 20; i++)
        {
            transport.Enqueue(Bytes(100));
            Assert.Equal(100, (await ReceiveAsync(ahead, asynchronous)).Length);
            Assert.False(ahead.IsHolding);
        }

        // Reads in small pieces do not hold any bytes, either.
        transport.Enqueue(Bytes(1000));
        for (var i = 0; i < 10; i++)
            Assert.Equal(100, (await ReceiveAsync(ahead, asynchronous, 100)).Length);
        Assert.Equal(30, transport.Receives);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_waits_to_be_handed_out_can_be_seen(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous };
        transport.Enqueue(Bytes(6 * Record));
        var ahead = new ReceiveAhead(transport);
        for (var i = 0; i < 5; i++)
            await ReceiveAsync(ahead, asynchronous);
        Assert.False(transport.IsReadable);
        Assert.True(ahead.IsHolding);
        await ReceiveAsync(ahead, asynchronous);
        Assert.False(ahead.IsHolding);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_idle_connection_returns_the_larger_buffer_but_nothing_that_it_holds(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous };
        var ahead = new ReceiveAhead(transport);
        transport.Enqueue(Bytes(6 * Record));
        for (var i = 0; i < 5; i++)
            await ReceiveAsync(ahead, asynchronous);
        ahead.Shrink();
        Assert.Equal(Record, (await ReceiveAsync(ahead, asynchronous)).Length);
        Assert.False(ahead.IsHolding);
        Assert.Equal(5, transport.Receives);

        ahead.Shrink();
        transport.Enqueue(Bytes(3 * Record));
        for (var i = 0; i < 3; i++)
            Assert.Equal(Record, (await ReceiveAsync(ahead, asynchronous)).Length);
        // One receive for each record: the larger buffer would have taken all of them at once.
        Assert.Equal(8, transport.Receives);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_peers_end_is_told_at_its_place(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous };
        transport.Enqueue(Bytes(6 * Record));
        transport.CloseByPeer();
        var ahead = new ReceiveAhead(transport);
        for (var i = 0; i < 6; i++)
            Assert.Equal(Record, (await ReceiveAsync(ahead, asynchronous)).Length);
        Assert.Empty(await ReceiveAsync(ahead, asynchronous));
        Assert.Empty(await ReceiveAsync(ahead, asynchronous));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task After_a_short_answer_the_next_one_is_awaited_without_the_callers_buffer(bool yields)
    {
        using var transport = new MemoryTransport { Yields = yields };
        var ahead = new ReceiveAhead(transport);
        transport.Enqueue(Bytes(100));
        await ReceiveAsync(ahead, asynchronous: true);

        var wait = ahead.AwaitShortAsync();
        Assert.False(wait.IsCompleted);
        transport.Enqueue(Bytes(150));
        Assert.Equal(0, await wait);
        Assert.True(ahead.IsHolding);
        Assert.Equal(2, transport.Receives);
        // What is held needs no further wait, and any kind of receive returns it.
        Assert.Equal(0, await ahead.AwaitShortAsync());
        Assert.Equal(Bytes(150)[..90], await ReceiveAsync(ahead, asynchronous: true, 90));
        Assert.Equal(Bytes(150)[90..], await ReceiveAsync(ahead, asynchronous: false));
        Assert.False(ahead.IsHolding);
        Assert.Equal(2, transport.Receives);
    }

    [Fact]
    public async Task An_answer_longer_than_the_short_buffer_comes_in_order()
    {
        using var transport = new MemoryTransport { Yields = true };
        var ahead = new ReceiveAhead(transport);
        transport.Enqueue(Bytes(10));
        await ReceiveAsync(ahead, asynchronous: true);

        var said = Bytes(8 * Record + 11);
        transport.Enqueue(said);
        var heard = new List<byte>();
        while (heard.Count < said.Length)
        {
            Assert.Equal(0, await ahead.AwaitShortAsync());
            heard.AddRange(await ReceiveAsync(ahead, asynchronous: true));
        }

        Assert.Equal(said, heard);
        Assert.False(ahead.IsHolding);
    }

    [Fact]
    public async Task Before_the_first_answer_and_after_a_long_one_nothing_is_awaited()
    {
        using var transport = new MemoryTransport();
        var ahead = new ReceiveAhead(transport);
        Assert.Equal(0, await ahead.AwaitShortAsync());
        transport.Enqueue(Bytes(3000));
        await ReceiveAsync(ahead, asynchronous: true);
        Assert.Equal(0, await ahead.AwaitShortAsync());
        Assert.Equal(1, transport.Receives);
    }

    [Fact]
    public async Task The_peers_end_is_told_after_a_wait_for_an_answer()
    {
        using var transport = new MemoryTransport { Yields = true };
        var ahead = new ReceiveAhead(transport);
        transport.Enqueue(Bytes(10));
        await ReceiveAsync(ahead, asynchronous: true);
        var wait = ahead.AwaitShortAsync();
        transport.CloseByPeer();
        Assert.Equal(0, await wait);
        Assert.False(ahead.IsHolding);
        // Without another receive, which could report a reset instead.
        Assert.Empty(await ReceiveAsync(ahead, asynchronous: true));
        Assert.Empty(await ReceiveAsync(ahead, asynchronous: false));
        Assert.Equal(0, await ahead.AwaitShortAsync());
        Assert.Equal(2, transport.Receives);
    }

    [Fact]
    public async Task After_a_large_answer_with_a_short_end_short_answers_return_its_buffer()
    {
        using var transport = new MemoryTransport();
        var ahead = new ReceiveAhead(transport);
        transport.Enqueue(Bytes(5 * Record + 100));
        for (var i = 0; i < 6; i++)
            await ReceiveAsync(ahead, asynchronous: true);
        Assert.Equal(5, transport.Receives);

        for (var i = 0; i < 3; i++)
        {
            transport.Enqueue(Bytes(50));
            Assert.Equal(0, await ahead.AwaitShortAsync());
            Assert.Equal(50, (await ReceiveAsync(ahead, asynchronous: true)).Length);
        }

        // Without the large buffer, a receive takes no more than the caller requests.
        transport.Enqueue(Bytes(Record + 30));
        Assert.Equal(Record, (await ReceiveAsync(ahead, asynchronous: true)).Length);
        Assert.False(ahead.IsHolding);
    }

    private static async Task<byte[]> ReceiveAsync(ReceiveAhead ahead, bool asynchronous, int room = Record)
    {
        var bytes = new byte[room];
        var count = asynchronous ? await ahead.ReceiveAsync(bytes) : ahead.Receive(bytes);
        ahead.HasRead(count);
        return bytes[..count];
    }

    private static byte[] Bytes(int count) => [.. Enumerable.Range(0, count).Select(i => (byte)(i * 31 >> 3))];
}
