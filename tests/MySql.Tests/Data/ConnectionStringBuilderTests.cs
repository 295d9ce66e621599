using System.Data.Common;
using Slipstream.MySql.Options;

namespace Slipstream.MySql.Tests.Data;

public class ConnectionStringBuilderTests
{
    // As documented on mysqlconnector.net.
    public static TheoryData<string, object> DocumentedDefaults => new()
    {
        { "Server", "" }, { "Port", 3306u }, { "User ID", "" }, { "Password", "" }, { "Database", "" },
        { "Load Balance", MySqlLoadBalance.RoundRobin }, { "Connection Protocol", MySqlConnectionProtocol.Socket }, { "Pipe Name", "MYSQL" },
        { "SSL Mode", MySqlSslMode.Preferred }, { "Certificate File", "" }, { "Certificate Password", "" },
        { "Certificate Store Location", MySqlCertificateStoreLocation.None }, { "Certificate Thumbprint", "" }, { "SSL Cert", "" }, { "SSL Key", "" },
        { "SSL CA", "" }, { "Skip Certificate Revocation Check", false }, { "TLS Version", "" }, { "TLS Cipher Suites", "" },
        { "Pooling", true }, { "Connection Lifetime", 0u }, { "Connection Reset", true }, { "Defer Connection Reset", true },
        { "Connection Idle Ping Time", 0u }, { "Connection Idle Timeout", 180u }, { "Minimum Pool Size", 0u }, { "Maximum Pool Size", 100u },
        { "DNS Check Interval", 0u }, { "Allow Load Local Infile", false }, { "Allow Public Key Retrieval", false }, { "Allow User Variables", false },
        { "Allow Zero DateTime", false }, { "Application Name", "" }, { "Auto Enlist", true }, { "Cancellation Timeout", 2 }, { "Character Set", "" },
        { "Connection Timeout", 15u }, { "Convert Zero DateTime", false }, { "DateTime Kind", MySqlDateTimeKind.Unspecified },
        { "Default Command Timeout", 30u }, { "Force Synchronous", false }, { "GUID Format", MySqlGuidFormat.Default },
        { "Ignore Command Transaction", false }, { "Ignore Prepare", false }, { "Interactive Session", false }, { "Keep Alive", 0u },
        { "No Backslash Escapes", false }, { "Old Guids", false }, { "Persist Security Info", false }, { "Pipelining", true },
        { "Server Redirection Mode", MySqlServerRedirectionMode.Disabled }, { "Server RSA Public Key File", "" }, { "Server SPN", "" },
        { "Treat Tiny As Boolean", true }, { "Use Affected Rows", false }, { "Use Compression", false }, { "Use XA Transactions", true },
    };

    // Every keyword of MySqlConnector and MySql.Data for an option that this driver shares with both or one of them.
    public static TheoryData<string, string> Aliases => new()
    {
        { "Host", "Server" }, { "Data Source", "Server" }, { "DataSource", "Server" }, { "Address", "Server" }, { "Addr", "Server" },
        { "Network Address", "Server" },
        { "UserID", "User ID" }, { "Username", "User ID" }, { "Uid", "User ID" }, { "User name", "User ID" }, { "User", "User ID" },
        { "pwd", "Password" }, { "Initial Catalog", "Database" }, { "Protocol", "Connection Protocol" }, { "Pipe", "Pipe Name" },
        { "SslMode", "SSL Mode" }, { "Ssl-Cert", "SSL Cert" }, { "Ssl-Key", "SSL Key" }, { "Ssl-Ca", "SSL CA" }, { "CACertificateFile", "SSL CA" },
        { "Certificate Thumb Print", "Certificate Thumbprint" }, { "Tls-Version", "TLS Version" }, { "minpoolsize", "Minimum Pool Size" },
        { "Max Pool Size", "Maximum Pool Size" }, { "CharSet", "Character Set" }, { "Connect Timeout", "Connection Timeout" },
        { "Command Timeout", "Default Command Timeout" }, { "Interactive", "Interactive Session" }, { "Keepalive", "Keep Alive" },
        { "Compress", "Use Compression" }, { "useaffectedrows", "Use Affected Rows" }, { "procedure cache", "Procedure Cache Size" },
        { "use perf mon", "Use Performance Monitor" },
    };

    [Theory]
    [MemberData(nameof(DocumentedDefaults))]
    public void Defaults_are_those_of_MySqlConnector(string keyword, object expected) => Assert.Equal(expected, new MySqlConnectionStringBuilder()[keyword]);

