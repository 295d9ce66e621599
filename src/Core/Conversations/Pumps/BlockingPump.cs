using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// Waits by blocking the calling thread: one send and one receive per round trip, without a task, token, timer or poll. The sweeper enforces deadlines and
/// shuts the transport down as a last resort. This class and <see cref="AsyncPump"/> are the only code that waits.
/// </summary>
internal static class BlockingPump
{
    /// <summary>Runs the conversation to its next outcome.</summary>
    public static Step Run(Conversation conversation, Wire wire)
    {
        while (true)
        {
            switch (conversation.Advance(wire))
            {
                case Step.Receive: Receive(wire); break;
                case Step.Send: Flush(wire); break;
                case Step.Upgrade: Upgrade(wire); break;
                case Step.WaitExternal: conversation.ExternalSource.Wait(); break;
                case var outcome: return outcome;
            }
        }
    }

    /// <summary>Number of bytes that surely fit into the buffers between two peers while neither reads.</summary>
    internal const int SafeAhead = 32 * 1024;

    // A send of this size does not block once the descriptor is writable. (A non-blocking descriptor would slow down every later receive.)
    private const int Piece = 16 * 1024;

    private static void Receive(Wire wire)
    {
        if (wire.Pending is { } pending)
            wire.AdvancePending(pending.Wait());
        else if (wire.ExpectedSoon > 0 && wire.Optimizations.AdaptsReceives)
            ReceiveBatch(wire);
        else
            wire.Advance(wire.Transport.Receive(wire.FreeSpan()));
    }

    private static void ReceiveBatch(Wire wire)
    {
        var room = wire.FreeSpan();
        wire.ArrivedLate = !wire.Transport.WaitForBytes(Math.Min(wire.ExpectedSoon, room.Length));
        wire.ExpectedSoon = 0;
        wire.Advance(wire.Transport.Receive(room));
    }

    private static void Flush(Wire wire)
    {
        if (wire.Out.HasGathered)
            FlushGathered(wire);
        else if (wire.IsAnsweredEarly && wire.Out.Length > SafeAhead)
            FlushWhileReceiving(wire, wire.Out.Written);
        else
            wire.Transport.Send(wire.Out.Written);
        wire.Left();
    }

    // Large values are sent from their own memory.
    private static void FlushGathered(Wire wire)
    {
        for (var i = 0; i < wire.Out.Segments; i++)
        {
            var segment = wire.Out.Segment(i).Span;
            if (wire.IsAnsweredEarly)
                FlushWhileReceiving(wire, segment);
            else if (!segment.IsEmpty)
                wire.Transport.Send(segment);
        }
    }

    // Without the receives, both peers could wait for ever, each for the other to read.
    private static void FlushWhileReceiving(Wire wire, ReadOnlySpan<byte> bytes)
    {
        for (var left = bytes; !left.IsEmpty; left = left[Math.Min(Piece, left.Length)..])
        {
            while (!wire.Transport.WaitToSend())
                Receive(wire);
            wire.Transport.Send(left[..Math.Min(Piece, left.Length)]);
        }
    }

    private static void Upgrade(Wire wire)
    {
        RefuseEarlyBytes(wire);
        wire.Transport = wire.Transport.Upgrade();
    }

    // Bytes before the handshake came in clear text and could come from an attacker (CVE-2021-23222 is this bug in another client).
    internal static void RefuseEarlyBytes(Wire wire)
    {
        if (wire.Buffered > 0)
            throw new ProtocolException("nothing between the request for TLS and its handshake", $"{wire.Buffered} bytes in clear text");
    }
}
