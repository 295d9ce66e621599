using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>The outcome of each statement of a text, of a batch and of a procedure.</summary>
public class StatementResultTests
{
    private static int _names;

    public static TheoryData<ServerKind, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
            {
                ways.Add(kind, false);
                ways.Add(kind, true);
            }

            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_statement_of_a_text_reports_rows_id_and_kind(ServerKind kind, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        await using var command = new MySqlCommand(
            "CREATE TEMPORARY TABLE told (id int AUTO_INCREMENT PRIMARY KEY, v int); INSERT INTO told (v) VALUES (1), (2); SELECT v FROM told; "
                + "UPDATE told SET v = v + 1; INSERT INTO told (v) VALUES (9); SELECT 1 WHERE 1 = 0; DROP TEMPORARY TABLE told", connection);
        await using var reader = asynchronous ? await command.ExecuteReaderAsync(TestContext.Current.CancellationToken) : command.ExecuteReader();
        Assert.Equal([(false, 0L, 0L), (false, 2L, 1L)], Told(reader));
        Assert.True(asynchronous ? await reader.NextResultAsync(TestContext.Current.CancellationToken) : reader.NextResult());
        // The second SELECT has no rows, so it is complete as soon as it is current.
        Assert.Equal([(false, 0L, 0L), (false, 2L, 1L), (true, -1L, 0L), (false, 2L, 0L), (false, 1L, 3L), (true, -1L, 0L)], Told(reader));
        Assert.False(asynchronous ? await reader.NextResultAsync(TestContext.Current.CancellationToken) : reader.NextResult());
        Assert.Equal(
            [(false, 0L, 0L), (false, 2L, 1L), (true, -1L, 0L), (false, 2L, 0L), (false, 1L, 3L), (true, -1L, 0L), (false, 0L, 0L)], Told(reader));
        reader.Close();
        Assert.Throws<InvalidOperationException>(() => reader.StatementResults);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_command_of_a_batch_reports_rows_id_and_kind(ServerKind kind, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        await using (var create = new MySqlCommand("CREATE TEMPORARY TABLE told (id int AUTO_INCREMENT PRIMARY KEY, v int)", connection))
            create.ExecuteNonQuery();
        foreach (var texts in (string[][])
            [["INSERT INTO told (v) VALUES (1), (2)", "SELECT v FROM told", "DELETE FROM told"], ["SELECT 1", "SELECT 2", "SELECT v FROM told"]])
        {
            await using var batch = new MySqlBatch(connection);
            foreach (var text in texts)
                batch.BatchCommands.Add(new(text));
            await using var reader = asynchronous ? await batch.ExecuteReaderAsync(TestContext.Current.CancellationToken) : batch.ExecuteReader();
            while (reader.NextResult())
            {
            }

            Assert.Equal(texts.Select(static text => text.StartsWith("SELECT", StringComparison.Ordinal)), Told(reader).Select(static one => one.HasResultSet));
            Assert.Equal(
                texts[0][0] == 'I' ? [(false, 2L, 1L), (true, -1L, 0L), (false, 2L, 0L)] : [(true, -1L, 0L), (true, -1L, 0L), (true, -1L, 0L)], Told(reader));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_procedure_reports_each_of_its_results(ServerKind kind, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        var name = $"told_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        await using (var create = new MySqlCommand($"CREATE PROCEDURE {name}() BEGIN SELECT 1; SELECT 2; END", connection))
            create.ExecuteNonQuery();
        await using (var command = new MySqlCommand($"CALL {name}()", connection))
        await using (var reader = asynchronous ? await command.ExecuteReaderAsync(TestContext.Current.CancellationToken) : command.ExecuteReader())
        {
            while (reader.NextResult())
            {
            }

            Assert.Equal([(true, -1L, 0L), (true, -1L, 0L), (false, 0L, 0L)], Told(reader));
        }

        await using (var drop = new MySqlCommand($"DROP PROCEDURE {name}", connection))
            drop.ExecuteNonQuery();
    }

    private static IEnumerable<(bool HasResultSet, long Rows, long Id)> Told(MySqlDataReader reader) =>
        reader.StatementResults.Select(static one => (one.HasResultSet, one.RecordsAffected, one.LastInsertedId));

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var connection = new MySqlConnection(ConnectionStrings.Of(await LiveServers.GetAsync(kind)));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        return connection;
    }
}
