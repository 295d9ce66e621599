using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Doctor;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Tests;

/// <summary>The judgements of single checks, without a server.</summary>
public sealed class CheckTests
{
    private static readonly Dictionary<string, string> None = [];

    [Theory]
    [InlineData("9.7.4", false, Level.Ok)]
    [InlineData("8.4.2", false, Level.Ok)]
    [InlineData("5.7.44", false, Level.Advice)]
    [InlineData("10.11.19-MariaDB", true, Level.Ok)]
    [InlineData("10.6.1-MariaDB", true, Level.Advice)]
    [InlineData("8.0.11-TiDB-v7.5.0", false, Level.Advice)]
    public void A_version_is_tested_or_not(string version, bool isMariaDb, object level) => Assert.Equal(level, MySqlChecks.Server(version, isMariaDb).Level);

    [Theory]
    [InlineData("CREATE USER `a`@`%` IDENTIFIED WITH 'caching_sha2_password' AS '$A$005$x' REQUIRE NONE", "caching_sha2_password")]
    [InlineData("CREATE USER `a`@`%` IDENTIFIED VIA ed25519 USING 'x'", "ed25519")]
    [InlineData("CREATE USER `a`@`%` IDENTIFIED BY PASSWORD '*0123'", "mysql_native_password")]
    [InlineData("CREATE USER `a`@`%`", null)]
    public void The_method_of_an_account_is_read_without_its_hash(string statement, string? method) => Assert.Equal(method, MySqlChecks.MethodOf(statement));

    [Theory]
    [InlineData("15.18", "PostgreSQL 15.18 on x86_64", Level.Ok)]
    [InlineData("14.2", "PostgreSQL 14.2", Level.Advice)]
    [InlineData("13.0", "CockroachDB CCL v23.1", Level.Advice)]
    public void A_version_of_PostgreSQL_is_tested_or_not(string version, string about, object level) =>
        Assert.Equal(level, PgChecks.Server(version, about).Level);

