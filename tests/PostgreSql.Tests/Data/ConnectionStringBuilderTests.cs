using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Tests.Data;

public class ConnectionStringBuilderTests
{
    // As documented on npgsql.org.
    public static TheoryData<string, object> DocumentedDefaults => new()
    {
        { "Host", "" }, { "Port", 5432 }, { "Database", "" }, { "Username", "" }, { "Password", "" }, { "Passfile", "" }, { "Application Name", "" },
        { "Enlist", true }, { "Search Path", "" }, { "Client Encoding", "" }, { "Encoding", "UTF8" }, { "Timezone", "" },
        { "SSL Mode", SslMode.Prefer }, { "SSL Negotiation", SslNegotiation.Postgres }, { "GSS Encryption Mode", GssEncryptionMode.Prefer },
        { "SSL Certificate", "" }, { "SSL Key", "" }, { "SSL Password", "" }, { "Root Certificate", "" }, { "Check Certificate Revocation", false },
        { "Kerberos Service Name", "postgres" }, { "Include Realm", true }, { "Persist Security Info", false }, { "Log Parameters", false },
        { "Include Error Detail", false }, { "Include Failed Batched Command", false }, { "Channel Binding", ChannelBinding.Prefer }, { "Require Auth", "" },
        { "Pooling", true }, { "Minimum Pool Size", 0 }, { "Maximum Pool Size", 100 }, { "Connection Idle Lifetime", 300 },
        { "Connection Pruning Interval", 10 }, { "Connection Lifetime", 3600 }, { "Timeout", 15 }, { "Command Timeout", 30 }, { "Cancellation Timeout", 2000 },
        { "Target Session Attributes", "" }, { "Load Balance Hosts", false }, { "Host Recheck Seconds", 10 }, { "Keepalive", 0 }, { "TCP Keepalive", false },
        { "TCP Keepalive Time", 0 }, { "TCP Keepalive Interval", 0 }, { "Read Buffer Size", 8192 }, { "Write Buffer Size", 8192 },
        { "Socket Receive Buffer Size", 0 }, { "Socket Send Buffer Size", 0 },
        { "No Reset On Close", false }, { "Options", "" }, { "Array Nullability Mode", ArrayNullabilityMode.Never }, { "Load Table Composites", false },
        { "Server Compatibility Mode", ServerCompatibilityMode.None }, { "Trust Server Certificate", false },
        { "Internal Command Timeout", -1 }, { "Multiplexing", false },
        { "Write Coalescing Buffer Threshold Bytes", 1000 },
    };

    public static TheoryData<string, string> Aliases => new()
    {
        { "Server", "Host" }, { "DB", "Database" }, { "User Name", "Username" }, { "UserId", "Username" }, { "User Id", "Username" }, { "UID", "Username" },
        { "PSW", "Password" }, { "PWD", "Password" }, { "SslMode", "SSL Mode" }, { "MinPoolSize", "Minimum Pool Size" },
        { "Max Pool Size", "Maximum Pool Size" },
        { "Load Balance Timeout", "Connection Lifetime" }, { "Krbsrvname", "Kerberos Service Name" }, { "NoResetOnClose", "No Reset On Close" },
        { "AutoPrepareMinUses", "Auto Prepare Min Usages" },
    };

    [Theory]
    [MemberData(nameof(DocumentedDefaults))]
    public void Defaults_are_those_of_Npgsql(string keyword, object expected) => Assert.Equal(expected, new PgConnectionStringBuilder()[keyword]);

    [Fact]
    public void Every_option_is_in_the_list_of_documented_defaults_or_an_addition()
    {
        var documented = DocumentedDefaults.Select(row => row.Data.Item1).ToHashSet();
        string[] additions =
        [
            "Service", "Server Selection Timeout", "Topology Refresh Interval", "Failure Detection Interval", "Failure Detection Count", "Local Threshold",
            "Max Replica Lag", "Drain Timeout", "Causal Read Timeout", "Track Write Token",
            "Async Engine", "Async Continuations", "Spinning", "Adaptive Receives", "TLS Resumption", "Scram Min Iterations", "Reset Mode",
            "Reader Timeout", "Commit Status Timeout", "Batch Errors", "Batching",
            "Pipelining", "Auto Prepare", "Max Auto Prepare", "Auto Prepare Min Usages", "Direct Large Values", "Max Value Bytes", "Max Row Bytes",
        ];
        Assert.Equal(additions, PgOptions.Table.Options.Select(option => option.Name).Except(documented));
    }

