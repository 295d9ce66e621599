using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The typed getters of numbers. Integers are converted to other integer types, and from BIT and DECIMAL (truncated), with a check of the range.
/// </summary>
internal sealed partial class MySqlRow
{
    public override bool GetBoolean(int ordinal)
    {
        CheckStrict<bool>(ordinal);
        if (Kind(ordinal) is >= ValueKind.Boolean and <= ValueKind.Year)
            return SignedInteger(ordinal) != 0;
        return _columns[ordinal].Kind switch
        {
            ValueKind.UInt64 => UnsignedInteger(ordinal) != 0,
            ValueKind.Bit => Bits.Read(Value(ordinal), _columns[ordinal].Definition) != 0,
            ValueKind.Decimal => Decimals.Read(Value(ordinal)) != 0,
            _ => ThrowCast<bool>(ordinal),
        };
    }

    public override byte GetByte(int ordinal)
    {
        var number = GetInt64<byte>(ordinal);
        return (byte)number == number ? (byte)number : ThrowOverflow<byte>(ordinal);
    }

    public sbyte GetSByte(int ordinal)
    {
        var number = GetInt64<sbyte>(ordinal);
        return (sbyte)number == number ? (sbyte)number : ThrowOverflow<sbyte>(ordinal);
    }

    public override short GetInt16(int ordinal)
    {
        var number = GetInt64<short>(ordinal);
        return (short)number == number ? (short)number : ThrowOverflow<short>(ordinal);
    }

    public ushort GetUInt16(int ordinal)
    {
        var number = GetInt64<ushort>(ordinal);
        return (ushort)number == number ? (ushort)number : ThrowOverflow<ushort>(ordinal);
    }

