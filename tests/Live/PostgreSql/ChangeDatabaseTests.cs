using System.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

public class ChangeDatabaseTests
{
    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "")]
    [InlineData(false, "Pooling=false")]
    [InlineData(true, "Pooling=false")]
    public async Task A_database_that_is_not_there_leaves_the_connection_as_it_was(bool asynchronous, string options)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server, options));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        var process = connection.ProcessID;
        await using (var transaction = connection.BeginTransaction())
        {
            var exception = asynchronous
                ? await Assert.ThrowsAsync<PgException>(() => connection.ChangeDatabaseAsync("no_such_database", TestContext.Current.CancellationToken))
                : Assert.Throws<PgException>(() => connection.ChangeDatabase("no_such_database"));
            Assert.Equal(PgErrorCodes.InvalidCatalogName, exception.SqlState);
            Assert.Equal((ConnectionState.Open, server.Database, process), (connection.State, connection.Database, connection.ProcessID));
            using var still = new PgCommand("SELECT current_database()::text", connection, transaction);
            Assert.Equal(server.Database, still.ExecuteScalar());
        }

        if (asynchronous)
            await connection.ChangeDatabaseAsync("postgres", TestContext.Current.CancellationToken);
        else
            connection.ChangeDatabase("postgres");
        using var command = new PgCommand("SELECT current_database()::text", connection);
        Assert.Equal("postgres", command.ExecuteScalar());
        Assert.Equal("postgres", connection.Database);
    }
}
