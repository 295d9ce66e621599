using Slipstream.MySql.Sessions;

namespace Slipstream.MySql.Tests.Data;

public class RedirectionTests
{
    [Theory]
    [InlineData("mysql://db.example.com", "db.example.com:3306", null)]
    [InlineData("mariadb://db.example.com:3307", "db.example.com:3307", null)]
    [InlineData("MySQL://10.0.0.1:1/", "10.0.0.1:1", null)]
    [InlineData("mysql://[::1]:3308", "[::1]:3308", null)]
    [InlineData("mysql://[db.example.com]:3306/?user=app&ttl=60", "db.example.com:3306", "app")]
    [InlineData("mysql://db.example.com:3306/user=app%40server&ttl=60", "db.example.com:3306", "app@server")]
    [InlineData("mysql://db.example.com?user=app", "db.example.com:3306", "app")]
    public void What_servers_say_is_read(string url, string endpoint, string? user)
    {
        var redirection = Redirection.Parse(url);
        Assert.NotNull(redirection);
        Assert.Equal(endpoint, redirection.Endpoint.ToString());
        Assert.Equal(user, redirection.User);
    }

    [Theory]
    [InlineData("")]
    [InlineData("db.example.com")]
    [InlineData("http://db.example.com")]
    [InlineData("mysql://")]
    [InlineData("mysql://:3306")]
    [InlineData("mysql:///tmp/mysql.sock")]
    [InlineData("mysql://db.example.com:0")]
    [InlineData("mysql://db.example.com:65536")]
    [InlineData("mysql://db.example.com:-1")]
    [InlineData("mysql://db.example.com:+1")]
    [InlineData("mysql://db.example.com:")]
    [InlineData("mysql://::1:3306")]
    [InlineData("mysql://[::1")]
    [InlineData("mysql://user@db.example.com")]
    [InlineData("mysql://user:secret@db.example.com")]
    [InlineData("mysql://a,b")]
    [InlineData("mysql://db example.com")]
    [InlineData("mysql://db.example.com\n")]
    [InlineData("mysql://db.example.com\0")]
    [InlineData("mysql://dä.example.com")]
    [InlineData("mysql://db.example.com/?password=x")]
    [InlineData("mysql://db.example.com/?user=")]
    [InlineData("mysql://db.example.com/?user=a&user=b")]
    [InlineData("mysql://db.example.com/?user=a%00b")]
    [InlineData("mysql://db.example.com/?ttl=soon")]
    [InlineData("mysql://db.example.com/database")]
    public void What_is_not_of_the_form_is_not_followed(string url) => Assert.Null(Redirection.Parse(url));

    [Fact]
    public void A_text_without_end_is_not_read() => Assert.Null(Redirection.Parse("mysql://" + new string('a', 1025)));

    [Theory]
    [InlineData("db.example.com", "db.example.com", true)]
    [InlineData("DB.example.com", "db.Example.com", true)]
    [InlineData("db.example.com", "other,*.example.com", true)]
    [InlineData("example.com", "*.example.com", false)]
    [InlineData(".example.com", "*.example.com", false)]
    [InlineData("evilexample.com", "*.example.com", false)]
    [InlineData("db.example.com.evil", "*.example.com,db.example.com", false)]
    [InlineData("10.0.0.1", "10.0.0.2", false)]
    public void Hosts_have_to_be_allowed(string host, string allowed, bool expected) => Assert.Equal(expected, Redirection.IsAllowed(host, allowed.Split(',')));
}
