using System.Numerics;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Codecs;

/// <summary>
/// A value that is written as a parameter is read back unchanged from a row: the binary form directly, the literal as a server would read it. So both protocols
/// agree.
/// </summary>
public sealed class RoundTripTests
{
    private const ushort UnsignedFlag = 0x8000;

    private static readonly Config Much = Config.QuickThrowOnFailure.WithMaxTest(1000).WithQuietOnSuccess(true);

    [Fact]
    public void Whole_numbers()
    {
        Holds<DoNotSize<long>>(static value => Agree(value.Item) & Agree((int)value.Item) & Agree((short)value.Item) & Agree((sbyte)value.Item));
        Holds<DoNotSize<ulong>>(static value => Agree(value.Item) & Agree((uint)value.Item) & Agree((ushort)value.Item) & Agree((byte)value.Item));
        Holds<int>(static value => Agree(value) & Agree((long)value) & Agree(value % 2 == 0));
    }

    [Fact]
    public void Floating_point_numbers()
    {
        Holds<double>(static value => !double.IsFinite(value) || Agree(value));
        Holds<DoNotSize<long>>(static value => BitConverter.Int64BitsToDouble(value.Item) is var number && (!double.IsFinite(number) || Agree(number)));
        Holds<DoNotSize<int>>(static value => BitConverter.Int32BitsToSingle(value.Item) is var number && (!float.IsFinite(number) || Agree(number)));
    }

    [Fact]
    public void Decimals() => Holds<DoNotSize<int>, DoNotSize<int>, DoNotSize<int>, byte>(static (low, middle, high, scale) =>
        Agree(
            new decimal(low.Item, middle.Item, high.Item, (low.Item & 1) != 0, (byte)(scale % 29)))
            & Agree(new decimal(low.Item, 0, 0, (low.Item & 1) != 0, (byte)(scale % 10))));

    [Fact]
    public void Dates_and_times() => Holds<DoNotSize<ulong>, byte>(static (number, precision) =>
    {
        // Whole days, seconds or microseconds, which is the servers' highest resolution.
        var unit = (precision % 3) switch { 0 => TimeSpan.TicksPerDay, 1 => TimeSpan.TicksPerSecond, _ => TimeSpan.TicksPerMicrosecond };
        var moment = new DateTime((long)(number.Item % (ulong)DateTime.MaxValue.Ticks) / unit * unit);
        var longest = 838 * TimeSpan.TicksPerHour + 59 * TimeSpan.TicksPerMinute + 59 * TimeSpan.TicksPerSecond;
        var span = new TimeSpan(((long)(number.Item % (2 * (ulong)longest)) - longest) / unit * unit);
        return Agree(moment) & Agree(DateOnly.FromDateTime(moment)) & Agree(span) & Agree(new TimeOnly(moment.TimeOfDay.Ticks));
    });

    [Fact]
    public void Texts_under_every_rule_of_literals() =>
        Holds<string>(
            static text => text is null || !IsText(text) || Agree(text, Definitions.Utf8) & Agree(text + "\\' \0\u001A\n\"%_*/" + text, Definitions.Utf8));

    [Fact]
    public void Bytes_under_every_rule_of_literals() =>
        Holds<byte[]>(static bytes => Agree<byte[]>(bytes ?? []) & Agree<byte[]>([.. bytes ?? [], 0, 39, 92, 26, 0xFF, .. bytes ?? []]));

    [Fact]
    public void Guids_in_every_format() => Holds<DoNotSize<ulong>, DoNotSize<ulong>>(static (one, two) =>
    {
        Span<byte> bytes = stackalloc byte[16];
        BitConverter.TryWriteBytes(bytes, one.Item);
        BitConverter.TryWriteBytes(bytes[8..], two.Item);
        var guid = new Guid(bytes);
        return Agree(guid, Definitions.Utf8, 36 * 4)
            & Agree(guid, Definitions.Utf8, 32 * 4, new() { GuidFormat = MySqlGuidFormat.Char32 })
            & Agree(guid, length: 16, settings: new() { GuidFormat = MySqlGuidFormat.Binary16 })
            & Agree(guid, length: 16, settings: new() { GuidFormat = MySqlGuidFormat.TimeSwapBinary16 })
            & Agree(guid, length: 16, settings: new() { GuidFormat = MySqlGuidFormat.LittleEndianBinary16 });
    });

    [Fact]
    public void Large_whole_numbers() => Holds<DoNotSize<long>, DoNotSize<long>>(static (one, two) =>
        AgreeWithDecimal((BigInteger)one.Item * two.Item) & AgreeWithDecimal((BigInteger)one.Item * two.Item * two.Item));

