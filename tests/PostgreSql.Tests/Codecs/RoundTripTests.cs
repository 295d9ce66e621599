using System.Globalization;
using System.Numerics;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Codecs;

/// <summary>A value that is written as a parameter is read back unchanged from a row, and so is the text that a server would send for it.</summary>
public sealed class RoundTripTests
{
    private static readonly Config Much = Config.QuickThrowOnFailure.WithMaxTest(1000).WithQuietOnSuccess(true);

    [Fact]
    public void Whole_numbers() => Holds<DoNotSize<long>>(static value =>
        Agree(value.Item, Plain(value.Item)) & Agree((int)value.Item, Plain((int)value.Item)) & Agree((short)value.Item, Plain((short)value.Item)) & Agree(
            value.Item % 2 == 0, value.Item % 2 == 0 ? "t" : "f"));

    [Fact]
    public void Floating_point_numbers()
    {
        Holds<double>(static value => Agree(value, Plain(value)));
        Holds<DoNotSize<long>>(static value => BitConverter.Int64BitsToDouble(value.Item) is var number && Agree(number, Plain(number)));
        Holds<DoNotSize<int>>(static value => BitConverter.Int32BitsToSingle(value.Item) is var number && Agree(number, Plain(number)));
    }

    [Fact]
    public void Decimals() => Holds<(DoNotSize<int> Low, DoNotSize<int> Middle, DoNotSize<int> High, byte Scale)>(static parts =>
    {
        var one = new decimal(parts.Low.Item, parts.Middle.Item, parts.High.Item, (parts.Low.Item & 1) != 0, (byte)(parts.Scale % 29));
        var other = new decimal(parts.Low.Item, 0, 0, (parts.Low.Item & 1) != 0, (byte)(parts.Scale % 10));
        return Agree(one, Plain(one)) & Agree(other, Plain(other)) & SameDigits(one) & SameDigits(other);
    });

    [Fact]
    public void Large_whole_numbers() => Holds<(DoNotSize<long> One, DoNotSize<long> Two)>(static parts =>
        Agree(
            (BigInteger)parts.One.Item * parts.Two.Item, Plain((BigInteger)parts.One.Item * parts.Two.Item), TypeOid.Numeric)
            & Agree(BigInteger.Pow(parts.One.Item, 5), Plain(BigInteger.Pow(parts.One.Item, 5)), TypeOid.Numeric));

