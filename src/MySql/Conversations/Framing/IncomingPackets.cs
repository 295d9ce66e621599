using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Incoming packets: header, order, and the one length that means "more of the same payload follows". The layout is in <see cref="Packets"/>.
/// </summary>
internal static class IncomingPackets
{
    /// <summary>Takes the next packet, when it has arrived whole. Its payload is valid until the next receive.</summary>
    /// <returns>False when bytes are missing, or when the payload spans several packets, which only a row's may: see <see cref="PeekLength"/>.</returns>
    /// <exception cref="ProtocolException">The packet's number is not the one that must come.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryTake(Wire wire, out int at, out int length)
    {
        var start = wire.Start;
        var have = wire.End - start;
        if (have >= Packets.HeaderLength)
        {
            var header = BinaryPrimitives.ReadUInt32LittleEndian(wire.In.AsSpan(start));
            length = (int)(header & Packets.MaxPayload);
            if ((byte)(header >> 24) != wire.Sequence)
                OutOfOrder(wire, (byte)(header >> 24));
            if (have - Packets.HeaderLength >= length && length != Packets.MaxPayload)
            {
                wire.Sequence++;
                at = start + Packets.HeaderLength;
                wire.Start = at + length;
                return true;
            }

            wire.Want = length + Packets.HeaderLength;
        }

        at = length = 0;
        return false;
    }

    /// <summary>As <see cref="TryTake"/>, where no row may come: what is not a row fits into one packet, and no more than that is waited for.</summary>
    /// <exception cref="ProtocolException">Out of order, or the beginning of a payload of several packets.</exception>
    public static bool TryTakeAnswer(Wire wire, out int at, out int length)
    {
        if (TryTake(wire, out at, out length))
            return true;
        if (PeekLength(wire) == Packets.MaxPayload)
            throw new ProtocolException($"an answer of less than {Packets.MaxPayload:N0} bytes, which only a row may have", "the first packet of a longer one");
        return false;
    }

    /// <summary>The payload length that the next packet's header announces; −1 when the header has not arrived.</summary>
    public static int PeekLength(Wire wire) => wire.Buffered < Packets.HeaderLength
        ? -1
        : (int)(BinaryPrimitives.ReadUInt32LittleEndian(wire.In.AsSpan(wire.Start)) & Packets.MaxPayload);

    /// <summary>The next packet, copied, for conversations that are not hot; null when bytes are missing.</summary>
    /// <exception cref="ProtocolException">Out of order, or longer than <paramref name="limit"/>.</exception>
    public static byte[]? TakeCopy(Wire wire, int limit)
    {
        if (PeekLength(wire) is var length && length > limit)
            throw new ProtocolException($"a packet of at most {limit:N0} bytes here", $"the announcement of {length:N0}");
        return TryTake(wire, out var at, out length) ? wire.In.AsSpan(at, length).ToArray() : null;
    }

    /// <summary>A new exchange of the client has begun: its answer's packets are numbered on from its own.</summary>
    /// <param name="wire">Where the answer arrives.</param>
    /// <param name="commandLength">Bytes of the command with its headers; a command of 16 MiB has more than one packet.</param>
    public static void BeginAnswer(Wire wire, int commandLength = 0) =>
        wire.Sequence = (byte)(commandLength / (Packets.MaxPayload + Packets.HeaderLength) + 1);

    /// <summary>
    /// A packet came whose number is not the one that must come: an error, unless the numbers mean nothing on this wire, which then goes on from it.
    /// </summary>
    /// <exception cref="ProtocolException">The number is wrong.</exception>
    public static void OutOfOrder(Wire wire, byte came)
    {
        if (!wire.IgnoresSequence)
            throw new ProtocolException($"packet number {wire.Sequence}", $"number {came}");
        wire.Sequence = came;
    }
}
