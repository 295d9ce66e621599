using System.Buffers;
using System.Net.Sockets;

namespace Slipstream.Equivalence.Gateways;

/// <summary>One connection through a gateway. Whole messages pass, in the order of their arrival; a provider's class decides what becomes of each.</summary>
/// <param name="pair">The gateways.</param>
/// <param name="index">The gateway of this connection.</param>
internal abstract class GatewaySession(GatewayPair pair, int index)
{
    private readonly Lock _gate = new();
    private string? _refused;

    /// <summary>Gets or sets whether the next write is refused.</summary>
    protected bool IsArmed { get; set; }

    /// <summary>Gets whether the gateway is the primary.</summary>
    protected bool IsPrimary => pair.IsPrimary(index);

    /// <inheritdoc cref="GatewayPair.Arm"/>
    public void Arm()
    {
        lock (_gate)
            (IsArmed, _refused) = (true, null);
    }

    /// <inheritdoc cref="GatewayPair.Disarm"/>
    public string? Disarm()
    {
        lock (_gate)
        {
            IsArmed = false;
            var refused = _refused;
            _refused = null;
            return refused;
        }
    }

    /// <summary>Passes all messages of both sides until one of them closes the connection.</summary>
    public async Task RunAsync(Socket client, Socket server)
    {
        var commands = PassAsync(client, server, TakeCommand);
        var answers = PassAsync(server, client, TakeAnswer);
        await await Task.WhenAny(commands, answers);
        // The other direction ends with its socket.
        client.Dispose();
        server.Dispose();
        await Task.WhenAll(commands, answers).ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
    }

    /// <summary>Takes the first message of the client, and writes what the server shall receive.</summary>
    /// <returns>The length of the message; 0 if it is not complete.</returns>
    protected abstract int TakeCommand(ReadOnlySpan<byte> bytes, IBufferWriter<byte> toServer);

    /// <summary>Takes the first message of the server, and writes what the client shall receive.</summary>
    /// <returns>The length of the message; 0 if it is not complete.</returns>
    protected abstract int TakeAnswer(ReadOnlySpan<byte> bytes, IBufferWriter<byte> toClient);

    /// <summary>The server has sent the number of the session.</summary>
    protected void Register(long number) => pair.Register(number, this);

    /// <summary>The session has refused a write.</summary>
    /// <param name="executed">The text that the server executes instead; "" if it is not known.</param>
    protected void Refused(string executed)
    {
        _refused ??= executed;
        pair.Refused(index);
    }

    private async Task PassAsync(Socket from, Socket to, Take take)
    {
        var pending = new byte[64 * 1024];
        var length = 0;
        var output = new ArrayBufferWriter<byte>();
        while (true)
        {
            if (length == pending.Length)
                Array.Resize(ref pending, 2 * length);
            var count = await from.ReceiveAsync(pending.AsMemory(length));
            if (count == 0)
                return;
            length += count;
            var taken = 0;
            lock (_gate)
            {
                while (taken < length && take(pending.AsSpan(taken, length - taken), output) is > 0 and var next)
                    taken += next;
            }

            pending.AsSpan(taken, length - taken).CopyTo(pending);
            length -= taken;
            for (var sent = 0; sent < output.WrittenCount;)
                sent += await to.SendAsync(output.WrittenMemory[sent..]);
            output.ResetWrittenCount();
        }
    }

    private delegate int Take(ReadOnlySpan<byte> bytes, IBufferWriter<byte> output);
}
