using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>The output of <c>./lab env</c>, which developers paste into a program.</summary>
public class LabConnectionTests
{
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    [InlineData(ServerKind.PostgreSql)]
    [InlineData(ServerKind.PostgreSql18)]
    public async Task The_labs_connection_string_opens_a_connection(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        DbProviderFactory factory = kind.IsPostgreSql() ? PgFactory.Instance : MySqlConnectorFactory.Instance;
        await using var connection = factory.CreateConnection()!;
        connection.ConnectionString = server.Settings.ToConnectionString() + ";Pooling=false";
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 42";
        Assert.Equal(42, Convert.ToInt32(await command.ExecuteScalarAsync(TestContext.Current.CancellationToken)));
    }

    [Theory]
    [InlineData(ServerKind.PostgreSql, 15)]
    [InlineData(ServerKind.PostgreSql18, 18)]
    public async Task Both_releases_of_PostgreSQL_have_the_extensions_and_can_replicate(ServerKind kind, int major)
    {
        var server = await LiveServers.GetAsync(kind);
        Assert.SkipWhen(server.ProcessId == 0, $"{kind.Variable()} names a server with settings of its own.");
        await using var creator = PgDataSource.Create(ConnectionStrings.PostgreSql(server));
        // In a database of its own, because other tests create the same extensions.
        await Do("CREATE DATABASE extended TEMPLATE template0");
        try
        {
            await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server, "Pooling=false;Database=extended"));
            await connection.OpenAsync(TestContext.Current.CancellationToken);
            Assert.Equal(major, connection.PostgreSqlVersion.Major);
            await using var command = connection.CreateCommand();
            command.CommandText = "CREATE EXTENSION hstore; CREATE EXTENSION citext; CREATE EXTENSION ltree; CREATE EXTENSION cube";
            await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            command.CommandText =
                """
                SELECT concat_ws(' ', 'a=>1'::hstore, 'A'::citext = 'a', 'a.b'::ltree, '(1,2)'::cube, current_setting('wal_level'),
                    current_setting('max_wal_senders')::int > 0, current_setting('max_replication_slots')::int > 0,
                    current_setting('max_prepared_transactions')::int > 0)
                """;
            Assert.Equal("\"a\"=>\"1\" t a.b (1, 2) logical t t t", await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
        }
        finally
        {
            await Do("DROP DATABASE extended WITH (FORCE)");
        }

        async Task Do(string sql)
        {
            await using var command = creator.CreateCommand(sql);
            await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public void It_keeps_a_password_of_any_characters(ServerKind kind)
    {
        const string password = "a;b=\"c' d";
        var text = new ServerSettings(kind, "h", 1, "u", password, "d").ToConnectionString();
        Assert.Equal(password, kind.IsPostgreSql() ? new PgConnectionStringBuilder(text).Password : new MySqlConnectionStringBuilder(text).Password);
    }
}
