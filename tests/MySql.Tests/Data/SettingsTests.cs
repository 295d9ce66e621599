using System.Security.Authentication;
using Slipstream.Core.Wires;
using Slipstream.MySql.Options;

namespace Slipstream.MySql.Tests.Data;

public class SettingsTests
{
    [Theory]
    [InlineData("", "localhost:3306")]
    [InlineData("Server=a", "a:3306")]
    [InlineData("Server=a, b:3307 ,c;Port=3308", "a:3308 b:3307 c:3308")]
    [InlineData("Server=10.0.0.1:4000", "10.0.0.1:4000")]
    [InlineData("Server=::1", "[::1]:3306")]
    [InlineData("Server=[::1]:3307", "[::1]:3307")]
    [InlineData("Server=/run/mysqld/mysqld.sock", "/run/mysqld/mysqld.sock")]
    [InlineData("Server=/run/mysqld/mysqld.sock;Protocol=unix", "/run/mysqld/mysqld.sock")]
    public void Servers_are_read_from_the_list(string connectionString, string expected) =>
        Assert.Equal(expected, string.Join(' ', MySqlSettings.Parse(connectionString).Endpoints));

    [Theory]
    [InlineData("Server=a,,b", "empty host name")]
    [InlineData("Server=a:0", "port")]
    [InlineData("Server=a:65536", "port")]
    [InlineData("Server=[::1]x", "port")]
    [InlineData("Server=:3306", "empty host name")]
    [InlineData("Protocol=unix", "set Server to its path")]
    [InlineData("Min Pool Size=5;Max Pool Size=4", "Minimum Pool Size (5)")]
    [InlineData("Old Guids=true;GuidFormat=Char36", "contradict")]
    [InlineData("Ssl Cert=c.pem", "need each other")]
    [InlineData("Ssl Cert=c.pem;Ssl Key=k.pem;Certificate File=c.pfx", "remove one of them")]
    public void Contradictions_are_errors(string connectionString, string part)
    {
        var error = Assert.Throws<ArgumentException>(() => MySqlSettings.Parse(connectionString));
        Assert.Contains(part, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_unix_socket_has_no_port() => Assert.True(MySqlSettings.Parse("Server=/tmp/s.sock").Endpoints is [{ IsUnixSocket: true }]);

    [Theory]
    [InlineData("", MySqlResetMode.Automatic)]
    [InlineData("ConnectionReset=false", MySqlResetMode.Never)]
    [InlineData("ConnectionReset=false;ResetMode=Always", MySqlResetMode.Always)]
    [InlineData("ConnectionReset=false;ResetMode=Tracked", MySqlResetMode.Tracked)]
    [InlineData("ResetMode=Never", MySqlResetMode.Never)]
    public void Reset_mode_wins_over_connection_reset(string connectionString, MySqlResetMode expected) =>
        Assert.Equal(expected, MySqlSettings.Parse(connectionString).ResetMode);

    [Theory]
    [InlineData("", MySqlPipeliningMode.Auto)]
    [InlineData("Pipelining=false", MySqlPipeliningMode.Off)]
    [InlineData("Pipelining=false;PipeliningMode=Auto", MySqlPipeliningMode.Auto)]
    [InlineData("Pipelining=true;PipeliningMode=Off", MySqlPipeliningMode.Off)]
    [InlineData("PipeliningMode=On", MySqlPipeliningMode.On)]
    public void Pipelining_mode_wins_over_pipelining(string connectionString, MySqlPipeliningMode expected) =>
        Assert.Equal(expected, MySqlSettings.Parse(connectionString).PipeliningMode);

    [Theory]
    [InlineData("", 2000)]
    [InlineData("CancellationTimeout=0", Timeout.Infinite)]
    [InlineData("CancellationTimeout=-1", 0)]
    public void Cancellation_timeout_is_in_milliseconds(string connectionString, int expected) =>
        Assert.Equal(expected, MySqlSettings.Parse(connectionString).CancellationTimeout);

    [Theory]
    [InlineData("", MySqlGuidFormat.Char36)]
    [InlineData("OldGuids=true", MySqlGuidFormat.LittleEndianBinary16)]
    [InlineData("GuidFormat=None", MySqlGuidFormat.None)]
    public void The_guid_format_is_always_a_definite_one(string connectionString, MySqlGuidFormat expected) =>
        Assert.Equal(expected, MySqlSettings.Parse(connectionString).Codecs.GuidFormat);

    [Theory]
    [InlineData("", SslProtocols.None)]
    [InlineData("TLS 1.2", SslProtocols.Tls12)]
    [InlineData("Tlsv1.3", SslProtocols.Tls13)]
    [InlineData("TLS12, TLS 1.3", SslProtocols.Tls12 | SslProtocols.Tls13)]
    [InlineData("(TLS 1.1, TLS 1.2)", SslProtocols.Tls12)]
    public void Tls_versions_are_read_from_words(string text, SslProtocols expected) =>
        Assert.Equal(expected, MySqlSettings.Parse($"Tls Version={text}").TlsVersions);

    [Fact]
    public void Times_and_sizes_of_the_pool_are_those_of_the_options()
    {
        var limits = MySqlSettings.Parse("Min Pool Size=3;Max Pool Size=7;Connection Idle Timeout=60;Connection Lifetime=3600").PoolLimits;
        Assert.Equal((3, 7, 60_000L, 3_600_000L), (limits.MinSize, limits.MaxSize, limits.IdleTimeout, limits.Lifetime));
    }

    [Theory]
    [InlineData("Server=h;Password=hunter2", false)]
    [InlineData("Server=h;Password=hunter2;Persist Security Info=true", true)]
    public void What_an_open_connection_shows_has_the_password_only_when_it_was_asked_for(string connectionString, bool shown)
    {
        var settings = MySqlSettings.Parse(connectionString);
        Assert.Equal(shown, settings.ShownConnectionString.Contains("hunter2", StringComparison.Ordinal));
        Assert.DoesNotContain("hunter2", settings.ToString(), StringComparison.Ordinal);
        Assert.Contains("hunter2", settings.ConnectionString, StringComparison.Ordinal);
    }
}
