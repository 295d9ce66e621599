using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Texts of databases whose encoding is not UTF-8. The connection always uses UTF-8.</summary>
public class EncodingTests
{
    public static TheoryData<ServerKind> Kinds => [ServerKind.PostgreSql, ServerKind.PostgreSql18];

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_server_converts_texts_of_a_database_with_an_encoding(ServerKind kind)
    {
        await WithDatabase(kind, "LATIN1", static connection =>
        {
            using var command = new PgCommand("SELECT @text, convert_to(@text, 'LATIN1'), current_setting('server_encoding')", connection);
            command.Parameters.AddWithValue("text", "Grüße, Zoë");
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(("Grüße, Zoë", "LATIN1"), (reader.GetString(0), reader.GetString(2)));
            Assert.Equal(Encoding.Latin1.GetBytes("Grüße, Zoë"), reader.GetFieldValue<byte[]>(1));
            reader.Close();

            // A character that the database does not have is the server's error.
            command.Parameters[0].Value = "語";
            Assert.Equal("22P05", Assert.Throws<PgException>(() => command.ExecuteScalar()).SqlState);
            command.Parameters[0].Value = "still open";
            Assert.Equal("still open", command.ExecuteScalar());
        });
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Texts_that_are_not_UTF8_are_converted_to_and_from_bytes_in_SQL(ServerKind kind)
    {
        await WithDatabase(kind, "SQL_ASCII", static connection =>
        {
            var bytes = Encoding.Latin1.GetBytes("Grüße");
            using var command = new PgCommand(
                "CREATE TABLE t (text text); INSERT INTO t VALUES (convert_from(@bytes, 'SQL_ASCII')); SELECT convert_to(text, 'SQL_ASCII'), 'schön' FROM t",
                connection);
            command.Parameters.AddWithValue("bytes", bytes);
            using (var reader = command.ExecuteReader())
            {
                Assert.True(reader.Read());
                Assert.Equal(bytes, reader.GetFieldValue<byte[]>(0));
                Assert.Equal("schön", reader.GetString(1));
            }

            // The server refuses to send what is not UTF-8 as a text.
            using var text = new PgCommand("SELECT text FROM t", connection);
            Assert.Equal("22021", Assert.Throws<PgException>(() => text.ExecuteScalar()).SqlState);
        });
    }

    private static async Task WithDatabase(ServerKind kind, string encoding, Action<PgConnection> test)
    {
        var server = await LiveServers.GetAsync(kind);
        var name = $"encoding_{encoding.ToLowerInvariant()}_{Environment.ProcessId}";
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server));
        await Do($"CREATE DATABASE {name} ENCODING {encoding} LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
        try
        {
            using var connection = new PgConnection(ConnectionStrings.PostgreSql(server, $"Database={name};Pooling=false"));
            connection.Open();
            test(connection);
        }
        finally
        {
            await Do($"DROP DATABASE {name} WITH (FORCE)");
        }

        async Task Do(string sql)
        {
            await using var command = source.CreateCommand(sql);
            await command.ExecuteNonQueryAsync();
        }
    }
}
