using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Conversations;

internal sealed partial class PgRow
{
    public override bool GetBoolean(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        if (column.Kind != ColumnKind.Boolean)
            return Coded<bool>(ordinal);
        return column.IsBinary ? Booleans.ReadBinary(value) : Booleans.ReadText(value);
    }

    public override byte GetByte(int ordinal) => checked((byte)GetInt64(ordinal));

    public override short GetInt16(int ordinal)
    {
        var value = Value(ordinal);
        return _columns[ordinal] is { Kind: ColumnKind.Int2, IsBinary: true } ? Integers.ReadInt16Binary(value) : checked((short)Integer(ordinal, value));
    }

    public override int GetInt32(int ordinal)
    {
        var value = Value(ordinal);
        return _columns[ordinal] is { Kind: ColumnKind.Int4, IsBinary: true } ? Integers.ReadInt32Binary(value) : checked((int)Integer(ordinal, value));
    }

    public override long GetInt64(int ordinal)
    {
        var value = Value(ordinal);
        return _columns[ordinal] is { Kind: ColumnKind.Int8, IsBinary: true } ? Integers.ReadInt64Binary(value) : Integer(ordinal, value);
    }

    public override float GetFloat(int ordinal)
    {
        var value = Value(ordinal);
        return _columns[ordinal] switch
        {
            { Kind: ColumnKind.Float4, IsBinary: true } => Floats.ReadSingleBinary(value),
            { Kind: ColumnKind.Float4 } => Floats.ReadSingleText(value),
            { Kind: ColumnKind.Float8 } => throw Narrowing(ordinal),
            // Rounded once, without a conversion to Double first.
            { Kind: ColumnKind.Int8 } => GetInt64(ordinal),
            _ => (float)GetDouble(ordinal),
        };
    }

