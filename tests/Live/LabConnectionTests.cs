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
    public async Task The_labs_connection_string_opens_a_connection(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        DbProviderFactory factory = kind == ServerKind.PostgreSql ? PgFactory.Instance : MySqlConnectorFactory.Instance;
        await using var connection = factory.CreateConnection()!;
        connection.ConnectionString = server.Settings.ToConnectionString() + ";Pooling=false";
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 42";
        Assert.Equal(42, Convert.ToInt32(await command.ExecuteScalarAsync(TestContext.Current.CancellationToken)));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public void It_keeps_a_password_of_any_characters(ServerKind kind)
    {
        const string password = "a;b=\"c' d";
        var text = new ServerSettings(kind, "h", 1, "u", password, "d").ToConnectionString();
        Assert.Equal(password, kind == ServerKind.PostgreSql ? new PgConnectionStringBuilder(text).Password : new MySqlConnectionStringBuilder(text).Password);
    }
}
