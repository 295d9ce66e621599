using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Conversations;

/// <summary>The typed getters except those of numbers. From strings, only dates and Guids are parsed.</summary>
internal sealed partial class MySqlRow
{
    public override DateTime GetDateTime(int ordinal) => Dates.ToDateTime(DateParts<DateTime>(ordinal), _settings);

    /// <summary>Returns the date as it is stored, even if it is not a date of the calendar.</summary>
    public MySqlDateTime GetMySqlDateTime(int ordinal) => ThisAssembly.Conventions.ReadsZeroDatesByOptionOnly && !_settings.AllowZeroDateTime
        ? new(GetDateTime(ordinal))
        : DateParts<MySqlDateTime>(ordinal);

    public DateOnly GetDateOnly(int ordinal) => DateOnly.FromDateTime(Dates.ToDateTime(DateParts<DateOnly>(ordinal), _settings));

    /// <summary>
    /// Returns a date without an offset as UTC, which is also how it is written, independently of the option DateTimeKind. With this machine's offset, the
    /// first and the last day would leave the calendar.
    /// </summary>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => new(Dates.ToDateTime(DateParts<DateTimeOffset>(ordinal), _settings).Ticks, TimeSpan.Zero);

    public TimeSpan GetTimeSpan(int ordinal) => Time<TimeSpan>(ordinal);

    /// <exception cref="InvalidCastException">The TIME is negative or has 24 hours or more, so it is not a time of day.</exception>
    public TimeOnly GetTimeOnly(int ordinal)
    {
        var value = Time<TimeOnly>(ordinal);
        return value.Ticks is >= 0 and < TimeSpan.TicksPerDay
            ? new(value.Ticks)
            : throw new InvalidCastException($"Column '{Called(ordinal)}' contains a time that is not a time of day: read it with GetTimeSpan.");
    }

    public override Guid GetGuid(int ordinal) => Kind(ordinal) switch
    {
        ValueKind.GuidText => Guids.ReadText(Value(ordinal)),
        ValueKind.Text => !_settings.StrictConversions && Guids.TryReadText(Value(ordinal), out var guid) ? guid : ThrowCast<Guid>(ordinal),
        ValueKind.GuidBytes => Guids.ReadBytes(Value(ordinal), _settings.GuidFormat),
        ValueKind.Bytes when !_settings.StrictConversions => Guids.ReadBytes(Value(ordinal), _settings.GuidFormat),
        _ => ThrowCast<Guid>(ordinal),
    };

    /// <summary>Returns text. Numbers, dates and times have the server's format, without the zeros of ZEROFILL.</summary>
    public override string GetString(int ordinal)
    {
        switch (Kind(ordinal))
        {
            case ValueKind.Text or ValueKind.GuidText:
                return Texts.Read(Value(ordinal));
            case not ValueKind.Text when _settings.StrictConversions:
                return ThrowStrict<string>(ordinal);
            case ValueKind.Decimal:
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

    /// <summary>Returns the first character.</summary>
    /// <exception cref="InvalidCastException">The text is empty.</exception>
    public char GetChar(int ordinal)
    {
        var text = GetString(ordinal);
        return text.Length > 0 ? text[0] : throw new InvalidCastException($"Column '{Called(ordinal)}' is an empty string, which has no first character.");
    }

    public override byte[] GetByteArray(int ordinal)
    {
        if (!HasBytes(Kind(ordinal)))
            return ThrowCast<byte[]>(ordinal);
        CheckStrict<byte[]>(ordinal);
        var length = Locate(ordinal, out var at);
        // A large value was received into an array of its own. The first call returns that array.
        if (_own?[ordinal] is { } own && at == 0 && own.Length == length)
            return own;
        return Bytes.Read(Value(ordinal));
    }

    /// <summary>Copies a part of a value of bytes, text (as UTF-8) or DECIMAL.</summary>
    /// <returns>The number of bytes copied.</returns>
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

    /// <summary>Returns the elements of a VECTOR, even if it arrives as bytes (MariaDB).</summary>
    public float[] GetVector(int ordinal)
    {
        if (Kind(ordinal) is not (ValueKind.Vector or ValueKind.Bytes))
            return ThrowCast<float[]>(ordinal);
        var value = Value(ordinal);
        // Bytes may contain anything; only a VECTOR is known to be valid.
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
            ValueKind.Bit => Bits.Read(Value(ordinal), _columns[ordinal].Definition),
            ValueKind.Float => Single(ordinal),
            ValueKind.Double => Double(ordinal),
            ValueKind.Decimal => Decimals.Read(Value(ordinal)),
            ValueKind.Date or ValueKind.DateTime => _settings.AllowZeroDateTime ? DateValue(ordinal) : GetDateTime(ordinal),
            ValueKind.Time => GetTimeSpan(ordinal),
            ValueKind.Text => Texts.Read(Value(ordinal)),
            ValueKind.Vector => ThisAssembly.Conventions.ReadsVectorsAsMemory
                ? new ReadOnlyMemory<float>(Vectors.Read(Value(ordinal)))
                : (object)Vectors.Read(Value(ordinal)),
            ValueKind.GuidText or ValueKind.GuidBytes => GetGuid(ordinal),
            _ => GetByteArray(ordinal),
        };
    }

    // With both options, a zero date is converted. Every other date keeps the type that the column has.
    private object DateValue(int ordinal)
    {
        var value = GetMySqlDateTime(ordinal);
        return _settings.ConvertZeroDateTime && value is { Year: 0, Month: 0, Day: 0 } ? DateTime.MinValue : value;
    }

    // The kinds that look the same in both protocols. Other numbers and dates are text in one protocol and bytes in the other.
    private static bool HasBytes(ValueKind kind) => kind is ValueKind.Bytes or ValueKind.Text or ValueKind.GuidText or ValueKind.GuidBytes or ValueKind.Vector
        or ValueKind.Bit or ValueKind.Decimal or ValueKind.Null;

    private ValueKind Kind(int ordinal)
    {
        if ((uint)ordinal >= (uint)_columns.Length)
            ThrowOrdinal(ordinal);
        return _columns[ordinal].Kind;
    }

    private MySqlDateTime DateParts<T>(int ordinal)
    {
        switch (Kind(ordinal))
        {
            case ValueKind.Date or ValueKind.DateTime:
                var value = Value(ordinal);
                return _isBinary ? Dates.ReadBinaryParts(value) : Dates.ReadTextParts(value);
            // Functions like DATE_ADD return text if their argument is a string.
            case ValueKind.Text when !_settings.StrictConversions:
                return Dates.ReadTextParts(Value(ordinal));
            default:
                ThrowCast<T>(ordinal);
                return default;
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
