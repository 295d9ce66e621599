using System.Buffers.Binary;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Conversations;

/// <summary>What happens to a row that is too large for the receive buffer.</summary>
internal enum LargeRowUse
{
    /// <summary>Its large values are received directly into arrays of their own, which the getters return.</summary>
    Hold,

    /// <summary>Its large values are read from the connection, one after the other.</summary>
    Pass,

    /// <summary>The row is discarded.</summary>
    Skip,
}

/// <summary>
/// A row that does not fit into the buffer and is split while it arrives, across the boundaries of its packets. Small values are collected in one array. Large
/// values are received directly into their own (17.8 instead of 53.5 MB for a value of 17 MiB).
/// </summary>
internal sealed partial class LargeRow(MySqlRow row, RowLimits limits) : MessagePart
{
    /// <summary>The size in bytes from which a held value gets an array of its own.</summary>
    public const int MinOwnArray = 1 << 20;

    // The largest array of small values, in bytes, that is kept for the next row.
    private const int KeptCompact = 1 << 20;

    private enum Place
    {
        Head,
        Length,
        Small,
        Own,
        Streamed,
        Skipped,
        End,
        Done,
    }

    private ResultMetadata _metadata = null!;
    private LargeRowUse _use;
    private bool _binary;
    private Place _place;
    private int _packetLeft;
    private bool _packetIsLast;
    private byte[] _compact = new byte[4096];
    private int _compactLength;
    private int[] _at = [];
    private int[] _length = [];
    private readonly long _maxBytes = Math.Min(limits.MaxValueBytes, Array.MaxLength);
    private readonly ArrivingValue _arriving = new();
    private byte[]?[] _own = [];
    private long _held;
    private bool[] _passed = [];
    private int _column;
    private int _bitmapAt;
    private long _valueLength;
    private long _valueDone;
    private int _filled;
    private int _directTaken;
    private int _wanted;
    private bool _wantsMore;
    private Wire? _wire;

    public override int Ordinal => _place == Place.Streamed ? _column : -1;

    public override long Length => _valueLength;

    public override long Position => _valueDone;

    /// <summary>Gets whether the row, or the rest of it, is discarded.</summary>
    public bool IsSkipped => _use == LargeRowUse.Skip;

    /// <summary>Begins the row whose first packet's header is at the start of the received bytes.</summary>
    public void Begin(Wire wire, ResultMetadata metadata, bool binary, LargeRowUse use)
    {
        Number++;
        _metadata = metadata;
        _binary = binary;
        _use = use;
        var columns = metadata.Columns.Length;
        _at = new int[columns];
        _length = new int[columns];
        _own = new byte[columns][];
        _passed = new bool[columns];
        if (_compact.Length > KeptCompact)
            _compact = new byte[4096];
        _compactLength = 0;
        _held = 0;
        _arriving.Abandon();
        _column = 0;
        _filled = 0;
        _packetLeft = 0;
        _packetIsLast = false;
        _wanted = use == LargeRowUse.Pass ? 0 : columns;
        _place = binary ? Place.Head : Place.Length;
        if (!TryOpenPacket(wire))
            throw new InvalidOperationException("A large row begins when its header has arrived.");
    }

    /// <summary>Releases the values.</summary>
    public void Leave()
    {
        _own = [];
        _arriving.Abandon();
        if (_compact.Length > KeptCompact)
            _compact = new byte[4096];
    }

    /// <summary>Discards what has not been read, because the reader has moved on.</summary>
    public void SkipRest()
    {
        _use = LargeRowUse.Skip;
        _wanted = _metadata.Columns.Length;
        if (_place == Place.Streamed)
            _place = Place.Skipped;
    }

    public override void Seek(int ordinal)
    {
        if (_passed[ordinal])
            throw new InvalidOperationException($"Column {ordinal} has been passed: with sequential access a large value is read before the columns after it.");
        _wanted = Math.Max(_wanted, ordinal);
        if (_place == Place.Streamed && ordinal > _column)
            _place = Place.Skipped;
        _wantsMore = false;
    }

    public override void More() => _wantsMore = true;

    public override int Read(Span<byte> target)
    {
        // Reads happen between calls of Advance: buffered bytes are taken at once, and packet boundaries wait for the next Advance.
        if (_place != Place.Streamed || _wire is null)
            return 0;
        var count = (int)Math.Min(Math.Min(target.Length, _valueLength - _valueDone), Math.Min(_packetLeft, _wire.Buffered));
        _wire.In.AsSpan(_wire.Start, count).CopyTo(target);
        Consume(_wire, count);
        _valueDone += count;
        return count;
    }

    public override Step Advance(Wire wire)
    {
        _wire = wire;
        while (true)
        {
            switch (_place)
            {
                case Place.Head:
                    if (!Gather(wire, 1 + _metadata.BitmapLength))
                        return Step.Receive;
                    _bitmapAt = 1;
                    _place = Place.Length;
                    break;

                case Place.Length:
                    if (_column == _metadata.Columns.Length)
                    {
                        _place = Place.End;
                        break;
                    }

                    if (_use == LargeRowUse.Pass && _column > _wanted)
                        return Show();
                    if (!TryReadLength(wire))
                        return Step.Receive;
                    break;

                case Place.Small:
                    if (!Gather(wire, (int)_valueLength))
                        return Step.Receive;
                    NextColumn();
                    break;

                case Place.Own:
                    if (!FillOwnArray(wire))
                        return Step.Receive;
                    NextColumn();
                    break;

                case Place.Streamed:
                    if (_valueDone < _valueLength && _wantsMore && (_packetLeft == 0 || wire.Buffered == 0))
                    {
                        if (_packetLeft == 0 ? !TryOpenPacket(wire) : wire.Buffered == 0)
                            return Step.Receive;
                        break;
                    }

                    _wantsMore = false;
                    return Show();

                case Place.Skipped:
                    if (!Skip(wire))
                        return Step.Receive;
                    _passed[_column] = true;
                    NextColumn();
                    break;

                case Place.End:
                    if (!TryEnd(wire))
                        return Step.Receive;
                    _place = Place.Done;
                    return Show();

                default:
                    return Step.Completed;
            }
        }
    }

