using System.Data.Common;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Every authentication method of the servers, in clear text and with every TLS mode.</summary>
public class AuthenticationTests
{
    private static readonly string[] TlsModes = ["None", "Preferred", "Required", "VerifyCA", "VerifyFull"];

    public static TheoryData<ServerKind, string, string, bool> MySqlUsers
    {
        get
        {
            var users = new TheoryData<ServerKind, string, string, bool>();
            foreach (var (kind, user) in new[]
                     {
                         (ServerKind.MySql, "lab_sha2"), (ServerKind.MySql, "lab_sha256"), (ServerKind.MySql, "lab_empty"), (ServerKind.MySql, "lab_special"),
                         (ServerKind.MariaDb, "lab_native"), (ServerKind.MariaDb, "lab_ed25519"), (ServerKind.MariaDb, "lab_empty"),
                         (ServerKind.MariaDb, "lab_special"),
                         (ServerKind.MariaDb11, "lab_parsec"), (ServerKind.MariaDb11, "lab_ed25519"), (ServerKind.MariaDb11, "lab_native"),
                         (ServerKind.MariaDb11, "lab_native"), (ServerKind.MariaDb11, "lab_ed25519"), (ServerKind.MariaDb11, "lab_sha2"),
                         (ServerKind.MariaDb11, "lab_empty"),
                     })
            {
                foreach (var mode in TlsModes)
                {
                    users.Add(kind, user, mode, false);
                    users.Add(kind, user, mode, true);
                }
            }

            return users;
        }
    }

    [Theory]
    [MemberData(nameof(MySqlUsers))]
    public async Task MySql_lets_the_user_in(ServerKind kind, string name, string mode, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(name);
        await using var connection = new MySqlConnection(MySql(server, user, $"SSL Mode={mode};Allow Public Key Retrieval=true"));
        for (var i = 0; i < 2; i++)
        {
            if (asynchronous)
                await connection.OpenAsync();
            else
                connection.Open();
            Assert.StartsWith(name + "@", (string?)await ScalarAsync(connection, "SELECT CURRENT_USER()"));
            Assert.Equal(mode != "None", (string?)await ScalarAsync(connection, "SHOW STATUS LIKE 'Ssl_version'", 1) is { Length: > 0 });
            await connection.CloseAsync();
        }
    }