    [Fact]
    public void Every_option_is_in_the_list_of_documented_defaults_or_an_addition()
    {
        string[] additions =
        [
            "Topology", "Topology Discovery", "Target Server Type", "Server Selection Timeout", "Topology Refresh Interval", "Failure Detection Interval",
            "Failure Detection Count", "Local Threshold", "Drain Timeout", "Causal Read Timeout", "Track Write Token",
            "Allow Cleartext Password",
            "Can Handle Expired Passwords",
            "Allow Concurrent Commands",
            "Allow Load Local Infile In Path",
            "Adaptive Receives",
            "Async Continuations",
            "Async Engine",
            "Auto Prepare Budget",
            "Auto Prepare Min Uses",
            "Auto Prepare",
            "Batch Errors",
            "Batching",
            "Direct Large Values",
            "Host Connect Timeout",
            "Max Auto Prepare",
            "Max Row Bytes",
            "Max Value Bytes",
            "Maximum Total Connections",
            "Merge Inserts",
            "Password2",
            "Password3",
            "Scram Min Iterations",
            "Multiplexing",
            "Pipelining Mode",
            "Pool Per Server",
            "Query Attributes",
            "Reader Timeout",
            "Redirection Hosts",
            "Require Auth",
            "Reset Mode",
            "Server Deadlines",
            "Server Send Buffer",
            "Spinning",
            "Strict Conversions",
            "TLS Resumption",
            "Trace Context",
        ];
        var documented = DocumentedDefaults.Select(row => row.Data.Item1).ToHashSet();
        var ofMySqlData = MySqlOptions.Table.Groups[^1].Options.Select(option => option.Name);
        Assert.Empty(MySqlOptions.Table.Options.Select(option => option.Name).Except(ofMySqlData).Except(documented).Except(additions));
    }

    [Theory]
    [MemberData(nameof(Aliases))]
    public void Other_names_mean_the_same_option(string alias, string name)
    {
        var option = MySqlOptions.Table.Find(alias);
        Assert.Equal(name, option.Name);
        var builder = new MySqlConnectionStringBuilder { [alias] = option.DefaultText };
        Assert.True(builder.ContainsKey(name));
        Assert.StartsWith(name + "=", builder.ConnectionString, StringComparison.Ordinal);
    }

    // As in MySqlConnector (seen with 2.6): an empty value is printed without quotes, and reads as not set.
    [Theory]
    [InlineData("Server=a;pwd=\"\"", "Server=a;Password=")]
    [InlineData("Server=a;pwd=''", "Server=a;Password=")]
    [InlineData("Server=a;Password=", "Server=a")]
    [InlineData("Server=a;Password=;User ID=u", "Server=a;User ID=u")]
    [InlineData("Server=a;Database=\"\"", "Server=a;Database=")]
    public void An_empty_password_is_kept_when_it_is_quoted_and_is_none_when_it_is_not(string text, string printed)
    {
        var builder = new MySqlConnectionStringBuilder(text);
        Assert.Equal(printed, builder.ConnectionString);
        Assert.Equal("", builder.Password);
        Assert.Equal(printed.Contains("Password", StringComparison.Ordinal), builder.ContainsKey("Password"));
    }

    [Fact]
    public void A_password_that_is_set_to_nothing_is_kept_and_one_that_is_set_to_null_is_not()
    {
        var builder = new MySqlConnectionStringBuilder("Server=a;Password=x") { Password = "" };
        Assert.Equal("Server=a;Password=", builder.ConnectionString);
        builder["Password"] = null;
        Assert.Equal("Server=a", builder.ConnectionString);
        using var connection = new MySqlConnection("Server=a;pwd=\"\"");
        Assert.Equal("Server=a;pwd=\"\"", connection.ConnectionString);
    }

    [Fact]
    public void Every_keyword_of_every_option_survives_a_round_trip()
    {
        foreach (var option in MySqlOptions.Table.Options)
        {
            var value = Sample(option.DefaultText, option.Allowed);
            foreach (var keyword in (IEnumerable<string>)[option.Name, .. option.Aliases])
            {
                var builder = new MySqlConnectionStringBuilder { [keyword] = value };
                var again = new MySqlConnectionStringBuilder(builder.ConnectionString);
                Assert.Equal(builder[option.Name], again[option.Name]);
                Assert.Equal(builder.ConnectionString, again.ConnectionString);
                Assert.True(again.Remove(keyword));
                Assert.Equal("", again.ConnectionString);
            }
        }

        static string Sample(string defaultText, string allowed) => defaultText switch
        {
            "True" => "no",
            "False" => "yes",
            _ when allowed.StartsWith("one of ", StringComparison.Ordinal) => allowed.Split(", ")[^1],
            "Auto" => "4096",
            _ when allowed.StartsWith("a whole number", StringComparison.Ordinal) => allowed.Split(' ')[^1],
            _ => "a;b='c\" ",
        };
    }

