using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Text as the received bytes, without a string.</summary>
public class Utf8Tests
{
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task Text_is_read_as_the_bytes_that_came(ServerKind kind)
    {
        var text = ConnectionStrings.Of(await LiveServers.GetAsync(kind), "Pooling=false");
        await using DbConnection connection = kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
        connection.Open();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 'é text', REPEAT('x', 5000000)";
        using (var reader = (ProviderDataReader)command.ExecuteReader())
        {
            Assert.True(reader.Read());
            Assert.True(reader.GetUtf8Span(0).SequenceEqual("é text"u8));
            Assert.Equal(5_000_000, reader.GetUtf8Span(1).Length);
        }

        using (var reader = (ProviderDataReader)command.ExecuteReader(CommandBehavior.SequentialAccess))
        {
            Assert.True(reader.Read());
            Assert.True(reader.GetUtf8Span(0).SequenceEqual("é text"u8));
            Assert.Throws<InvalidOperationException>(() => { reader.GetUtf8Span(1); });
        }
    }
}
