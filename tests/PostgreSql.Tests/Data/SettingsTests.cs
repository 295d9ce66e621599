using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Tests.Data;

public class SettingsTests
{
    private const PgAuthenticationMethods Scram = PgAuthenticationMethods.ScramSha256 | PgAuthenticationMethods.ScramSha256Plus;
    private const PgAuthenticationMethods Kerberos = PgAuthenticationMethods.Gss | PgAuthenticationMethods.Sspi;

    [Theory]
    [InlineData("", "localhost:5432")]
    [InlineData("Host=a,b:5433;Port=6000", "a:6000 b:5433")]
    [InlineData("Host=/run/postgresql", "/run/postgresql/.s.PGSQL.5432")]
    [InlineData("Host=/run/postgresql/;Port=5433", "/run/postgresql/.s.PGSQL.5433")]
    [InlineData("Host=/tmp/.s.PGSQL.7000", "/tmp/.s.PGSQL.7000")]
    public void Hosts_are_read_from_the_list(string connectionString, string expected) =>
        Assert.Equal(expected, string.Join(' ', PgSettings.Parse(connectionString).Endpoints));

    [Fact]
    public void User_and_database_have_the_defaults_of_every_PostgreSQL_client()
    {
        var settings = PgSettings.Parse("");
        Assert.Equal((Environment.UserName, Environment.UserName), (settings.Username, settings.Database));
        Assert.Equal("u", PgSettings.Parse("Username=u").Database);
    }

    [Fact]
    public void Allow_is_treated_as_prefer() => Assert.Equal(SslMode.Prefer, PgSettings.Parse("SSL Mode=Allow").SslMode);

    [Theory]
    [InlineData("", PgAuthenticationMethods.Trust | PgAuthenticationMethods.Password | Scram | Kerberos)]
    [InlineData("Require Auth=ScramSHA256", Scram)]
    [InlineData("Require Auth=MD5,scram-sha-256", PgAuthenticationMethods.Md5 | Scram)]
    [InlineData("Require Auth='!None,!Password'", Scram | Kerberos)]
    [InlineData("Require Auth='!None,!Password,!GSS,!SSPI'", Scram)]
    [InlineData("Require Auth=GSS", PgAuthenticationMethods.Gss)]
    [InlineData("Require Auth='!MD5'", PgAuthenticationMethods.Trust | PgAuthenticationMethods.Password | Scram | Kerberos)]
    [InlineData("Channel Binding=Require", PgAuthenticationMethods.ScramSha256Plus)]
    [InlineData("Channel Binding=Require;Require Auth=MD5", PgAuthenticationMethods.None)]
    [InlineData("Channel Binding=Disable;Require Auth=ScramSHA256", PgAuthenticationMethods.ScramSha256)]
    public void The_allowed_ways_of_authentication_never_hold_MD5_by_themselves(string connectionString, object expected) =>
        Assert.Equal(expected, PgSettings.Parse(connectionString).AllowedAuthentication);

    [Theory]
    [InlineData("Channel Binding=Require;SSL Mode=Disable", "needs TLS")]
    [InlineData("Minimum Pool Size=5;Maximum Pool Size=4", "Minimum Pool Size (5)")]
    [InlineData("Host=a,,b", "empty host name")]
    [InlineData("Host=u:secret@h", "user and password have options of their own")]
    [InlineData("Host=u:sec,secret:1@h:5432", "user and password have options of their own")]
    public void Contradictions_are_errors(string connectionString, string part) =>
        Assert.Contains(part, Assert.Throws<ArgumentException>(() => PgSettings.Parse(connectionString)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("", 0)]
    [InlineData("TCP Keepalive=true", 7200)]
    [InlineData("TCP Keepalive Time=60", 60)]
    public void Keep_alive_is_in_seconds(string connectionString, int expected) => Assert.Equal(expected, PgSettings.Parse(connectionString).KeepAlive);

    [Theory]
    [InlineData("", 2000)]
    [InlineData("Cancellation Timeout=0", Timeout.Infinite)]
    [InlineData("Cancellation Timeout=-1", 0)]
    public void Cancellation_timeout_is_in_milliseconds(string connectionString, int expected) =>
        Assert.Equal(expected, PgSettings.Parse(connectionString).CancellationTimeout);

    [Theory]
    [InlineData("Password=hunter2;SSL Password=hunter3", false)]
    [InlineData("Password=hunter2;SSL Password=hunter3;Persist Security Info=true", true)]
    public void What_an_open_connection_shows_has_secrets_only_when_it_was_asked_for(string connectionString, bool shown)
    {
        var settings = PgSettings.Parse(connectionString);
        Assert.Equal(shown, settings.ShownConnectionString.Contains("hunter", StringComparison.Ordinal));
        Assert.DoesNotContain("hunter", settings.ToString(), StringComparison.Ordinal);
    }
}
