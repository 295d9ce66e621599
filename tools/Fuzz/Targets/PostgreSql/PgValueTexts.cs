using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Types;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>Texts with a syntax of their own: nested values, the public value types, password files. What is written must be read as it was.</summary>
internal static class PgValueTexts
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-nested-text", new Nested().Read)
        {
            Origin = static () =>
            [
                "\0{1,NULL,\"a b\"}"u8.ToArray(), "\0{{1,2},{3,4}}"u8.ToArray(), "\0[0:1]={a,b}"u8.ToArray(), "\u0001(1,,\"a \"\"b\"\"\")"u8.ToArray(),
                "\u0002[1,5)"u8.ToArray(), "\u0002(,\"a\\\\b\"]"u8.ToArray(), "\u0003{[1,3),[5,7)}"u8.ToArray(), [4, 3, (byte)'a', 0, 2, (byte)'"', (byte)'\\'],
                [5, 1, (byte)'a', 2, (byte)',', (byte)')', 0],
            ],
            Tokens = [.. "{ } ( ) [ ] , ; \" \\ NULL empty \"\" {{ }}".Split(' ').Select(Encoding.ASCII.GetBytes)],
        },
        new BytesTarget("pg-value-texts", ReadPublic)
        {
            Origin = PublicSeeds, AllocationPerByte = 1024,
            Tokens = [.. "( ) < > [ ] , ' : * & | ! <-> <2> / :: - e308 NaN infinity empty".Split(' ').Select(Encoding.ASCII.GetBytes)],
        },
        new BytesTarget("pg-password-file", ReadPasswordFile)
        {
            Origin = static () => ["h:5432:d:u:secret"u8.ToArray(), "*:*:*:*:a\\:b\\\\c:d"u8.ToArray(), "#c\nh:5432:d:u:1\nh:*:d:*:2"u8.ToArray()],
            Tokens = ["h:5432:d:u:"u8.ToArray(), "*"u8.ToArray(), "\\:"u8.ToArray(), "\\\\"u8.ToArray(), "\n"u8.ToArray(), ":"u8.ToArray()],
            AllocationPerByte = 512,
        },
    ];

    private static readonly Func<string, object>[] Parsers =
    [
        static text => PgTsVector.Parse(text), static text => PgTsQuery.Parse(text), static text => PgLogSequenceNumber.Parse(text),
        static text => new PgInet(text), static text => new PgCidr(text), static text => PgRange<int>.Parse(text), static text => PgRange<DateTime>.Parse(text),
    ];

    private static List<byte[]> PublicSeeds()
    {
        var seeds = new List<byte[]>();
        for (byte i = 0; i < Parsers.Length; i++)
        {
            foreach (var text in (string[])[
                "'cat':3 'fat':2,4A", "'a''b' 'c\\\\d'", "'fat' & ( 'rat' | !'cat':*AB )", "16/B374D848", "192.168.1.0/24", "::1", "[1,5)", "empty", "(,)",
                "[2026-11-21,2026-11-22)", "",
            ])
                seeds.Add([i, .. Encoding.ASCII.GetBytes(text)]);
        }

        return seeds;
    }

    // What a value shows as text is read as an equal value.
    private static void ReadPublic(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var number = input[0] % Parsers.Length;
        try
        {
            var value = Parsers[number](Encoding.UTF8.GetString(input[1..]));
            states.Visit(number);
            var text = value.ToString()!;
            states.Note(text);
            var again = Parsers[number](text);
            Outcome.Holds(again.ToString() == text, "a value that is shown as text and read again shows the same text");
            Outcome.Holds(
                !ShowsAll(value) || (again.Equals(value) == value.Equals(value) && (!value.Equals(value) || again.GetHashCode() == value.GetHashCode())),
                "a value is read as it was shown");
        }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentException)
        {
            states.Visit(100 + number);
        }
    }

    // As the server does, a query shows a & (b & c) like (a & b) & c, although the trees differ.
    private static bool ShowsAll(object value) => value switch
    {
        PgTsQueryFollowedBy phrase => ShowsAll(phrase.Left) && ShowsAll(phrase.Right),
        PgTsQueryBinOp node => node.Right.Kind != node.Kind && ShowsAll(node.Left) && ShowsAll(node.Right),
        PgTsQueryNot not => not.Child is null || ShowsAll(not.Child),
        _ => true,
    };

    // A line with the values that are looked for has the password; lines before it that differ in one value change nothing.
    private static void ReadPasswordFile(ReadOnlySpan<byte> input, StateSet states)
    {
        var text = Encoding.UTF8.GetString(input);
        var found = PasswordFile.Find(text.Split('\n'), ["h"], 5432, "d", "u");
        states.Visit(found is null ? 1 : 2, found?.Length ?? 0);
        states.Note(found ?? "");
        if (text.Contains('\n') || text.Contains('\r'))
            return;
        var half = text.Length / 2;
        var (user, password) = (text[..half], text[half..]);
        string[] lines = ["h:5432:d", $"other:5432:d:{Escaped(user)}:wrong", $"h:5432:d:{Escaped(user)}:{Escaped(password)}", "*:*:*:*:last"];
        Outcome.Holds(PasswordFile.Find(lines, ["h"], 5432, "d", user) == password, "a password is read as it was written");
        states.Visit(3, password.Length);

        static string Escaped(string value) =>
            value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace(":", "\\:", StringComparison.Ordinal) is var one && one == "*" ? "\\*" : one;
    }

    /// <summary>Splits texts. The first byte chooses the syntax; from 4 on, the input is elements that are written and read again: length (1), bytes.</summary>
    private sealed class Nested
    {
        private readonly ByteWriter _text = new();
        private readonly ByteWriter _elements = new();
        private readonly ByteWriter _expected = new();

        public void Read(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.IsEmpty)
                return;
            _text.Clear();
            _elements.Clear();
            _expected.Clear();
            var rest = input[1..];
            Span<int> lengths = stackalloc int[ArrayElements.MaxRank];
            switch (input[0] % 6)
            {
                case 0:
                    var rank = NestedText.Array(rest, (byte)',', _elements, lengths);
                    states.Visit(rank, lengths[0]);
                    break;
                case 1:
                    var count = NestedText.Record(rest, _elements);
                    states.Visit(20, count);
                    Outcome.Holds(count <= rest.Length, "a record has no more fields than bytes");
                    break;
                case 2:
                    states.Visit(NestedText.Range(rest, _elements, out var flags) ? 30 + (int)flags : 29);
                    break;
                case 3:
                    if (NestedText.MultirangeToArray(rest, _text))
                        states.Visit(70, NestedText.Array(_text.Written, (byte)',', _elements, lengths));
                    break;
                case 4:
                    WriteArray(rest);
                    Outcome.Holds(
                        NestedText.Array(_text.Written, (byte)',', _elements, lengths) == (_expected.Length == 0 ? 0 : 1)
                            && _elements.Written.SequenceEqual(_expected.Written), "the elements of an array are read as they were written");
                    states.Visit(80, lengths[0]);
                    break;
                default:
                    WriteRecord(rest);
                    NestedText.Record(_text.Written, _elements);
                    Outcome.Holds(_elements.Written.SequenceEqual(_expected.Written), "the fields of a record are read as they were written");
                    states.Visit(90, _expected.Length);
                    break;
            }

            Outcome.Holds(_elements.Length <= 5L * rest.Length + 16, "what is read has no more than a length for each byte");
            states.Note(_elements.Written);
        }

        private void WriteArray(ReadOnlySpan<byte> rest)
        {
            _text.Byte((byte)'{');
            while (TryTake(ref rest, out var element))
            {
                if (_expected.Length > 0)
                    _text.Byte((byte)',');
                Expect(element);
                _text.Byte((byte)'"');
                foreach (var character in element)
                {
                    if (character is (byte)'"' or (byte)'\\')
                        _text.Byte((byte)'\\');
                    _text.Byte(character);
                }

                _text.Byte((byte)'"');
            }

            _text.Byte((byte)'}');
        }

        private void WriteRecord(ReadOnlySpan<byte> rest)
        {
            _text.Byte((byte)'(');
            while (TryTake(ref rest, out var field))
            {
                if (_expected.Length > 0)
                    _text.Byte((byte)',');
                Expect(field);
                _text.Byte((byte)'"');
                foreach (var character in field)
                {
                    if (character is (byte)'"' or (byte)'\\')
                        _text.Byte(character);
                    _text.Byte(character);
                }

                _text.Byte((byte)'"');
            }

            _text.Byte((byte)')');
        }

        private void Expect(ReadOnlySpan<byte> element)
        {
            _expected.Int32BigEndian(element.Length);
            _expected.Bytes(element);
        }

        private static bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> element)
        {
            element = default;
            if (rest.IsEmpty)
                return false;
            var length = Math.Min(rest[0] % 16, rest.Length - 1);
            element = rest.Slice(1, length);
            rest = rest[(1 + length)..];
            return true;
        }
    }
}
