using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Reads packets from the server: header, order, and the one length after which the same payload continues. The layout is in <see cref="Packets"/>.
/// </summary>
internal static class IncomingPackets
{
    /// <summary>Takes the next packet if it has arrived completely. Its payload is valid until the next receive.</summary>
    /// <returns>False if bytes are missing, or if the payload spans several packets, which is allowed only for rows: see <see cref="PeekLength"/>.</returns>
    /// <exception cref="ProtocolException">The packet does not have the expected number.</exception>
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

    /// <summary>
    /// Like <see cref="TryTake"/>, where rows are not allowed: every other payload fits into one packet, so the driver does not wait for more.
    /// </summary>
    /// <exception cref="ProtocolException">The packet is out of order, or begins a payload of several packets.</exception>
    public static bool TryTakeAnswer(Wire wire, out int at, out int length)
    {
        if (TryTake(wire, out at, out length))
            return true;
        if (PeekLength(wire) == Packets.MaxPayload)
            throw new ProtocolException($"an answer of less than {Packets.MaxPayload:N0} bytes (only a row may be longer)", "the first packet of a longer one");
        return false;
    }

    /// <summary>Returns the payload length in the header of the next packet; −1 if the header has not arrived.</summary>
    public static int PeekLength(Wire wire) => wire.Buffered < Packets.HeaderLength
        ? -1
        : (int)(BinaryPrimitives.ReadUInt32LittleEndian(wire.In.AsSpan(wire.Start)) & Packets.MaxPayload);

    /// <summary>Returns a copy of the next packet, for rare conversations; null if bytes are missing.</summary>
    /// <exception cref="ProtocolException">The packet is out of order, or longer than <paramref name="limit"/> bytes.</exception>
    public static byte[]? TakeCopy(Wire wire, int limit)
    {
        if (PeekLength(wire) is var length && length > limit)
            throw new ProtocolException($"a packet of at most {limit:N0} bytes", $"the header of one of {length:N0} bytes");
        return TryTake(wire, out var at, out length) ? wire.In.AsSpan(at, length).ToArray() : null;
    }

    /// <summary>Begins the answer to a command. Its packet numbers continue from those of the command.</summary>
    /// <param name="wire">The connection on which the answer arrives.</param>
    /// <param name="commandLength">The length of the command in bytes, including its headers. A command of 16 MiB has more than one packet.</param>
    public static void BeginAnswer(Wire wire, int commandLength = 0) =>
        wire.Sequence = (byte)(commandLength / (Packets.MaxPayload + Packets.HeaderLength) + 1);

    /// <summary>
    /// Handles a packet with an unexpected number. It is an error, unless the numbers mean nothing on this connection, which then continues from the number.
    /// </summary>
    /// <exception cref="ProtocolException">The number is wrong.</exception>
    public static void OutOfOrder(Wire wire, byte came)
    {
        if (!wire.IgnoresSequence)
            throw new ProtocolException($"packet number {wire.Sequence}", $"number {came}");
        wire.Sequence = came;
    }
}
