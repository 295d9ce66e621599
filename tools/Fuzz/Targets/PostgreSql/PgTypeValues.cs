using System.Collections;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Types;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>
/// Values of the types of a catalogue, in both formats. A value that was read is written in the binary format, which must be read again, and written as the
/// same bytes. An input has this layout:
/// <code>
/// number of the type (1) | format (1: the lowest bit is 1 for text; the others choose the .NET type) | value
/// </code>
/// </summary>
internal static class PgTypeValues
{
    private const uint First = TypeCatalogue.FirstNormalOid;

    // Types of users and extensions, two of which contain themselves.
    private static readonly TypeCatalogue Catalogue = new(new() { ArrayNullability = ArrayNullabilityMode.PerInstance }, [
        Type(0, "mood", 'e'), Type(1, "_mood", 'a', First), Type(2, "positive", 'd', 23), Type(3, "_positive", 'a', First + 2),
        Type(4, "pair", 'c', 0, ("number", 23u), ("text", 25u), ("more", First + 5)), Type(5, "_pair", 'a', First + 4), Type(6, "pairs", 'd', First + 4),
        Type(7, "nest", 'c', 0, ("inner", First + 7), ("list", First + 8)), Type(8, "_nest", 'a', First + 7),
        Type(10, "textrange", 'r', 25), Type(11, "textmultirange", 'm', First + 10), Type(12, "_textrange", 'a', First + 10),
        Type(13, "rangerange", 'r', First + 10), Type(14, "pairrange", 'r', First + 4), Type(15, "_rows", 'a', First + 5),
        Type(20, "hstore", 'b'), Type(21, "_hstore", 'a', First + 20), Type(22, "ltree", 'b'), Type(23, "lquery", 'b'), Type(24, "ltxtquery", 'b'),
        Type(25, "cube", 'b'), Type(26, "_cube", 'a', First + 25), Type(27, "citext", 'b'), Type(28, "unheard_of", 'b'),
    ]);

    private static readonly (uint Oid, string[] Texts)[] Arrays =
    [
        (1000, ["{t,f,NULL}"]), (1001, ["""{"\\xDEAD","\\x"}"""]), (1005, ["{-32768,32767}"]), (1007, ["{1,2,NULL}", "{{1,2},{3,4}}", "[0:1]={5,6}", "{}"]),
        (1016, ["{9223372036854775807}"]), (1021, ["{1.5,NaN}"]), (1022, ["{-Infinity,2.5e300}"]), (1231, ["{1.50,NaN}", "{123456789.000001}"]),
        (1009, ["""{a,"b c","d\"e","\\",NULL,"NULL",""}""", "{{{a}}}"]), (1182, ["{2026-11-21,infinity}"]), (1183, ["{06:07:08.5}"]),
        (1115, ["""{"2026-11-21 06:07:08.1"}"""]), (1185, ["""{"2026-11-21 06:07:08.1+02"}"""]), (1187, ["""{"1 year 2 mons -3 days -04:05:06"}"""]),
        (2951, ["{0b2c1c2e-7f3a-4f4e-9a51-6f1d5a3c2b10}"]), (1017, ["""{"(1,2)","(3,4)"}"""]), (1020, ["{(3,4),(1,2);(7,8),(5,6)}"]), (1561, ["{101,0}"]),
        (1041, ["{192.168.1.5/24,::1}"]), (3807, ["""{"{\"a\": 1}",null}"""]), (1006, ["""{"1 2","3"}"""]), (First + 1, ["{sad,happy}"]),
        (First + 3, ["{1,2}"]), (First + 5, ["""{"(1,a,)","(2,\"b c\",)"}"""]), (First + 12, ["""{"[a,b)",empty}"""]), (First + 15, []),
        (First + 21, ["""{"\"a\"=>\"1\""}"""]), (First + 26, ["""{"(1, 2)"}"""]),
    ];

