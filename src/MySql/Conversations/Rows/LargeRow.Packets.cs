using System.Buffers.Binary;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

// Reads the row's bytes across the boundaries of its packets, and keeps the array of its small values.
internal sealed partial class LargeRow
{
    /// <summary>Appends <paramref name="count"/> bytes of the row to the collected ones. Returns false until all have arrived.</summary>
    private bool Gather(Wire wire, int count)
    {
        while (_filled < count)
        {
            if (!PacketIsOpen(wire) || wire.Buffered == 0)
                return false;
            var take = Math.Min(count - _filled, Math.Min(_packetLeft, wire.Buffered));
            // Reserves space for the bytes that have arrived, not for those announced.
            Reserve(_filled + take);
            wire.In.AsSpan(wire.Start, take).CopyTo(_compact.AsSpan(_compactLength + _filled));
            Consume(wire, take);
            _filled += take;
        }

        _compactLength += count;
        _filled = 0;
        return true;
    }

    // Collects bytes without keeping them, to read lengths.
    private bool Peek(Wire wire, int count)
    {
        Reserve(count);
        while (_filled < count)
        {
            if (!PacketIsOpen(wire) || wire.Buffered == 0)
                return false;
            _compact[_compactLength + _filled++] = wire.In[wire.Start];
            Consume(wire, 1);
        }

        return true;
    }

    private void Forget() => _filled = 0;

    private void Reserve(int count)
    {
        var needed = (long)_compactLength + count + 16;
        if (needed <= _compact.Length)
            return;
        if (needed > Array.MaxLength)
            throw new ProtocolException("a row that fits into memory", $"one of more than {Array.MaxLength:N0} bytes");
        var larger = GC.AllocateUninitializedArray<byte>((int)Math.Min(Math.Max(needed, _compact.Length * 2L), Array.MaxLength));
        Buffer.BlockCopy(_compact, 0, larger, 0, _compactLength + _filled);
        _compact = larger;
    }

    private void Consume(Wire wire, int count)
    {
        wire.Start += count;
        _packetLeft -= count;
    }

    private bool PacketIsOpen(Wire wire) => _packetLeft > 0 || TryOpenPacket(wire);

    private bool TryOpenPacket(Wire wire)
    {
        if (_packetIsLast)
            throw new ProtocolException("more of the row", "its end");
        if (wire.Buffered < Packets.HeaderLength)
        {
            wire.Want = Packets.HeaderLength;
            return false;
        }

        var header = BinaryPrimitives.ReadUInt32LittleEndian(wire.In.AsSpan(wire.Start));
        if ((byte)(header >> 24) != wire.Sequence)
            IncomingPackets.OutOfOrder(wire, (byte)(header >> 24));
        wire.Sequence++;
        wire.Start += Packets.HeaderLength;
        _packetLeft = (int)(header & Packets.MaxPayload);
        _packetIsLast = _packetLeft != Packets.MaxPayload;
        // An empty last packet ends a payload that is an exact multiple, so the row has no more bytes.
        return _packetLeft > 0 || _place == Place.End || _packetIsLast && ThrowEarlyEnd();
    }

    private static bool ThrowEarlyEnd() => throw new ProtocolException("more of the row", "its end");
}