    [Theory]
    [InlineData("lab_sha2")]
    [InlineData("lab_sha256")]
    public async Task A_pinned_key_protects_a_password_in_clear_text(string name)
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        var user = server.RequireUser(name);
        await using var connection = new MySqlConnection(MySql(server, user, $"SSL Mode=None;Server RSA Public Key File={server.ServerPublicKeyFile}"));
        await connection.OpenAsync();
        Assert.StartsWith(name + "@", (string?)await ScalarAsync(connection, "SELECT CURRENT_USER()"));
    }

    [Theory]
    [InlineData(ServerKind.MySql, true)]
    [InlineData(ServerKind.MySql, false)]
    [InlineData(ServerKind.MariaDb, true)]
    [InlineData(ServerKind.MariaDb11, true)]
    [InlineData(ServerKind.MariaDb, false)]
    [InlineData(ServerKind.MariaDb11, false)]
    public async Task A_client_certificate_is_presented(ServerKind kind, bool pem)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser("lab_x509");
        var certificate = pem
            ? $"SSL Cert={server.ClientCertificatePem};SSL Key={server.ClientKeyPem}"
            : $"Certificate File={server.ClientPfx};Certificate Password={server.ClientPfxPassword}";
        await using (var connection = new MySqlConnection(MySql(server, user, "SSL Mode=VerifyCA;" + certificate)))
        {
            await connection.OpenAsync();
            Assert.StartsWith("lab_x509@", (string?)await ScalarAsync(connection, "SELECT CURRENT_USER()"));
        }

        await using var without = new MySqlConnection(MySql(server, user, "SSL Mode=VerifyCA"));
        var error = await Assert.ThrowsAsync<MySqlException>(() => without.OpenAsync());
        Assert.Equal(1045, error.Number);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task A_client_certificate_from_the_users_store_is_accepted(ServerKind kind)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "A store of the operating system would ask its user.");
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser("lab_x509");
        using var pem = X509Certificate2.CreateFromPemFile(server.ClientCertificatePem, server.ClientKeyPem);
        using var certificate =
            X509CertificateLoader.LoadPkcs12(pem.Export(X509ContentType.Pkcs12), null, X509KeyStorageFlags.PersistKeySet | X509KeyStorageFlags.Exportable);
        using var store = new X509Store(StoreName.My, StoreLocation.CurrentUser);
        try
        {
            store.Open(OpenFlags.ReadWrite);
            store.Add(certificate);
        }
        catch (CryptographicException exception)
        {
            Assert.Skip($"This user's store cannot be written: {exception.Message}");
        }

        try
        {
            foreach (var thumbprint in new[] { certificate.Thumbprint, certificate.GetCertHashString(HashAlgorithmName.SHA256) })
            {
                await using var connection = new MySqlConnection(
                    MySql(server, user, $"SSL Mode=VerifyFull;Certificate Store Location=CurrentUser;Certificate Thumbprint={thumbprint};Pooling=false"));
                await connection.OpenAsync();
                Assert.StartsWith("lab_x509@", (string?)await ScalarAsync(connection, "SELECT CURRENT_USER()"));
            }
        }
        finally
        {
            store.Remove(certificate);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, "lab_socket")]
    [InlineData(ServerKind.MariaDb, "unix_socket")]
    [InlineData(ServerKind.MariaDb11, "unix_socket")]
    public async Task The_unix_socket_vouches_for_its_user(ServerKind kind, string method)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(method);
        foreach (var asynchronous in new[] { false, true })
        {
            await using var connection = new MySqlConnection($"Server={server.UnixSocket};User ID={user.Name};Database={server.Database};Pooling=false");
            if (asynchronous)
                await connection.OpenAsync();
            else
                connection.Open();
            Assert.StartsWith(user.Name + "@", (string?)await ScalarAsync(connection, "SELECT CURRENT_USER()"));
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, "lab_sha2")]
    [InlineData(ServerKind.MariaDb, "lab_native")]
    [InlineData(ServerKind.MariaDb11, "lab_native")]
    public async Task A_password_goes_through_the_unix_socket(ServerKind kind, string name)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(name);
        await using var connection =
            new MySqlConnection($"Server={server.UnixSocket};User ID={user.Name};Password={user.Password};Database={server.Database};Pooling=false");
        await connection.OpenAsync();
        Assert.StartsWith(name + "@", (string?)await ScalarAsync(connection, "SELECT CURRENT_USER()"));
    }

    [Theory]
    [InlineData(ServerKind.MySql, "lab_ssl", 1045, 3159)]
    [InlineData(ServerKind.MariaDb, "lab_ssl", 1045, 3159)]
    [InlineData(ServerKind.MariaDb11, "lab_ssl", 1045, 3159)]
    [InlineData(ServerKind.MySql, "lab_locked", 3118, 3118)]
    [InlineData(ServerKind.MariaDb, "lab_locked", 4151, 4151)]
    [InlineData(ServerKind.MariaDb11, "lab_locked", 4151, 4151)]
    [InlineData(ServerKind.MySql, "lab_expired", 1862, 1820)]
    [InlineData(ServerKind.MariaDb, "lab_expired", 1862, 1820)]
    [InlineData(ServerKind.MariaDb11, "lab_expired", 1862, 1820)]
    public async Task A_user_with_demands_is_refused_with_the_servers_number(ServerKind kind, string name, int number, int orNumber)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(name);
        await using var connection = new MySqlConnection(MySql(server, user, "SSL Mode=None;Allow Public Key Retrieval=true;Pooling=false"));
        var error = await Assert.ThrowsAsync<MySqlException>(async () =>
        {
            await connection.OpenAsync();
            await ScalarAsync(connection, "SELECT 1");
        });
        Assert.True(error.Number == number || error.Number == orNumber, $"{error.Number}: {error.Message}");
        Assert.DoesNotContain(user.Password, error.ToString());
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_server_that_another_authority_vouches_for_is_not_trusted(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        foreach (var mode in new[] { "VerifyCA", "VerifyFull" })
        {
            await using var connection = new MySqlConnection(
                $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};SSL Mode={mode};SSL "
                    + $"CA={server.OtherCaFile};Pooling=false");
            var error = await Assert.ThrowsAsync<MySqlException>(() => connection.OpenAsync());
            Assert.Contains("certificate", error.Message, StringComparison.OrdinalIgnoreCase);
            Assert.DoesNotContain(server.Password, error.ToString());
            Assert.Throws<MySqlException>(connection.Open);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    [InlineData(ServerKind.PostgreSql)]
    [InlineData(ServerKind.PostgreSql18)]
    public async Task Only_full_verification_wants_the_hosts_name_in_the_certificate(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        // All addresses of 127/8 are this machine; the certificate names only the usual one.
        using var elsewhere = new Forwarder(IPAddress.Parse("127.0.0.2"), server.Host, server.Port);
        DbConnection Connect(string mode) => kind.IsPostgreSql()
            ? new PgConnection(
                $"Host=127.0.0.2;Port={elsewhere.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode={mode};Root "
                    + $"Certificate={server.CaFile};Pooling=false")
            : new MySqlConnection(
                $"Server=127.0.0.2;Port={elsewhere.Port};User ID={server.User};Password={server.Password};SSL Mode={mode};SSL "
                    + $"CA={server.CaFile};Pooling=false");

        await using (var connection = Connect("VerifyCA"))
            await connection.OpenAsync();
        await using var strict = Connect("VerifyFull");
        var error = await Assert.ThrowsAnyAsync<DbException>(() => strict.OpenAsync());
        Assert.Contains("127.0.0.2", error.Message);
        Assert.Contains("certificate", error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.ThrowsAny<DbException>(strict.Open);
    }

    [Theory]
    [InlineData("lab_scram", "Disable", "")]
    [InlineData("lab_scram", "Prefer", "")]
    [InlineData("lab_scram", "Require", "")]
    [InlineData("lab_scram", "VerifyCA", "")]
    [InlineData("lab_scram", "VerifyFull", "")]
    [InlineData("lab_scram", "VerifyFull", "Channel Binding=Require")]
    [InlineData("lab_special", "VerifyFull", "")]
    [InlineData("lab_md5", "Disable", "Require Auth=MD5")]
    [InlineData("lab_password", "VerifyFull", "")]
    [InlineData("lab_trust", "Disable", "")]
    [InlineData("lab_ssl", "Require", "")]
    public async Task PostgreSql_lets_the_user_in(string name, string mode, string more)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var user = server.RequireUser(name);
        foreach (var asynchronous in new[] { false, true })
        {
            await using var connection = new PgConnection(PostgreSql(server, user, $"SSL Mode={mode};Pooling=false;{more}"));
            if (asynchronous)
                await connection.OpenAsync();
            else
                connection.Open();
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT current_user::text";
            Assert.Equal(name, await command.ExecuteScalarAsync());
            command.CommandText = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
            Assert.Equal(mode != "Disable", await command.ExecuteScalarAsync());
        }
    }

    [Fact]
    public async Task PostgreSql_takes_a_client_certificate()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var user = server.RequireUser("cert");
        await using var connection =
            new PgConnection(PostgreSql(server, user, $"SSL Mode=VerifyFull;SSL Certificate={server.ClientCertificatePem};SSL Key={server.ClientKeyPem}"));
        await connection.OpenAsync();
        await using var without = new PgConnection(PostgreSql(server, user, "SSL Mode=VerifyFull"));
        Assert.Equal("28000", (await Assert.ThrowsAsync<PgException>(() => without.OpenAsync())).SqlState);
    }

    [Fact]
    public async Task Md5_is_refused_unless_it_was_allowed()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var user = server.RequireUser("lab_md5");
        await using var connection = new PgConnection(PostgreSql(server, user, "SSL Mode=Disable;Pooling=false"));
        var error = await Assert.ThrowsAsync<PgException>(() => connection.OpenAsync());
        Assert.Contains("md5", error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("Require Auth", error.Message);
    }

    [Theory]
    [InlineData("lab_locked", "28000")]
    [InlineData("lab_ssl", "28000")]
    public async Task PostgreSql_refuses_with_its_state(string name, string state)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var user = server.RequireUser(name);
        await using var connection = new PgConnection(PostgreSql(server, user, "SSL Mode=Disable;Pooling=false"));
        Assert.Equal(state, (await Assert.ThrowsAsync<PgException>(() => connection.OpenAsync())).SqlState);
    }

    [Fact]
    public async Task PostgreSql_of_another_authority_is_not_trusted()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var connection = new PgConnection(
            $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};SSL Mode=VerifyCA;Root "
                + $"Certificate={server.OtherCaFile};Pooling=false");
        var error = await Assert.ThrowsAsync<PgException>(() => connection.OpenAsync());
        Assert.Contains("certificate", error.Message, StringComparison.OrdinalIgnoreCase);
    }

    private static string MySql(LabServer server, LabUser user, string more) => new MySqlConnectionStringBuilder($"{more};SSL CA={server.CaFile}")
    {
        Server = server.Host,
        Port = (uint)server.Port,
        UserID = user.Name,
        Password = user.Password,
        Database = server.Database,
    }.ConnectionString;

    private static string PostgreSql(LabServer server, LabUser user, string more) => new PgConnectionStringBuilder($"{more};Root Certificate={server.CaFile}")
    {
        Host = server.Host,
        Port = server.Port,
        Username = user.Name,
        Password = user.Password,
        Database = server.Database,
    }.ConnectionString;

    private static async Task<object?> ScalarAsync(MySqlConnection connection, string sql, int column = 0)
    {
        await using var command = new MySqlCommand(sql, connection);
        await using var reader = await command.ExecuteReaderAsync();
        return await reader.ReadAsync() ? reader.GetValue(column) : null;
    }

    // The lab's proxy listens on the usual address only.
    private sealed class Forwarder : IDisposable
    {
        private readonly TcpListener _listener;

        public Forwarder(IPAddress address, string host, int port)
        {
            _listener = new TcpListener(address, 0);
            _listener.Start();
            _ = Serve(host, port);
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public void Dispose() => _listener.Dispose();

        private async Task Serve(string host, int port)
        {
            try
            {
                while (true)
                {
                    var client = await _listener.AcceptTcpClientAsync();
                    var server = new TcpClient();
                    await server.ConnectAsync(host, port);
                    _ = Pass(client, server);
                    _ = Pass(server, client);
                }
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                // The test has ended.
            }
        }

        private static async Task Pass(TcpClient from, TcpClient to)
        {
            try
            {
                await from.GetStream().CopyToAsync(to.GetStream());
            }
            catch (IOException)
            {
                // One side has closed, so the other side is closed, too.
            }
            finally
            {
                from.Dispose();
                to.Dispose();
            }
        }
    }
}
