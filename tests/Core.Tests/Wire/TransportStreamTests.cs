using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class TransportStreamTests
{
    private static readonly byte[] Room = new byte[16];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handshakes_messages_leave_when_it_reads_and_its_last_one_with_what_comes_after(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous, OnSent = static (peer, _) => peer.Enqueue(9) };
        await using var stream = new TransportStream(transport);
        stream.HandshakeBegins();

        await WriteAsync(stream, asynchronous, 1, 2);
        await WriteAsync(stream, asynchronous, 3);
        Assert.Empty(transport.Sends);
        Assert.Equal(1, await ReadAsync(stream, asynchronous));
        await WriteAsync(stream, asynchronous, 4);
        stream.IsHandshakeCompleted();
        Assert.Single(transport.Sends);
        await WriteAsync(stream, asynchronous, 5, 6);
        await WriteAsync(stream, asynchronous, 7);

        Assert.Equal(["010203", "040506", "07"], transport.Sends.Select(Convert.ToHexString));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handshakes_last_message_leaves_when_the_peer_speaks_first_afterwards(bool asynchronous)
    {
        using var transport = new MemoryTransport { Yields = asynchronous, OnSent = static (peer, _) => peer.Enqueue(9) };
        await using var stream = new TransportStream(transport);
        stream.HandshakeBegins();

        await WriteAsync(stream, asynchronous, 1);
        stream.IsHandshakeCompleted();
        Assert.Equal(1, await ReadAsync(stream, asynchronous));

        Assert.Equal(["01"], transport.Sends.Select(Convert.ToHexString));
    }

    [Fact]
    public void A_failed_handshakes_alert_leaves()
    {
        using var transport = new MemoryTransport();
        using var stream = new TransportStream(transport);
        stream.HandshakeBegins();
        stream.Write([1, 2]);
        stream.HandshakeHasFailed();
        stream.HandshakeHasFailed();
        Assert.Equal(["0102"], transport.Sends.Select(Convert.ToHexString));
    }

    [Fact]
    public void A_failed_handshake_whose_peer_has_gone_stays_the_handshakes_failure()
    {
        using var transport = new MemoryTransport { OnSent = static (_, _) => throw new WireException(WireFailure.Lost, "gone") };
        using var stream = new TransportStream(transport);
        stream.HandshakeBegins();
        stream.Write([1]);
        stream.HandshakeHasFailed();
        Assert.Single(transport.Sends);
    }

    [Fact]
    public void Without_a_handshake_everything_leaves_at_once()
    {
        using var transport = new MemoryTransport();
        using var stream = new TransportStream(transport);
        stream.Write([1]);
        stream.Write([2]);
        Assert.Equal(["01", "02"], transport.Sends.Select(Convert.ToHexString));
    }

    [Fact]
    public async Task The_empty_read_before_a_record_waits_for_it_after_a_short_one()
    {
        using var transport = new MemoryTransport();
        await using var stream = new TransportStream(transport);
        transport.Enqueue(23);
        Assert.Equal(0, await stream.ReadAsync(Memory<byte>.Empty));
        Assert.Equal(1, await stream.ReadAsync(Room));
        stream.HasRead(1);

        var wait = stream.ReadAsync(Memory<byte>.Empty);
        Assert.False(wait.IsCompleted);
        transport.Enqueue(3, 3);
        Assert.Equal(0, await wait);
        Assert.True(stream.IsHoldingReceived);
        var read = stream.ReadAsync(Room);
        Assert.True(read.IsCompleted);
        Assert.Equal(2, await read);
        Assert.True(stream.HasDeliveredPart);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_empty_read_does_not_wait_when_it_must_not(bool receivesAhead)
    {
        using var transport = new MemoryTransport();
        await using var stream = new TransportStream(transport, receivesAhead);
        transport.Enqueue(23);
        Assert.Equal(1, await stream.ReadAsync(Room));
        stream.HasRead(1);
        // Messages of a handshake that the next read sends, or the optimisation is off.
        if (receivesAhead)
        {
            stream.HandshakeBegins();
            stream.Write([1]);
        }

        Assert.True(stream.ReadAsync(Memory<byte>.Empty).IsCompletedSuccessfully);
        Assert.Equal(1, transport.Receives);
    }

    private static async Task WriteAsync(TransportStream stream, bool asynchronous, params byte[] bytes)
    {
        if (asynchronous)
            await stream.WriteAsync(bytes);
        else
            stream.Write(bytes);
    }

    private static async Task<int> ReadAsync(TransportStream stream, bool asynchronous) =>
        asynchronous ? await stream.ReadAsync(Room) : stream.Read(Room.AsSpan());
}