    private Step Show()
    {
        row.SetLarge(_compact, _at, _length, _own);
        return Step.Completed;
    }

    private void NextColumn()
    {
        _column++;
        _filled = 0;
        _valueDone = 0;
        _place = Place.Length;
    }

    private bool TryReadLength(Wire wire)
    {
        if (_binary)
        {
            var bit = _column + 2;
            if ((_compact[_bitmapAt + bit / 8] >> (bit & 7) & 1) != 0)
                return SetNull();
            var width = _metadata.Columns[_column].Width;
            if (width != 0)
                return BeginValue(width);
        }

        // The bytes of the length are collected after the values and then dropped.
        if (!Peek(wire, 1))
            return false;
        var first = _compact[_compactLength];
        if (first == 0xFB && !_binary)
        {
            Forget();
            return SetNull();
        }

        var extra =
            first switch { < 0xFB => 0, 0xFC => 2, 0xFD => 3, 0xFE => 8, _ => throw new ProtocolException("the length of a column's value", $"0x{first:X2}") };
        if (extra > 0 && !Peek(wire, 1 + extra))
            return false;
        var bytes = _compact.AsSpan(_compactLength + 1);
        var length = first switch
        {
            < 0xFB => first,
            0xFC => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
            0xFD => bytes[0] | bytes[1] << 8 | bytes[2] << 16,
            _ => BinaryPrimitives.ReadInt64LittleEndian(bytes),
        };
        Forget();
        if (length < 0 || (_packetIsLast && length > _packetLeft))
            throw new ProtocolException($"a value within the remaining {_packetLeft:N0} bytes of the row", $"a length of {(ulong)length:N0} bytes");
        return BeginValue(length);
    }

    private bool SetNull()
    {
        _at[_column] = _compactLength;
        _length[_column] = -1;
        NextColumn();
        return true;
    }

    private bool BeginValue(long length)
    {
        _valueLength = length;
        _valueDone = 0;
        _filled = 0;
        _at[_column] = _compactLength;
        _place = _use switch
        {
            LargeRowUse.Skip => Place.Skipped,
            LargeRowUse.Pass when length >= StreamedFrom => Place.Streamed,
            LargeRowUse.Hold when length >= MinOwnArray => Place.Own,
            _ => Place.Small,
        };
        if (_place == Place.Own && length > _maxBytes)
        {
            throw new WireException(
                WireFailure.ValueTooLarge, $"The server sent a value of {length:N0} bytes, more than Max Value Bytes allows ({_maxBytes:N0} bytes); the "
                    + "connection is closed. Raise the option, or read such values with CommandBehavior.SequentialAccess.");
        }

        if (_place is Place.Own or Place.Small && (_held += length) > limits.MaxRowBytes)
        {
            throw new WireException(
                WireFailure.ValueTooLarge, $"The server sent a row of more than {limits.MaxRowBytes:N0} bytes, the limit of Max Row Bytes; the connection is "
                    + "closed. Raise the option, select fewer columns, or read such rows with CommandBehavior.SequentialAccess.");
        }

        if (_place == Place.Streamed && _column < _wanted)
            _place = Place.Skipped;
        if (_place == Place.Own)
            _at[_column] = 0;
        _length[_column] = _place is Place.Small or Place.Own ? (int)length : 0;
        return true;
    }

    private bool FillOwnArray(Wire wire)
    {
        if (!_arriving.IsReceiving)
        {
            if (!PacketIsOpen(wire))
                return false;
            _arriving.Begin((int)_valueLength, (int)Math.Min(_valueLength, Math.Min(_packetLeft, wire.Buffered)));
            _directTaken = 0;
        }

        // The bytes of a direct receive since the last call.
        if (_directTaken > 0)
        {
            if (wire.DirectMissing > 0)
                return false;
            _packetLeft -= _directTaken;
            _arriving.Advance(_directTaken);
            _directTaken = 0;
        }

        while (!_arriving.IsComplete)
        {
            if (!PacketIsOpen(wire))
                return false;
            var count = Math.Min(_arriving.Free, _packetLeft);
            if (wire.Buffered == 0)
            {
                _directTaken = count;
                wire.ReceiveInto(_arriving.Target, _arriving.Filled, count);
                return false;
            }

            count = Math.Min(count, wire.Buffered);
            wire.In.AsSpan(wire.Start, count).CopyTo(_arriving.FreeMemory.Span);
            Consume(wire, count);
            _arriving.Advance(count);
        }

        _own[_column] = _arriving.Take();
        return true;
    }

    private bool Skip(Wire wire)
    {
        while (_valueDone < _valueLength)
        {
            if (!PacketIsOpen(wire) || wire.Buffered == 0)
                return false;
            var count = (int)Math.Min(_valueLength - _valueDone, Math.Min(_packetLeft, wire.Buffered));
            Consume(wire, count);
            _valueDone += count;
        }

        return true;
    }

    // The row ends with its last packet, the first one that is not full.
    private bool TryEnd(Wire wire)
    {
        while (!_packetIsLast)
        {
            if (_packetLeft > 0)
                break;
            if (!TryOpenPacket(wire))
                return false;
        }

        return _packetLeft == 0 ? true : throw new ProtocolException("the end of the row after its last column", $"{_packetLeft:N0} more bytes");
    }
}
