using System.Buffers;
using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// A DataRow that is too large for the buffer. Small values are collected in one array. A large value is received directly into the array that the getter
/// returns. With sequential access, the caller reads it from the wire.
/// </summary>
internal sealed class LargeRow(PgRow row, long maxValueBytes, long maxRowBytes) : MessagePart
{
    /// <summary>The size in bytes from which a value has its own array. A row below this size is held completely in the buffer.</summary>
    public const int LargeValue = 1 << 20;

    private readonly ArrivingValue _arriving = new();
    private readonly ByteWriter _small = new(4096);
    private readonly List<int> _passed = [];
    private byte[]?[] _own = [];
    private int _directTaken;
    private Wire _wire = null!;
    private bool _sequential;
    private bool _wantsMore;
    private int _columns;
    private int _next;
    private int _wanted;
    private long _left;
    private int _ordinal = -1;
    private int _length;
    private int _position;
    private bool _isHex;

    /// <summary>Gets whether the caller reads the values from the wire.</summary>
    public bool IsSequential => _sequential;

    public override int Ordinal => _ordinal;

    public override long Length => _length;

    public override long Position => _position;

    /// <summary>Begins a row after its header has been read.</summary>
    public void Begin(int bodyLength, int columns, bool sequential)
    {
        Number++;
        _left = bodyLength;
        _columns = columns;
        _sequential = sequential;
        _next = -1;
        _ordinal = -1;
        _wanted = sequential ? -1 : columns - 1;
        _wantsMore = false;
        _directTaken = 0;
        Leave();
        _passed.Clear();
        _own = sequential ? [] : new byte[columns][];
        row.SetPartial();
    }

    /// <summary>Releases the values.</summary>
    public void Leave()
    {
        _arriving.Abandon();
        _small.Clear();
        _own = [];
    }

    public override void Seek(int ordinal)
    {
        if (ordinal != _ordinal && _passed.Contains(ordinal))
            throw new InvalidOperationException($"Column {ordinal} has already been read or passed: with sequential access a large value is read once, in "
                + "order.");
        _wanted = Math.Max(_wanted, ordinal);
    }

    public override void More() => _wantsMore = true;

    public override int Read(Span<byte> target)
    {
        if (_ordinal < 0)
            return 0;
        var count = Math.Min(Math.Min(target.Length, _isHex ? _wire.Buffered / 2 : _wire.Buffered), _length - _position);
        if (!_isHex)
            _wire.In.AsSpan(_wire.Start, count).CopyTo(target);
        else if (Convert.FromHexString(_wire.In.AsSpan(_wire.Start, count * 2), target, out _, out _) != OperationStatus.Done)
            throw new ProtocolException("bytea in hexadecimal digits", "other characters");
        Take(_wire, count);
        return count;
    }

    /// <summary>Advances to the requested column, or, without sequential access, to the end of the row.</summary>
    public override Step Advance(Wire wire)
    {
        _wire = wire;
        if (_next < 0)
        {
            if (!Has(wire, 2))
                return Step.Receive;
            if (BinaryPrimitives.ReadUInt16BigEndian(wire.In.AsSpan(wire.Start)) != _columns)
                throw new ProtocolException($"a DataRow of {_columns} columns, as described", "one with another number of columns");
            _small.Bytes(wire.In.AsSpan(wire.Start, 2));
            Consume(wire, 2);
            _next = 0;
        }

        if (_ordinal >= 0 && _ordinal == _wanted)
        {
            if (_wantsMore && wire.Buffered < (_isHex ? 2 : 1) && _position < _length)
                return Step.Receive;
            _wantsMore = false;
            return Step.Completed;
        }

        while (_ordinal >= 0 || _next <= _wanted)
        {
            if (_ordinal >= 0 ? !Drop(wire) : _arriving.IsReceiving ? !Fill(wire) : !TakeColumn(wire))
                return Step.Receive;
            if (_ordinal >= 0 && _ordinal == _wanted)
                break;
        }

        if (!_sequential)
        {
            if (_left != 0)
                throw ExcessBytes();
            row.SetLarge(Small(), _small.Length, _own);
        }

        return Step.Completed;
    }

    /// <summary>Discards the rest of the row. Returns false if bytes are missing.</summary>
    public bool TryFinish(Wire wire)
    {
        if (_ordinal >= 0 && !Drop(wire))
            return false;
        if (_next == _columns && _left != 0)
            throw ExcessBytes();
        Consume(wire, (int)Math.Min(_left, wire.Buffered));
        return _left == 0;
    }

