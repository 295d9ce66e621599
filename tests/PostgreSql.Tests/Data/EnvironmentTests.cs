using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>What variables, service files and the user's folder add to a connection string.</summary>
public sealed class EnvironmentTests : IDisposable
{
    private readonly string _home = Directory.CreateTempSubdirectory("slipstream-home-").FullName;
    private readonly Dictionary<string, string> _variables = [];

    public void Dispose() => Directory.Delete(_home, recursive: true);

    [Fact]
    public void An_empty_environment_changes_nothing()
    {
        var settings = Settings("Host=h");
        Assert.Equal((Environment.UserName, "", "", "", ""), (settings.Username, settings.ApplicationName, settings.Options, settings.SslCertificate,
            settings.RootCertificate));
    }

    [Fact]
    public void Variables_count_where_the_connection_string_says_nothing()
    {
        foreach (var (name, value) in new[]
        {
            ("PGUSER", "u"), ("PGAPPNAME", "a"), ("PGOPTIONS", "-c x=y"), ("PGTZ", "UTC"), ("PGREQUIREAUTH", "scram-sha-256"), ("PGSSLNEGOTIATION", "direct"),
            ("PGSSLCERT", "c"), ("PGSSLKEY", "k"), ("PGSSLROOTCERT", "r"), ("PGGSSENCMODE", "disable"), ("PGHOST", "elsewhere"), ("PGDATABASE", "other"),
        })
        {
            _variables[name] = value;
        }

        var settings = Settings("Host=h;SSL Mode=Require");
        Assert.Equal(("h", "u", "u", "a", "-c x=y", "UTC"), (settings.Endpoints[0].Host, settings.Username, settings.Database, settings.ApplicationName,
            settings.Options, settings.Timezone));
        Assert.Equal(("c", "k", "r", SslNegotiation.Direct), (settings.SslCertificate, settings.SslKey, settings.RootCertificate, settings.SslNegotiation));
        Assert.False(settings.AllowedAuthentication.HasFlag(PgAuthenticationMethods.Trust));
        var own = Settings("Host=h;SSL Mode=Require;Username=v;Application Name=b;SSL Certificate=d;Root Certificate=s");
        Assert.Equal(("v", "b", "d", "s"), (own.Username, own.ApplicationName, own.SslCertificate, own.RootCertificate));
        // What a connection shows and compares is what the application wrote.
        Assert.Equal("Host=h;SSL Mode=Require", settings.ConnectionString);
        Assert.Equal("Host=h;SSL Mode=Require", settings.Key);
    }

    [Fact]
    public void A_variable_with_a_wrong_value_is_named()
    {
        _variables["PGSSLNEGOTIATION"] = "sideways";
        Assert.Contains("PGSSLNEGOTIATION", Assert.Throws<ArgumentException>(() => Settings("Host=h")).Message);
        _variables["PGSSLNEGOTIATION"] = "postgres";
        _variables["PGGSSENCMODE"] = "require";
        Assert.Contains("GSS Encryption Mode", Assert.Throws<NotSupportedException>(() => Settings("Host=h")).Message);
    }

    [Fact]
    public void Files_of_the_users_folder_count_last_and_only_where_they_are_used()
    {
        var folder = Directory.CreateDirectory(Path.Combine(_home, ".postgresql")).FullName;
        foreach (var name in new[] { "postgresql.crt", "postgresql.key", "root.crt" })
            File.WriteAllText(Path.Combine(folder, name), "");
        var settings = Settings("Host=h;SSL Mode=VerifyFull");
        Assert.Equal(
            (Path.Combine(folder, "postgresql.crt"), Path.Combine(folder, "postgresql.key"), Path.Combine(folder, "root.crt")),
            (settings.SslCertificate, settings.SslKey, settings.RootCertificate));
        Assert.Equal("", Settings("Host=h;SSL Mode=Require").RootCertificate);
        Assert.Equal("", Settings("Host=h;SSL Mode=Disable").SslCertificate);
        Assert.Equal("", Settings("Host=h;SSL Certificate=mine.pfx").SslKey);
        Assert.Null(Settings("Host=h;SSL Mode=VerifyFull;Root Certificate=system;SSL Certificate=").Endpoints.FirstOrDefault(static one => one.Host != "h"));
    }

    [Fact]
    public void Direct_TLS_cannot_fall_back()
    {
        Assert.Contains("SSL Mode=Require", Assert.Throws<ArgumentException>(() => Settings("Host=h;SSL Negotiation=Direct")).Message);
        Assert.Equal("postgresql", Settings("Host=h;SSL Mode=Require;SSL Negotiation=Direct").ReadTls()!.ApplicationProtocols![0].ToString());
    }

    [Fact]
    public void The_password_file_is_that_of_the_variable_or_the_users_own()
    {
        Assert.Null(Made().PasswordFile);
        File.WriteAllText(Path.Combine(_home, ".pgpass"), "");
        Assert.Equal(Path.Combine(_home, ".pgpass"), Made().PasswordFile);
        _variables["PGPASSFILE"] = "other";
        Assert.Equal("other", Made().PasswordFile);
    }

    [Fact]
    public void A_service_supplies_what_the_connection_string_does_not_set()
    {
        WriteServices(
            """
            # comment
            [other]
            host=wrong
            [ shop ]
            host=wrong
            [shop]
            host=a,b
            port=5433,5434
            dbname=d
            user = u
            password= p=q
            sslmode=verify-full
            load_balance_hosts=random
            connect_timeout=7

            [shop]
            host=wrong
            """);
        _variables["PGUSER"] = "of the variable";
        var settings = Settings("Service=shop;Database=mine");
        Assert.Equal(["a:5433", "b:5434"], settings.Endpoints.Select(static one => one.ToString()));
        Assert.Equal(("mine", "u", "p=q", SslMode.VerifyFull, true, 7000), (settings.Database, settings.Username, settings.Password, settings.SslMode,
            settings.LoadBalanceHosts, settings.ConnectionTimeout));
        _variables["PGSERVICE"] = "shop";
        Assert.Equal("d", Settings("Host=h").Database);
        Assert.Equal("h:5432", Settings("Host=h;Port=5432").Endpoints[0].ToString());
        Assert.DoesNotContain("p=q", settings.ConnectionString);
    }

    [Theory]
    [InlineData("[shop]\nhost=a\nsecret words", "line 3")]
    [InlineData("[shop]\nsslcrl=secret", "'sslcrl'")]
    [InlineData("[shop]\nhost=a,b\nport=1,2,3", "2 hosts and 3 ports")]
    [InlineData("[shop]\nsslmode=perhaps", "line 2")]
    [InlineData("[other]\nhost=secret", "'shop'")]
    [InlineData(null, "'shop'")]
    public void A_service_that_cannot_be_used_is_refused_without_its_secrets(string? content, string part)
    {
        if (content is not null)
            WriteServices(content);
        var message = Assert.Throws<ArgumentException>(() => Settings("Service=shop")).Message;
        Assert.Contains(part, message);
        Assert.DoesNotContain("secret", message);
    }

    private void WriteServices(string content) => File.WriteAllText(Path.Combine(_home, ".pg_service.conf"), content);

    private ClientEnvironment Made() => new(name => _variables.GetValueOrDefault(name), _home);

    private PgSettings Settings(string connectionString) => new(new PgConnectionStringBuilder(connectionString), Made());
}
