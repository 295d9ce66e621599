using System.Buffers.Text;
using System.Globalization;
using System.Numerics;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.Fuzzing.Targets;

/// <summary>
/// The codecs of values. A value is compared with the result of another reader of the same text, written in both formats, and read again: it must be the same.
/// The first byte of an input chooses among formats.
/// </summary>
internal static class MySqlCodecs
{
    [ThreadStatic]
    private static ByteWriter? _writer;

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-integers", ReadInteger)
        {
            MostInput = 64,
            Origin = static () => Texts("0", "-1", "127", "00042", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "-0", "+5")
        },
        new BytesTarget("mysql-decimals", ReadDecimal)
        {
            MostInput = 128,
            Origin = static () =>
                Texts(
                    "0", "-1.50", ".5", "79228162514264337593543950335", "0.0000000000000000000000000001",
                    "99999999999999999999999999999999999999999999999999999999999999999", "-0.00", "00000000000000000000000001.5")
        },
        new BytesTarget("mysql-floats", ReadFloat)
        {
            MostInput = 64,
            Origin = static () => Texts("0", "1.5", "-2.5e10", "1e308", "4.9e-324", "3.4028235e38", "inf", "nan", "1.17549e-38")
        },
        new BytesTarget("mysql-dates", ReadDate) { MostInput = 32, Origin = DateSeeds },
        new BytesTarget("mysql-times", ReadTime) { MostInput = 32, Origin = TimeSeeds },
        new BytesTarget("mysql-uuids", ReadGuid)
        {
            MostInput = 48,
            Origin = static () =>
                [
                    .. Texts("01234567-89ab-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef", " {01234567-89ab-cdef-0123-456789abcdef}"),
                    [1, .. "0123456789abcdef"u8]
                ]
        },
        new BytesTarget("mysql-bit-vector-geometry", ReadRaw)
        {
            MostInput = 256,
            Origin = static () =>
                [
                    [0, 1], [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 0, 0, 128, 63, 0, 0, 0, 64], [2, 0, 0, 0, 0, 1, 1, 0, 0, 0, .. new byte[16]],
                    [2, 230, 16, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0]
                ],
        },
    ];

    private static ByteWriter Writer
    {
        get
        {
            var writer = _writer ??= new();
            writer.Clear();
            return writer;
        }
    }

    private static void ReadInteger(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        try
        {
            if ((input[0] & 1) == 0)
            {
                var number = Integers.ReadText(value);
                states.Visit(1, number);
                Outcome.Holds(
                    IsDigits(value) && number == BigInteger.Parse(Encoding.ASCII.GetString(value), CultureInfo.InvariantCulture),
                    "an integer is what its digits say");
                var writer = Writer;
                Integers.WriteText(writer, number);
                Outcome.Holds(Integers.ReadText(writer.Written.TrimStart((byte)' ')) == number, "an integer is read as it was written");
            }
            else
            {
                var number = Integers.ReadUnsignedText(value);
                states.Visit(2, (long)number);
                Outcome.Holds(
                    IsDigits(value) && number == BigInteger.Parse(Encoding.ASCII.GetString(value), CultureInfo.InvariantCulture),
                    "an unsigned integer is what its digits say");
                var writer = Writer;
                Integers.WriteText(writer, number);
                Outcome.Holds(Integers.ReadUnsignedText(writer.Written) == number, "an unsigned integer is read as it was written");
            }
        }
        catch (FormatException)
        {
            states.Visit(3);
            Outcome.Holds(!IsDigits(value), "digits are a number");
        }
        catch (OverflowException)
        {
            states.Visit(4);
            var number = BigInteger.Parse(Encoding.ASCII.GetString(value), CultureInfo.InvariantCulture);
            Outcome.Holds(
                (input[0] & 1) == 0 ? number < long.MinValue || number > long.MaxValue : value[0] == '-' || number > ulong.MaxValue,
                "a number of the range is read");
        }
    }

    private static void ReadDecimal(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        try
        {
            var number = Decimals.Read(value);
            states.Visit(1, (long)(number.Scale << 8) | (byte)value.Length);
            var other = decimal.Parse(value, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);
            // Between two numbers that a decimal can represent, the runtime's two parsers round differently: half up, and half to even.
            var step = new decimal(1, 0, 0, false, Math.Min(number.Scale, other.Scale));
            Outcome.Holds(number == other || (value.Length > 29 && Math.Abs(number - other) <= step), "a decimal is what its digits say");
            var writer = Writer;
            Decimals.WriteText(writer, number);
            Outcome.Holds(Decimals.Read(writer.Written.TrimStart((byte)' ')) == number, "a decimal is read as it was written in text");
            writer.Clear();
            Decimals.WriteBinary(writer, number);
            Outcome.Holds(
                writer.Written[0] == writer.Length - 1 && Decimals.Read(writer.Written[1..]) == number, "a decimal is read as it was written in binary");
        }
        catch (FormatException)
        {
            states.Visit(2);
        }
        catch (OverflowException)
        {
            states.Visit(3);
            Outcome.Holds(value.Length >= 29, "only long numbers are too large");
        }
    }

    private static void ReadFloat(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        try
        {
            var writer = Writer;
            if ((input[0] & 1) == 0)
            {
                var number = Floats.ReadDoubleText(value);
                states.Visit(1, BitConverter.DoubleToInt64Bits(number));
                if (!double.IsFinite(number))
                    return;
                Floats.WriteText(writer, number);
                Outcome.Holds(Floats.ReadDoubleText(writer.Written.TrimStart((byte)' ')).Equals(number), "a double is read as it was written in text");
                writer.Clear();
                Floats.WriteBinary(writer, number);
                Outcome.Holds(Floats.ReadDoubleBinary(writer.Written).Equals(number), "a double is read as it was written in binary");
            }
            else
            {
                var number = Floats.ReadSingleText(value);
                states.Visit(2, BitConverter.SingleToInt32Bits(number));
                if (!float.IsFinite(number))
                    return;
                Floats.WriteText(writer, Floats.Widen(number));
                Outcome.Holds(((float)Floats.ReadDoubleText(writer.Written.TrimStart((byte)' '))).Equals(number), "a float is read as it was written in text");
                writer.Clear();
                Floats.WriteBinary(writer, Floats.Widen(number));
                Outcome.Holds(((float)Floats.ReadDoubleBinary(writer.Written)).Equals(number), "a float is read as it was written in binary");
                Outcome.Holds(Floats.ReadSingleBinary(BitConverter.GetBytes(number)).Equals(number), "a FLOAT is the four bytes that it is");
            }
        }
        catch (FormatException)
        {
            states.Visit(3);
        }
    }

    private static void ReadDate(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        try
        {
            var parts = (input[0] & 1) == 0 ? Dates.ReadTextParts(value) : Dates.ReadBinaryParts(value);
            states.Visit(1, parts.Year << 8 | parts.Month);
            states.Visit(2, parts.Microsecond);
            states.Visit(parts.IsValidDateTime ? 3 : 4);
            states.Note((ulong)((((parts.Day * 32) + parts.Hour) * 64 + parts.Minute) * 64 + parts.Second));
            var writer = Writer;
            if (IsStorable(parts))
            {
                Dates.WriteBinary(writer, parts);
                Outcome.Holds(
                    Dates.ReadBinaryParts(writer.Written[1..]) == parts && writer.Written[0] == writer.Length - 1,
                    "a date is read as it was written in binary");
                writer.Clear();
                Dates.WriteText(writer, parts);
                Outcome.Holds(Dates.ReadTextParts(writer.Written["timestamp'".Length..^1]) == parts, "a date is read as it was written in text");
                Outcome.Holds(Dates.ReadTextParts(Encoding.ASCII.GetBytes(Dates.ToText(parts, dateOnly: false, 31))) == parts, "a date is the same as text");
            }

            if (parts.IsValidDateTime)
                Outcome.Holds(
                    new MySqlDateTime(Dates.ToDateTime(parts, CodecSettings.Default)) == parts
                        && parts.GetDateTime() == Dates.ToDateTime(parts, CodecSettings.Default),
                    "a date of the calendar keeps its parts");
        }
        catch (FormatException)
        {
            states.Visit(5);
        }
    }

    private static void ReadTime(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        try
        {
            var time = (input[0] & 1) == 0 ? Times.ReadText(value) : Times.ReadBinary(value);
            states.Visit(1, time.Ticks);
            if (time.Duration() >= TimeSpan.FromHours(839))
                return;
            var writer = Writer;
            Times.WriteBinary(writer, time);
            Outcome.Holds(
                Times.ReadBinary(writer.Written[1..]) == time && writer.Written[0] == writer.Length - 1, "a time is read as it was written in binary");
            writer.Clear();
            Times.WriteText(writer, time);
            Outcome.Holds(Times.ReadText(writer.Written["time'".Length..^1]) == time, "a time is read as it was written in text");
            Outcome.Holds(Times.ReadText(Encoding.ASCII.GetBytes(Times.ToText(time, 31))) == time, "a time is the same as text");
        }
        catch (FormatException)
        {
            states.Visit(2);
        }
    }

    private static void ReadGuid(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        Span<byte> stored = stackalloc byte[Guids.Char36Length];
        if (Guids.TryReadText(value, out var guid))
        {
            states.Visit(1, value.Length);
            Outcome.Holds(
                Guid.TryParse(Encoding.UTF8.GetString(value), CultureInfo.InvariantCulture, out var other) && other == guid,
                "a Guid is what the runtime reads in the same text");
        }
        else if (value.Length == Guids.BinaryLength)
        {
            states.Visit(2);
            guid = Guids.ReadBytes(value, MySqlGuidFormat.LittleEndianBinary16);
        }
        else
        {
            states.Visit(3, value.Length);
            return;
        }

        foreach (var format in (ReadOnlySpan<MySqlGuidFormat>)[
            MySqlGuidFormat.Char36, MySqlGuidFormat.Char32, MySqlGuidFormat.Binary16, MySqlGuidFormat.TimeSwapBinary16, MySqlGuidFormat.LittleEndianBinary16
        ])
        {
            var written = stored[..Guids.Write(guid, format, stored)];
            Outcome.Holds((Guids.IsBinary(format) ? Guids.ReadBytes(written, format) : Guids.ReadText(written)) == guid, "a Guid is read as it was written");
        }
    }

    private static void ReadRaw(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var value = input[1..];
        try
        {
            switch (input[0] % 3)
            {
                case 0:
                    // The width and the flags are other parts of the server's column definition.
                    var column = new ColumnDefinition(0, Length: (uint)(input[0] / 3), ColumnType.Bit, (input[0] & 1) != 0 ? ColumnFlags.Binary : 0, 0);
                    states.Visit(1, (long)Bits.Read(value, column));
                    break;
                case 1:
                    Outcome.Holds(Vectors.ToBytes(Vectors.Read(value)).AsSpan().SequenceEqual(value), "a vector is written as it was read");
                    states.Visit(2, value.Length);
                    break;
                default:
                    var geometry = MySqlGeometry.FromMySql(value);
                    Outcome.Holds(
                        MySqlGeometry.FromWkb(geometry.SRID, geometry.WKB).Value.AsSpan().SequenceEqual(value),
                        "a geometry is its id and its well-known binary");
                    states.Visit(3, geometry.SRID);
                    break;
            }
        }
        catch (FormatException)
        {
            states.Visit(4);
        }
        catch (ArgumentException)
        {
            states.Visit(5);
        }
    }

    private static bool IsDigits(ReadOnlySpan<byte> value)
    {
        var digits = value.StartsWith("-"u8) ? value[1..] : value;
        return !digits.IsEmpty && !digits.ContainsAnyExceptInRange((byte)'0', (byte)'9');
    }

    private static bool IsStorable(in MySqlDateTime parts) =>
        parts is { Year: <= 9999, Month: <= 12, Day: <= 31, Hour: <= 23, Minute: <= 59, Second: <= 59 };

    private static List<byte[]> Texts(params string[] texts)
    {
        var seeds = new List<byte[]>();
        foreach (var text in texts)
        {
            seeds.Add([0, .. Encoding.ASCII.GetBytes(text)]);
            seeds.Add([1, .. Encoding.ASCII.GetBytes(text)]);
        }

        return seeds;
    }

    private static IReadOnlyList<byte[]> DateSeeds() =>
    [
        [0, .. "2026-11-21"u8], [0, .. "2024-02-29 23:59:59"u8], [0, .. "9999-12-31 23:59:59.999999"u8], [0, .. "0000-00-00 00:00:00"u8],
        [0, .. "2001-00-00 00:00:00.1"u8],
        [1], [1, 0xEA, 7, 11, 21], [1, 0xEA, 7, 11, 21, 18, 25, 0], [1, 0x0F, 0x27, 12, 31, 23, 59, 59, 0x3F, 0x42, 0x0F, 0],
        [1, 0xFF, 0xFF, 255, 255, 255, 255, 255, 255, 255, 255, 255],
    ];

    private static IReadOnlyList<byte[]> TimeSeeds() =>
    [
        [0, .. "00:00:00"u8], [0, .. "-838:59:59"u8], [0, .. "838:59:59.999999"u8], [0, .. "12:34:56.7"u8], [0, .. "-00:00:00.000001"u8],
        [1], [1, 0, 1, 0, 0, 0, 2, 3, 4], [1, 1, 34, 0, 0, 0, 22, 59, 59, 1, 0, 0, 0], [1, 0, 255, 255, 255, 255, 23, 59, 59],
    ];
}
