using System.Globalization;
using System.Text;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.MySql.Spoken;

namespace Slipstream.Live.MySql;

/// <summary>
/// Reads of a batch are pipelined, and prepared when they repeat: their results and the session's state afterwards are the same as one by one.
/// </summary>
public class BatchedReadTests
{
    // Text, text with a PREPARE after it, and prepared.
    private const int Executions = 4;

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_batch_of_reads_leaves_the_session_as_the_reads_one_by_one(ServerKind kind)
    {
        string[][] batches =
        [
            ["SELECT 1 AS a", "SELECT 2 AS a UNION SELECT 3"],
            ["SELECT v FROM {0}", "SELECT v FROM {0}", "SELECT v FROM {0} WHERE v > 1"],
            ["SELECT 1", "SELECT 1 + 'x'"],
            ["SELECT 1 + 'x'", "SELECT 1 + 'x'", "SELECT v FROM {0} LIMIT 1"],
            ["SELECT CAST('abc' AS SIGNED), v FROM {0}", "SELECT CAST('abc' AS SIGNED), v FROM {0}"],
        ];
        await AreTheSame(kind, batches);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_refused_read_leaves_the_session_as_it_does_one_by_one(ServerKind kind)
    {
        string[][] batches =
        [
            ["SELECT nonsense", "SELECT v FROM {0}"],
            ["SELECT v FROM {0}", "SELECT nonsense", "SELECT v FROM {0} LIMIT 1", "SELECT 2"],
            ["SELECT v FROM {0}", "SELECT (SELECT v FROM {0})", "SELECT v FROM {0} LIMIT 1"],
            ["SELECT v FROM {0}", "SELECT v FROM {0} LIMIT 1", "SELECT nonsense"],
        ];
        await AreTheSame(kind, batches);
    }

    private static async Task AreTheSame(ServerKind kind, string[][] batches)
    {
        var server = await LiveServers.GetAsync(kind);
        var table = $"reads_{Environment.ProcessId}_{Guid.NewGuid():N}";
        await using var admin = await OpenAsync(server, "");
        await Do(admin, $"CREATE TABLE {table} (v INT); INSERT INTO {table} VALUES (1), (2), (3)");
        var differences = new List<string>();
        foreach (var inTransaction in new[] { false, true })
            foreach (var texts in batches)
            {
                await using var plain = await OpenAsync(server, "Auto Prepare=false;");
                await using var batched = await OpenAsync(server, "");
                for (var execution = 0; execution < Executions; execution++)
                {
                    var mode = execution % 2 == 1 ? Mode.Async : Mode.Sync;
                    var expected = await SeenAsync(plain, admin, table, inTransaction, () => OneByOne(plain, mode, texts, table));
                    var seen = await SeenAsync(batched, admin, table, inTransaction, () => Together(batched, mode, texts, table));
                    if (expected != seen)
                        differences.Add(
                            $"{string.Join("; ", texts)}, in a transaction: {inTransaction}, execution {execution}\none by one: {expected}\ntogether:   "
                                + $"{seen}");
                }
            }

        await Do(admin, $"DROP TABLE {table}");
        Assert.True(differences.Count == 0, string.Join('\n', differences));
    }

    private static async Task<string> SeenAsync(MySqlConnection connection, MySqlConnection other, string table, bool inTransaction, Func<Task<string>> run)
    {
        await Do(connection, "SELECT 1");
        await using var transaction = inTransaction ? await connection.BeginTransactionAsync() : null;
        var told = await run();
        // MySQL warns about FOUND_ROWS itself. After a refused read, it is the value of the last read that was already sent: this is documented.
        var found =
            !told.Contains('[', StringComparison.Ordinal) && connection.ServerVersion.Contains("MariaDB", StringComparison.Ordinal) ? ", FOUND_ROWS()" : "";
        var state = await Read(connection, $"SELECT ROW_COUNT(), @@warning_count, @@error_count, LAST_INSERT_ID(){found}");
        var warnings = await Read(connection, "SHOW WARNINGS");
        // The snapshot of a transaction begins with the first read that is executed, not with one that is refused.
        await Do(other, $"INSERT INTO {table} VALUES (4)");
        var rows = await Read(connection, $"SELECT COUNT(*) FROM {table}");
        if (transaction is not null)
            await transaction.CommitAsync();
        await Do(other, $"DELETE FROM {table} WHERE v = 4");
        return $"{told} / {state} / {warnings} / {rows}";
    }

    private static async Task<string> OneByOne(MySqlConnection connection, Mode mode, string[] texts, string table)
    {
        var told = new StringBuilder();
        foreach (var text in texts)
        {
            try
            {
                await using var command = new MySqlCommand(text.Replace("{0}", table, StringComparison.Ordinal), connection);
                await using var reader = await mode.Reader(command);
                while (await mode.Read(reader))
                    told.Append(CultureInfo.InvariantCulture, $"{reader.GetValue(0)} ");
                told.Append("| ");
            }
            catch (MySqlException refused)
            {
                return told.Append(CultureInfo.InvariantCulture, $"[{refused.Number}]").ToString();
            }
        }

        return told.ToString();
    }

    private static async Task<string> Together(MySqlConnection connection, Mode mode, string[] texts, string table)
    {
        var told = new StringBuilder();
        await using var batch = new MySqlBatch(connection);
        foreach (var text in texts)
            batch.BatchCommands.Add(new MySqlBatchCommand(text.Replace("{0}", table, StringComparison.Ordinal)));
        try
        {
            await using var reader = await mode.Reader(batch);
            do
            {
                while (await mode.Read(reader))
                    told.Append(CultureInfo.InvariantCulture, $"{reader.GetValue(0)} ");
                told.Append("| ");
            }
            while (await mode.NextResult(reader));
        }
        catch (MySqlException refused)
        {
            told.Append(CultureInfo.InvariantCulture, $"[{refused.Number}]");
        }

        return told.ToString();
    }

    private static async Task<MySqlConnection> OpenAsync(LabServer server, string more)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Ignore Command Transaction=true;" + more));
        await connection.OpenAsync();
        return connection;
    }
}
