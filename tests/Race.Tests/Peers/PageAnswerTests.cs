using Slipstream.WebRace;

namespace Slipstream.PeerRace.Tests;

public class PageAnswerTests
{
    private const string Json = "application/json; charset=utf-8";

    private static readonly PageAnswer Fortunes = new(200, "text/html; charset=utf-8", "<table></table>");

    [Theory]
    [InlineData("db", "{\"id\":7,\"randomNumber\":42}", true)]
    [InlineData("db", "{\"id\":7,\"randomnumber\":42}", false)]
    [InlineData("db", "{\"id\": 7, \"randomNumber\": 42}", false)]
    [InlineData("db", "[]", false)]
    [InlineData("queries", "{\"id\":7,\"randomNumber\":42}", false)]
    [InlineData("cached", "[]", false)]
    public void A_page_with_rows_has_the_form_of_the_others(string page, string body, bool isRight) =>
        Assert.Equal(isRight, new PageAnswer(200, Json, body).Problem(page, Fortunes) is null);

    [Theory]
    [InlineData(20, true)]
    [InlineData(19, false)]
    [InlineData(21, false)]
    public void A_page_with_several_rows_has_twenty(int count, bool isRight)
    {
        var body = $"[{string.Join(',', Enumerable.Repeat("{\"id\":7,\"randomNumber\":42}", count))}]";

        Assert.Equal(isRight, new PageAnswer(200, Json, body).Problem("updates", Fortunes) is null);
    }

    [Fact]
    public void Fortunes_have_the_same_bytes_as_Slipstreams()
    {
        Assert.Null((Fortunes with { }).Problem("fortunes", Fortunes));
        Assert.NotNull((Fortunes with { Body = "<table> </table>" }).Problem("fortunes", Fortunes));
        Assert.NotNull((Fortunes with { Type = "text/html" }).Problem("fortunes", Fortunes));
    }

    [Fact]
    public void An_error_is_no_page() => Assert.Equal("the page 'db' has the status 500", new PageAnswer(500, null, "").Problem("db", Fortunes));
}
