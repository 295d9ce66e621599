using System.Globalization;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;

namespace Slipstream.Live.Statements;

/// <summary>A PREPARE that the server refuses does not change the session's visible diagnostics, even if an execution was sent directly after it.</summary>
public sealed class RefusedPreparationTests
{
    public static TheoryData<ServerKind, string, int, bool> Refused
    {
        get
        {
            var data = new TheoryData<ServerKind, string, int, bool>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var (sql, number) in kind == ServerKind.MySql ? Texts : [.. Texts, .. TextsOfMariaDb])
                    foreach (var asynchronous in (bool[])[false, true])
                        data.Add(kind, sql, number, asynchronous);
            return data;
        }
    }

    private static readonly (string Sql, int Number)[] Texts =
    [
        ("EXECUTE missing_statement", 1295), ("SELECT * FROM missing_rows", 1146), ("SELECT a FROM missing_rows WHERE a = @a", 1146),
    ];

    // Refused with the SQLSTATE HY000.
    private static readonly (string Sql, int Number)[] TextsOfMariaDb = [("SELECT TIMESTAMP'2024-06-01 00:00:00+00:00' AS t", 1525)];

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task A_refused_PREPARE_is_what_the_server_tells_of_afterwards(ServerKind kind, string sql, int number, bool asynchronous)
    {
        var expected = await SeenAsync(kind, "Pipelining Mode=Off", sql, number, asynchronous);
        Assert.Equal(expected, await SeenAsync(kind, "Pipelining Mode=On", sql, number, asynchronous));
        Assert.Contains(number.ToString(CultureInfo.InvariantCulture), expected, StringComparison.Ordinal);
    }

    // In a new session, and in one that has prepared something: there the driver predicts the number of the next statement.
    private static async Task<string> SeenAsync(ServerKind kind, string options, string sql, int number, bool asynchronous)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;" + options));
        await using var connection = await source.OpenConnectionAsync();
        var seen = new StringBuilder();
        for (var round = 0; round < 3; round++)
        {
            await using (var refused = new MySqlCommand(sql + new string(' ', round), connection) { Parameters = { new("@a", 1) } })
            {
                refused.Prepare();
                var error = asynchronous
                    ? await Assert.ThrowsAsync<MySqlException>(() => refused.ExecuteNonQueryAsync())
                    : Assert.Throws<MySqlException>(() => refused.ExecuteNonQuery());
                Assert.Equal(number, error.Number);
            }

            await using (var warnings = new MySqlCommand("SHOW WARNINGS", connection))
            await using (var reader = await warnings.ExecuteReaderAsync())
                while (await reader.ReadAsync())
                    seen.Append(CultureInfo.InvariantCulture, $"{reader.GetValue(1)} {reader.GetValue(2)}; ");
            await using (var counts = new MySqlCommand("SELECT CONCAT(@@error_count, ' ', @@warning_count)", connection))
                seen.Append(CultureInfo.InvariantCulture, $"{await counts.ExecuteScalarAsync()}\n");
            await using var prepared = new MySqlCommand($"SELECT {round}", connection);
            prepared.Prepare();
            Assert.Equal(round, Convert.ToInt32(await prepared.ExecuteScalarAsync(), CultureInfo.InvariantCulture));
        }

        return seen.ToString();
    }
}
