namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>URLs as libpq accepts them, in place of a connection string.</summary>
public class UrlTests
{
    [Theory]
    [InlineData("postgres://shop:hidden@db.example.com/shop")]
    [InlineData("postgresql://shop:hidden@db.example.com:5432/shop?sslmode=require")]
    public void A_URL_is_refused_with_an_example_of_a_connection_string_and_without_its_password(string url)
    {
        foreach (var attempt in (Action[])[
            () => _ = new PgConnectionStringBuilder(url), () => new PgConnection(url).Open(), () => _ = new PgDataSourceBuilder(url)
        ])
        {
            var error = Assert.Throws<ArgumentException>(attempt);
            Assert.Contains("Host=db.example.com;Port=5432;Username=shop;", error.Message);
            Assert.DoesNotContain("hidden", error.ToString());
        }
    }
}
