using System.Collections;
using System.Collections.Immutable;
using System.Collections.Specialized;
using System.Net;
using System.Net.NetworkInformation;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Codecs;

/// <summary>The converters of network addresses, bit strings, geometry, text search and the types of extensions, in both formats.</summary>
public class ConverterTests
{
    private static readonly TypeCatalogue Catalogue = new(
        TypeMappings.None,
        [.. new[] { "hstore", "ltree", "lquery", "ltxtquery", "cube" }.Select(static (name, index) =>
            new TypeDefinition(20000 + (uint)index, "public", name, TypeCategory.Base, 0))]);

    public static TheoryData<string, object, string> Values => new()
    {
        { "inet", IPAddress.Parse("192.168.1.5"), "192.168.1.5" },
        { "inet", IPAddress.Parse("192.168.1.5"), "192.168.1.5/32" },
        { "inet", IPAddress.IPv6Any, "::" },
        { "inet", new PgInet("0.0.0.0/0"), "0.0.0.0/0" },
        { "inet", new PgInet("2001:db8::ffff/64"), "2001:db8::ffff/64" },
        { "inet", (IPAddress.Parse("1.2.3.4"), 24), "1.2.3.4/24" },
        { "cidr", IPNetwork.Parse("10.0.0.0/8"), "10.0.0.0/8" },
        { "cidr", IPNetwork.Parse("2001:db8::/32"), "2001:db8::/32" },
        { "cidr", new PgCidr("0.0.0.0/0"), "0.0.0.0/0" },
        { "macaddr", PhysicalAddress.Parse("08002B0102FF"), "08:00:2b:01:02:ff" },
        { "macaddr8", PhysicalAddress.Parse("08002B01020304FF"), "08:00:2b:01:02:03:04:ff" },
        { "bit", new BitArray([true, false, true]), "101" },
        { "varbit", new BitArray(0), "" },
        { "varbit", new BitArray([true, false, false, false, false, false, false, false, true]), "100000001" },
        { "bit", true, "1" },
        { "bit", false, "0" },
        { "bit", new BitVector32(unchecked((int)0x8000_0001)), "10000000000000000000000000000001" },
        { "varbit", "0110", "0110" },
        { "money", 0m, "$0.00" },
        { "money", -1234.56m, "-$1,234.56" },
        { "money", -1234.56m, "($1,234.56)" },
        { "money", 1234.56m, "1.234,56 €" },
        { "money", 92233720368547758.07m, "$92,233,720,368,547,758.07" },
        { "money", -92233720368547758.08m, "-$92,233,720,368,547,758.08" },
        { "point", new PgPoint(1.5, -2), "(1.5,-2)" },
        { "point", new PgPoint(double.NegativeInfinity, 1e300), "(-Infinity,1e+300)" },
        { "line", new PgLine(1, -0.5, 3), "{1,-0.5,3}" },
        { "lseg", new PgLSeg(1, 2, 3, 4), "[(1,2),(3,4)]" },
        { "box", new PgBox(new PgPoint(3, 4), new PgPoint(1, 2)), "(3,4),(1,2)" },
        { "path", new PgPath([new(1, 2), new(3, 4)], open: true), "[(1,2),(3,4)]" },
        { "path", new PgPath(new PgPoint(1, 2)), "((1,2))" },
        { "polygon", new PgPolygon(new(1, 2), new(3, 4), new(5, 6)), "((1,2),(3,4),(5,6))" },
        { "circle", new PgCircle(1, 2, 3), "<(1,2),3>" },
        { "cube", new PgCube(1.5), "(1.5)" },
        { "cube", new PgCube([1.0, 2], [3.0, 4]), "(1, 2),(3, 4)" },
        { "cube", new PgCube([]), "()" },
        { "tsvector", PgTsVector.Parse("a:1,2A,16383B 'it''s' é:3C"), "'a':1,2A,16383B 'it''s' 'é':3C" },
        { "tsvector", PgTsVector.Empty, "" },
        { "tsquery", PgTsQuery.Parse("a:*AD & !(b | c <-> d <16384> e)"), "'a':*AD & !( 'b' | 'c' <-> 'd' <16384> 'e' )" },
        { "tsquery", PgTsQuery.Parse("a <-> (b <-> c)"), "'a' <-> ( 'b' <-> 'c' )" },
        { "tsquery", PgTsQuery.Parse("!a"), "!'a'" },
        { "pg_lsn", new PgLogSequenceNumber(ulong.MaxValue), "FFFFFFFF/FFFFFFFF" },
        { "pg_lsn", 0x16_B374D848UL, "16/B374D848" },
        { "tid", new PgTid(uint.MaxValue, ushort.MaxValue), "(4294967295,65535)" },
        { "xid8", ulong.MaxValue, "18446744073709551615" },
        { "int2vector", new short[] { short.MinValue, 0, short.MaxValue }, "-32768 0 32767" },
        { "int2vector", Array.Empty<short>(), "" },
        { "oidvector", new uint[] { 0, uint.MaxValue }, "0 4294967295" },
        { "jsonpath", "$.\"é\"", "$.\"é\"" },
        { "ltree", "a.b", "a.b" },
        { "lquery", "a.*", "a.*" },
        { "ltxtquery", "a & b", "a & b" },
        { "hstore", new Dictionary<string, string?> { ["a"] = "1", ["é\"\\"] = null, [""] = "" }, "\"a\"=>\"1\", \"é\\\"\\\\\"=>NULL, \"\"=>\"\"" },
        { "hstore", new Dictionary<string, string?>(), "" },
        { "hstore", ImmutableDictionary<string, string?>.Empty.Add("k", "NULL"), "\"k\"=>\"NULL\"" },
    };