    public override int GetInt32(int ordinal)
    {
        // By far the most frequent column of a prepared statement: no other call is needed.
        if ((uint)ordinal < (uint)_direct)
        {
            ref readonly var column = ref _columns[ordinal];
            if (column.Kind == ValueKind.Int32)
                return BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start + column.FixedAt));
        }
        else if (TryShortText(ordinal, ValueKind.Int32, out var text))
            return text;

        var number = GetInt64<int>(ordinal);
        return (int)number == number ? (int)number : ThrowOverflow<int>(ordinal);
    }

    public uint GetUInt32(int ordinal)
    {
        var number = GetInt64<uint>(ordinal);
        return (uint)number == number ? (uint)number : ThrowOverflow<uint>(ordinal);
    }

    public override long GetInt64(int ordinal)
    {
        if ((uint)ordinal < (uint)_direct)
        {
            ref readonly var column = ref _columns[ordinal];
            if (column.Kind == ValueKind.Int64)
                return BinaryPrimitives.ReadInt64LittleEndian(_buffer.AsSpan(_start + column.FixedAt));
        }
        else if (TryShortText(ordinal, ValueKind.Int64, out var text))
            return text;

        return GetInt64<long>(ordinal);
    }

    public ulong GetUInt64(int ordinal)
    {
        CheckStrict<ulong>(ordinal);
        switch (Kind(ordinal))
        {
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal);
            case ValueKind.Bit:
                return Bits.Read(Value(ordinal), _columns[ordinal].Definition);
            case ValueKind.Decimal:
                var number = decimal.Truncate(Decimals.Read(Value(ordinal)));
                return number is >= 0 and <= ulong.MaxValue ? (ulong)number : ThrowOverflow<ulong>(ordinal);
            default:
                var signed = GetInt64<ulong>(ordinal);
                return signed >= 0 ? (ulong)signed : ThrowOverflow<ulong>(ordinal);
        }
    }

    /// <exception cref="OverflowException">A DOUBLE or DECIMAL is too large for a float.</exception>
    public override float GetFloat(int ordinal)
    {
        if (Kind(ordinal) == ValueKind.Float)
            return Single(ordinal);
        var number = GetDouble<float>(ordinal);
        return Math.Abs(number) <= float.MaxValue ? (float)number : ThrowOverflow<float>(ordinal);
    }

    public override double GetDouble(int ordinal) => GetDouble<double>(ordinal);

    public override decimal GetDecimal(int ordinal)
    {
        CheckStrict<decimal>(ordinal);
        switch (Kind(ordinal))
        {
            case ValueKind.Decimal:
                return Decimals.Read(Value(ordinal));
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal);
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal);
            case ValueKind.Bit:
                return Bits.Read(Value(ordinal), _columns[ordinal].Definition);
            // The conversions of the CLR throw if the number is too large.
            case ValueKind.Float:
                return (decimal)Single(ordinal);
            case ValueKind.Double:
                return (decimal)Double(ordinal);
            default:
                return ThrowCast<decimal>(ordinal);
        }
    }

    /// <summary>Returns all digits of a DECIMAL.</summary>
    public MySqlDecimal GetMySqlDecimal(int ordinal) => Kind(ordinal) == ValueKind.Decimal
        ? new(Encoding.ASCII.GetString(Value(ordinal)))
        : new(GetDecimal(ordinal).ToString(CultureInfo.InvariantCulture));

    // Reads up to nine digits without a sign from a text row. If the columns are read from left to right, the value is after the located ones, at most a few
    // short values away, so Walk is not needed.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryShortText(int ordinal, ValueKind kind, out int number)
    {
        number = 0;
        var places = _places;
        if ((uint)ordinal >= (uint)_shortTexts || (uint)ordinal >= (uint)places.Length)
            return false;
        ref var place = ref places[ordinal];
        if (place.Kind != kind)
            return false;
        int at, length;
        if (ordinal < _known)
            (at, length) = (place.At, place.Length);
        else
        {
            if (ordinal > _known && !TryReach(ordinal) || _next >= _end)
                return false;
            at = _next + 1;
            length = _buffer[_next];
        }

        if ((uint)(length - 1) >= 9 || at + length > _end)
            return false;
        foreach (var character in _buffer.AsSpan(at, length))
        {
            var digit = (uint)(character - '0');
            if (digit > 9)
                return false;
            number = number * 10 + (int)digit;
        }

        if (ordinal >= _known)
        {
            // Bytes after the last column are an error that Walk reports.
            if (ordinal + 1 == _shortTexts && at + length != _end)
                return false;
            (place.At, place.Length) = (at, length);
            _known = ordinal + 1;
            _next = at + length;
        }

        return true;
    }

    // Locates the columns before the requested one while their lengths have one byte and stay inside the row. Other cases are left to Walk.
    private bool TryReach(int ordinal)
    {
        var row = new ReadOnlySpan<byte>(_buffer, 0, _end);
        var places = _places.AsSpan(0, ordinal);
        var next = _next;
        for (var i = _known; (uint)i < (uint)places.Length; i++)
        {
            if ((uint)next >= (uint)row.Length)
                return false;
            int length = row[next++];
            if (length >= 0xFB || length > row.Length - next)
                return false;
            (places[i].At, places[i].Length) = (next, length);
            next += length;
        }

        _known = ordinal;
        _next = next;
        return true;
    }

    // For columns of a signed integer kind, or of an unsigned kind of at most 32 bits.
    private long SignedInteger(int ordinal)
    {
        var value = Value(ordinal);
        return _isBinary ? Integers.ReadBinary(value, _columns[ordinal].Kind) : Integers.ReadText(value);
    }

    private ulong UnsignedInteger(int ordinal)
    {
        var value = Value(ordinal);
        return _isBinary ? BinaryPrimitives.ReadUInt64LittleEndian(value) : Integers.ReadUnsignedText(value);
    }

    // T is the type that the caller converts to; messages contain it.
    private long GetInt64<T>(int ordinal)
    {
        CheckStrict<T>(ordinal);
        switch (Kind(ordinal))
        {
            case ValueKind.Boolean when ThisAssembly.Conventions.ReadsBooleansAsBits:
                return SignedInteger(ordinal) != 0 ? 1 : 0;
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal);
            case ValueKind.UInt64:
                var unsigned = UnsignedInteger(ordinal);
                if (unsigned > long.MaxValue)
                    ThrowOverflow<T>(ordinal);
                return (long)unsigned;
            case ValueKind.Bit:
                var bits = Bits.Read(Value(ordinal), _columns[ordinal].Definition);
                if (bits > long.MaxValue)
                    ThrowOverflow<T>(ordinal);
                return (long)bits;
            case ValueKind.Decimal:
                var number = decimal.Truncate(Decimals.Read(Value(ordinal)));
                if (number is < long.MinValue or > long.MaxValue)
                    ThrowOverflow<T>(ordinal);
                return (long)number;
            default:
                if (Locate(ordinal, out _) < 0)
                    ThrowNull(ordinal);
                ThrowCast<T>(ordinal);
                return 0;
        }
    }

    private float Single(int ordinal)
    {
        var value = Value(ordinal);
        return _isBinary ? Floats.ReadSingleBinary(value) : Floats.ReadSingleText(value);
    }

    private double Double(int ordinal)
    {
        var value = Value(ordinal);
        return _isBinary ? Floats.ReadDoubleBinary(value) : Floats.ReadDoubleText(value);
    }

    private double GetDouble<T>(int ordinal)
    {
        CheckStrict<T>(ordinal);
        switch (Kind(ordinal))
        {
            case ValueKind.Double:
                return Double(ordinal);
            case ValueKind.Float:
                return Single(ordinal);
            case ValueKind.Decimal:
                // Not through System.Decimal: a DECIMAL can be larger.
                return ThisAssembly.Conventions.RefusesLargeDecimalsAsFormat ? (double)Decimals.Read(Value(ordinal)) : Floats.ReadDoubleText(Value(ordinal));
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal);
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal);
            case ValueKind.Bit:
                return Bits.Read(Value(ordinal), _columns[ordinal].Definition);
            default:
                ThrowCast<T>(ordinal);
                return 0;
        }
    }
}
