using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The typed getters. Integers are converted among each other, from DECIMAL (cut at the point) and BIT, with a check of the range; nothing is
/// parsed out of strings but dates, times and Guids.
/// </summary>
internal sealed partial class MySqlRow
{
    public override bool GetBoolean(int ordinal)
    {
        if (Kind(ordinal) is >= ValueKind.Boolean and <= ValueKind.Year)
            return SignedInteger(ordinal) != 0;
        return _columns[ordinal].Kind switch
        {
            ValueKind.UInt64 => UnsignedInteger(ordinal) != 0,
            ValueKind.Bit => Bits.Read(Value(ordinal)) != 0,
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
        // The most usual column by far, in a prepared statement: no call but this.
        if ((uint)ordinal < (uint)_direct)
        {
            ref readonly var column = ref _columns[ordinal];
            if (column.Kind == ValueKind.Int32)
                return BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start + column.FixedAt));
        }

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

        return GetInt64<long>(ordinal);
    }

    public ulong GetUInt64(int ordinal)
    {
        switch (Kind(ordinal))
        {
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal);
            case ValueKind.Bit:
                return Bits.Read(Value(ordinal));
            case ValueKind.Decimal:
                var number = decimal.Truncate(Decimals.Read(Value(ordinal)));
                return number is >= 0 and <= ulong.MaxValue ? (ulong)number : ThrowOverflow<ulong>(ordinal);
            default:
                var signed = GetInt64<ulong>(ordinal);
                return signed >= 0 ? (ulong)signed : ThrowOverflow<ulong>(ordinal);
        }
    }

    /// <exception cref="OverflowException">A DOUBLE or DECIMAL too large for a float.</exception>
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
        switch (Kind(ordinal))
        {
            case ValueKind.Decimal:
                return Decimals.Read(Value(ordinal));
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal);
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal);
            case ValueKind.Bit:
                return Bits.Read(Value(ordinal));
            // The conversions of the CLR throw by themselves when the number is too large.
            case ValueKind.Float:
                return (decimal)Single(ordinal);
            case ValueKind.Double:
                return (decimal)Double(ordinal);
            default:
                return ThrowCast<decimal>(ordinal);
        }
    }

    /// <summary>The digits of a DECIMAL, however many.</summary>
    public MySqlDecimal GetMySqlDecimal(int ordinal) => Kind(ordinal) == ValueKind.Decimal
        ? new(Encoding.ASCII.GetString(Value(ordinal)))
        : new(GetDecimal(ordinal).ToString(CultureInfo.InvariantCulture));

    public override DateTime GetDateTime(int ordinal) => Dates.ToDateTime(DateParts<DateTime>(ordinal), _settings);

    /// <summary>The date as it is stored, be it one of the calendar or not.</summary>
    public MySqlDateTime GetMySqlDateTime(int ordinal) => DateParts<MySqlDateTime>(ordinal);

    public DateOnly GetDateOnly(int ordinal) => DateOnly.FromDateTime(Dates.ToDateTime(DateParts<DateOnly>(ordinal), _settings));

    /// <summary>A date without an offset is taken for UTC, unless the option DateTimeKind says Local.</summary>
    public DateTimeOffset GetDateTimeOffset(int ordinal)
    {
        var value = Dates.ToDateTime(DateParts<DateTimeOffset>(ordinal), _settings);
        return new(value.Kind == DateTimeKind.Local ? value : DateTime.SpecifyKind(value, DateTimeKind.Utc));
    }

    public TimeSpan GetTimeSpan(int ordinal) => Time<TimeSpan>(ordinal);

    /// <exception cref="InvalidCastException">A TIME is no time of a day when it is negative or has 24 hours or more.</exception>
    public TimeOnly GetTimeOnly(int ordinal)
    {
        var value = Time<TimeOnly>(ordinal);
        return value.Ticks is >= 0 and < TimeSpan.TicksPerDay
            ? new(value.Ticks)
            : throw new InvalidCastException($"The column '{GetName(ordinal)}' holds {value}, which is no time of a day: read it with GetTimeSpan.");
    }

    public override Guid GetGuid(int ordinal) => Kind(ordinal) switch
    {
        ValueKind.GuidText or ValueKind.Text => Guids.ReadText(Value(ordinal)),
        ValueKind.GuidBytes => Guids.ReadBytes(Value(ordinal), _settings.GuidFormat),
        ValueKind.Bytes when Guids.IsBinary(_settings.GuidFormat) => Guids.ReadBytes(Value(ordinal), _settings.GuidFormat),
        ValueKind.Bytes => throw new InvalidCastException(
            $"The column '{GetName(ordinal)}' holds bytes, and nothing says in which order they are a Guid: set GUID Format=Binary16, TimeSwapBinary16 or LittleEndianBinary16."),
        _ => ThrowCast<Guid>(ordinal),
    };

    /// <summary>Text; numbers, dates and times as the server writes them (without ZEROFILL's zeros).</summary>
    public override string GetString(int ordinal)
    {
        switch (Kind(ordinal))
        {
            case ValueKind.Text or ValueKind.GuidText or ValueKind.Decimal:
                return Texts.Read(Value(ordinal));
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal).ToString(CultureInfo.InvariantCulture);
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal).ToString(CultureInfo.InvariantCulture);
            case ValueKind.Float:
                return Single(ordinal).ToString(CultureInfo.InvariantCulture);
            case ValueKind.Double:
                return Double(ordinal).ToString(CultureInfo.InvariantCulture);
            case ValueKind.Date or ValueKind.DateTime:
                return Dates.ToText(DateParts<string>(ordinal), _columns[ordinal].Kind == ValueKind.Date, _columns[ordinal].Definition.Decimals);
            case ValueKind.Time:
                return Times.ToText(Time<string>(ordinal), _columns[ordinal].Definition.Decimals);
            case ValueKind.GuidBytes:
                return GetGuid(ordinal).ToString();
            default:
                return ThrowCast<string>(ordinal);
        }
    }

    /// <summary>The first character.</summary>
    /// <exception cref="InvalidCastException">The text is empty.</exception>
    public char GetChar(int ordinal)
    {
        var text = GetString(ordinal);
        return text.Length > 0 ? text[0] : throw new InvalidCastException($"The column '{GetName(ordinal)}' holds an empty text: it has no first character.");
    }

    public override byte[] GetByteArray(int ordinal)
    {
        if (!HasBytes(Kind(ordinal)))
            return ThrowCast<byte[]>(ordinal);
        var length = Locate(ordinal, out var at);
        // A large value was received into an array made for it: that array is the answer, for the first who asks.
        if (_own?[ordinal] is { } own && at == 0 && own.Length == length)
            return own;
        return Bytes.Read(Value(ordinal));
    }

    /// <summary>A part of a value of bytes or text (as UTF-8).</summary>
    /// <returns>Bytes copied.</returns>
    public int GetBytes(int ordinal, long dataOffset, Span<byte> target)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(dataOffset);
        if (!HasBytes(Kind(ordinal)))
            return ThrowCast<int>(ordinal);
        var value = Value(ordinal);
        if (dataOffset >= value.Length)
            return 0;
        var part = value[(int)dataOffset..];
        if (part.Length > target.Length)
            part = part[..target.Length];
        part.CopyTo(target);
        return part.Length;
    }

    /// <summary>The elements of a VECTOR, also of one that comes as bytes (MariaDB).</summary>
    public float[] GetVector(int ordinal)
    {
        if (Kind(ordinal) is not (ValueKind.Vector or ValueKind.Bytes))
            return ThrowCast<float[]>(ordinal);
        var value = Value(ordinal);
        // Bytes may be anything; only a VECTOR promises to be one.
        return _columns[ordinal].Kind == ValueKind.Bytes && value.Length % sizeof(float) != 0 ? ThrowCast<float[]>(ordinal) : Vectors.Read(value);
    }

    public MySqlGeometry GetMySqlGeometry(int ordinal)
    {
        if (Kind(ordinal) != ValueKind.Bytes)
            return ThrowCast<MySqlGeometry>(ordinal);
        try
        {
            return MySqlGeometry.FromMySql(Value(ordinal));
        }
        catch (ArgumentException)
        {
            return ThrowCast<MySqlGeometry>(ordinal);
        }
    }

    public override object GetValue(int ordinal)
    {
        if (IsNull(ordinal))
            return DBNull.Value;
        return _columns[ordinal].Kind switch
        {
            ValueKind.Boolean => SignedInteger(ordinal) != 0 ? Booleans.True : Booleans.False,
            ValueKind.SByte => (sbyte)GetInt64<sbyte>(ordinal),
            ValueKind.Byte => (byte)GetInt64<byte>(ordinal),
            ValueKind.Int16 => GetInt16(ordinal),
            ValueKind.UInt16 => GetUInt16(ordinal),
            ValueKind.Int32 or ValueKind.Year => GetInt32(ordinal),
            ValueKind.UInt32 => GetUInt32(ordinal),
            ValueKind.Int64 => GetInt64(ordinal),
            ValueKind.UInt64 => UnsignedInteger(ordinal),
            ValueKind.Bit => Bits.Read(Value(ordinal)),
            ValueKind.Float => Single(ordinal),
            ValueKind.Double => Double(ordinal),
            ValueKind.Decimal => Decimals.Read(Value(ordinal)),
            ValueKind.Date or ValueKind.DateTime => _settings.AllowZeroDateTime ? GetMySqlDateTime(ordinal) : GetDateTime(ordinal),
            ValueKind.Time => GetTimeSpan(ordinal),
            ValueKind.Text => Texts.Read(Value(ordinal)),
            ValueKind.Vector => Vectors.Read(Value(ordinal)),
            ValueKind.GuidText or ValueKind.GuidBytes => GetGuid(ordinal),
            _ => GetByteArray(ordinal),
        };
    }

    private static bool HasBytes(ValueKind kind) =>
        kind is ValueKind.Bytes or ValueKind.Text or ValueKind.GuidText or ValueKind.GuidBytes or ValueKind.Vector or ValueKind.Bit or ValueKind.Null;

    private ValueKind Kind(int ordinal)
    {
        if ((uint)ordinal >= (uint)_columns.Length)
            ThrowOrdinal(ordinal);
        return _columns[ordinal].Kind;
    }

    // For a column whose kind is one of the signed integers or an unsigned one of 32 bits at most.
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

    // T is what the caller will make of it: for the messages.
    private long GetInt64<T>(int ordinal)
    {
        switch (Kind(ordinal))
        {
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal);
            case ValueKind.UInt64:
                var unsigned = UnsignedInteger(ordinal);
                if (unsigned > long.MaxValue)
                    ThrowOverflow<T>(ordinal);
                return (long)unsigned;
            case ValueKind.Bit:
                var bits = Bits.Read(Value(ordinal));
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
        switch (Kind(ordinal))
        {
            case ValueKind.Double:
                return Double(ordinal);
            case ValueKind.Float:
                return Single(ordinal);
            case ValueKind.Decimal:
                // Not through System.Decimal: a DECIMAL can be larger.
                return Floats.ReadDoubleText(Value(ordinal));
            case >= ValueKind.Boolean and <= ValueKind.Year:
                return SignedInteger(ordinal);
            case ValueKind.UInt64:
                return UnsignedInteger(ordinal);
            case ValueKind.Bit:
                return Bits.Read(Value(ordinal));
            default:
                ThrowCast<T>(ordinal);
                return 0;
        }
    }

    private MySqlDateTime DateParts<T>(int ordinal)
    {
        switch (Kind(ordinal))
        {
            case ValueKind.Date or ValueKind.DateTime:
                var value = Value(ordinal);
                return _isBinary ? Dates.ReadBinaryParts(value) : Dates.ReadTextParts(value);
            // What functions like DATE_ADD make of strings is text.
            case ValueKind.Text:
                return DateFromText(ordinal);
            default:
                ThrowCast<T>(ordinal);
                return default;
        }
    }

    private MySqlDateTime DateFromText(int ordinal)
    {
        try
        {
            return Dates.ReadTextParts(Value(ordinal));
        }
        catch (Core.Errors.ProtocolException)
        {
            throw new FormatException($"The column '{GetName(ordinal)}' holds text that is no date.");
        }
    }

    private TimeSpan Time<T>(int ordinal)
    {
        if (Kind(ordinal) != ValueKind.Time)
            ThrowCast<T>(ordinal);
        var value = Value(ordinal);
        return _isBinary ? Times.ReadBinary(value) : Times.ReadText(value);
    }
}