    // The types whose binary format is mostly text, which can be cut anywhere.
    private static bool IsText(object value) => value is string;

    [Theory]
    [MemberData(nameof(Values))]
    public void Values_are_read_in_both_formats_as_they_were_written(string type, object value, string text)
    {
        var data = Type(type);
        Assert.Equal(value, Read(data, value, Written(data, value), isBinary: true));
        Assert.Equal(value, Read(data, value, Encoding.UTF8.GetBytes(text), isBinary: false));
    }

    [Theory]
    [MemberData(nameof(Values))]
    public void A_value_cut_anywhere_is_refused(string type, object value, string text)
    {
        var data = Type(type);
        var bytes = Written(data, value);
        if (!IsText(value) || type == "varbit")
        {
            for (var length = 0; length < bytes.Length; length++)
                Assert.Throws<FormatException>(() => Read(data, value, bytes[..length], isBinary: true));
            Assert.Throws<FormatException>(() => Read(data, value, [.. bytes, 0], isBinary: true));
        }

        var utf8 = Encoding.UTF8.GetBytes(text);
        for (var length = 0; length < utf8.Length; length++)
            Harmless(data, value, utf8[..length], isBinary: false);
    }

    [Theory]
    [MemberData(nameof(Values))]
    public void Wrong_bytes_are_refused_or_another_value(string type, object value, string text)
    {
        var data = Type(type);
        foreach (var (bytes, isBinary) in new[] { (Written(data, value), true), (Encoding.UTF8.GetBytes(text), false) })
        {
            for (var at = 0; at < bytes.Length; at++)
            {
                foreach (var wrong in new byte[] { 0, 1, 0x20, 0x27, 0x31, 0x5C, 0x7F, 0x80, 0xFF })
                {
                    var broken = (byte[])bytes.Clone();
                    broken[at] = wrong;
                    Harmless(data, value, broken, isBinary);
                }
            }
        }
    }

