using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Statements;

namespace Slipstream.Fuzzing.Targets;

/// <summary>
/// Values as literals in SQL text, the one place where an application's value enters the server's grammar. A separate reader, written from the servers' lexical
/// rules, must find one literal with that value and nothing after it.
/// </summary>
internal static class MySqlLiterals
{
    [ThreadStatic]
    private static ByteWriter? _writer;

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-literals", Write)
        {
            MostInput = 512,
            AllocationPerByte = 128,
            Origin = static () => [.. Enumerable.Range(0, 32).Select(static head => (byte[])[(byte)head, .. "it's a \\ \"text\" */ -- # \0 \u00fc \n"u8])],
            Tokens =
                [
                    "'"u8.ToArray(), "\\"u8.ToArray(), "\\'"u8.ToArray(), "*/"u8.ToArray(), "/*"u8.ToArray(), "\0"u8.ToArray(), "\""u8.ToArray(),
                    "''"u8.ToArray(), "\u00bf'"u8.ToArray(), "\\\\'"u8.ToArray()
                ],
        },
    ];

    // The first byte: the rules (2 bits), then the kind of value.
    private static void Write(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var rules =
            (input[0] & 3) switch { 0 => LiteralRules.None, 1 => LiteralRules.NoBackslashEscapes, 2 => LiteralRules.InComment, _ => LiteralRules.EitherMode };
        var value = input[1..];
        var writer = _writer ??= new();
        writer.Clear();
        var kind = input[0] >> 2 & 7;
        states.Visit(1 + kind * 4 + (int)rules);
        switch (kind)
        {
            case 0 or 1:
                var text = Encoding.UTF8.GetString(value);
                ParameterWriter.WriteText(writer, text, CodecSettings.Default, rules);
                Check(writer.Written, "_utf8mb4 X'"u8, "'"u8, Encoding.UTF8.GetBytes(text), rules, states);
                break;
            case 2:
                // Includes halves of surrogate pairs, which UTF-8 cannot represent.
                var halves = string.Create(value.Length / 2, value, static (target, source) =>
                {
                    for (var i = 0; i < target.Length; i++)
                        target[i] = (char)BinaryPrimitives.ReadUInt16LittleEndian(source[(2 * i)..]);
                });
                ParameterWriter.WriteText(writer, halves, CodecSettings.Default, rules);
                Check(writer.Written, "_utf8mb4 X'"u8, "'"u8, Encoding.UTF8.GetBytes(halves), rules, states);
                break;
            case 3 or 4:
                ParameterWriter.WriteText(writer, value.ToArray(), CodecSettings.Default, rules);
                Check(writer.Written, "_binary X'"u8, "_binary'"u8, value, rules, states);
                break;
            case 5:
                WriteDate(writer, value, rules, states);
                break;
            default:
                WriteNumber(writer, value, rules, states);
                break;
        }

        CheckScan(writer.Written, rules);
    }

    private static void WriteDate(ByteWriter writer, ReadOnlySpan<byte> value, LiteralRules rules, StateSet states)
    {
        Span<byte> parts = stackalloc byte[28];
        value[..Math.Min(value.Length, parts.Length)].CopyTo(parts);
        var date =
            new MySqlDateTime(Part(parts), Part(parts[4..]), Part(parts[8..]), Part(parts[12..]), Part(parts[16..]), Part(parts[20..]), Part(parts[24..]));
        try
        {
            ParameterWriter.WriteText<object>(writer, date, CodecSettings.Default, rules);
            states.Visit(100);
        }
        catch (ArgumentException)
        {
            // A part that is not valid in a date.
            states.Visit(101);
            writer.Clear();
            return;
        }

        CheckPlain(writer.Written, "timestamp'0123456789-: ."u8);
        Outcome.Holds(writer.Written.Count((byte)'\'') == 2 && writer.Written[^1] == '\'', "a date is one literal");
    }

    // Usually a value that is valid in a date, sometimes any number of 24 bits with its sign.
    private static int Part(ReadOnlySpan<byte> bytes) => (bytes[3] & 1) == 0 ? bytes[0] % 100 : BinaryPrimitives.ReadInt32LittleEndian(bytes) << 8 >> 8;

    private static void WriteNumber(ByteWriter writer, ReadOnlySpan<byte> value, LiteralRules rules, StateSet states)
    {
        Span<byte> bits = stackalloc byte[16];
        value[..Math.Min(value.Length, bits.Length)].CopyTo(bits);
        try
        {
            switch (bits[15] & 3)
            {
                case 0: ParameterWriter.WriteText(writer, BinaryPrimitives.ReadInt64LittleEndian(bits), CodecSettings.Default, rules); break;
                case 1: ParameterWriter.WriteText(writer, BinaryPrimitives.ReadDoubleLittleEndian(bits), CodecSettings.Default, rules); break;
                case 2: ParameterWriter.WriteText(writer, new Guid(bits), CodecSettings.Default, rules); break;
                default: ParameterWriter.WriteText(
                    writer, new TimeSpan(BinaryPrimitives.ReadInt64LittleEndian(bits) >> (bits[14] & 63)), CodecSettings.Default, rules);
                break;
            }

            states.Visit(110 + (bits[15] & 3));
        }
        catch (ArgumentException)
        {
            // NaN, or a time outside the range of TIME.
            states.Visit(120);
            writer.Clear();
            return;
        }

        CheckPlain(writer.Written, "time'0123456789abcdefE+-:. "u8);
    }

    private static void CheckPlain(ReadOnlySpan<byte> literal, ReadOnlySpan<byte> letters) =>
        Outcome.Holds(!literal.ContainsAnyExcept(letters), "a literal of a number or a date has nothing but digits and what belongs to them");

    // A literal of text or bytes contains exactly the value, and ends where the literal ends, under the rules for which it was made; if these are unknown,
    // under all.
    private static void Check(
        ReadOnlySpan<byte> literal, ReadOnlySpan<byte> hexadecimal, ReadOnlySpan<byte> quoted, ReadOnlySpan<byte> value, LiteralRules rules, StateSet states)
    {
        if (rules == LiteralRules.InComment)
            Outcome.Holds(literal.IndexOf("*/"u8) < 0 && literal.IndexOf("/*"u8) < 0, "a literal in a comment has no comment mark");
        if (literal.StartsWith(hexadecimal))
        {
            states.Visit(130);
            Outcome.Holds(
                literal[^1] == '\'' && Convert.FromHexString(Encoding.ASCII.GetString(literal[hexadecimal.Length..^1])).AsSpan().SequenceEqual(value),
                "the digits are the value");
            return;
        }

        states.Visit(131);
        Outcome.Holds(literal.StartsWith(quoted), "a literal begins with a quote");
        if (rules != LiteralRules.NoBackslashEscapes)
            CheckQuoted(literal[quoted.Length..], value, backslashEscapes: true);
        if (rules is LiteralRules.NoBackslashEscapes or LiteralRules.EitherMode)
            CheckQuoted(literal[quoted.Length..], value, backslashEscapes: false);
    }

    // Reads from after the opening quote, as a server does.
    private static void CheckQuoted(ReadOnlySpan<byte> literal, ReadOnlySpan<byte> value, bool backslashEscapes)
    {
        var at = 0;
        for (var i = 0; i < literal.Length; i++)
        {
            var part = literal[i];
            if (part == '\'')
            {
                if (i + 1 == literal.Length)
                {
                    Outcome.Holds(at == value.Length, "a literal holds all of the value");
                    return;
                }

                Outcome.Holds(literal[i + 1] == '\'', "nothing stands behind a literal");
                i++;
            }
            else if (part == '\\' && backslashEscapes)
            {
                Outcome.Holds(i + 1 < literal.Length && literal[i + 1] is (byte)'\\' or (byte)'\'', "a backslash escapes itself");
                part = literal[++i];
            }

            Outcome.Holds(at < value.Length && value[at] == part, "a literal holds the value");
            at++;
        }

        Outcome.Holds(false, "a literal ends");
    }

    // The driver's own scanner must find one statement without parameters in a text that contains the literal.
    private static void CheckScan(ReadOnlySpan<byte> literal, LiteralRules rules)
    {
        if (literal.IsEmpty)
            return;
        var quoting = rules == LiteralRules.NoBackslashEscapes ? QuotingRules.NoBackslashEscapes : QuotingRules.None;
        var scanned = SqlScanner.Scan($"SELECT {Encoding.UTF8.GetString(literal)} FROM t WHERE a = ?", quoting);
        Outcome.Holds(scanned.Parameters.Length == 1 && !scanned.HasSeveralStatements, "a literal is one word of a statement");
    }
}
