using Slipstream.MySql;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The ways in which a program reads a column. The values become part of the outcome.</summary>
internal static class RowReading
{
    /// <summary>The number of ways.</summary>
    public const int Ways = 22;

    // The ways that suit a kind of column. Other ways only throw.
    private static readonly byte[] OfIntegers = [0, 1, 2, 8, 10, 12], OfDecimals = [0, 1, 8, 10, 11, 12], OfFloats = [0, 1, 8], OfBits = [0, 4, 12, 20],
        OfDates = [0, 1, 13, 14, 15],
        OfTimes = [0, 1, 16], OfTexts = [0, 1, 19, 20, 21], OfBytes = [0, 19, 20], OfVectors = [0, 19, 21], OfGuids = [0, 1, 18, 19];

    /// <summary>Reads a column in one of the ways that suit it.</summary>
    public static void ReadWell(MySqlRow row, int ordinal, int how, StateSet states)
    {
        var ways = row.Metadata.Columns[ordinal].Kind switch
        {
            <= ValueKind.UInt64 => OfIntegers,
            ValueKind.Decimal => OfDecimals,
            ValueKind.Float or ValueKind.Double => OfFloats,
            ValueKind.Bit => OfBits,
            ValueKind.Date or ValueKind.DateTime => OfDates,
            ValueKind.Time => OfTimes,
            ValueKind.Text => OfTexts,
            ValueKind.Vector => OfVectors,
            ValueKind.GuidText or ValueKind.GuidBytes => OfGuids,
            _ => OfBytes,
        };
        Read(row, ordinal, ways[how % ways.Length], states);
    }

    /// <summary>Reads a column in any way.</summary>
    public static void Read(MySqlRow row, int ordinal, int how, StateSet states)
    {
        if (row.IsNull(ordinal))
        {
            states.Visit(10);
            Outcome.Holds(row.GetValue(ordinal) == (object)DBNull.Value, "NULL is DBNull");
            return;
        }

        states.Visit(11 + how);
        switch (how)
        {
            case 0: Boxed(row, ordinal, states); break;
            case 1: states.Note(row.GetString(ordinal)); break;
            case 2: states.Note((ulong)row.GetInt64(ordinal)); break;
            case 3: states.Note((ulong)row.GetInt32(ordinal)); break;
            case 4: states.Note(row.GetUInt64(ordinal)); break;
            case 5: states.Note((ulong)row.GetInt16(ordinal) << 16 | row.GetByte(ordinal)); break;
            case 6: states.Note((ulong)(byte)row.GetSByte(ordinal) << 16 | row.GetUInt16(ordinal)); break;
            case 7: states.Note(row.GetUInt32(ordinal)); break;
            case 8: states.Note(BitConverter.DoubleToUInt64Bits(row.GetDouble(ordinal))); break;
            case 9: states.Note(BitConverter.SingleToUInt32Bits(row.GetFloat(ordinal))); break;
            case 10: Note(row.GetDecimal(ordinal), states); break;
            case 11: states.Note(row.GetMySqlDecimal(ordinal).ToString()); break;
            case 12: states.Note(row.GetBoolean(ordinal) ? 1ul : 0); break;
            case 13: states.Note((ulong)row.GetDateTime(ordinal).Ticks); break;
            case 14: Note(row.GetMySqlDateTime(ordinal), states); break;
            case 15: states.Note((ulong)row.GetDateOnly(ordinal).DayNumber ^ (ulong)row.GetDateTimeOffset(ordinal).Ticks); break;
            case 16: states.Note((ulong)row.GetTimeSpan(ordinal).Ticks); break;
            case 17: states.Note((ulong)row.GetTimeOnly(ordinal).Ticks); break;
            case 18: Note(row.GetGuid(ordinal), states); break;
            case 19: states.Note(row.GetSpan(ordinal)); break;
            case 20: Pieces(row, ordinal, states); break;
            default: Shapes(row, ordinal, states); break;
        }
    }

    // The value has the announced type, whatever was sent.
    private static void Boxed(MySqlRow row, int ordinal, StateSet states)
    {
        var value = row.GetValue(ordinal);
        Outcome.Holds(row.GetFieldType(ordinal).IsInstanceOfType(value), "a value is of its column's type");
        switch (value)
        {
            case string text: states.Note(text); break;
            case byte[] bytes: states.Note(bytes); break;
            case float[] elements: states.Note((ulong)elements.Length); break;
            case DateTime moment: states.Note((ulong)moment.Ticks); break;
            case TimeSpan time: states.Note((ulong)time.Ticks); break;
            case double number: states.Note(BitConverter.DoubleToUInt64Bits(number)); break;
            case decimal number: Note(number, states); break;
            case MySqlDateTime moment: Note(moment, states); break;
            case Guid guid: Note(guid, states); break;
            case ulong number: states.Note(number); break;
            case IConvertible number: states.Note((ulong)number.ToInt64(null)); break;
            default: throw new BrokenPromiseException($"A value is a {value.GetType().Name}.");
        }
    }

    // GetBytes in pieces returns the same as GetByteArray.
    private static void Pieces(MySqlRow row, int ordinal, StateSet states)
    {
        var whole = row.GetByteArray(ordinal);
        states.Note(whole);
        Span<byte> piece = stackalloc byte[7];
        for (var at = 0; at < whole.Length; at += piece.Length)
        {
            var count = row.GetBytes(ordinal, at, piece);
            Outcome.Holds(piece[..count].SequenceEqual(whole.AsSpan(at, Math.Min(piece.Length, whole.Length - at))), "the pieces of a value are the value");
        }

        Outcome.Holds(row.GetBytes(ordinal, whole.Length, piece) == 0, "behind a value there is nothing");
    }

    private static void Shapes(MySqlRow row, int ordinal, StateSet states)
    {
        if (row.IsText(ordinal))
        {
            states.Note(row.GetChar(ordinal));
            states.Note(row.GetFieldValue<char[]>(ordinal));
            return;
        }

        switch (row.GetDataTypeName(ordinal))
        {
            case "GEOMETRY":
                var geometry = row.GetMySqlGeometry(ordinal);
                states.Note((ulong)geometry.SRID);
                states.Note(geometry.WKB);
                break;
            case "VECTOR":
                states.Note((ulong)row.GetVector(ordinal).Length);
                break;
            default:
                states.Note((ulong)(row.GetFieldValue<int?>(ordinal) ?? -1));
                break;
        }
    }

    private static void Note(decimal value, StateSet states)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        foreach (var part in bits)
            states.Note((ulong)part);
    }

    private static void Note(in MySqlDateTime value, StateSet states) =>
        states.Note(
            (((((ulong)value.Year * 256 + (ulong)value.Month) * 256 + (ulong)value.Day) * 256 + (ulong)value.Hour) * 256 + (ulong)value.Minute) * 256
                + (ulong)value.Second);

    private static void Note(Guid value, StateSet states)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes);
        states.Note(bytes);
    }
}