    [Theory]
    [InlineData("inet", "04 20 00 04 01020304")]
    [InlineData("inet", "02 21 00 04 01020304")]
    [InlineData("inet", "02 20 00 10 01020304")]
    [InlineData("inet", "02 20 02 04 01020304")]
    [InlineData("inet", "03 81 00 10 00000000000000000000000000000000")]
    [InlineData("macaddr", "0102030405")]
    [InlineData("bit", "FFFFFFFF")]
    [InlineData("bit", "7FFFFFFF 00")]
    [InlineData("bit", "00000009 00")]
    [InlineData("path", "02 00000000")]
    [InlineData("path", "01 7FFFFFFF")]
    [InlineData("polygon", "10000000")]
    [InlineData("polygon", "FFFFFFFF")]
    [InlineData("cube", "00000065")]
    [InlineData("cube", "7FFFFFFF")]
    [InlineData("cube", "FFFFFFFF")]
    [InlineData("tsvector", "7FFFFFFF 00 0000")]
    [InlineData("tsvector", "FFFFFFFF")]
    [InlineData("tsvector", "00000001 61 00 0101")]
    [InlineData("tsquery", "7FFFFFFF 02 01")]
    [InlineData("tsquery", "FFFFFFFF")]
    [InlineData("tsquery", "00000001 02 01")]
    [InlineData("tsquery", "00000001 02 02")]
    [InlineData("tsquery", "00000001 02 05")]
    [InlineData("tsquery", "00000001 03 01")]
    [InlineData("tsquery", "00000001 01 10 00 61 00")]
    [InlineData("tsquery", "00000001 01 00 02 61 00")]
    [InlineData("tsquery", "00000002 01 00 00 61 00 01 00 00 62 00")]
    [InlineData("tsquery", "00000003 02 04 FFFF 01 00 00 61 00 01 00 00 62 00")]
    [InlineData("tsquery", "00000003 02 04 4001 01 00 00 61 00 01 00 00 62 00")]
    [InlineData("int2vector", "00000002 00000000 00000015")]
    [InlineData("int2vector", "00000001 00000001 00000015 00000000 00000000")]
    [InlineData("int2vector", "00000001 00000000 00000017 00000000 00000000")]
    [InlineData("int2vector", "00000001 00000000 00000015 7FFFFFFF 00000000")]
    [InlineData("int2vector", "00000001 00000000 00000015 FFFFFFFF 00000000")]
    [InlineData("int2vector", "00000001 00000000 00000015 00000001 00000000 FFFFFFFF 0000")]
    [InlineData("hstore", "7FFFFFFF 00000000 FFFFFFFF")]
    [InlineData("hstore", "FFFFFFFF")]
    [InlineData("hstore", "00000001 FFFFFFFF FFFFFFFF")]
    [InlineData("hstore", "00000001 00000000 FFFFFFFE")]
    [InlineData("hstore", "00000002 00000000 FFFFFFFF 00000000 FFFFFFFF")]
    [InlineData("ltree", "")]
    [InlineData("ltree", "02 61")]
    [InlineData("jsonpath", "00 24")]
    public void Impossible_lengths_counts_and_kinds_are_refused(string type, string hex)
    {
        var data = Type(type);
        Assert.Throws<FormatException>(() => data.Read(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)), true));
    }

    [Theory]
    [InlineData("inet", "1.2.3.4/33")]
    [InlineData("inet", "1.2.3.4/")]
    [InlineData("inet", "é")]
    [InlineData("macaddr", "08:00:2b:01:02")]
    [InlineData("macaddr", "08-00-2b-01-02-03")]
    [InlineData("bit", "102")]
    [InlineData("money", "$")]
    [InlineData("money", "$92,233,720,368,547,758.08")]
    [InlineData("money", "-$92,233,720,368,547,758.09")]
    [InlineData("money", "$999,999,999,999,999,999,999.00")]
    [InlineData("point", "(1,2")]
    [InlineData("point", "(1,x)")]
    [InlineData("point", "1,2")]
    [InlineData("path", "[(1,2)")]
    [InlineData("path", "[]")]
    [InlineData("circle", "<(1,2),3>>")]
    [InlineData("cube", "(1),(2, 3)")]
    [InlineData("cube", "(1")]
    [InlineData("tsvector", "'a")]
    [InlineData("tsquery", "'a' &")]
    [InlineData("pg_lsn", "1")]
    [InlineData("pg_lsn", "000000001/000000001")]
    [InlineData("tid", "(1)")]
    [InlineData("tid", "(,1)")]
    [InlineData("tid", "(4294967296,1)")]
    [InlineData("tid", "(1,65536)")]
    [InlineData("xid8", "18446744073709551616")]
    [InlineData("xid8", "-1")]
    [InlineData("int2vector", "1  2")]
    [InlineData("int2vector", "1 ")]
    [InlineData("int2vector", "32768")]
    [InlineData("oidvector", "-1")]
    [InlineData("hstore", "\"a\"=>")]
    [InlineData("hstore", "\"a\"=>1")]
    [InlineData("hstore", "\"a\"=>\"1\" \"b\"=>\"2\"")]
    [InlineData("hstore", "\"a\"=>\"1\", \"a\"=>\"2\"")]
    [InlineData("hstore", "\"a\\")]
    public void Other_texts_are_refused(string type, string text)
    {
        var data = Type(type);
        Assert.Throws<FormatException>(() => data.Read(Encoding.UTF8.GetBytes(text), false));
    }

    [Fact]
    public void The_first_converter_determines_what_GetValue_returns()
    {
        var expected = new Dictionary<string, Type>
        {
            ["inet"] = typeof(IPAddress), ["cidr"] = typeof(IPNetwork), ["macaddr"] = typeof(PhysicalAddress), ["macaddr8"] = typeof(PhysicalAddress),
            ["bit"] = typeof(BitArray), ["varbit"] = typeof(BitArray), ["money"] = typeof(decimal), ["point"] = typeof(PgPoint), ["line"] = typeof(PgLine),
            ["lseg"] = typeof(PgLSeg), ["box"] = typeof(PgBox), ["path"] = typeof(PgPath), ["polygon"] = typeof(PgPolygon), ["circle"] = typeof(PgCircle),
            ["cube"] = typeof(PgCube), ["tsvector"] = typeof(PgTsVector), ["tsquery"] = typeof(PgTsQuery), ["pg_lsn"] = typeof(PgLogSequenceNumber),
            ["tid"] = typeof(PgTid), ["xid8"] = typeof(ulong), ["int2vector"] = typeof(short[]), ["oidvector"] = typeof(uint[]), ["jsonpath"] = typeof(string),
            ["ltree"] = typeof(string), ["lquery"] = typeof(string), ["ltxtquery"] = typeof(string), ["hstore"] = typeof(Dictionary<string, string>),
        };
        foreach (var (name, type) in expected)
            Assert.Equal(type, Type(name).ClrType);
        var bit = Type("bit").Oid;
        Assert.Equal(typeof(bool), Catalogue.Get(bit, 1).ClrType);
        Assert.Equal(typeof(BitArray), Catalogue.Get(bit, 3).ClrType);
        Assert.Equal(typeof(BitArray), Catalogue.Get(bit, -1).ClrType);
        Assert.Equal(typeof(decimal), Catalogue.Get(Type("money").Oid, 1).ClrType);
        Assert.Same(Catalogue.Get(bit, 1), Catalogue.Get(bit, 1));
    }

    [Fact]
    public void A_type_follows_from_the_value()
    {
        (object Value, string? Type)[] values =
        [
            (IPAddress.Loopback, "inet"), (IPAddress.Parse("1.2.3.4"), "inet"), (new PgInet("1.2.3.4/8"), "inet"), ((IPAddress.Any, 8), "inet"),
            (IPNetwork.Parse("1.0.0.0/8"), "cidr"), (new PgCidr("1.0.0.0/8"), "cidr"), (PhysicalAddress.None, "macaddr"), (new BitArray(3), "bit varying"),
            (new BitVector32(3), "bit varying"), (default(PgPoint), "point"), (default(PgLine), "line"), (default(PgLSeg), "lseg"), (default(PgBox), "box"),
            (default(PgPath), "path"), (default(PgPolygon), "polygon"), (default(PgCircle), "circle"), (default(PgCube), "public.cube"),
            (PgTsVector.Empty, "tsvector"),
            (PgTsQuery.Parse("a & b"), "tsquery"), (PgTsQuery.Parse("!a"), "tsquery"), (default(PgLogSequenceNumber), "pg_lsn"), (default(PgTid), "tid"),
            (new Dictionary<string, string?>(), "public.hstore"), (ImmutableDictionary<string, string?>.Empty, "public.hstore"),
            (new PgInterval(1, 2, 3), "interval"),
            (new SortedDictionary<string, string?>(), null), (new Version(1, 2), null),
        ];
        foreach (var (value, type) in values)
            Assert.Equal(type, Catalogue.ForValue(value)?.Name);
    }

    [Fact]
    public void Values_that_the_server_cannot_store_are_refused()
    {
        Assert.Throws<ArgumentException>(() => Written(Type("inet"), default(PgInet)));
        Assert.Throws<ArgumentException>(() => Written(Type("cidr"), default(PgCidr)));
        Assert.Throws<OverflowException>(() => Written(Type("inet"), (IPAddress.Any, 256)));
        Assert.Throws<ArgumentException>(() => Written(Type("macaddr"), PhysicalAddress.Parse("08002B0102030405")));
        Assert.Throws<ArgumentException>(() => Written(Type("macaddr8"), PhysicalAddress.None));
        Assert.Throws<ArgumentException>(() => Written(Type("bit"), "10x"));
        Assert.Throws<OverflowException>(() => Written(Type("money"), 92233720368547758.08m));
        Assert.Throws<OverflowException>(() => Written(Type("money"), decimal.MinValue));
        Assert.Throws<ArgumentException>(() => Written(Type("tsquery"), new PgTsQueryEmpty()));
        Assert.Throws<ArgumentException>(() => Written(Type("tsquery"), new PgTsQueryNot(new PgTsQueryEmpty())));
        Assert.Throws<ArgumentException>(() => Written(Type("tsquery"), new PgTsQueryNot(null!)));
        Assert.Throws<ArgumentException>(() => Written(Type("tsquery"), new PgTsQueryLexeme("a\0b")));
        Assert.Throws<ArgumentException>(() => Written(Type("ltree"), "a\0b"));
        Assert.Throws<ArgumentException>(() => Written(Type("hstore"), new Dictionary<string, string?> { ["a\0"] = null }));
        Assert.Throws<InvalidCastException>(() => Written(Type("inet"), "1.2.3.4"));
        Assert.Throws<InvalidCastException>(() => Written(Type("money"), 1));
    }

    [Fact]
    public void Values_that_a_type_cannot_represent_are_refused()
    {
        Assert.Throws<InvalidCastException>(() => Read(Type("bit"), true, "10"u8.ToArray(), isBinary: false));
        Assert.Throws<InvalidCastException>(() => Read(Type("varbit"), true, [0, 0, 0, 0], isBinary: true));
        Assert.Throws<InvalidCastException>(() => Read(Type("bit"), default(BitVector32), Encoding.UTF8.GetBytes(new string('1', 33)), isBinary: false));
        Assert.Throws<InvalidCastException>(() => Read(Type("tsquery"), new PgTsQueryEmpty(), "a & b"u8.ToArray(), isBinary: false));
        Assert.Equal(new BitVector32(unchecked((int)0xA000_0000)), Read(Type("bit"), default(BitVector32), "101"u8.ToArray(), isBinary: false));
    }

    [Fact]
    public void Money_is_rounded_to_hundredths_away_from_zero()
    {
        (decimal Sent, decimal Stored)[] values = [(1.235m, 1.24m), (1.225m, 1.23m), (1.234m, 1.23m), (-1.235m, -1.24m), (0.001m, 0m)];
        foreach (var (sent, stored) in values)
            Assert.Equal(stored, Read(Type("money"), 0m, Written(Type("money"), sent), isBinary: true));
    }

    [Fact]
    public void A_macaddr8_may_be_sent_as_six_bytes() =>
        Assert.Equal(Convert.FromHexString("08002B010203"), Written(Type("macaddr8"), PhysicalAddress.Parse("08002B010203")));

    [Fact]
    public void An_empty_query_is_read()
    {
        Assert.IsType<PgTsQueryEmpty>(Type("tsquery").Read([0, 0, 0, 0], true));
        Assert.IsType<PgTsQueryEmpty>(Type("tsquery").Read([], false));
    }

    [Fact]
    public void A_query_of_many_words_is_read_and_written()
    {
        const int words = 100_000;
        var query = PgTsQuery.Parse(string.Join(" | ", Enumerable.Range(0, words)));
        var bytes = Written(Type("tsquery"), query);
        var read = (PgTsQuery)Type("tsquery").Read(bytes, true);
        Assert.Equal(bytes, Written(Type("tsquery"), read));
    }

    private static DataType Type(string name) => Catalogue.Get(Catalogue.Find(name));

    private static byte[] Written(DataType type, object value)
    {
        var writer = new ByteWriter();
        type.Write(writer, value);
        var reader = new ByteReader(writer.Written);
        Assert.Equal(writer.Length - 4, reader.Int32BigEndian());
        return writer.Written[4..].ToArray();
    }

    // IPAddress.Any is of a class that derives from IPAddress.
    private static object? Read(DataType type, object like, byte[] value, bool isBinary) =>
        type.TryReadAs(like is IPAddress ? typeof(IPAddress) : like.GetType(), value, isBinary);

    private static void Harmless(DataType type, object like, byte[] value, bool isBinary)
    {
        try
        {
            Assert.NotNull(Read(type, like, value, isBinary));
        }
        catch (Exception exception) when (exception is FormatException or InvalidCastException)
        {
            // Refused.
        }
    }
}