    private static readonly (uint Oid, string[] Texts)[] Ranges =
    [
        (3904, ["[1,5)", "empty", "(,5)", "[1,)", "(,)"]), (3906, ["[1.5,2.50]"]), (3908, ["""["2026-11-21 06:07:08","2026-11-22 00:00:00")"""]),
        (3910, ["""["2026-11-21 06:07:08+00",)"""]), (3912, ["[2026-11-21,2026-11-22)"]), (3926, ["[1,5)"]), (3905, ["""{"[1,5)",NULL,empty}"""]),
        (4451, ["{[1,3),[5,7)}", "{}"]), (4532, ["{[1.5,2.5]}"]), (4533, ["""{["2026-11-21 06:07:08","2026-11-22 00:00:00")}"""]), (4535, ["{(,2026-11-22)}"]),
        (6150, ["""{"{[1,3)}"}"""]), (First + 10, ["""["a","b,c"]""", """("\\\"",)"""]), (First + 11, ["""{["a","b)"],["c","d\\"]}"""]), (First + 13, []),
        (First + 14, []),
    ];

    private static readonly (uint Oid, string[] Texts)[] Composites =
    [
        (2249, ["(1,a,)", """"("a ""b""",,"")""""]), (2287, ["""{"(1,a)","(2,b)"}"""]), (First + 4, ["""(1,"a b","{""(2,,)""}")"""]), (First + 6, ["(1,a,)"]),
        (First + 7, ["""("(,)",)"""]), (First + 8, ["""{"(,)"}"""]), (First, ["happy"]), (First + 2, ["7"]),
    ];

    private static readonly (uint Oid, string[] Texts)[] Converted =
    [
        (22, ["1 2 -3", ""]), (27, ["(0,1)"]), (30, ["1 2 4294967295"]), (114, ["""{"a": [1, null]}"""]), (600, ["(1.5,-2)"]), (601, ["[(1,2),(3,4)]"]),
        (602, ["((1,2),(3,4))", "[(1,2),(3,4)]"]), (603, ["(3,4),(1,2)"]), (604, ["((1,2),(3,4),(5,6))"]), (628, ["{1,2,3}"]),
        (650, ["192.168.1.0/24", "2001:db8::/32"]), (718, ["<(1,2),3>"]), (774, ["08:00:2b:01:02:03:04:05"]), (790, ["$1,234.56", "-$0.01"]),
        (829, ["08:00:2b:01:02:03"]), (869, ["192.168.1.5/24", "::1", "10.0.0.1"]), (1186, ["1 year 2 mons -3 days -04:05:06.5"]), (1560, ["101", "1"]),
        (1562, ["", "111111111"]), (3220, ["16/B374D848"]), (3614, ["'cat':3 'fat':2,4A", "'a''b' 'c\\\\d'", ""]),
        (3615, ["'fat' & ( 'rat' | !'cat':*AB )", "'a' <2> 'b' <-> 'c'", ""]), (3802, ["""{"a": [1, null]}"""]), (4072, ["$.\"a\""]),
        (5069, ["18446744073709551615"]), (First + 20, ["""
            "a"=>"1", "b"=>NULL, "c\"d"=>"\\"
            """, ""]),
        (First + 22, ["a.b.c"]), (First + 23, ["*.a"]), (First + 24, ["a & b"]), (First + 25, ["(1, 2),(3, 4)", "(1)", "()"]), (First + 27, ["Text"]),
        (First + 28, ["anything"]),
    ];

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        Of("pg-arrays", Arrays, "{", "}", ",", ";", "NULL", "\"", "\\", "[0:1]=", "{{", "}}"),
        Of("pg-ranges", Ranges, "[", ")", "(", "]", ",", "empty", "{", "}", "\"\"", "\\"),
        Of("pg-composites", Composites, "(", ")", ",", "\"", "\"\"", "{", "}", "\\"),
        Of(
            "pg-converted", Converted, "(", ")", ",", "<", ">", "[", "]", "'", ":", "*A", "&", "|", "!", "<->", "<2>", "=>", "NULL", "\"", "\\", "/", "::", "-",
            "e308"),
    ];

    private static TypeDefinition Type(uint number, string name, char category, uint related = 0, params ReadOnlySpan<(string, uint)> fields)
    {
        var type = new TypeDefinition(First + number, "public", name, (TypeCategory)category, related);
        foreach (var field in fields)
            type.Fields.Add(field);
        return type;
    }

    private static BytesTarget Of(string name, (uint Oid, string[] Texts)[] types, params string[] tokens)
    {
        var reader = new ValueReader(Array.ConvertAll(types, static type => Catalogue.Get(type.Oid)));
        return new(name, reader.Read)
        {
            Origin = () => reader.Seeds(Array.ConvertAll(types, static type => type.Texts)),
            Tokens = Array.ConvertAll(tokens, Encoding.ASCII.GetBytes),
            AllocationPerByte = 1024,
            AllocationConstant = 256 * 1024,
        };
    }

    private delegate bool Getter(DataType type, ReadOnlySpan<byte> value, bool isBinary);

    /// <summary>Reads, writes and reads again.</summary>
    private sealed class ValueReader(DataType[] types)
    {
        private static readonly Getter[] Getters =
        [
            Get<string>, Get<int[]>, Get<int?[]>, Get<List<string>>, Get<ReadOnlyMemory<int>>, Get<int[,]>, Get<string[,]>, Get<object[]>, Get<(int, string)>,
            Get<(object, object)>, Get<PgRange<int>>, Get<PgRange<string>>, Get<List<PgRange<int>>>, Get<PgRange<DateTime>[]>, Get<BitArray>,
            Get<System.Collections.Specialized.BitVector32>, Get<bool>, Get<PgInet>, Get<PgCidr>, Get<PgInterval>, Get<PgInterval[]>, Get<TimeSpan?>,
            Get<System.Text.Json.JsonDocument>, Get<System.Text.Json.JsonElement>, Get<byte[]>, Get<ulong>, Get<Guid[]>, Get<DateTime[]>, Get<DateOnly?[]>,
            Get<decimal[]>, Get<Array>, Get<IDictionary<string, string?>>, Get<DayOfWeek[]>,
        ];

        private readonly ByteWriter _writer = new();

        public void Read(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.Length < 2)
                return;
            var number = input[0] % types.Length;
            var type = types[number];
            var isBinary = (input[1] & 1) == 0;
            var value = input[2..];
            var place = number << 1 | (isBinary ? 0 : 1);
            try
            {
                var getter = (input[1] >> 1) % (Getters.Length * 2);
                if (getter < Getters.Length)
                {
                    states.Visit(place ^ 0x1000 * (getter + 1), Getters[getter](type, value, isBinary) ? 1 : 0);
                    return;
                }

                var read = type.Read(value, isBinary);
                states.Visit(place ^ 0x100, read is Array array ? array.Length : -1);
                if (read is Array { Length: var count })
                    Outcome.Holds(count <= value.Length, "an array has no more elements than its value has bytes");
                Again(type, read, states, place);
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                states.Visit(Words.Number(exception.GetType().Name) ^ place);
            }
        }

        public List<byte[]> Seeds(string[][] texts)
        {
            var seeds = new List<byte[]>();
            for (var i = 0; i < texts.Length; i++)
            {
                foreach (var text in texts[i])
                {
                    var bytes = Encoding.UTF8.GetBytes(text);
                    foreach (var getter in (ReadOnlySpan<int>)[Getters.Length, 0, 7, 30])
                        seeds.Add([(byte)i, (byte)(getter << 1 | 1), .. bytes]);
                    if (TryWrite(types[i], bytes))
                        seeds.Add([(byte)i, (byte)(Getters.Length << 1), .. _writer.Written[4..]]);
                }

                seeds.Add([(byte)i, (byte)(Getters.Length << 1), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 7]);
            }

            return seeds;
        }

        private bool TryWrite(DataType type, byte[] text)
        {
            try
            {
                return Write(type, type.Read(text, isBinary: false));
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                return false;
            }
        }

        private static bool Get<T>(DataType type, ReadOnlySpan<byte> value, bool isBinary)
        {
            var isRead = type.TryRead<T>(value, isBinary, out var result);
            (result as IDisposable)?.Dispose();
            return isRead;
        }

        private void Again(DataType type, object read, StateSet states, int place)
        {
            if (!Write(type, read))
                return;
            var written = _writer.Written[4..].ToArray();
            object again;
            try
            {
                again = type.Read(written, isBinary: true);
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                throw new BrokenPromiseException($"It was promised that a value of type {type.Name} can be read as it was written: {exception.Message}");
            }

            Outcome.Holds(
                Write(type, again) && _writer.Written[4..].SequenceEqual(written),
                $"a value of type {type.Name} that is read and written again has the same bytes");
            states.Visit(place ^ 0x200);
            states.Note(written);
        }

        // Not every value that a server could send is one that it accepts, such as a tsquery without nodes, or NULL in a range.
        private bool Write(DataType type, object value)
        {
            _writer.Clear();
            try
            {
                type.Write(_writer, value);
                return true;
            }
            catch (Exception exception) when (exception is ArgumentException || Documented.OfValues(exception))
            {
                return false;
            }
        }
    }
}