    [Fact]
    public void Dates_and_times() => Holds<(DoNotSize<ulong> Number, byte Precision)>(static parts =>
    {
        var unit = (parts.Precision % 3) switch { 0 => TimeSpan.TicksPerDay, 1 => TimeSpan.TicksPerSecond, _ => TimeSpan.TicksPerMicrosecond };
        // Neither the first nor the last moment, which represent the infinities.
        var moment = new DateTime(
            Math.Clamp(
                (long)(parts.Number.Item % (ulong)DateTime.MaxValue.Ticks) / unit * unit, TimeSpan.TicksPerDay,
                DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay));
        var span = new TimeSpan((long)parts.Number.Item / unit * unit);
        var date = DateOnly.FromDateTime(moment);
        var offset = TimeSpan.FromMinutes((int)(parts.Number.Item % 1681) - 840);
        var zoned = new DateTimeOffset(TimeSpan.TicksPerDay + moment.TimeOfDay.Ticks, offset);
        return Agree(moment, moment.ToString("yyyy-MM-dd HH:mm:ss.FFFFFF", CultureInfo.InvariantCulture))
            & Agree(DateTime.SpecifyKind(moment, DateTimeKind.Utc), moment.ToString("yyyy-MM-dd HH:mm:ss.FFFFFF", CultureInfo.InvariantCulture) + "+00")
            & Agree(date, date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture))
            & Agree(new TimeOnly(moment.TimeOfDay.Ticks), moment.ToString("HH:mm:ss.FFFFFF", CultureInfo.InvariantCulture))
            & Agree(
                zoned,
                moment.ToString("HH:mm:ss.FFFFFF", CultureInfo.InvariantCulture)
                    + offset.ToString((offset < TimeSpan.Zero ? "\\-" : "\\+") + "hh\\:mm", CultureInfo.InvariantCulture),
                TypeOid.TimeTz)
            & Agree(span, Interval(span));
    });

    [Fact]
    public void Texts() =>
        Holds<string>(
            static text =>
                text is null
                    || text.Contains('\0')
                    || !text.EnumerateRunes().All(static rune => rune.Value != 0xFFFD)
                    || Agree(text, text) & Agree(text, text, TypeOid.Jsonb));

    [Fact]
    public void Bytea_in_both_of_its_texts() => Holds<byte[]>(static bytes =>
        Agree(bytes ?? [], "\\x" + Convert.ToHexStringLower(bytes ?? []))
        & Agree(
            bytes ?? [],
            string.Concat(
                (bytes ?? []).Select(
                    static one => one == '\\' ? "\\\\" : one is < 32 or > 126 ? "\\" + Convert.ToString(one, 8).PadLeft(3, '0') : ((char)one).ToString()))));

    [Fact]
    public void Guids() => Holds<(DoNotSize<ulong> One, DoNotSize<ulong> Two)>(static parts =>
    {
        var guid = new Guid([.. BitConverter.GetBytes(parts.One.Item), .. BitConverter.GetBytes(parts.Two.Item)]);
        return Agree(guid, guid.ToString());
    });

    private static void Holds<T>(Func<T, bool> property) => Check.One(Much, Prop.ForAll(property));

    private static string Plain(IFormattable value) => value.ToString(null, CultureInfo.InvariantCulture);

    // IntervalStyle postgres: days separate from the rest, each with its own sign.
    private static string Interval(TimeSpan span)
    {
        var rest = span - TimeSpan.FromDays(span.Days);
        var clock = (rest < TimeSpan.Zero ? "-" : span.Days < 0 ? "+" : "") + rest.ToString("hh\\:mm\\:ss\\.ffffff", CultureInfo.InvariantCulture);
        return span.Days == 0 ? clock : $"{span.Days} day{(span.Days == 1 ? "" : "s")} {clock}";
    }

    // All digits are kept: 1.50 is written and shown as 1.50.
    private static bool SameDigits(decimal value)
    {
        var writer = new ByteWriter();
        Numerics.Write(writer, value);
        Assert.Equal(Plain(value == 0 ? Math.Abs(value) : value), Numerics.ToText(writer.Written[4..]));
        return true;
    }

    private static bool Agree<T>(T value, string text, uint oid = 0)
    {
        oid = oid == 0 ? Values.TypeOf(value!, TypeCatalogue.BuiltIn) : oid;
        var writer = new ByteWriter();
        writer.Int16BigEndian(1);
        Values.Write(writer, value, oid);
        Same(value, Read<T>(writer.Written.ToArray(), oid, isBinary: true), "binary");

        writer.Clear();
        var utf8 = Encoding.UTF8.GetBytes(text);
        writer.Int16BigEndian(1);
        writer.Int32BigEndian(utf8.Length);
        writer.Bytes(utf8);
        Same(value, Read<T>(writer.Written.ToArray(), oid, isBinary: false), $"text '{text}'");
        return true;
    }

    private static void Same<T>(T expected, T came, string form)
    {
        if (expected is byte[] bytes ? !bytes.AsSpan().SequenceEqual((byte[])(object)came!) : !EqualityComparer<T>.Default.Equals(expected, came))
            Assert.Fail($"{form}: {came} came, {expected} was written");
    }

    private static T Read<T>(byte[] body, uint oid, bool isBinary)
    {
        var writer = new ByteWriter();
        writer.Int16BigEndian(1);
        writer.TextAndZero("c");
        writer.Int32BigEndian(0);
        writer.Int16BigEndian(0);
        writer.Int32BigEndian((int)oid);
        writer.Int16BigEndian(-1);
        writer.Int32BigEndian(-1);
        writer.Int16BigEndian((short)(isBinary ? 1 : 0));
        var row = new PgRow();
        row.Begin(ResultMetadata.From(writer.Written, null, TypeCatalogue.BuiltIn));
        row.Set(body, 0, body.Length);
        return row.GetFieldValue<T>(0);
    }
}