    [Theory]
    [InlineData("Sevrer=x", "'Sevrer'", "Did you mean 'Server'?")]
    [InlineData("Server=x;Conection Timout=3", "'conection timout'", "Did you mean 'Connection Timeout'?")]
    [InlineData("Use Affected Row=true", "'use affected row'", "Did you mean 'Use Affected Rows'?")]
    public void A_misspelt_keyword_is_an_error_that_suggests_the_nearest(string connectionString, string named, string suggestion)
    {
        var error = Assert.Throws<ArgumentException>(() => new MySqlConnectionStringBuilder(connectionString));
        Assert.Contains(named, error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.Contains(suggestion, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_keyword_that_is_like_none_gets_no_suggestion()
    {
        var error = Assert.Throws<ArgumentException>(() => new MySqlConnectionStringBuilder("Frobnicate=1"));
        Assert.DoesNotContain("Did you mean", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Port=0", "'Port'", "'0'", "from 1 to 65535")]
    [InlineData("Port=abc", "'Port'", "'abc'", "whole number")]
    [InlineData("Port=-1", "'Port'", "'-1'", "from 1 to 65535")]
    [InlineData("Pooling=maybe", "'Pooling'", "'maybe'", "true or false")]
    [InlineData("SslMode=Requierd", "'SSL Mode'", "'Requierd'", "VerifyFull")]
    [InlineData("SslMode=2", "'SSL Mode'", "'2'", "VerifyFull")]
    [InlineData("Cancellation Timeout=-2", "'Cancellation Timeout'", "'-2'", "from -1")]
    [InlineData("Reader Timeout=4000000", "'Reader Timeout'", "'4000000'", "seconds")]
    public void A_bad_value_is_an_error_that_says_what_is_allowed(string connectionString, string keyword, string value, string allowed)
    {
        var error = Assert.Throws<ArgumentException>(() => new MySqlConnectionStringBuilder(connectionString));
        Assert.Contains(keyword, error.Message, StringComparison.Ordinal);
        Assert.Contains(value, error.Message, StringComparison.Ordinal);
        Assert.Contains(allowed, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Time_outs_may_be_longer_than_any_timer()
    {
        using var source = new MySqlDataSource("Server=localhost;Connection Timeout=2147484;Default Command Timeout=4294967295");
        using var connection = source.CreateConnection();
        Assert.Equal((2_147_483, int.MaxValue), (connection.ConnectionTimeout, connection.CreateCommand().CommandTimeout));
    }

    [Theory]
    [InlineData("Protocol=Pipe")]
    [InlineData("Protocol=SharedMemory")]
    [InlineData("Tls Version=TLS 1.0")]
    [InlineData("Tls Version=SSL3")]
    [InlineData("Force Synchronous=true")]
    [InlineData("DNS SRV=true")]
    [InlineData("Allow Batch=false")]
    [InlineData("Multiplexing=Auto")]
    [InlineData("Respect Binary Flags=false")]
    [InlineData("SSL CRL=x")]
    [InlineData("Require Auth=old")]
    public void A_feature_that_is_not_here_is_read_but_refused_when_used(string connectionString)
    {
        var builder = new MySqlConnectionStringBuilder(connectionString);
        var error = Assert.Throws<NotSupportedException>(() => new MySqlSettings(builder));
        // Option=value: the problem. The remedy.
        Assert.Matches(@"^[^:]+: [^:]+\.$|^[^:]+: [^:]+\. .+\.$", error.Message);
    }

    [Fact]
    public void Defaults_of_the_peers_are_never_refused()
    {
        var builder = new MySqlConnectionStringBuilder();
        foreach (var option in MySqlOptions.Table.Options)
            builder[option.Name] = option.DefaultText;
        Assert.Equal("", new MySqlSettings(builder).Key);
    }

    [Fact]
    public void A_bad_secret_is_not_in_the_message()
    {
        var error = Assert.Throws<ArgumentException>(() => new MySqlConnectionStringBuilder { Password = "hunter2\0" });
        Assert.DoesNotContain("hunter2", error.Message, StringComparison.Ordinal);
        Assert.Contains("'Password'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Passwords_of_further_factors_are_secrets()
    {
        var settings = MySqlSettings.Parse("Server=h;Password2=hunter2;Pwd3=hunter3");
        Assert.Equal(("hunter2", "hunter3"), (settings.Password2, settings.Password3));
        Assert.DoesNotContain("hunter", settings.ShownConnectionString, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter", settings.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_method_that_is_not_here_cannot_be_required()
    {
        var error = Assert.Throws<NotSupportedException>(() => MySqlSettings.Parse("Require Auth=parsec,mysql_old_password"));
        Assert.Contains("mysql_old_password", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Secrets_are_printed_only_by_the_connection_string_itself()
    {
        var builder = new MySqlConnectionStringBuilder("Server=h;Password=hunter2;Certificate File=c.pfx;Certificate Password=hunter3");
        Assert.Contains("hunter2", builder.ConnectionString, StringComparison.Ordinal);
        Assert.Equal(
            "Server=h;\"Certificate File\"=c.pfx",
            builder.ToStringWithoutSecrets().Replace("Certificate File=", "\"Certificate File\"=", StringComparison.Ordinal));
    }

    [Fact]
    public void A_failed_connection_string_leaves_the_builder_as_it_was()
    {
        var builder = new MySqlConnectionStringBuilder("Server=h;Port=3307");
        Assert.Throws<ArgumentException>(() => builder.ConnectionString = "Server=other;Port=x");
        Assert.Equal("Server=h;Port=3307", builder.ConnectionString);
    }

    [Fact]
    public void Null_and_empty_values_are_the_default()
    {
        var builder = new MySqlConnectionStringBuilder("Server=h;Port=;Database=") { Server = null };
        Assert.Equal("", builder.ConnectionString);
        Assert.Equal(3306u, builder.Port);
    }

    [Fact]
    public void Values_may_be_objects_of_any_fitting_type()
    {
        var builder = new MySqlConnectionStringBuilder { ["Port"] = 3307, ["SslMode"] = MySqlSslMode.Required, ["Pooling"] = "no" };
        Assert.Equal((3307u, MySqlSslMode.Required, false), (builder.Port, builder.SslMode, builder.Pooling));
        Assert.Throws<ArgumentException>(() => builder["SslMode"] = (MySqlSslMode)77);
    }

    [Fact]
    public void Keys_are_the_options_that_were_set()
    {
        var builder = new MySqlConnectionStringBuilder("Pooling=false;Server=h");
        Assert.Equal(["Server", "Pooling"], builder.Keys.Cast<string>());
        Assert.True(builder.TryGetValue("host", out var server));
        Assert.Equal("h", server);
        Assert.False(builder.TryGetValue("Port", out _));
        Assert.False(builder.ContainsKey("nonsense"));
        Assert.False(builder.Remove("nonsense"));
    }

    [Fact]
    public void The_key_is_equal_for_strings_that_mean_the_same()
    {
        var one = new MySqlConnectionStringBuilder("host=h;uid=u;pwd=p;pooling=yes;sslmode=none;port=3306");
        var other = new MySqlConnectionStringBuilder("Password=p;User ID=u;SSL Mode=Disabled;Server=h");
        Assert.Equal(one.ToKey(), other.ToKey());
        other.Password = "P";
        Assert.NotEqual(one.ToKey(), other.ToKey());
    }

    [Fact]
    public void Is_a_DbConnectionStringBuilder_for_those_who_only_know_that()
    {
        DbConnectionStringBuilder builder = new MySqlConnectionStringBuilder();
        builder.ConnectionString = "server=h;database='a;b'";
        Assert.Equal("a;b", builder["Database"]);
        Assert.Equal("Server=h;Database=\"a;b\"", builder.ConnectionString);
        builder.Clear();
        Assert.Equal("", builder.ConnectionString);
    }

    // The driver writes plain values itself, because the runtime's writer loads the regular expressions at every start.
    [Fact]
    public void The_driver_writes_a_connection_string_as_the_runtime_does()
    {
        for (var letter = '\x01'; letter < '\u0180'; letter++)
        {
            foreach (var value in (string[])[$"{letter}", $"a{letter}b", $"{letter}b", $"a{letter}"])
            {
                var builder = new MySqlConnectionStringBuilder { Server = "a,b:3307", Password = value, ApplicationName = "x" };
                Assert.Equal(builder.ConnectionString, builder.ToText());
            }
        }

        Assert.Equal("", new MySqlConnectionStringBuilder().ToText());
        var empty = new MySqlConnectionStringBuilder { Server = "", Password = "p" };
        Assert.Equal(empty.ConnectionString, empty.ToText());
    }

    [Fact]
    public void A_property_grid_sees_every_option_with_its_heading_and_default()
    {
        var builder = new MySqlConnectionStringBuilder("Port=3307");
        var properties = System.ComponentModel.TypeDescriptor.GetProperties(builder);
        var port = properties["Port"]!;
        Assert.Equal(("Server and user", 3307), (port.Category, Convert.ToInt32(port.GetValue(builder))));
        Assert.StartsWith("TCP port", port.Description);
        Assert.True(port.CanResetValue(builder));
        port.ResetValue(builder);
        Assert.Equal((3306u, ""), (builder.Port, builder.ConnectionString));
        properties["User ID"]!.SetValue(builder, "me");
        Assert.Equal("me", builder.UserID);
        Assert.Equal(
            System.ComponentModel.PasswordPropertyTextAttribute.Yes,
            properties["Password"]!.Attributes[typeof(System.ComponentModel.PasswordPropertyTextAttribute)]);
        Assert.Throws<ArgumentException>(() => port.SetValue(builder, -1));
    }
}