    [Theory]
    [MemberData(nameof(Aliases))]
    public void Other_names_mean_the_same_option(string alias, string name) => Assert.Equal(name, PgOptions.Table.Find(alias).Name);

    [Fact]
    public void A_whole_connection_string_is_read_and_written()
    {
        var builder = new PgConnectionStringBuilder("host=h,i:5433;username=u;password='a;b';ssl mode=verify-full;maxpoolsize=7;timeout=3;search path=a,b");
        Assert.Equal(("h,i:5433", "u", "a;b", SslMode.VerifyFull, 7, 3, "a,b"),
            (builder.Host, builder.Username, builder.Password, builder.SslMode, builder.MaxPoolSize, builder.Timeout, builder.SearchPath));
        Assert.Equal("Host=h,i:5433;Username=u;Password=\"a;b\";Search Path=a,b;SSL Mode=VerifyFull;Maximum Pool Size=7;Timeout=3", builder.ConnectionString);
        Assert.DoesNotContain("a;b", builder.ToStringWithoutSecrets(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Hots=x", "Did you mean 'Host'?")]
    [InlineData("User Nmae=x", "Did you mean 'Username'?")]
    [InlineData("Timeout=1025", "from 0 to 1024")]
    [InlineData("SSL Mode=Required2", "VerifyFull")]
    [InlineData("Require Auth=OAuth", "'OAuth' is not supported")]
    [InlineData("Require Auth=!MD5,Password", "begin with '!'")]
    [InlineData("Require Auth='!Password,!GSS,!SSPI,!ScramSHA256,!None'", "no method is left")]
    public void Mistakes_are_told_with_the_way_out(string connectionString, string part) =>
        Assert.Contains(part, Assert.Throws<ArgumentException>(() => new PgConnectionStringBuilder(connectionString)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("Multiplexing=true")]
    [InlineData("Encoding=LATIN1")]
    [InlineData("Client Encoding=SQL_ASCII")]
    [InlineData("GSS Encryption Mode=Require")]
    public void A_feature_that_is_not_here_is_read_but_refused_when_used(string connectionString)
    {
        var builder = new PgConnectionStringBuilder(connectionString);
        // Option=value: the problem. The remedy.
        Assert.Matches(@"^[^:]+: [^:]+\.$|^[^:]+: [^:]+\. .+\.$", Assert.Throws<NotSupportedException>(() => new PgSettings(builder)).Message);
    }

    [Fact]
    public void A_builder_contains_the_keywords_of_all_options()
    {
        var builder = new PgConnectionStringBuilder { Host = "h" };
        Assert.True(builder.ContainsKey("server") && builder.ContainsKey("Password"));
        Assert.False(builder.ContainsKey("nonsense"));
        // What is set is another question.
        Assert.True(builder.ShouldSerialize("server"));
        Assert.False(builder.ShouldSerialize("Password") || builder.TryGetValue("Password", out _));
        Assert.DoesNotContain(KeyValuePair.Create<string, object?>("Password", ""), builder);
    }

    [Fact]
    public void A_connection_that_hides_its_password_cannot_be_cloned_into_one_that_shows_it()
    {
        const string Shows = "Host=h;Username=u;Password=p;Persist Security Info=True";
        using var hides = new PgConnection("Host=h;Username=u;Password=p");
        Assert.False(new PgConnectionStringBuilder(hides.CloneWith(Shows).ConnectionString).PersistSecurityInfo);
        using var shows = new PgConnection(Shows);
        Assert.True(new PgConnectionStringBuilder(shows.CloneWith(Shows).ConnectionString).PersistSecurityInfo);
    }

    [Fact]
    public void Defaults_of_the_peer_are_never_refused()
    {
        var builder = new PgConnectionStringBuilder();
        foreach (var option in PgOptions.Table.Options)
            builder[option.Name] = option.DefaultText;
        Assert.Equal("", new PgSettings(builder).Key);
    }
}
