using System.Runtime.InteropServices;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>
/// Kerberos with a real key distribution centre (KDC) and MariaDB's plug-in: where the service name comes from, which tickets are requested, and how a login
/// ends.
/// </summary>
public sealed class KerberosServerTests(KerberosServerTests.Place place) : IClassFixture<KerberosServerTests.Place>
{
    private const string Service = "mariadb/lab@" + LabKdc.Realm;

    [Theory]
    [InlineData(
        "verified", false), InlineData("verified", true), InlineData("socket", false), InlineData("socket", true), InlineData("named", false),
        InlineData("named", true)]
    public async Task A_ticket_logs_in_where_the_service_is_known(string how, bool asynchronous)
    {
        var server = await place.GetAsync();
        await using var connection = new MySqlConnection(how switch
        {
            "verified" => Text(server, $"SSL Mode=VerifyFull;SSL CA={server.CaFile}"),
            "socket" => $"Server={server.UnixSocket};Connection Protocol=UnixSocket;User ID=alice;Pooling=false;Connection Timeout=30",
            _ => Text(server, $"SSL Mode=None;Server SPN={Service}"),
        });
        await Open(connection, asynchronous);
        await using var command = new MySqlCommand("SELECT CURRENT_USER()", connection);
        Assert.Equal("alice@%", await command.ExecuteScalarAsync());
    }

    /// <summary>An unverified server could choose the service of the ticket: the client requests no ticket.</summary>
    [Theory, InlineData("None", false), InlineData("None", true), InlineData("Required", false), InlineData("Required", true)]
    public async Task A_server_that_nobody_knows_makes_no_one_ask_for_a_ticket(string mode, bool asynchronous)
    {
        var server = await place.GetAsync();
        var before = place.Asked;
        await using var connection = new MySqlConnection(Text(server, $"SSL Mode={mode}"));
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronous));
        Assert.Contains("Server SPN", failure.Message);
        Assert.Equal(before, place.Asked);
    }

    /// <summary>The KDC issues a ticket for it, and the server cannot read that ticket.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_ticket_for_another_service_is_refused_by_the_server(bool asynchronous)
    {
        var server = await place.GetAsync();
        await using var connection = new MySqlConnection(Text(server, $"SSL Mode=None;Server SPN=other/lab@{LabKdc.Realm}"));
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronous));
        Assert.Contains("GSSAPI", failure.Message);
        Assert.Contains("other/lab@", place.Log);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_service_that_the_centre_does_not_know_is_said_to_be_the_fault(bool asynchronous)
    {
        var server = await place.GetAsync();
        await using var connection = new MySqlConnection(Text(server, $"SSL Mode=None;Server SPN=nobody/lab@{LabKdc.Realm}"));
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronous));
        Assert.Contains("Server SPN", failure.Message);
        Assert.Contains("nobody/lab@", place.Log);
    }

    private static string Text(LabServer server, string options) =>
        $"Server={server.Host};Port={server.Port};User ID=alice;Pooling=false;Connection Timeout=30;{options}";

    private static async Task Open(MySqlConnection connection, bool asynchronous)
    {
        if (asynchronous)
            await connection.OpenAsync();
        else
            connection.Open();
    }

    /// <summary>The KDC, and a server with its own service.</summary>
    public sealed class Place : IAsyncDisposable
    {
        private readonly Lazy<Task<LabServer>> _server;
        private LabKdc? _centre;
        private LabServer? _started;

        public Place() => _server = new(StartAsync);

        public string Log => _centre!.Log;

        /// <summary>The number of requested tickets.</summary>
        public int Asked => Log.Split("_REQ (").Length;

        public Task<LabServer> GetAsync() => _server.Value;

        public async ValueTask DisposeAsync()
        {
            if (_started is not null)
                await _started.DisposeAsync();
            if (_centre is not null)
                await _centre.DisposeAsync();
        }

        private async Task<LabServer> StartAsync()
        {
            // This installs its programs and plug-ins.
            await LiveServers.GetAsync(ServerKind.MariaDb);
            try
            {
                _centre = await LabKdc.StartAsync();
            }
            catch (LabUnavailableException exception) when (!LiveServers.AreRequired)
            {
                Assert.Skip(exception.Message);
            }

            // The library reads the process's real environment when it is first used.
            Assert.Equal(0, SetEnvironment("KRB5_CONFIG", _centre!.ConfigFile, 1));
            Assert.Equal(0, SetEnvironment("KRB5_CLIENT_KTNAME", "FILE:" + _centre.CreateKeytab("alice"), 1));
            Assert.Equal(0, SetEnvironment("KRB5CCNAME", "MEMORY:slipstream", 1));
            _centre.CreateKeytab("other/lab");
            _started = await LiveServers.StartPrivateAsync(
                ServerKind.MariaDb, "--plugin-load-add=" + _centre.InstallMariaDbPlugin(), "--gssapi-keytab-path=" + _centre.CreateKeytab("mariadb/lab"),
                "--gssapi-principal-name=" + Service);
            await using var connection = new MySqlConnection(
                $"Server={_started.Host};Port={_started.Port};User ID={_started.User};Password={_started.Password};SSL Mode=None;Pooling=false");
            await connection.OpenAsync();
            await using var command = new MySqlCommand($"CREATE USER alice@'%' IDENTIFIED VIA gssapi USING 'alice@{LabKdc.Realm}'", connection);
            await command.ExecuteNonQueryAsync();
            return _started;
        }
    }

    [DllImport("libc", EntryPoint = "setenv")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetEnvironment(
        [MarshalAs(UnmanagedType.LPUTF8Str)] string name, [MarshalAs(UnmanagedType.LPUTF8Str)] string value, int overwrites);
}
