using System.Text.Json;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>Documents are sent without the escapes that JSON does not need.</summary>
public sealed class JsonTextsTests
{
    [Theory]
    [InlineData("""{"a":1}""", """{"a":1}""")]
    [InlineData("""{"Gr\u00F6\u00DFe":"\u0027\u003C\u002B\u20AC"}""", """{"Größe":"'<+€"}""")]
    [InlineData("""["\u0022\u005c\\\n"]""", """["\"\\\\\n"]""")]
    [InlineData("""["\uD83D\uDE00\ud83d\ude00"]""", "[\"\U0001F600\U0001F600\"]")]
    [InlineData("""["\\u00E4","\\\u00E4"]""", """["\\u00E4","\\ä"]""")]
    [InlineData("""["\u0000\u001F","\uD83D","\uDE00\uD83Dx"]""", """["\u0000\u001F","\uD83D","\uDE00\uD83Dx"]""")]
    public void Only_necessary_escapes_are_left(string json, string expected)
    {
        Assert.Equal(expected, JsonTexts.WithoutEscapes(json));
        Assert.Equal(expected, JsonTexts.WithoutEscapes(expected));
    }

    // EF Core writes no such text, but an application's converter may.
    [Fact]
    public void A_text_may_end_anywhere()
    {
        const string Json = """["\uD83D\uDE00\u00E4\n"]""";
        for (var length = 0; length <= Json.Length; length++)
            Assert.True(JsonTexts.WithoutEscapes(Json[..length]).Length <= length);
    }

    [Fact]
    public void Every_character_stays_the_same()
    {
        var text = string.Concat(Enumerable.Range(0, 0xD800).Select(static code => (char)code));
        Assert.Equal(text, JsonSerializer.Deserialize<string>(JsonTexts.WithoutEscapes(JsonSerializer.Serialize(text))));
    }
}