    public override double GetDouble(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.Float8: return column.IsBinary ? Floats.ReadDoubleBinary(value) : Floats.ReadDoubleText(value);
            case ColumnKind.Float4: return column.IsBinary ? Floats.ReadSingleBinary(value) : Floats.ReadSingleText(value);
            case ColumnKind.Int2 or ColumnKind.Int4 or ColumnKind.Int8 or ColumnKind.Oid: return Integer(ordinal, value);
            case ColumnKind.Numeric: return (double)GetDecimal(ordinal);
            default: ThrowCast(ordinal, nameof(Double)); return 0;
        }
    }

    public override decimal GetDecimal(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.Numeric: return column.IsBinary ? Numerics.ReadBinary(value) : Numerics.ReadText(value);
            case ColumnKind.Int2 or ColumnKind.Int4 or ColumnKind.Int8 or ColumnKind.Oid: return Integer(ordinal, value);
            default: return Coded<decimal>(ordinal);
        }
    }

    /// <summary>Returns timestamptz as UTC, timestamp with kind Unspecified, and date as its midnight.</summary>
    public override DateTime GetDateTime(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.Timestamp: return column.IsBinary ? Timestamps.ReadBinary(value, DateTimeKind.Unspecified) : Timestamps.ReadText(value);
            case ColumnKind.TimestampTz: return column.IsBinary ? Timestamps.ReadBinary(value, DateTimeKind.Utc) : Timestamps.ReadTextWithZone(value);
            case ColumnKind.Date: return Dates.IsInfinity(value, column.IsBinary) ? DateTime.MaxValue : GetDateOnly(ordinal).ToDateTime(default);
            default: ThrowCast(ordinal, nameof(DateTime)); return default;
        }
    }

    public override Guid GetGuid(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        if (column.Kind != ColumnKind.Uuid)
            ThrowCast(ordinal, nameof(Guid));
        return column.IsBinary ? Guids.ReadBinary(value) : Guids.ReadText(value);
    }

    /// <summary>Returns text of any type, every digit of a numeric, and values that arrived as text because their type has no codec.</summary>
    public override string GetString(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.Text: return Texts.Read(value);
            case ColumnKind.Jsonb: return Texts.Read(column.IsBinary ? Texts.Jsonb(value) : value);
            case ColumnKind.Other when !column.IsBinary: return Texts.Read(value);
            case ColumnKind.Numeric: return column.IsBinary ? Numerics.ToText(value) : Texts.Read(value);
            case ColumnKind.InternalChar: return Texts.ReadInternalChar(value, column.IsBinary).ToString();
            default: return column.Type.TryRead<string>(value, column.IsBinary, out var text) ? text : Unreadable<string>(ordinal);
        }
    }

    public char GetChar(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        if (column.Kind == ColumnKind.InternalChar)
            return Texts.ReadInternalChar(value, column.IsBinary);
        if (!column.Kind.IsText())
            ThrowCast(ordinal, nameof(Char));
        return Texts.ReadChar(GetSpan(ordinal));
    }

    public DateOnly GetDateOnly(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        if (column.Kind != ColumnKind.Date)
            ThrowCast(ordinal, nameof(DateOnly));
        return column.IsBinary ? Dates.ReadBinary(value) : Dates.ReadText(value);
    }

    public TimeOnly GetTimeOnly(int ordinal)
    {
        if (_columns[Known(ordinal)].Kind != ColumnKind.Time)
            ThrowCast(ordinal, nameof(TimeOnly));
        return Times.ToTimeOnly(GetTimeSpan(ordinal));
    }

    /// <summary>Returns an interval, or a time as the span since midnight.</summary>
    public TimeSpan GetTimeSpan(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.Interval: return column.IsBinary ? Intervals.ReadBinary(value) : Intervals.ReadText(value);
            case ColumnKind.Time: return column.IsBinary ? Times.ReadBinary(value) : Times.ReadText(value);
            default: ThrowCast(ordinal, nameof(TimeSpan)); return default;
        }
    }

    /// <summary>Returns timestamptz with offset zero, or timetz.</summary>
    public DateTimeOffset GetDateTimeOffset(int ordinal)
    {
        var value = Value(ordinal);
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.TimestampTz: return new(GetDateTime(ordinal));
            case ColumnKind.TimeTz: return column.IsBinary ? Times.ReadZonedBinary(value) : Times.ReadZonedText(value);
            default: ThrowCast(ordinal, nameof(DateTimeOffset)); return default;
        }
    }

    public override ReadOnlySpan<byte> GetSpan(int ordinal)
    {
        var value = Value(ordinal);
        return _columns[ordinal] switch
        {
            { Kind: ColumnKind.Bytea, IsBinary: false } => Bytes.ReadText(value),
            { Kind: ColumnKind.Jsonb, IsBinary: true } => Texts.Jsonb(value),
            { Kind: ColumnKind.Bytea or ColumnKind.Text or ColumnKind.Jsonb } or { Kind: ColumnKind.Other, IsBinary: false } => value,
            _ => throw Unspannable(ordinal),
        };
    }

    public override byte[] GetByteArray(int ordinal)
    {
        var value = Value(ordinal);
        if (_columns[ordinal] is { Kind: ColumnKind.Bytea, IsBinary: false })
            return Bytes.ReadText(value);
        if (_own?[ordinal] is { } own && _columns[ordinal] is { Kind: ColumnKind.Bytea or ColumnKind.Text })
            return own;
        return Bytes.ReadBinary(GetSpan(ordinal));
    }

    public override object GetValue(int ordinal)
    {
        if (IsNull(ordinal))
            return DBNull.Value;
        var column = _columns[ordinal];
        if (column.Kind == ColumnKind.Coded || column.Type.Default is not null)
            return column.Type.Read(Value(ordinal), column.IsBinary);
        return column.Kind switch
        {
            ColumnKind.Boolean => GetBoolean(ordinal),
            ColumnKind.Int2 => GetInt16(ordinal),
            ColumnKind.Int4 => GetInt32(ordinal),
            ColumnKind.Int8 => GetInt64(ordinal),
            ColumnKind.Oid => (uint)GetInt64(ordinal),
            ColumnKind.Float4 => GetFloat(ordinal),
            ColumnKind.Float8 => GetDouble(ordinal),
            ColumnKind.Numeric => GetDecimal(ordinal),
            ColumnKind.InternalChar => GetChar(ordinal),
            ColumnKind.Bytea => GetByteArray(ordinal),
            ColumnKind.Date => GetDateOnly(ordinal),
            ColumnKind.Timestamp or ColumnKind.TimestampTz => GetDateTime(ordinal),
            ColumnKind.Time => GetTimeOnly(ordinal),
            ColumnKind.TimeTz => GetDateTimeOffset(ordinal),
            ColumnKind.Interval => GetTimeSpan(ordinal),
            ColumnKind.Uuid => GetGuid(ordinal),
            // A void function returned no value; this is not NULL.
            ColumnKind.Void => null!,
            _ => GetString(ordinal),
        };
    }

    // Reads whole numbers of any width, and a numeric that is whole.
    private long Integer(int ordinal, ReadOnlySpan<byte> value)
    {
        var column = _columns[ordinal];
        switch (column.Kind)
        {
            case ColumnKind.Int4: return column.IsBinary ? Integers.ReadInt32Binary(value) : Integers.ReadText(value);
            case ColumnKind.Int8: return column.IsBinary ? Integers.ReadInt64Binary(value) : Integers.ReadText(value);
            case ColumnKind.Int2: return column.IsBinary ? Integers.ReadInt16Binary(value) : Integers.ReadText(value);
            case ColumnKind.Oid: return column.IsBinary ? Integers.ReadOidBinary(value) : Integers.ReadText(value);
            case ColumnKind.Numeric: return checked((long)WholeNumber(ordinal));
            default: ThrowCast(ordinal, "an integer"); return 0;
        }
    }

    private ulong GetUInt64(int ordinal) => _columns[Known(ordinal)].Kind switch
    {
        ColumnKind.Numeric => checked((ulong)WholeNumber(ordinal)),
        ColumnKind.Coded => Coded<ulong>(ordinal),
        _ => checked((ulong)GetInt64(ordinal)),
    };

    private decimal WholeNumber(int ordinal)
    {
        var number = GetDecimal(ordinal);
        if (decimal.Truncate(number) != number)
            ThrowCast(ordinal, "an integer");
        return number;
    }

    private int Known(int ordinal)
    {
        Described(ordinal);
        return ordinal;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private InvalidCastException Narrowing(int ordinal) => new($"Column '{Called(ordinal)}' of type double precision cannot be read as Single, which would "
        + "lose digits: read it with GetDouble.");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private InvalidCastException Unspannable(int ordinal)
    {
        if (HasUnreadableFormat(ordinal))
            return UnreadableFormat(ordinal);
        return new InvalidCastException(
            $"Column '{Called(ordinal)}' of type {TypeOf(ordinal).Name} cannot be read as bytes or characters, because it is neither text nor bytea: "
            + "read it as its own type, or cast it in SQL.");
    }

    // The last result had only columns with a readable binary form, so the binary form was requested. Since then, another session has changed a type, or
    // search_path leads to another table. This result has been recorded, so the next execution requests text.
    private bool HasUnreadableFormat(int ordinal) => _columns[ordinal] is { Kind: ColumnKind.Other, IsBinary: true };

    private InvalidCastException UnreadableFormat(int ordinal) => new(
        $"Column '{Called(ordinal)}' is of type {TypeOf(ordinal).Name}, but was of another type when this statement was last executed: its values "
        + "arrived in a format that cannot be read. Execute the command again.");
}