    // The lists in the code are those of the page.
    [Fact]
    public void The_tested_versions_are_those_of_the_page()
    {
        var page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "servers.md"));
        Assert.All(MySqlChecks.Tested, version => Assert.Contains($"| {version} | tested", page, StringComparison.Ordinal));
        Assert.Contains($"| PostgreSQL {string.Join(" and ", PgChecks.Tested)} | tested", page, StringComparison.Ordinal);
        Assert.Contains("| MySQL 8.0 and 8.4 | expected to work", page, StringComparison.Ordinal);
        Assert.Contains("| MariaDB 11.4 | expected to work", page, StringComparison.Ordinal);
        Assert.Equal(["MySQL 8.0", "MySQL 8.4", "MariaDB 11.4"], MySqlChecks.Expected);
    }

    [Theory]
    [InlineData(100u, 50, Level.Problem)]
    [InlineData(100u, 151, Level.Advice)]
    [InlineData(100u, 500, Level.Ok)]
    public void A_pool_is_compared_with_the_servers_limit(uint size, int most, object level)
    {
        var variables = new Dictionary<string, string> { ["max_connections"] = most.ToString(null, null) };
        Assert.Equal(level, MySqlChecks.PoolSize(new MySqlConnectionStringBuilder { MaximumPoolSize = size }, variables, None, accountLimit: 0).Level);
        var settings = new Dictionary<string, string> { ["max_connections"] = most.ToString(null, null), ["superuser_reserved_connections"] = "3" };
        Assert.Equal(level, PgChecks.PoolSize(new PgConnectionStringBuilder { MaxPoolSize = (int)size }, settings, -1, -1, 4).Level);
    }

    [Fact]
    public void The_limit_of_the_account_counts()
    {
        var variables = new Dictionary<string, string> { ["max_connections"] = "1000" };
        Assert.Equal(Level.Problem, MySqlChecks.PoolSize(new MySqlConnectionStringBuilder(), variables, None, accountLimit: 10).Level);
        Assert.Equal(Level.Problem, PgChecks.PoolSize(new PgConnectionStringBuilder(), variables, 10, -1, null).Level);
    }

    [Theory]
    [InlineData("GRANT ALL PRIVILEGES ON *.* TO `root`@`%`", Level.Advice, "everything")]
    [InlineData("GRANT ALL PRIVILEGES ON `shop`.* TO `app`@`%`", Level.Ok, "granted")]
    [InlineData("GRANT ALL PRIVILEGES ON `sh%`.* TO `app`@`%`", Level.Ok, "granted")]
    [InlineData("GRANT SELECT, INSERT ON `shop`.* TO `app`@`%`", Level.Advice, "EXECUTE")]
    [InlineData("GRANT ALL PRIVILEGES ON `other`.* TO `app`@`%`", Level.Advice, "SELECT")]
    public void Privileges_on_the_database_are_read(string grant, object level, string text)
    {
        var check = MySqlChecks.Privileges(["GRANT USAGE ON *.* TO `app`@`%`", grant], "shop", isMariaDb: true);
        Assert.Equal(level, check.Level);
        Assert.Contains(text, check.Finding, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("9.7.4 MySQL Community", "9.7.4", 7, "7,7,7", false, Level.Ok, "No sign")]
    [InlineData("8.0.11 (ProxySQL)", "8.4.2", 7, "9,9", false, Level.Advice, "ProxySQL")]
    [InlineData("8.0.30 Source distribution", "8.0.30", 7, "9,9", true, Level.Advice, "ProxySQL")]
    [InlineData("9.7.4 x", "9.7.4", 7, "9,8,9", false, Level.Advice, "several sessions")]
    [InlineData("9.7.4 x", "9.7.4", 7, "9,9", false, Level.Advice, "different sessions")]
    [InlineData("8.0.30 x", "9.7.4", 7, "7", false, Level.Advice, "The greeting says 8.0.30")]
    public void A_proxy_is_found_by_what_it_says_and_changes(
        string greeting, string version, long greeted, string sessions, bool isProxySql, object level, string text)
    {
        var check = ProxyChecks.OfMySql(greeting, version, greeted, sessions.Split(','), isProxySql);
        Assert.Equal(level, check.Level);
        Assert.Contains(text, check.Finding, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(7, "7,7", null, Level.Ok)]
    [InlineData(7, "9,9", null, Level.Advice)]
    [InlineData(7, "7,9", null, Level.Advice)]
    [InlineData(7, "7,7", "4.5.1", Level.Advice)]
    public void A_pooler_is_found_by_the_process(int greeted, string sessions, string? pgPool, object level) =>
        Assert.Equal(level, ProxyChecks.OfPostgreSql(greeted, sessions.Split(','), pgPool).Level);

    [Fact]
    public void What_the_driver_has_logged_about_pipelining_is_reported()
    {
        Assert.Equal(Level.Advice, ProxyChecks.Pipelining([1012], isMySql: true, isOn: true).Level);
        Assert.Equal(Level.Advice, ProxyChecks.Pipelining([1015], isMySql: false, isOn: true).Level);
        Assert.Equal(Level.Advice, ProxyChecks.Pipelining([], isMySql: true, isOn: false).Level);
        Assert.Equal(Level.Ok, ProxyChecks.Pipelining([1010], isMySql: true, isOn: true).Level);
    }

    [Theory]
    [InlineData(null, null, true, false, Level.Ok)]
    [InlineData(null, null, false, false, Level.Problem)]
    [InlineData("TLSv1.3", null, false, true, Level.Advice)]
    [InlineData("TLSv1.3", "the host name", false, true, Level.Ok)]
    [InlineData("TLSv1.3", "the host name", false, null, Level.Ok)]
    // A proxy on the way: what the server says about TLS is not what the program has.
    [InlineData("TLSv1.3", null, false, false, Level.Problem)]
    [InlineData("TLSv1.3", null, true, false, Level.Ok)]
    [InlineData(null, "the host name", false, true, Level.Advice)]
    public void Encryption_without_verification_is_advised_against(string? version, string? verification, bool isLocal, bool? hasTls, object level) =>
        Assert.Equal(level, TlsChecks.Encryption(version, "AES", verification, isLocal, hasTls).Level);

    [Theory]
    [InlineData("Nov  3 10:00:00 2027 GMT", Level.Ok)]
    [InlineData("Dec 20 10:00:00 2026 GMT", Level.Advice)]
    [InlineData("Nov  3 10:00:00 2026 GMT", Level.Problem)]
    [InlineData("", Level.Unknown)]
    public void A_certificate_expires(string text, object level) =>
        Assert.Equal(level, TlsChecks.Certificate(TlsChecks.ExpiryOf(text), new DateTime(2026, 11, 28, 0, 0, 0, DateTimeKind.Utc)).Level);

    [Fact]
    public void Settings_that_lose_data_are_problems()
    {
        var checks = MySqlSettings.Of(new Dictionary<string, string> { ["innodb_flush_log_at_trx_commit"] = "2", ["max_allowed_packet"] = "1048576" }, None,
            "", isAutocommit: false)
            .ToDictionary(static check => check.Id, static check => check.Level);
        Assert.Equal(Level.Problem, checks["settings.sql_mode"]);
        Assert.Equal(Level.Problem, checks["settings.autocommit"]);
        Assert.Equal(Level.Advice, checks["settings.durability"]);
        Assert.Equal(Level.Advice, checks["settings.max_allowed_packet"]);
        var pg = PgChecks.Settings(new Dictionary<string, string> { ["DateStyle"] = "German, DMY", ["synchronous_commit"] = "off" },
            new PgConnectionStringBuilder())
            .ToDictionary(static check => check.Id, static check => check.Level);
        Assert.Equal(Level.Problem, pg["settings.DateStyle"]);
        Assert.Equal(Level.Advice, pg["settings.durability"]);
    }

    [Theory]
    [InlineData("Server=h;User ID=u;Allow Public Key Retrieval=true", Provider.MySql, "Allow Public Key Retrieval")]
    [InlineData("Server=h;User ID=u;Connection Reset=false", Provider.MySql, "Connection Reset=false")]
    [InlineData("Host=h;Username=u;No Reset On Close=true", Provider.PostgreSql, "No Reset On Close")]
    [InlineData("Host=h;Username=u", Provider.PostgreSql, "No option")]
    public void An_option_that_costs_is_named(string text, object provider, string found) =>
        Assert.Contains(found, Assert.Single(OptionChecks.Of(new Target((Provider)provider, text))).Finding, StringComparison.Ordinal);

    [Theory]
    [InlineData("Server=h;User ID=u;Password=p", Provider.MySql)]
    [InlineData("Server=h;Uid=u;Port=3306", Provider.MySql)]
    [InlineData("Host=h;Username=u;Database=d", Provider.PostgreSql)]
    [InlineData("Host=h;Port=5432;Username=u", Provider.PostgreSql)]
    [InlineData("Server=h;User ID=u;Allow User Variables=true", Provider.MySql)]
    [InlineData("Host=h;Username=u;Search Path=a", Provider.PostgreSql)]
    [InlineData("Data Source=h;Initial Catalog=d;Integrated Security=true;Encrypt=true", null)]
    public void The_driver_is_guessed_from_the_words(string text, object? provider) =>
        Assert.Equal((Provider?)provider, ConnectionText.Guess(ConnectionText.Read(text)!));

    [Fact]
    public void A_secret_is_masked_wherever_it_appears()
    {
        var secrets = new Secrets();
        secrets.Add("pass");
        secrets.Add("password-2");
        Assert.Equal("a *** b *** c", secrets.Remove("a pass b password-2 c"));
    }
}
