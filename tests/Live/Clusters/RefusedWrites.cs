using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Live.Clusters;

/// <summary>
/// Commands on connections that were opened before a switchover, which the former primary therefore refuses. Each command adds one row or two, with a number of
/// its own, so that the table shows what was executed.
/// </summary>
/// <param name="primary">The view of the primary.</param>
/// <param name="token">Returns the token of the test.</param>
internal sealed class RefusedWrites(ProviderDataSource primary, Func<CancellationToken> token)
{
    private readonly List<(string How, bool IsAsync, int Id, DbConnection Connection)> _opened = [];

    /// <summary>Opens the connections.</summary>
    public async Task OpenAsync()
    {
        foreach (var how in Expected.Keys)
        {
            foreach (var isAsync in (bool[])[false, true])
                _opened.Add((how, isAsync, _opened.Count + 1, await primary.OpenConnectionAsync(token())));
        }
    }

    /// <summary>
    /// What a refusal of each command must report, on MySQL and on PostgreSQL; null if the command must be executed again on the new primary. A procedure may
    /// have committed something before.
    /// </summary>
    private static readonly Dictionary<string, (RetrySafety? MySql, RetrySafety? PostgreSql)> Expected = new()
    {
        ["count"] = (null, null),
        ["reader"] = (null, null),
        ["several statements"] = (RetrySafety.NotSent, RetrySafety.RolledBack),
        ["batch"] = (RetrySafety.NotSent, RetrySafety.RolledBack),
        ["transaction"] = (RetrySafety.NotSent, RetrySafety.RolledBack),
        ["second command"] = (RetrySafety.NotSent, RetrySafety.NotSent),
        ["bulk copy"] = (RetrySafety.NotSent, RetrySafety.RolledBack),
        ["CALL"] = (RetrySafety.NotApplicable, RetrySafety.NotApplicable),
    };

    /// <summary>Executes the commands after the switchover, and compares what is reported with the rows of the new primary.</summary>
    public async Task ExecuteAsync()
    {
        foreach (var (how, isAsync, id, connection) in _opened)
        {
            await using var one = connection;
            var words = $"{how}, {(isAsync ? "asynchronous" : "blocking")}";
            var expected = connection is MySqlConnection ? Expected[how].MySql : Expected[how].PostgreSql;
            var failure = await Record.ExceptionAsync(() => ExecuteAsync(how, isAsync, id, connection));
            if (expected is not { } safety)
            {
                Assert.True(failure is null, $"{words}: {failure}");
                Assert.Equal((words, 1), (words, await RowsAsync(id)));
                // The connection stays with the new primary.
                await ExecuteAsync("transaction", isAsync, 1000 + id, connection);
                Assert.Equal((words, 2), (words, await RowsAsync(1000 + id)));
                continue;
            }

            Assert.True(failure is DbException, $"{words}: {failure}");
            var (kind, told) = failure is MySqlException mySql ? (mySql.Kind, mySql.RetrySafety)
                : (((PgException)failure).Kind, ((PgException)failure).RetrySafety);
            Assert.Equal((words, ErrorKind.ReadOnly, safety), (words, kind, told));
            Assert.Equal((words, 0), (words, await RowsAsync(id)));
            // What was reported as not done may be done now.
            await using var another = await primary.OpenConnectionAsync(token());
            await ExecuteAsync(how, isAsync, id, another);
            Assert.Equal((words, how == "CALL" || how == "second command" ? 1 : 2), (words, await RowsAsync(id)));
        }
    }

    private async Task<int> RowsAsync(int id)
    {
        await using var command = primary.CreateCommand($"SELECT COUNT(*) FROM written WHERE id = {Text(id)}");
        return Convert.ToInt32(await command.ExecuteScalarAsync(token()), CultureInfo.InvariantCulture);
    }

    private async Task ExecuteAsync(string how, bool isAsync, int id, DbConnection connection)
    {
        switch (how)
        {
            case "count":
                Assert.Equal(1, await RunAsync(connection, null, Insert(id, 1), isAsync));
                break;
            case "reader":
                await using (var command = Command(connection, null, Insert(id, 1)))
                {
                    await using var reader = isAsync ? await command.ExecuteReaderAsync(token()) : command.ExecuteReader();
                    Assert.False(isAsync ? await reader.ReadAsync(token()) : reader.Read());
                    Assert.Equal(1, reader.RecordsAffected);
                }

                break;
            case "several statements":
                await RunAsync(connection, null, $"{Insert(id, 1)}; {Insert(id, 2)}", isAsync);
                break;
            case "batch":
                await using (var batch = connection.CreateBatch())
                {
                    foreach (var part in (int[])[1, 2])
                    {
                        var command = batch.CreateBatchCommand();
                        command.CommandText = Insert(id, part);
                        batch.BatchCommands.Add(command);
                    }

                    _ = isAsync ? await batch.ExecuteNonQueryAsync(token()) : batch.ExecuteNonQuery();
                }

                break;
            case "transaction":
                await using (var transaction = isAsync ? await connection.BeginTransactionAsync(token()) : connection.BeginTransaction())
                {
                    await RunAsync(connection, transaction, Insert(id, 1), isAsync);
                    await RunAsync(connection, transaction, Insert(id, 2), isAsync);
                    if (isAsync)
                        await transaction.CommitAsync(token());
                    else
                        transaction.Commit();
                }

                break;
            case "second command":
                await RunAsync(connection, null, "SELECT 1", isAsync);
                await RunAsync(connection, null, Insert(id, 1), isAsync);
                break;
            case "bulk copy":
                await CopyAsync(connection, id, isAsync);
                break;
            default:
                await RunAsync(connection, null, $"CALL add_row({Text(id)})", isAsync);
                break;
        }
    }

    private async Task CopyAsync(DbConnection connection, int id, bool isAsync)
    {
        using var rows = new DataTable();
        rows.Columns.Add("id", typeof(int));
        rows.Columns.Add("part", typeof(int));
        rows.Rows.Add(id, 1);
        rows.Rows.Add(id, 2);
        if (connection is MySqlConnection mySql)
        {
            var copy = new MySqlBulkCopy(mySql) { DestinationTableName = "written" };
            _ = isAsync ? await copy.WriteToServerAsync(rows, token()) : copy.WriteToServer(rows);
        }
        else
        {
            var copy = new PgBulkCopy((PgConnection)connection) { DestinationTableName = "written" };
            _ = isAsync ? await copy.WriteToServerAsync(rows, token()) : copy.WriteToServer(rows);
        }
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Insert(int id, int part) => $"INSERT INTO written VALUES ({Text(id)}, {Text(part)})";

    private static DbCommand Command(DbConnection connection, DbTransaction? transaction, string sql)
    {
        var command = connection.CreateCommand();
        (command.CommandText, command.Transaction) = (sql, transaction);
        return command;
    }

    private async Task<int> RunAsync(DbConnection connection, DbTransaction? transaction, string sql, bool isAsync)
    {
        await using var command = Command(connection, transaction, sql);
        return isAsync ? await command.ExecuteNonQueryAsync(token()) : command.ExecuteNonQuery();
    }
}
