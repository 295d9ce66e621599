using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <see cref="DateOnly"/> to and from date. In binary: days since 2000-01-01. In text: "2026-11-21". The server's range is 4713 BC to 5874897 AD; a
/// date that DateOnly cannot hold is an error. Infinity is read and written as <see cref="DateOnly.MaxValue"/>, -infinity as <see cref="DateOnly.MinValue"/>.
/// </summary>
internal static class Dates
{
    private static readonly int Epoch = new DateOnly(2000, 1, 1).DayNumber;

    public static DateOnly ReadBinary(ReadOnlySpan<byte> value)
    {
        if (value.Length != 4)
            Malformed.Throw("date", value, binary: true);
        var days = BinaryPrimitives.ReadInt32BigEndian(value);
        if (days == int.MaxValue)
            return DateOnly.MaxValue;
        if (days == int.MinValue)
            return DateOnly.MinValue;
        var number = (long)days + Epoch;
        return number >= 0 && number <= DateOnly.MaxValue.DayNumber ? DateOnly.FromDayNumber((int)number) : throw OutOfRange("date");
    }

    public static DateOnly ReadText(ReadOnlySpan<byte> value)
    {
        if (value.SequenceEqual("infinity"u8))
            return DateOnly.MaxValue;
        if (value.SequenceEqual("-infinity"u8))
            return DateOnly.MinValue;
        var cursor = new TextCursor(value);
        var date = DateOnly.FromDayNumber((int)(cursor.Date() / TimeSpan.TicksPerDay));
        cursor.End("date");
        return date;
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, DateOnly value) =>
        Integers.Write(writer, value == DateOnly.MaxValue ? int.MaxValue : value == DateOnly.MinValue ? int.MinValue : value.DayNumber - Epoch);

    /// <summary>Writes the length and the date. Only <see cref="DateTime.MaxValue"/> is infinity; midnight of the same day is a date.</summary>
    public static void Write(ByteWriter writer, DateTime value) =>
        Integers.Write(
            writer, value == DateTime.MaxValue ? int.MaxValue : value == DateTime.MinValue ? int.MinValue : DateOnly.FromDateTime(value).DayNumber - Epoch);

    /// <summary>Returns true if the value is infinity, which <see cref="DateOnly"/> cannot distinguish from its last day.</summary>
    public static bool IsInfinity(ReadOnlySpan<byte> value, bool binary) =>
        binary ? value.Length == 4 && BinaryPrimitives.ReadInt32BigEndian(value) == int.MaxValue : value.SequenceEqual("infinity"u8);

    public static InvalidCastException OutOfRange(string type) =>
        new($"The {type} value is outside the years 1 to 9999 of .NET's types: cast it to text in SQL.");
}
