using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Conversations;

/// <summary>The typed getters of all but numbers. Nothing is parsed out of strings but dates and Guids.</summary>
internal sealed partial class MySqlRow
{
    public override DateTime GetDateTime(int ordinal) => Dates.ToDateTime(DateParts<DateTime>(ordinal), _settings);

    /// <summary>The date as it is stored, be it one of the calendar or not.</summary>
    public MySqlDateTime GetMySqlDateTime(int ordinal) => DateParts<MySqlDateTime>(ordinal);

    public DateOnly GetDateOnly(int ordinal) => DateOnly.FromDateTime(Dates.ToDateTime(DateParts<DateOnly>(ordinal), _settings));

    /// <summary>
    /// A date without an offset is taken for UTC, as which one is written, whatever the option DateTimeKind says:
    /// with this machine's offset the first and the last day would leave the calendar.
    /// </summary>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => new(Dates.ToDateTime(DateParts<DateTimeOffset>(ordinal), _settings).Ticks, TimeSpan.Zero);

    public TimeSpan GetTimeSpan(int ordinal) => Time<TimeSpan>(ordinal);

    /// <exception cref="InvalidCastException">A TIME is no time of a day when it is negative or has 24 hours or more.</exception>
    public TimeOnly GetTimeOnly(int ordinal)
    {
        var value = Time<TimeOnly>(ordinal);
        return value.Ticks is >= 0 and < TimeSpan.TicksPerDay
            ? new(value.Ticks)
            : throw new InvalidCastException($"The column '{Called(ordinal)}' holds a time that is not a time of day: read it with GetTimeSpan.");
    }

    public override Guid GetGuid(int ordinal) => Kind(ordinal) switch
    {
        ValueKind.GuidText => Guids.ReadText(Value(ordinal)),
        ValueKind.Text => !_settings.StrictConversions && Guids.TryReadText(Value(ordinal), out var guid) ? guid : ThrowCast<Guid>(ordinal),
        ValueKind.GuidBytes => Guids.ReadBytes(Value(ordinal), _settings.GuidFormat),
        ValueKind.Bytes when !_settings.StrictConversions => Guids.ReadBytes(Value(ordinal), _settings.GuidFormat),
        _ => ThrowCast<Guid>(ordinal),
    };

    /// <summary>Text; numbers, dates and times as the server writes them (without ZEROFILL's zeros).</summary>
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

    /// <summary>The first character.</summary>
    /// <exception cref="InvalidCastException">The text is empty.</exception>
    public char GetChar(int ordinal)
    {
        var text = GetString(ordinal);
        return text.Length > 0 ? text[0] : throw new InvalidCastException($"The column '{Called(ordinal)}' holds an empty text: it has no first character.");
    }

    public override byte[] GetByteArray(int ordinal)
    {
        if (!HasBytes(Kind(ordinal)))
            return ThrowCast<byte[]>(ordinal);
        CheckStrict<byte[]>(ordinal);
        var length = Locate(ordinal, out var at);
        // A large value was received into an array made for it: that array is the answer, for the first who asks.
        if (_own?[ordinal] is { } own && at == 0 && own.Length == length)
            return own;
        return Bytes.Read(Value(ordinal));
    }

    /// <summary>A part of a value of bytes, text (as UTF-8) or DECIMAL.</summary>
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
            ValueKind.Bit => Bits.Read(Value(ordinal), _columns[ordinal].Definition),
            ValueKind.Float => Single(ordinal),
            ValueKind.Double => Double(ordinal),
            ValueKind.Decimal => Decimals.Read(Value(ordinal)),
            ValueKind.Date or ValueKind.DateTime => _settings.AllowZeroDateTime ? DateValue(ordinal) : GetDateTime(ordinal),
            ValueKind.Time => GetTimeSpan(ordinal),
            ValueKind.Text => Texts.Read(Value(ordinal)),
            ValueKind.Vector => Vectors.Read(Value(ordinal)),
            ValueKind.GuidText or ValueKind.GuidBytes => GetGuid(ordinal),
            _ => GetByteArray(ordinal),
        };
    }

    // With both options a zero date is what it is converted to; any other keeps the type that the column says.
    private object DateValue(int ordinal)
    {
        var value = GetMySqlDateTime(ordinal);
        return _settings.ConvertZeroDateTime && value is { Year: 0, Month: 0, Day: 0 } ? DateTime.MinValue : value;
    }

    // What looks alike in both protocols; another number or a date is text in one and bytes in the other.
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
            // What functions like DATE_ADD make of strings is text.
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
