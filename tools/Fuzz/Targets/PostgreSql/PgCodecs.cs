using System.Globalization;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>Values in both formats. A value is written again and must be read as the same value. A binary value and its text must agree.</summary>
internal static class PgCodecs
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-numeric", new Codec(new ByteWriter()).Numeric)
        {
            Origin = NumericSeeds,
            AllocationConstant = 2 << 20,
            Tokens = Ascii("NaN", "Infinity", "-", ".", "0000000000", "9999999999")
        },
        new BytesTarget("pg-date-time", new Codec(new ByteWriter()).DateAndTime)
        {
            Origin = DateSeeds,
            Tokens = Ascii(
                "infinity", "-infinity", " BC", "2026-11-21", " 06:07:08", ".123456", "+02", "-03:30", "+00:19:32", "24:00:00", "999999999", " days", " mons",
                " years", "-"),
        },
        new BytesTarget("pg-scalars", new Codec(new ByteWriter()).Scalars)
        {
            Origin = ScalarSeeds,
            Tokens = Ascii("\\x", "\\\\", "\\377", "-", "e308", "NaN", "-Infinity", "t", "f", "0b2c1c2e-7f3a-4f4e-9a51-6f1d5a3c2b10")
        },
    ];

    private static byte[][] Ascii(params string[] words) => Array.ConvertAll(words, Encoding.ASCII.GetBytes);

    private static IReadOnlyList<byte[]> NumericSeeds() =>
    [
        [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 3, 0, 1, 0x40, 0, 0, 4, 0, 12, 0x0D, 0x80, 0x16, 0x2E],
        [0, 0, 0, 0, 0, 0xC0, 0, 0, 0], [0, 0, 0, 0, 0, 0xD0, 0, 0, 0],
        [0, 0, 1, 0xFF, 0xFF, 0, 0, 0, 4, 0, 1], [0, 0, 2, 0, 6, 0, 0, 0, 0, 0x1E, 0xD2, 0, 7],
        .. Ascii(
            "\x01" + "0", "\x01" + "-12345678901234567890.01234567", "\x01" + "1.50", "\x01NaN", "\x01" + "79228162514264337593543950335",
            "\x01" + "0.0000000000000000000000000001"),
    ];

    private static List<byte[]> DateSeeds()
    {
        var seeds = new List<byte[]>();
        foreach (byte kind in (ReadOnlySpan<byte>)[0, 1, 2, 3, 4, 5])
        {
            foreach (
                var text in (string[])[
                    "2026-11-21", "infinity", "06:07:08.123456", "24:00:00", "06:07:08.5-03:30", "06:07:08+00:19:32", "2026-11-21 06:07:08.123456",
                    "2026-11-21 06:07:08.1+02", "0044-03-15 BC", "3 days 04:05:06.5",
                    "1 year 2 mons -3 days -04:05:06", "00:00:00", "-2147483648 days"])
                seeds.Add([(byte)(2 * kind + 1), .. Encoding.ASCII.GetBytes(text)]);
            seeds.Add([(byte)(2 * kind), 0, 0, 0x26, 0x55]);
            seeds.Add([(byte)(2 * kind), 0, 3, 0x04, 0x51, 0x2A, 0x32, 0xF6, 0x40]);
            seeds.Add([(byte)(2 * kind), 0, 0, 0, 5, 0x20, 0xAB, 0x12, 0x40, 0, 0, 0x0E, 0x10]);
            seeds.Add([(byte)(2 * kind), 0, 0, 0, 3, 0x6C, 0x7F, 0x50, 0x80, 0, 0, 0, 3, 0, 0, 0, 0]);
        }

        return seeds;
    }

    private static List<byte[]> ScalarSeeds()
    {
        var seeds = new List<byte[]>();
        for (byte kind = 0; kind < 18; kind++)
        {
            seeds.Add([kind, 1]);
            seeds.Add([kind, 0, 7]);
            seeds.Add([kind, 0, 0, 0, 7]);
            seeds.Add([kind, 0x3F, 0xF0, 0, 0, 0, 0, 0, 7]);
            seeds.Add([kind, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
            foreach (var text in (string[])[
                "t", "-9223372036854775808", "1.5e10", "0b2c1c2e-7f3a-4f4e-9a51-6f1d5a3c2b10", "\\xDEADBEEF", "a\\\\b\\377", "{\"a\": 1}"
            ])
                seeds.Add([kind, .. Encoding.ASCII.GetBytes(text)]);
        }

        return seeds;
    }

    /// <summary>The codecs. The first byte chooses the type and the format.</summary>
    private sealed class Codec(ByteWriter writer)
    {
        // The last bytes written, without their length.
        private ReadOnlySpan<byte> Written => writer.Written[4..];

        public void Numeric(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.IsEmpty)
                return;
            var value = input[1..];
            try
            {
                if ((input[0] & 1) != 0)
                {
                    Again(Numerics.ReadText(value), states);
                    return;
                }

                var text = Numerics.ToText(value);
                states.Visit(1, text.Length);
                if (text.Length > 1000)
                    return;
                var number = Numerics.ReadBinary(value);
                states.Visit(2, decimal.GetBits(number)[3]);
                Outcome.Holds(
                    Numerics.ReadText(Encoding.ASCII.GetBytes(text)) == number,
                    $"the text of a numeric says the same as its bytes, but {text} is not {number.ToString(CultureInfo.InvariantCulture)}");
                Again(number, states);
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                states.Visit(Words.Number(exception.GetType().Name) ^ input[0] & 1);
            }
        }

        private void Again(decimal number, StateSet states)
        {
            writer.Clear();
            Numerics.Write(writer, number);
            Outcome.Holds(Numerics.ReadBinary(Written) == number, "a decimal is read as it was written");
            Outcome.Holds(
                Numerics.ToText(Written) == (number == 0 ? Math.Abs(number) : number).ToString(CultureInfo.InvariantCulture),
                "a written decimal's text has its digits");
            states.Visit(3, Written.Length);
        }

        public void DateAndTime(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.IsEmpty)
                return;
            var kind = input[0] % 12;
            var value = input[1..];
            states.Visit(kind);
            try
            {
                writer.Clear();
                switch (kind)
                {
                    case 0 or 1:
                        var date = kind == 0 ? Dates.ReadBinary(value) : Dates.ReadText(value);
                        Dates.Write(writer, date);
                        Outcome.Holds(Dates.ReadBinary(Written) == date, "a date is read as it was written");
                        break;
                    case 2 or 3:
                        var time = kind == 2 ? Times.ReadBinary(value) : Times.ReadText(value);
                        Times.Write(writer, time);
                        Outcome.Holds(Times.ReadBinary(Written).Ticks / 10 == time.Ticks / 10, "a time is read as it was written");
                        break;
                    case 4 or 5:
                        var zoned = kind == 4 ? Times.ReadZonedBinary(value) : Times.ReadZonedText(value);
                        Times.WriteZoned(writer, zoned);
                        // 24:00:00 becomes midnight of the next day.
                        var again = Times.ReadZonedBinary(Written);
                        Outcome.Holds(
                            again.Offset == zoned.Offset && again.TimeOfDay.Ticks / 10 == zoned.TimeOfDay.Ticks / 10,
                            "a time with zone is read as it was written");
                        break;
                    case 6 or 7:
                        Again(kind == 6 ? Timestamps.ReadBinary(value, DateTimeKind.Unspecified) : Timestamps.ReadText(value), DateTimeKind.Unspecified);
                        break;
                    case 8 or 9:
                        Again(kind == 8 ? Timestamps.ReadBinary(value, DateTimeKind.Utc) : Timestamps.ReadTextWithZone(value), DateTimeKind.Utc);
                        break;
                    default:
                        var span = kind == 10 ? Intervals.ReadBinary(value) : Intervals.ReadText(value);
                        Intervals.Write(writer, span);
                        Outcome.Holds(Intervals.ReadBinary(Written).Ticks / 10 == span.Ticks / 10, "an interval is read as it was written");
                        break;
                }

                states.Visit(100 + kind);
                states.Note(Written);
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                states.Visit(Words.Number(exception.GetType().Name) ^ kind);
            }
        }

        private void Again(DateTime value, DateTimeKind kind)
        {
            Outcome.Holds(value.Kind == kind, "the kind is the type's");
            Timestamps.Write(writer, value);
            Outcome.Holds(Timestamps.ReadBinary(Written, kind).Ticks / 10 == value.Ticks / 10, "a timestamp is read as it was written");
        }

        public void Scalars(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.IsEmpty)
                return;
            var kind = input[0] % 18;
            var value = input[1..];
            states.Visit(kind);
            try
            {
                writer.Clear();
                switch (kind)
                {
                    case 0: states.Visit(Booleans.ReadBinary(value) ? 50 : 51); break;
                    case 1: states.Visit(Booleans.ReadText(value) ? 52 : 53); break;
                    case 2: states.Note((ulong)Integers.ReadInt16Binary(value)); break;
                    case 3: states.Note((ulong)Integers.ReadInt32Binary(value)); break;
                    case 4: states.Note((ulong)Integers.ReadInt64Binary(value)); break;
                    case 5: states.Note(Integers.ReadOidBinary(value)); break;
                    case 6:
                        var whole = Integers.ReadText(value);
                        Integers.Write(writer, whole);
                        Outcome.Holds(Integers.ReadInt64Binary(Written) == whole, "a whole number is read as it was written");
                        states.Visit(60, whole);
                        break;
                    case 7: states.Note(BitConverter.SingleToUInt32Bits(Floats.ReadSingleBinary(value))); break;
                    case 8: states.Note(BitConverter.DoubleToUInt64Bits(Floats.ReadDoubleBinary(value))); break;
                    case 9:
                        Floats.Write(writer, Floats.ReadSingleText(value));
                        break;
                    case 10:
                        var real = Floats.ReadDoubleText(value);
                        Floats.Write(writer, real);
                        Outcome.Holds(Floats.ReadDoubleBinary(Written).Equals(real), "a double is read as it was written");
                        break;
                    case 11 or 12:
                        var guid = kind == 11 ? Guids.ReadBinary(value) : Guids.ReadText(value);
                        Guids.Write(writer, guid);
                        Outcome.Holds(
                            Guids.ReadBinary(Written) == guid && Guids.ReadText(Encoding.ASCII.GetBytes(guid.ToString())) == guid,
                            "a uuid is read as it was written");
                        break;
                    case 13:
                        var bytes = Bytes.ReadText(value);
                        Outcome.Holds(bytes.Length <= value.Length, "bytea has no more bytes than its text");
                        Outcome.Holds(
                            Bytes.ReadText(Encoding.ASCII.GetBytes("\\x" + Convert.ToHexStringLower(bytes))).AsSpan().SequenceEqual(bytes),
                            "bytea in hexadecimal digits says the same");
                        break;
                    case 14: states.Note(Texts.Jsonb(value)); break;
                    case 15: states.Note(Texts.ReadChar(value)); break;
                    case 16 or 17: states.Note(Texts.ReadInternalChar(value, kind == 16)); break;
                    default: break;
                }

                states.Visit(100 + kind);
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                states.Visit(Words.Number(exception.GetType().Name) ^ kind);
            }
        }
    }
}
