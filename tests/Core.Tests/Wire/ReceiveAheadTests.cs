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

    private static async Task<byte[]> ReceiveAsync(ReceiveAhead ahead, bool asynchronous, int room = Record)
    {
        var bytes = new byte[room];
        var count = asynchronous ? await ahead.ReceiveAsync(bytes) : ahead.Receive(bytes);
        ahead.HasRead(count);
        return bytes[..count];
    }

    private static byte[] Bytes(int count) => [.. Enumerable.Range(0, count).Select(i => (byte)(i * 31 >> 3))];
}
