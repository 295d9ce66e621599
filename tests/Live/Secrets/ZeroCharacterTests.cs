using System.Data;
using System.Data.Common;
using Slipstream.Core.Wires;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.Secrets;

/// <summary>
/// A zero character ends a name early on the wire, and the server would misread what follows: the driver refuses it before it sends a byte, which the proxy
/// counts.
/// </summary>
public sealed class ZeroCharacterTests
{
    private const string Bad = "in\0out";

    // The server would get U+FFFD in its place, as for other halves: two savepoints would be one.
    private const string Half = "in\uD801out";

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task In_names_that_an_open_connection_sends(ServerKind kind)
    {
        await using var proxied = await Proxied.StartAsync(kind);
        await using var connection = proxied.Source.OpenConnection();
        await using var transaction = connection.BeginTransaction();
        transaction.Save("good");
        var before = proxied.Proxy.Counters.BytesSent;
        foreach (var (bad, words) in new[] { (Bad, "NUL character"), (Half, "half of a surrogate pair") })
        {
            foreach (var action in (Action[])
                     [
                         () => transaction.Save(bad), () => transaction.Rollback(bad), () => transaction.Release(bad),
                         () => transaction.SaveAsync(bad).GetAwaiter().GetResult(), () => transaction.RollbackAsync(bad).GetAwaiter().GetResult(),
                         () => transaction.ReleaseAsync(bad).GetAwaiter().GetResult(),
                         () => connection.ChangeDatabase(bad), () => connection.ChangeDatabaseAsync(bad).GetAwaiter().GetResult(),
                         () => Copy(connection, transaction, bad, "a"), () => Copy(connection, transaction, "good", bad),
                     ])
                Assert.Contains(words, Assert.ThrowsAny<ArgumentException>(action).Message);
        }

        Assert.Equal(before, proxied.Proxy.Counters.BytesSent);
        // The connection continues as if nothing had been requested.
        transaction.Save("good");
        transaction.Commit();
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task In_options_of_every_kind(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var names = kind.IsPostgreSql()
            ? (string[])["Host", "Username", "Password", "Database", "Application Name", "Options", "Search Path", "Timezone"]
            : ["Server", "User ID", "Password", "Database", "Application Name", "Pipe Name", "SSL CA", "Certificate Password"];
        foreach (var name in names)
        {
            DbConnectionStringBuilder builder = kind.IsPostgreSql() ? new PgConnectionStringBuilder() : new MySqlConnectionStringBuilder();
            var refusal = Assert.Throws<ArgumentException>(() => builder[name] = Bad);
            Assert.Contains("NUL", refusal.Message);
            var text = $"{name}=\"{Bad}\"";
            Assert.ThrowsAny<ArgumentException>(() => builder.ConnectionString = text);
            using DbConnection connection = kind.IsPostgreSql() ? new PgConnection() : new MySqlConnection();
            Assert.ThrowsAny<ArgumentException>(() =>
            {
                connection.ConnectionString = ConnectionStrings.Of(server, text);
                connection.Open();
            });
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task In_what_the_applications_own_code_gives(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        var text = $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Database={server.Database};SSL Mode=None;Pooling=false";
        foreach (var (user, password) in (IEnumerable<(string?, string)>)[(null, Bad), (Bad, "good")])
        {
            await using var source = new MySqlDataSourceBuilder(text).UseCredentialProvider((_, _) => new(new MySqlCredential(password, user))).Build();
            Refused(Assert.ThrowsAny<Exception>(() => source.OpenConnection().Dispose()));
            Refused(await Assert.ThrowsAnyAsync<Exception>(async () => await (await source.OpenConnectionAsync()).DisposeAsync()));
        }

        using var connection = new MySqlConnection(text) { ProvidePasswordCallback = static _ => Bad };
        Refused(Assert.ThrowsAny<Exception>(connection.Open));
        Assert.Equal(0, proxy.Counters.BytesSent);

        static void Refused(Exception exception)
        {
            Assert.Contains("NUL character", exception.ToString());
            Assert.DoesNotContain(Bad, exception.ToString());
        }
    }

    [Fact]
    public async Task In_the_text_of_a_PostgreSql_command_and_in_its_text_parameters()
    {
        await using var proxied = await Proxied.StartAsync(ServerKind.PostgreSql);
        await using var connection = (PgConnection)proxied.Source.OpenConnection();
        using var command = new PgCommand("SELECT 1", connection);
        command.ExecuteScalar();
        var before = proxied.Proxy.Counters.BytesSent;
        command.CommandText = "SELECT 1 -- \0";
        Assert.Throws<ArgumentException>(command.ExecuteScalar);
        command.CommandText = "SELECT @a";
        command.Parameters.AddWithValue("@a", Bad);
        Assert.Throws<ArgumentException>(command.ExecuteScalar);
        Assert.Equal(before, proxied.Proxy.Counters.BytesSent);
        command.Parameters[0].Value = "good";
        Assert.Equal("good", command.ExecuteScalar());
    }

    [Fact]
    public async Task In_names_for_LOAD_DATA()
    {
        await using var proxied = await Proxied.StartAsync(ServerKind.MariaDb, "Allow Load Local Infile=true");
        await using var connection = (MySqlConnection)proxied.Source.OpenConnection();
        using (var command = new MySqlCommand("SELECT 1", connection))
            command.ExecuteScalar();
        var before = proxied.Proxy.Counters.BytesSent;
        foreach (var loader in (MySqlBulkLoader[])[new(connection) { TableName = Bad }, new(connection) { TableName = "good", Columns = { Bad } }])
        {
            loader.Local = true;
            loader.SourceStream = new MemoryStream([(byte)'1']);
            Assert.Contains("NUL character", Assert.ThrowsAny<ArgumentException>(() => loader.Load()).Message);
        }

        Assert.Equal(before, proxied.Proxy.Counters.BytesSent);
    }

    private static void Copy(DbConnection connection, DbTransaction transaction, string table, string column)
    {
        using var data = new DataTable();
        data.Columns.Add("a", typeof(int));
        data.Rows.Add(1);
        if (connection is PgConnection postgreSql)
            new PgBulkCopy(postgreSql, (PgTransaction)transaction) { DestinationTableName = table, ColumnMappings = { new(0, column) } }.WriteToServer(data);
        else
            new MySqlBulkCopy((MySqlConnection)connection, (MySqlTransaction)transaction) { DestinationTableName = table, ColumnMappings = { new(0, column) } }
                .WriteToServer(data);
    }

    private sealed class Proxied(LabProxy proxy, DbDataSource source) : IAsyncDisposable
    {
        public LabProxy Proxy => proxy;

        public DbDataSource Source => source;

        public static async Task<Proxied> StartAsync(ServerKind kind, string more = "")
        {
            var server = await LiveServers.GetAsync(kind);
            var proxy = LabProxy.Start(server.Host, server.Port);
            return new(proxy, kind.IsPostgreSql()
                ? PgDataSource.Create(
                    $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;{more}")
                : new MySqlDataSource(
                    $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=None;Allow "
                        + $"Public Key Retrieval=true;{more}"));
        }

        public async ValueTask DisposeAsync()
        {
            await source.DisposeAsync();
            await proxy.DisposeAsync();
        }
    }
}