    // They are read as the type that contains all digits of the servers' DECIMAL.
    private static bool AgreeWithDecimal(BigInteger value)
    {
        var column = new ColumnSpec((ColumnType)(byte)ParameterWriter.WireType(value, CodecSettings.Default), Length: 65);
        var writer = new ByteWriter();
        writer.Byte(0);
        writer.Byte(0);
        ParameterWriter.WriteBinary(writer, value, CodecSettings.Default);
        Assert.Equal(value.ToString(), Read<MySqlDecimal>(writer.Written.ToArray(), column, CodecSettings.Default, isBinary: true).ToString());
        writer.Clear();
        ParameterWriter.WriteText(writer, value, CodecSettings.Default, LiteralRules.None);
        Assert.Equal(
            value.ToString(),
            Read<MySqlDecimal>(Definitions.TextRow(Understood(writer.Written, backslashes: true)), column, CodecSettings.Default, isBinary: false).ToString());
        return true;
    }

    private static void Holds<T>(Func<T, bool> property) => Check.One(Much, Prop.ForAll(property));

    private static void Holds<T1, T2>(Func<T1, T2, bool> property) => Check.One(Much, Prop.ForAll(property));

    private static void Holds<T1, T2, T3, T4>(Func<T1, T2, T3, T4, bool> property) =>
        Check.One(Much, Prop.ForAll<(T1, T2, T3, T4)>(all => property(all.Item1, all.Item2, all.Item3, all.Item4)));

    private static bool Agree<T>(T value, ushort characterSet = 63, uint length = 65535, CodecSettings? settings = null)
    {
        settings ??= CodecSettings.Default;
        var wireType = ParameterWriter.WireType(value, settings);
        var flags = (wireType & UnsignedFlag) != 0 ? ColumnFlags.Unsigned : 0;
        var column = new ColumnSpec((ColumnType)(byte)wireType, characterSet, length, flags, (byte)(value is float or double ? 31 : value is decimal ? 28 : 6));

        var writer = new ByteWriter();
        writer.Byte(0);
        writer.Byte(0);
        ParameterWriter.WriteBinary(writer, value, settings);
        Same(value, Read<T>(writer.Written.ToArray(), column, settings, isBinary: true), "binary");

        foreach (var rules in (LiteralRules[])[LiteralRules.None, LiteralRules.NoBackslashEscapes, LiteralRules.InComment, LiteralRules.EitherMode])
        {
            writer.Clear();
            ParameterWriter.WriteText(writer, value, settings, rules);
            Same(
                value,
                Read<T>(Definitions.TextRow(Understood(writer.Written, (rules & LiteralRules.NoBackslashEscapes) == 0)), column, settings, isBinary: false),
                $"text, {rules}");
            if ((rules & LiteralRules.EitherMode) != 0)
                Same(
                    value, Read<T>(Definitions.TextRow(Understood(writer.Written, backslashes: false)), column, settings, isBinary: false),
                    $"text, {rules} without backslashes");
        }

        return true;
    }

    private static T Read<T>(byte[] bytes, ColumnSpec column, CodecSettings settings, bool isBinary)
    {
        var row = new MySqlRow(settings);
        row.Describe(Definitions.Metadata(settings, column), isBinary);
        row.Set(bytes, 0, bytes.Length);
        return row.GetFieldValue<T>(0);
    }

    private static void Same<T>(T expected, T came, string form)
    {
        if (expected is byte[] bytes ? !bytes.AsSpan().SequenceEqual((byte[])(object)came!) : !EqualityComparer<T>.Default.Equals(expected, came))
            Assert.Fail($"{form}: {came} came, {expected} was written");
    }

    // The server's reading of a literal, implemented from the reference manual's "Literal Values" and not with the driver's own code.
    private static byte[] Understood(ReadOnlySpan<byte> literal, bool backslashes)
    {
        var quote = literal.IndexOf((byte)'\'');
        if (quote < 0)
            return literal.SequenceEqual("TRUE"u8)
                ? "1"u8.ToArray()
                : literal.SequenceEqual("FALSE"u8)
                ? "0"u8.ToArray()
                : literal.TrimStart((byte)' ').ToArray();
        Assert.Equal((byte)'\'', literal[^1]);
        var content = literal[(quote + 1)..^1];
        if (quote > 0 && literal[quote - 1] == 'X')
            return Convert.FromHexString(Encoding.ASCII.GetString(content));
        var bytes = new List<byte>();
        for (var at = 0; at < content.Length; at++)
        {
            var one = content[at];
            if (one == '\'')
                Assert.Equal((byte)'\'', content[++at]);
            else if (one == '\\' && backslashes)
                one = content[++at] switch
                {
                    (byte)'0' => 0,
                    (byte)'b' => 8,
                    (byte)'n' => 10,
                    (byte)'r' => 13,
                    (byte)'t' => 9,
                    (byte)'Z' => 26,
                    var other => other
                };
            bytes.Add(one);
        }

        return [.. bytes];
    }

    // A lone surrogate is not a text: it has no bytes in UTF-8.
    private static bool IsText(string text) => text.EnumerateRunes().All(static rune => rune.Value != 0xFFFD);
}
