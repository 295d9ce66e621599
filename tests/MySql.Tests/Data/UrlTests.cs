namespace Slipstream.MySql.Tests.Data;

/// <summary>URLs as other languages' drivers accept them, in place of a connection string.</summary>
public class UrlTests
{
    [Theory]
    [InlineData("mysql://shop:hidden@db.example.com/shop")]
    [InlineData("mariadb://shop:hidden@db.example.com:3306/shop?ssl=true")]
    [InlineData("jdbc:mysql://db.example.com/shop?user=shop&password=hidden")]
    public void A_URL_is_refused_with_an_example_of_a_connection_string_and_without_its_password(string url)
    {
        foreach (var attempt in (Action[])[
            () => _ = new MySqlConnectionStringBuilder(url), () => new MySqlConnection(url).Open(), () => _ = new MySqlDataSource(url)
        ])
        {
            var error = Assert.Throws<ArgumentException>(attempt);
            Assert.Contains("Server=db.example.com;Port=3306;User ID=shop;", error.Message);
            Assert.DoesNotContain("hidden", error.ToString());
        }
    }

    [Fact]
    public void A_value_may_be_a_URL() => Assert.Equal("a://b", new MySqlConnectionStringBuilder("Server=localhost;Application Name=a://b").ApplicationName);
}
