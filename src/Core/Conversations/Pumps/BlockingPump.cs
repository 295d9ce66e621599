using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// Waits by blocking the calling thread: one send and one receive per round trip, no task, token, timer or poll. Deadlines are the
/// sweeper's, who shuts the transport down when nothing else helps. With <see cref="AsyncPump"/> the only code that waits.
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

    /// <summary>More than this may not fit into the buffers between two peers of which neither reads.</summary>
    internal const int SafeAhead = 32 * 1024;

    // A send of this size does not wait once the descriptor is writable. (Making the descriptor non-blocking instead would slow down every later receive.)
    private const int Piece = 16 * 1024;

    private static void Receive(Wire wire)
    {
        if (wire.Pending is { } pending)
            wire.TookPending(pending.Wait());
        else if (wire.ComingSoon > 0 && wire.Levers.AdaptsReceives)
            ReceiveMuch(wire);
        else
            wire.Took(wire.Transport.Receive(wire.RoomSpan()));
    }

    private static void ReceiveMuch(Wire wire)
    {
        var room = wire.RoomSpan();
        wire.CameLate = !wire.Transport.WaitForMuch(Math.Min(wire.ComingSoon, room.Length));
        wire.ComingSoon = 0;
        wire.Took(wire.Transport.Receive(room));
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

    // Large values leave from where they lie.
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

    // Otherwise both peers could wait for ever, each for the other to read.
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

    // What came before the handshake came in clear text and could be anybody's (CVE-2021-23222 is this bug in another client).
    internal static void RefuseEarlyBytes(Wire wire)
    {
        if (wire.Buffered > 0)
            throw new ProtocolException("nothing between the request for TLS and its handshake", $"{wire.Buffered} bytes in clear text");
    }
}
