using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Rows and sessions that a bulk copy cannot use: every method behaves the same, and nothing is written twice.</summary>
public class BulkCopyRefusalTests
{
    public static TheoryData<ServerKind, MySqlBulkCopyMethod, bool> Wires()
    {
        var data = new TheoryData<ServerKind, MySqlBulkCopyMethod, bool>();
        foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
        {
            foreach (var wire in (MySqlBulkCopyMethod[])[MySqlBulkCopyMethod.LoadData, MySqlBulkCopyMethod.MultiRow, MySqlBulkCopyMethod.BulkExecute])
            {
                if (wire == MySqlBulkCopyMethod.BulkExecute && kind == ServerKind.MySql)
                    continue;
                data.Add(kind, wire, false);
                data.Add(kind, wire, true);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task A_refused_row_has_one_error_code_on_every_wire_and_the_servers_inside(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(
            connection, "CREATE TEMPORARY TABLE refused_rows (id INT PRIMARY KEY, small TINYINT, name VARCHAR(5) NOT NULL, price DECIMAL(5,2), day DATE)");
        foreach (var (bad, code) in ((object?[], MySqlErrorCode)[])
            [
                ([3, 300, "x", 1m, "2024-01-02"], MySqlErrorCode.WarningDataOutOfRange),
                ([3, 3, "too long", 1m, "2024-01-02"], MySqlErrorCode.DataTooLong),
                ([3, 3, "x", 12345.6m, "2024-01-02"], MySqlErrorCode.WarningDataOutOfRange),
                ([3, "many", "x", 1m, "2024-01-02"], MySqlErrorCode.TruncatedWrongValueForField),
                ([1, 3, "x", 1m, "2024-01-02"], MySqlErrorCode.DuplicateKeyEntry),
            ])
        {
            object?[][] rows = [[1, 1, "a", 1.00m, "2024-01-01"], [2, 2, "b", 2m, null], bad, [4, 4, "d", 4m, null]];
            var error = await Refused(Bulk(connection, "refused_rows", wire), rows, asynchronous);
            Assert.Equal(MySqlErrorCode.BulkCopyFailed, error.ErrorCode);
            // LOAD DATA truncates values that are too long.
            Assert.Equal(
                wire == MySqlBulkCopyMethod.LoadData && code == MySqlErrorCode.DataTooLong ? MySqlErrorCode.WarningDataTruncated : code,
                Assert.IsType<MySqlException>(error.InnerException).ErrorCode);
            Assert.EndsWith("No row was written.", error.Message);
            if (code == MySqlErrorCode.DuplicateKeyEntry)
                Assert.Equal(ErrorKind.UniqueViolation, error.Kind);
            if (wire != MySqlBulkCopyMethod.LoadData || code != MySqlErrorCode.DuplicateKeyEntry)
            {
                Assert.StartsWith("Row 3: ", error.Message);
                Assert.Equal(3L, error.Data["Row"]);
            }

            Assert.Equal(0L, await Scalar(connection, "SELECT COUNT(*) FROM refused_rows"));
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task A_copy_that_was_stopped_says_in_every_exception_what_became_of_its_rows(ServerKind kind, MySqlBulkCopyMethod wire, bool inTransaction)
    {
        await using var connection = await Open(kind);
        foreach (var engine in (string[])["InnoDB", "MyISAM"])
        {
            await Execute(connection, $"CREATE TEMPORARY TABLE stopped_rows (id INT) ENGINE={engine}");
            string said;
            await using (var transaction = inTransaction ? await connection.BeginTransactionAsync() : null)
            {
                using var source = new CancellationTokenSource();
                var bulk = new MySqlBulkCopy(connection, transaction) { DestinationTableName = "stopped_rows", Method = wire };
                var items = Enumerable.Range(1, 1_000_000).Select(Cancelling);
                var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
                    async () => await bulk.WriteToServerAsync(items, static (row, number) => row.Write(number), source.Token));
                said = error.Message;
                Assert.Equal("The bulk copy was cancelled before its end.", Assert.IsType<OperationCanceledException>(error.InnerException).Message);
                if (transaction is not null)
                    await transaction.CommitAsync();

                int Cancelling(int row)
                {
                    if (row == 200_000)
                        source.Cancel();
                    return row;
                }
            }

            // LOAD DATA may stop before its first row.
            var rows = Assert.IsType<long>(await Scalar(connection, "SELECT COUNT(*) FROM stopped_rows"));
            if (engine == "InnoDB")
                Assert.Equal(0, rows);
            Assert.EndsWith(rows == 0 ? "No row was written." : "keeps the rows that were written before the error.", said);
            await Execute(connection, "DROP TEMPORARY TABLE stopped_rows");
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Without_strict_mode_values_are_clipped_with_warnings_and_InfoMessage_tells_them(
        ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "SET sql_mode=''");
        await Execute(connection, "CREATE TEMPORARY TABLE clipped_rows (id INT PRIMARY KEY, small TINYINT, name VARCHAR(3))");
        var told = new List<MySqlErrorCode>();
        connection.InfoMessage += (_, e) => told.AddRange(e.Errors.Select(static error => error.ErrorCode));
        var bulk = Bulk(connection, "clipped_rows", wire);
        object?[][] rows = [[1, 300, "long"], [2, 2, "b"]];
        var result = asynchronous ? await bulk.WriteToServerAsync(rows, Write) : bulk.WriteToServer(rows, Write);
        Assert.Equal(2, result.RowsInserted);
        Assert.Equal([MySqlErrorCode.WarningDataOutOfRange, MySqlErrorCode.WarningDataTruncated], result.Warnings.Select(static warning => warning.ErrorCode));
        Assert.Equal(result.Warnings.Select(static warning => warning.ErrorCode), told);
        Assert.Equal("127lon", await Scalar(connection, "SELECT CONCAT(small, name) FROM clipped_rows WHERE id = 1"));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task A_note_is_no_refusal_and_InfoMessage_tells_it(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE noted_rows (id INT PRIMARY KEY, price DECIMAL(5,2))");
        var told = 0;
        connection.InfoMessage += (_, e) => told += e.Errors.Count;
        var bulk = Bulk(connection, "noted_rows", wire);
        object?[][] rows = [[1, 1.005m], [2, 2m]];
        var result = asynchronous ? await bulk.WriteToServerAsync(rows, Write) : bulk.WriteToServer(rows, Write);
        Assert.Equal(2, result.RowsInserted);
        Assert.Equal(result.Warnings.Count, told);
        Assert.Equal("1.01", (await Scalar(connection, "SELECT CAST(price AS CHAR) FROM noted_rows WHERE id = 1"))?.ToString());
    }

    public static TheoryData<ServerKind, MySqlBulkCopyMethod, string> Tables()
    {
        var data = new TheoryData<ServerKind, MySqlBulkCopyMethod, string>();
        foreach (var (kind, wire) in ((ServerKind, MySqlBulkCopyMethod)[])
            [
                (ServerKind.MySql, MySqlBulkCopyMethod.MultiRow), (ServerKind.MariaDb, MySqlBulkCopyMethod.MultiRow),
                (ServerKind.MariaDb, MySqlBulkCopyMethod.BulkExecute),
                (ServerKind.MariaDb11, MySqlBulkCopyMethod.MultiRow), (ServerKind.MariaDb11, MySqlBulkCopyMethod.BulkExecute),
            ])
        {
            foreach (var table in (string[])["check", "key", "trigger that refuses", "trigger that writes", "memory"])
                data.Add(kind, wire, table);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Tables))]
    public async Task The_search_for_a_refused_row_stores_no_row_twice(ServerKind kind, MySqlBulkCopyMethod wire, string table)
    {
        await using var connection = await Open(kind);
        var name = "bulk_twice_" + Guid.NewGuid().ToString("N");
        var stays = table == "trigger that writes" ? name + "_log" : name;
        var engine = table switch { "trigger that writes" => "InnoDB", "memory" => "MEMORY", _ => "MyISAM" };
        var more = table switch { "check" => ", CHECK (id <> 6)", "key" or "memory" => ", other INT UNIQUE", _ => "" };
        await Execute(connection, $"CREATE TABLE {name} (id TINYINT{more}) ENGINE={engine}");
        await Execute(connection, $"CREATE TABLE {name}_log (id INT) ENGINE=MyISAM");
        try
        {
            if (table == "trigger that refuses")
                await Execute(
                    connection,
                    $"CREATE TRIGGER {name}_t BEFORE INSERT ON {name} FOR EACH ROW IF NEW.id = 6 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no six'; "
                        + "END IF");
            else if (table == "trigger that writes")
                await Execute(connection, $"CREATE TRIGGER {name}_t BEFORE INSERT ON {name} FOR EACH ROW INSERT INTO {name}_log VALUES (NEW.id)");
            object?[][] rows = [.. Enumerable.Range(1, 9).Select(i => more.Contains("other", StringComparison.Ordinal)
                ? (object?[])[i, i == 6 ? 2 : i]
                : [i == 6 && table == "trigger that writes" ? 300 : i])];
            var error = await Refused(Bulk(connection, name, wire), rows, asynchronous: true);
            Assert.Equal(MySqlErrorCode.BulkCopyFailed, error.ErrorCode);
            Assert.Contains("a table without transactions keeps the rows", error.Message);
            // The trigger truncates a value, with a warning that contains its row; the driver does not send a refused statement again.
            Assert.Equal(table == "trigger that writes" ? 6L : null, error.Data["Row"]);
            Assert.Equal(0L, await Scalar(connection, $"SELECT COUNT(*) FROM (SELECT id FROM {stays} GROUP BY id HAVING COUNT(*) > 1) twice"));
            Assert.NotEqual(0L, await Scalar(connection, $"SELECT COUNT(*) FROM {stays}"));
        }
        finally
        {
            await Execute(connection, $"DROP TABLE {name}, {name}_log");
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task In_a_session_of_another_character_set_texts_arrive_as_they_were_or_the_copy_is_refused(
        ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE foreign_rows (id INT, name VARCHAR(30) CHARACTER SET utf8mb4)");
        object?[][] rows = [[1, "é€\U0001F600"]];
        foreach (var set in (string[])["sjis", "gbk", "latin1", "utf8mb3"])
        {
            await Execute(connection, "SET character_set_client=" + set);
            foreach (var chosen in (MySqlBulkCopyMethod[])[wire, MySqlBulkCopyMethod.Auto])
            {
                var bulk = Bulk(connection, "foreign_rows", chosen);
                if (wire == MySqlBulkCopyMethod.LoadData || chosen == MySqlBulkCopyMethod.Auto)
                {
                    Assert.Equal(
                        MySqlBulkCopyMethod.LoadData, (asynchronous ? await bulk.WriteToServerAsync(rows, Write) : bulk.WriteToServer(rows, Write)).Method);
                    Assert.Equal("C3A9E282ACF09F9880", await Scalar(connection, "SELECT HEX(name) FROM foreign_rows"));
                    await Execute(connection, "DELETE FROM foreign_rows");
                }
                else
                {
                    var error = asynchronous
                        ? await Assert.ThrowsAsync<NotSupportedException>(async () => await bulk.WriteToServerAsync(rows, Write))
                        : Assert.Throws<NotSupportedException>(() => bulk.WriteToServer(rows, Write));
                    Assert.Contains("SET NAMES utf8mb4", error.Message);
                }
            }
        }

        await Execute(connection, "SET NAMES utf8mb4");
        var again = Bulk(connection, "foreign_rows", wire);
        Assert.Equal(wire, (asynchronous ? await again.WriteToServerAsync(rows, Write) : again.WriteToServer(rows, Write)).Method);
        Assert.Equal("C3A9E282ACF09F9880", await Scalar(connection, "SELECT HEX(name) FROM foreign_rows"));
    }

    private static MySqlBulkCopy Bulk(MySqlConnection connection, string table, MySqlBulkCopyMethod wire) =>
        new(connection) { DestinationTableName = table, Method = wire };

    private static async Task<MySqlException> Refused(MySqlBulkCopy bulk, object?[][] rows, bool asynchronous) => asynchronous
        ? await Assert.ThrowsAsync<MySqlException>(async () => await bulk.WriteToServerAsync(rows, Write))
        : Assert.Throws<MySqlException>(() => bulk.WriteToServer(rows, Write));

    private static void Write(MySqlBulkRow target, object?[] row)
    {
        foreach (var value in row)
            target.Write(value);
    }

    private static async Task<MySqlConnection> Open(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow Load Local Infile=true"));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<object?> Scalar(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        return await command.ExecuteScalarAsync();
    }
}
