using System.Collections;
using System.Collections.Immutable;
using System.Net;
using System.Net.NetworkInformation;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text.Json;
using NpgsqlTypes;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Language;

/// <summary>A value of one of PostgreSQL's other types: arrays, enumerations, composite types, ranges and so on.</summary>
/// <param name="TypeName">The type to set as the parameter's <c>DataTypeName</c>; empty: none.</param>
/// <param name="Create">Creates the value for Slipstream.</param>
/// <param name="Code">The C# expression of it.</param>
/// <param name="CreateForPeer">Creates the value for Npgsql; null: Npgsql writes it differently or not at all.</param>
/// <param name="PeerCode">The C# expression of it.</param>
internal sealed record PgValue(string TypeName, Func<object> Create, string Code, Func<object>? CreateForPeer, string? PeerCode)
{
    /// <summary>Gets the type that the value is cast to in a text.</summary>
    public required string SqlType { get; init; }
}

/// <summary>The values of PostgreSQL's other types that programs send. An <see cref="Arg"/> names one by its number.</summary>
internal static class PgValues
{
    /// <summary>The types without which the server could not infer the type of an untyped value.</summary>
    private const string Infer = "";

    public static ImmutableArray<PgValue> All { get; } =
    [
        // Arrays.
        Both("int[]", Infer, () => new[] { 1, 2, 3 }),
        Both("int[]", Infer, () => Array.Empty<int>()),
        Both("int[]", Infer, () => new int?[] { 1, null, -3 }),
        Both("int[]", Infer, () => new List<int> { 7, 8 }),
        Both("int[]", Infer, () => new List<int?> { null }),
        Both("int[]", Infer, () => new[,] { { 1, 2 }, { 3, 4 } }),
        Both("int[]", Infer, () => new int[2, 1, 3]),
        Both("int[]", Infer, () => new int[0, 2]),
        Both("int[]", "integer[]", () => Enumerable.Range(-40, 300).ToArray()),
        Both("text[]", Infer, () => new[] { "a", "", "NULL", "it's", "a,b", "{x}", "back\\slash", "\"q\"", " sp ", "日本" }),
        Both("text[]", Infer, () => new[] { null, "x" }),
        Both("text[]", Infer, () => new[,] { { "a", null }, { "", "null" } }),
        Both("text[]", Infer, () => new List<string?> { "l", null }),
        Both("bool[]", Infer, () => new[] { true, false }),
        Both("int2[]", Infer, () => new short[] { -32768, 32767 }),
        Both("int8[]", Infer, () => new[] { long.MinValue, 0, long.MaxValue }),
        Both("float4[]", Infer, () => new[] { 1.5f, float.NaN, float.NegativeInfinity, -0f }),
        Both("float8[]", Infer, () => new[] { 0.1, 1e300, double.Epsilon, double.PositiveInfinity, double.NaN }),
        Both("numeric[]", Infer, () => new decimal?[] { 1.10m, null, -79228162514264337593543950335m, 0m }),
        Both("uuid[]", Infer, () => new[] { Guid.Empty, new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff") }),
        Both("date[]", Infer, () => new[] { new DateOnly(2024, 2, 29), new DateOnly(1999, 12, 31) }),
        Both("timestamp[]", Infer, () => new[] { new DateTime(2024, 2, 29, 12, 34, 56), new DateTime(1970, 1, 1) }),
        Both("timestamptz[]", Infer, () => new[] { new DateTime(2024, 2, 29, 12, 34, 56, DateTimeKind.Utc) }),
        Both("time[]", Infer, () => new[] { new TimeOnly(23, 59, 59), default }),
        Both("interval[]", Infer, () => new[] { TimeSpan.FromDays(1.5), TimeSpan.FromSeconds(-3) }),
        Both("bytea[]", Infer, () => new[] { new byte[] { 0, 255, 92, 39 }, [] }),
        Ours("int[]", Infer, () => new ReadOnlyMemory<int>([4, 5, 6])),
        // Types of the program's own.
        Both("mood", "mood", () => "ok"),
        Both("mood", "eqt.mood", () => "happy"),
        Both("mood", "mood", () => "unheard"),
        Both("eqt2.mood", "eqt2.mood", () => "calm"),
        Both("mapped_mood", Infer, () => Mood.Happy),
        Both("mapped_mood", "mapped_mood", () => Mood.Sad),
        Both("mapped_mood[]", Infer, () => new Mood?[] { Mood.Ok, null }),
        Both("mood[]", "mood[]", () => new[] { "sad", "ok" }),
        Both("mapped_addr", Infer, () => new Address("High, \"Street\"", 7)),
        Both("mapped_addr", Infer, () => new Address(null, null)),
        Both("mapped_addr[]", Infer, () => new[] { new Address("", 0), new Address("(x)", -1) }),
        Ours("addr", "addr", () => ("Low Street", 12)),
        Ours("addr", "addr", () => new object?[] { "\\", null }),
        Both("posint", "posint", () => 5),
        // The peer sends a value of a domain as one of the base type, which SELECT @p0 does not check.
        Ours("posint", "posint", () => -5),
        Both("posint", "integer", () => 6),
        // Ranges.
        Typed("int4range", Infer, () => new PgRange<int>(1, 10), () => new NpgsqlRange<int>(1, 10)),
        Typed("int4range", Infer, () => PgRange<int>.Empty, () => NpgsqlRange<int>.Empty),
        Typed("int4range", Infer, () => new PgRange<int>(0, true, true, 5, false, false), () => new NpgsqlRange<int>(0, true, true, 5, false, false)),
        Typed("int8range", Infer, () => new PgRange<long>(-5, false, 5, true), () => new NpgsqlRange<long>(-5, false, 5, true)),
        Typed("numrange", Infer, () => new PgRange<decimal>(1.5m, 2.5m), () => new NpgsqlRange<decimal>(1.5m, 2.5m)),
        Typed(
            "daterange", Infer, () => new PgRange<DateOnly>(new(2024, 1, 1), true, new(2024, 2, 29), false),
            () => new NpgsqlRange<DateOnly>(new(2024, 1, 1), true, new(2024, 2, 29), false)),
        Typed(
            "int4multirange", Infer, () => new[] { new PgRange<int>(1, 3), new PgRange<int>(8, 9) },
            () => new[] { new NpgsqlRange<int>(1, 3), new NpgsqlRange<int>(8, 9) }),
        Typed("int4multirange", "int4multirange", () => Array.Empty<PgRange<int>>(), () => Array.Empty<NpgsqlRange<int>>()),
        Typed("int4range[]", "int4range[]", () => new[] { new PgRange<int>(1, 3) }, () => new[] { new NpgsqlRange<int>(1, 3) }),
        Ours("frange", "frange", () => new PgRange<double>(0.5, 1.5)),
        // Documents.
        Both("json", "json", () => "{\"a\": [1, null, \"x\\u00e9\"]}"),
        Both("jsonb", "jsonb", () => "{\"b\": 1.50, \"a\": {}}"),
        Both("jsonb", "jsonb", () => "\"a text\""u8.ToArray()),
        Both("jsonb", Infer, () => JsonDocument.Parse("[1, {\"z\": true}]")),
        Both("json", "json", () => JsonDocument.Parse("{ \"k\" : null }")),
        Both("jsonb", "jsonb", () => new Note(3, "n")),
        Both("jsonb", "jsonb", () => "not json"),
        // Types of extensions.
        Both("hstore", Infer, () => new Dictionary<string, string?> { ["a"] = "1", ["b\""] = null, [""] = "=>" }),
        Both("hstore", Infer, () => new Dictionary<string, string?>()),
        Both("citext", "citext", () => "MiXed"),
        Both("ltree", "ltree", () => "top.science.astronomy"),
        Both("lquery", "lquery", () => "*.astro*{1,3}"),
        Typed("cube", Infer, () => new PgCube([1.0, 2.0], [3.0, 4.5]), () => new NpgsqlCube([1.0, 2.0], [3.0, 4.5])),
        Typed("cube", Infer, () => new PgCube(7.0), () => new NpgsqlCube(7.0)),
        // Networks.
        Both("inet", Infer, () => IPAddress.Parse("192.168.0.7")),
        Both("inet", Infer, () => IPAddress.Parse("2001:db8::1")),
        Typed("inet", Infer, () => new PgInet(IPAddress.Parse("10.1.2.3"), 8), () => new NpgsqlInet(IPAddress.Parse("10.1.2.3"), 8)),
        Both("cidr", Infer, () => IPNetwork.Parse("10.0.0.0/8")),
        Ours("cidr", "cidr", () => new PgCidr(IPAddress.Parse("10.0.0.0"), 8)),
        Both("macaddr", Infer, () => PhysicalAddress.Parse("08-00-2B-01-02-03")),
        Both("macaddr8", "macaddr8", () => PhysicalAddress.Parse("08-00-2B-01-02-03-04-05")),
        // Bits, money, intervals.
        Both("varbit", Infer, () => new BitArray([true, false, true, true, false, false, false, true, true])),
        Both("varbit", Infer, () => new BitArray(0)),
        Both("bit(5)", "bit", () => new BitArray([true, false, true, true, false])),
        Both("varbit", "varbit", () => "10110"),
        Both("money", "money", () => -1234.56m),
        Typed("interval", Infer, () => new PgInterval(14, -3, 3_723_000_001), () => new NpgsqlInterval(14, -3, 3_723_000_001)),
        Ours("interval", Infer, () => new PgInterval(int.MinValue, int.MaxValue, long.MinValue + 1)),
        Both("numeric", Infer, () => BigInteger.Parse("-123456789012345678901234567890123456789")),
        // Geometry.
        Typed("point", Infer, () => new PgPoint(1.5, -2), () => new NpgsqlPoint(1.5, -2)),
        Typed("line", Infer, () => new PgLine(1, -1, 0.5), () => new NpgsqlLine(1, -1, 0.5)),
        Typed("lseg", Infer, () => new PgLSeg(1, 2, 3, 4), () => new NpgsqlLSeg(1, 2, 3, 4)),
        Typed("box", Infer, () => new PgBox(4, 3, 2, 1), () => new NpgsqlBox(4, 3, 2, 1)),
        Typed("path", Infer, () => new PgPath([new(1, 2), new(3, 4)], open: true), () => new NpgsqlPath([new(1, 2), new(3, 4)], open: true)),
        Typed("polygon", Infer, () => new PgPolygon(new(1, 2), new(3, 4), new(0, 0.1)), () => new NpgsqlPolygon(new(1, 2), new(3, 4), new(0, 0.1))),
        Typed("circle", Infer, () => new PgCircle(1, 2, 0.3), () => new NpgsqlCircle(1, 2, 0.3)),
        Typed("point[]", Infer, () => new[] { new PgPoint(0, 1) }, () => new[] { new NpgsqlPoint(0, 1) }),
        // Text search and identifiers.
        Ours("tsvector", Infer, () => PgTsVector.Parse("'fat':2 'cat':3A,4 'it''s'")),
        Ours("tsquery", Infer, () => PgTsQuery.Parse("'fat' & ('rat':AB* | !'cat') <2> 'dog'")),
        Typed("pg_lsn", "pg_lsn", () => new PgLogSequenceNumber(0x16_B374D848), () => new NpgsqlLogSequenceNumber(0x16_B374D848)),
        Typed("tid", "tid", () => new PgTid(42, 7), () => new NpgsqlTid(42, 7)),
        Both("xid8", "xid8", () => 18446744073709551615UL),
        Both("oid", "oid", () => 4294967295u),
        Both("oidvector", "oidvector", () => new uint[] { 1, 2 }),
        Ours("regtype", "regtype", () => "integer"),
        Ours("inet", "unknown", () => "1.2.3.4/5"),
        Ours("point", "point", () => "(1,2)"),
    ];

    private static PgValue Both(string sqlType, string typeName, Func<object> value, [CallerArgumentExpression(nameof(value))] string code = "") =>
        new(typeName, value, Expression(code), value, Expression(code)) { SqlType = sqlType };

    private static PgValue Ours(string sqlType, string typeName, Func<object> value, [CallerArgumentExpression(nameof(value))] string code = "") =>
        new(typeName, value, Expression(code), null, null) { SqlType = sqlType };

    private static PgValue Typed(
        string sqlType, string typeName, Func<object> value, Func<object> peers, [CallerArgumentExpression(nameof(value))] string code = "",
        [CallerArgumentExpression(nameof(peers))] string peersCode = "") =>
        new(typeName, value, Expression(code), peers, Expression(peersCode)) { SqlType = sqlType };

    // The expression of a lambda.
    private static string Expression(string code) => code[(code.IndexOf("=> ", StringComparison.Ordinal) + 3)..];
}
