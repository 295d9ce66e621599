using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Codecs;

/// <summary>What a value becomes as a text, as JSON or as bytes: its content, or an error; never the name of its class.</summary>
public class ValueFormsTests
{
    public static TheoryData<PgDbType> Texts =>
        [PgDbType.Text, PgDbType.Varchar, PgDbType.Char, PgDbType.Unknown, PgDbType.Xml, PgDbType.Name, PgDbType.Json, PgDbType.Jsonb];

    [Theory]
    [MemberData(nameof(Texts))]
    public void Whatever_holds_text_is_written_as_that_text(PgDbType type)
    {
        object[] values =
        [
            "{}", "{}".ToCharArray(), "{}".AsMemory(), new Memory<char>("{}".ToCharArray()), new ArraySegment<char>("({})".ToCharArray(), 1, 2),
            "{}"u8.ToArray(),
            new ReadOnlyMemory<byte>("{}"u8.ToArray()), new Memory<byte>("{}"u8.ToArray()), new ArraySegment<byte>("{}"u8.ToArray()),
            new MemoryStream("{}"u8.ToArray()),
            new BufferedStream(new MemoryStream("{}"u8.ToArray())),
        ];
        foreach (var value in values)
            Assert.Equal("{}", Written(type, value));
    }

    // Only what holds numbers takes the number.
    [Theory]
    [MemberData(nameof(Texts))]
    public void An_enumeration_is_written_as_its_name(PgDbType type) =>
        Assert.Equal(type is PgDbType.Json or PgDbType.Jsonb ? "5" : "Friday", Written(type, DayOfWeek.Friday));

    [Theory]
    [InlineData(PgDbType.Date)]
    [InlineData(PgDbType.Boolean)]
    [InlineData(PgDbType.Bytea)]
    public void An_enumeration_is_not_a_date_or_bytes(PgDbType type) =>
        Assert.Throws<InvalidCastException>(() => Written(type, DayOfWeek.Friday));

    [Theory]
    [InlineData(PgDbType.Json)]
    [InlineData(PgDbType.Jsonb)]
    public void JSON_of_any_kind_is_written_as_JSON(PgDbType type)
    {
        using var document = JsonDocument.Parse("""{"a":[1,"ä"]}""");
        Assert.Equal(
            """{"a":[1,"ä"]}""",
            JsonNode.Parse(Written(type, document))!.ToJsonString(new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping }));
        Assert.Equal("[1]", Written(type, JsonNode.Parse("[1]")!));
        Assert.Equal("1", Written(type, document.RootElement.GetProperty("a")[0]));
        foreach (object value in new object[] { document, document.RootElement, new JsonArray() })
            Assert.Equal(TypeOid.Jsonb, Values.TypeOf(value, TypeCatalogue.BuiltIn));
    }

    [Theory]
    [MemberData(nameof(Texts))]
    public void What_has_no_text_is_refused(PgDbType type)
    {
        object[] values =
        [
            new[] { "a" }, new List<int> { 1 }, new object(), new StringBuilder("x"), new Uri("http://x"), new Dictionary<string, int>(), new[] { 1, 2 },
            DateTime.UnixEpoch, DateOnly.MinValue,
            TimeOnly.MinValue, TimeSpan.Zero, DateTimeOffset.UnixEpoch, new StringReader("x"),
        ];
        foreach (var value in values)
            Assert.Throws<InvalidCastException>(() => Written(type, value));
        if (type is not (PgDbType.Json or PgDbType.Jsonb))
            Assert.Throws<InvalidCastException>(() => Written(type, new JsonArray()));
    }

    [Fact]
    public void What_no_type_fits_is_refused_with_the_exception_of_a_cast()
    {
        foreach (var value in new object[] { new object(), new StringBuilder(), new Uri("http://x") })
            Assert.Throws<InvalidCastException>(() => Values.TypeOf(value, TypeCatalogue.BuiltIn));
    }

    [Theory]
    [InlineData(PgDbType.Text)]
    [InlineData(PgDbType.Json)]
    [InlineData(PgDbType.Jsonb)]
    [InlineData(PgDbType.Unknown)]
    public void Half_of_a_surrogate_pair_is_refused(PgDbType type)
    {
        foreach (var text in new[] { "\uD801", "a\uDC00b", new string('x', 2000) + "\uD801" })
            Assert.Contains("surrogate", Assert.Throws<EncoderFallbackException>(() => Written(type, text)).Message, StringComparison.Ordinal);
        Assert.Equal("\U00010400", Written(type, "\U00010400"));
    }

    [Theory]
    [InlineData(2.0, 2)]
    [InlineData(-3f, -3)]
    public void A_whole_number_of_any_kind_is_an_integer(object value, int expected)
    {
        Assert.Equal(expected, System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(Bytes(PgDbType.Integer, value)));
        Assert.Throws<InvalidCastException>(() => Bytes(PgDbType.Integer, 1.5));
        Assert.Throws<InvalidCastException>(() => Bytes(PgDbType.Integer, double.NaN));
        Assert.Throws<OverflowException>(() => Bytes(PgDbType.Integer, 1e12));
    }

    [Fact]
    public void Only_the_largest_moment_is_infinity_as_a_date()
    {
        Assert.Equal(int.MaxValue, Date(DateTime.MaxValue));
        Assert.Equal(int.MinValue, Date(DateTime.MinValue));
        Assert.Equal(2921939, Date(new DateTime(9999, 12, 31)));
        Assert.Equal(8766, Date(new DateTime(2024, 1, 1, 13, 0, 0)));

        static int Date(DateTime value) => System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(Bytes(PgDbType.Date, value));
    }

    private static string Written(PgDbType type, object value)
    {
        var bytes = Bytes(type, value);
        return Encoding.UTF8.GetString(type == PgDbType.Jsonb ? bytes.AsSpan(1) : bytes);
    }

    private static byte[] Bytes(PgDbType type, object value)
    {
        var writer = new ByteWriter(16);
        var parameter = new PgParameter("p", type) { Value = value };
        parameter.Write(writer, parameter.TypeOid(TypeCatalogue.BuiltIn), TypeCatalogue.BuiltIn);
        return writer.Written[4..].ToArray();
    }
}
