using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// <see cref="DateOnly"/> ↔ date: days since 2000-01-01; "2026-11-21". The server's range is 4713 BC to 5874897 AD; what a DateOnly cannot hold is an error,
/// except that infinity reads as <see cref="DateOnly.MaxValue"/> and -infinity as <see cref="DateOnly.MinValue"/>, and they are written so.
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

    /// <summary>Length and value.</summary>
    public static void Write(ByteWriter writer, DateOnly value) =>
        Integers.Write(writer, value == DateOnly.MaxValue ? int.MaxValue : value == DateOnly.MinValue ? int.MinValue : value.DayNumber - Epoch);

    /// <summary>The same; only the largest moment is infinity, the midnight of its day is a date.</summary>
    public static void Write(ByteWriter writer, DateTime value) =>
        Integers.Write(writer, value == DateTime.MaxValue ? int.MaxValue : value == DateTime.MinValue ? int.MinValue : DateOnly.FromDateTime(value).DayNumber - Epoch);

    /// <summary>Whether it is infinity, which <see cref="DateOnly"/> cannot tell from its last day.</summary>
    public static bool IsInfinity(ReadOnlySpan<byte> value, bool binary) =>
        binary ? value.Length == 4 && BinaryPrimitives.ReadInt32BigEndian(value) == int.MaxValue : value.SequenceEqual("infinity"u8);

    public static InvalidCastException OutOfRange(string type) =>
        new($"The {type} value lies outside the years 1 to 9999 that .NET's types hold; read it as text by casting it in SQL.");
}