    private bool TakeColumn(Wire wire)
    {
        if (!Has(wire, 4))
            return false;
        var length = BinaryPrimitives.ReadInt32BigEndian(wire.In.AsSpan(wire.Start));
        if (length < -1 || length > _left - 4)
            throw new ProtocolException("a DataRow that contains its values", $"one whose column {_next} of {_columns} extends beyond its end");
        if (_sequential ? ValueLength(length) < StreamedFrom : length < LargeValue)
        {
            var size = 4 + Math.Max(length, 0);
            if (_small.Length + (long)size > maxRowBytes)
                throw TooLarge(maxRowBytes);
            if (!Has(wire, size))
                return false;
            _small.Bytes(wire.In.AsSpan(wire.Start, size));
            Consume(wire, size);
            _next++;
            LayOut();
            return true;
        }

        if (!_sequential && length > maxValueBytes)
        {
            throw new WireException(
                WireFailure.ValueTooLarge, $"The server sent a value of {length:N0} bytes, more than Max Value Bytes allows ({maxValueBytes:N0} bytes); the "
                    + "connection is closed. Raise the option, or read such values with CommandBehavior.SequentialAccess.");
        }

        if (_sequential)
        {
            // The mark before the value: "\x" of hexadecimal text, or the version byte of a jsonb.
            var (kind, isBinary) = row.FormOf(_next);
            _isHex = kind == ColumnKind.Bytea && !isBinary;
            var mark = _isHex ? 2 : kind == ColumnKind.Jsonb && isBinary ? 1 : 0;
            if (!Has(wire, 4 + mark))
                return false;
            if (_isHex && !wire.In.AsSpan(wire.Start + 4, 2).SequenceEqual("\\x"u8))
                throw new ProtocolException("bytea in hexadecimal digits", "another format (the role, the database or a function has set bytea_output to "
                    + "escape: set it to hex)");
            // An empty value in the row's layout: it is not NULL, and its bytes are read from the wire.
            _small.Int32BigEndian(0);
            Consume(wire, 4 + mark);
            (_ordinal, _length, _position) = (_next++, _isHex ? (length - mark) / 2 : length - mark, 0);
            _passed.Add(_ordinal);
            LayOut();
            return true;
        }

        _small.Int32BigEndian(-1);
        Consume(wire, 4);
        _arriving.Begin(length, Math.Min(length, wire.Buffered));
        return Fill(wire);
    }

    // Returns the length of the value that a getter returns, which does not depend on the format on the wire. A value that is neither text nor bytes is held in
    // memory whatever its length: a numeric has up to 150,000 digits.
    private int ValueLength(int length) => length < StreamedFrom ? length : row.FormOf(_next) switch
    {
        (ColumnKind.Bytea, false) => (length - 2) / 2,
        (ColumnKind.Jsonb, true) => length - 1,
        (ColumnKind.Text or ColumnKind.Jsonb or ColumnKind.Bytea, _) or (ColumnKind.Other, false) => length,
        _ => 0,
    };

    /// <summary>Creates the exception for a row that exceeds the limit of Max Row Bytes.</summary>
    public static WireException TooLarge(long maxRowBytes) => new(
        WireFailure.ValueTooLarge, $"The server sent a row of more than {maxRowBytes:N0} bytes, the limit of Max Row Bytes; the connection is closed. Raise "
            + "the option, select fewer columns, or read such rows with CommandBehavior.SequentialAccess.");

    private bool Fill(Wire wire)
    {
        // Account for the bytes that a direct receive has brought since the last call.
        if (_directTaken > 0)
        {
            if (wire.DirectMissing > 0)
                return false;
            _left -= _directTaken;
            _arriving.Advance(_directTaken);
            _directTaken = 0;
        }

        while (!_arriving.IsComplete)
        {
            var count = Math.Min(_arriving.Free, wire.Buffered);
            if (count == 0)
            {
                _directTaken = _arriving.Free;
                wire.ReceiveInto(_arriving.Target, _arriving.Filled, _directTaken);
                return false;
            }

            wire.In.AsSpan(wire.Start, count).CopyTo(_arriving.FreeMemory.Span);
            Consume(wire, count);
            _arriving.Advance(count);
        }

        _own[_next++] = _arriving.Take();
        return true;
    }

    private ProtocolException ExcessBytes() => new("a DataRow that ends after its last column", $"{_left} more bytes");

    private bool Drop(Wire wire)
    {
        Take(wire, Math.Min(_length - _position, _isHex ? wire.Buffered / 2 : wire.Buffered));
        if (_position < _length)
            return false;
        _ordinal = -1;
        return true;
    }

    private void LayOut()
    {
        if (_sequential)
            row.LayOut(Small(), _small.Length, _next);
    }

    private byte[] Small() => System.Runtime.InteropServices.MemoryMarshal.TryGetArray(_small.WrittenMemory, out var segment) ? segment.Array! : [];

    // Consumes bytes of the message.
    private void Consume(Wire wire, int count)
    {
        wire.Start += count;
        _left -= count;
    }

    // Consumes bytes of the large value; each has two digits if it is hexadecimal.
    private void Take(Wire wire, int count)
    {
        Consume(wire, _isHex ? count * 2 : count);
        _position += count;
    }

    private static bool Has(Wire wire, int count)
    {
        if (wire.Buffered >= count)
            return true;
        wire.Want = count;
        return false;
    }
}
