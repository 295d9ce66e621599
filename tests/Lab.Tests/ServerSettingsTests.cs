namespace Slipstream.Lab.Tests;

public sealed class ServerSettingsTests
{
    [Theory]
    [InlineData(ServerKind.MariaDb, "127.0.0.1")]
    [InlineData(ServerKind.MySql, "db.example.org")]
    [InlineData(ServerKind.PostgreSql, "::1")]
    public void A_url_keeps_everything(ServerKind kind, string host)
    {
        var settings = new ServerSettings(kind, host, 20_001, "me & you", "p@ss:w/o?rd#'\"%ä", "data base")
        {
            Version = "10.11.19-MariaDB-0+deb12u1",
            UnixSocket = "/a b/c.sock",
            CaFile = "/ca+1.pem",
            OtherCaFile = "/other.pem",
            ClientCertificatePem = "/client.pem",
            ClientKeyPem = "/client.key",
            ClientPfx = "/client.pfx",
            ClientPfxPassword = "=&",
            ServerPublicKeyFile = "/public.pem",
            Users = [new LabUser("a:b", "c&d=e", "mysql_native_password", ""), new LabUser("x", "", "trust", "no password, none")],
        };

        var read = ServerSettings.Parse(kind, settings.ToUrl());

        Assert.Equal(settings with { Users = read.Users }, read);
        Assert.Equal(settings.Users, read.Users);
    }

    [Fact]
    public void A_short_url_gets_the_usual_port_and_database()
    {
        var settings = ServerSettings.Parse(ServerKind.PostgreSql, "postgresql://me@host");
        Assert.Equal((5432, "slipstream", ""), (settings.Port, settings.Database, settings.Password));
        Assert.Equal(3306, ServerSettings.Parse(ServerKind.MySql, "mysql://me@host/test").Port);
    }

    [Theory]
    [InlineData("host:3306", "of the form mysql://")]
    [InlineData("mariadb://me:secret@host/", "where mysql: was expected")]
    [InlineData("mysql://host/test", "names no user")]
    [InlineData("mysql://me:secret@host/test?sockt=/x", "unknown part 'sockt'")]
    [InlineData("mysql://me:secret@host/test?user=a:b", "user=name:password:method:notes")]
    public void A_wrong_url_is_explained_without_its_password(string url, string explanation)
    {
        var error = Assert.Throws<FormatException>(() => ServerSettings.Parse(ServerKind.MySql, url));
        Assert.Contains(explanation, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }
}
