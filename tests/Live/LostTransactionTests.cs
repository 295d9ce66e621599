using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Live;

/// <summary>Transactions whose connection is lost before the commit, on real servers: what is reported is what the table has.</summary>
public sealed class LostTransactionTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true },
        { ServerKind.PostgreSql, false }, { ServerKind.PostgreSql, true },
    };

    [Theory, MemberData(nameof(Ways))]
    public async Task Work_of_several_statements_is_done_once_although_its_line_was_cut_at_each_of_them(ServerKind kind, bool asynchronously)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = DataSources.Create(kind, ConnectionStrings.Of(server, $"Port={proxy.Port}"));
        await using var direct = DataSources.Create(kind, ConnectionStrings.Of(server));
        var table = $"lost_{(asynchronously ? "a" : "s")}_{Environment.ProcessId}";
        await Execute(direct, $"DROP TABLE IF EXISTS {table}");
        await Execute(direct, $"CREATE TABLE {table} (id INT PRIMARY KEY)");
        try
        {
            var attempt = 0;
            async Task Work(DbConnection connection, DbTransaction transaction)
            {
                var cutAt = ++attempt;
                for (var id = 1; id <= 3; id++)
                {
                    await using var command = connection.CreateCommand();
                    (command.CommandText, command.Transaction) = ($"INSERT INTO {table} VALUES ({id})", transaction);
                    if (id == cutAt)
                        proxy.CutAll();
                    _ = asynchronously ? await command.ExecuteNonQueryAsync(Token) : command.ExecuteNonQuery();
                }
            }

            var policy = new TransactionRetryPolicy { FirstDelay = TimeSpan.Zero };
            await Run(source, asynchronously, Work, policy);
            Assert.Equal(4, attempt);
            Assert.Equal(3, await Count(direct, table));

            // Without a repetition, the exception tells the same.
            await Execute(direct, $"DELETE FROM {table}");
            attempt = 1;
            var failure = await Assert.ThrowsAnyAsync<DbException>(() => Run(source, asynchronously, Work, new() { MaxAttempts = 1 }));
            Assert.Equal(RetrySafety.RolledBack, failure is MySqlException mySql ? mySql.RetrySafety : ((PgException)failure).RetrySafety);
            Assert.Equal(0, await Count(direct, table));
        }
        finally
        {
            await Execute(direct, $"DROP TABLE {table}");
        }
    }

    // The driver's own statements, SHOW WARNINGS for a listener and those of a bulk copy, commit nothing.
    [Theory]
    [InlineData(ServerKind.MySql, false), InlineData(ServerKind.MySql, true), InlineData(ServerKind.MariaDb, false), InlineData(ServerKind.MariaDb, true)]
    public async Task A_bulk_copy_whose_line_is_cut_is_repeated_with_its_transaction(ServerKind kind, bool asynchronously)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = (MySqlDataSource)DataSources.Create(kind, ConnectionStrings.Of(server, $"Port={proxy.Port}"));
        await using var direct = DataSources.Create(kind, ConnectionStrings.Of(server));
        var table = $"lost_copy_{(asynchronously ? "a" : "s")}_{Environment.ProcessId}";
        await Execute(direct, $"DROP TABLE IF EXISTS {table}");
        await Execute(direct, $"CREATE TABLE {table} (id INT PRIMARY KEY)");
        try
        {
            var (attempt, messages) = (0, 0);
            await Run(source, asynchronously, async (connection, transaction) =>
            {
                var cutAt = ++attempt * 500;
                IEnumerable<int> Numbers()
                {
                    for (var id = 1; id <= 1000; id++)
                    {
                        if (id == cutAt)
                            proxy.CutAll();
                        yield return id;
                    }
                }

                var own = (MySqlConnection)connection;
                own.InfoMessage += (_, _) => messages++;
                await using var command = connection.CreateCommand();
                (command.CommandText, command.Transaction) = ($"INSERT IGNORE INTO {table} VALUES (2000), (2000)", transaction);
                _ = asynchronously ? await command.ExecuteNonQueryAsync(Token) : command.ExecuteNonQuery();
                var copy = new MySqlBulkCopy(own, (MySqlTransaction)transaction) { DestinationTableName = table, BatchSize = 100 };
                _ = asynchronously ? await copy.WriteToServerAsync(Numbers(), static (row, id) => row.Write(id), Token)
                    : copy.WriteToServer(Numbers(), static (row, id) => row.Write(id));
            }, new() { FirstDelay = TimeSpan.Zero });
            // The cut at the last row of the second attempt comes before its statement, too.
            Assert.Equal((3, 3), (attempt, messages));
            Assert.Equal(1001, await Count(direct, table));
        }
        finally
        {
            await Execute(direct, $"DROP TABLE {table}");
        }
    }

    private static Task Run(ProviderDataSource source, bool asynchronously, Func<DbConnection, DbTransaction, Task> work, TransactionRetryPolicy policy) =>
        (source, asynchronously) switch
        {
            (MySqlDataSource mySql, true) => mySql.ExecuteInTransactionAsync((connection, transaction, _) => work(connection, transaction), policy, Token),
            (PgDataSource pg, true) => pg.ExecuteInTransactionAsync((connection, transaction, _) => work(connection, transaction), policy, Token),
            (MySqlDataSource mySql, false) => Task.Run(
                () => mySql.ExecuteInTransaction((connection, transaction) => work(connection, transaction).GetAwaiter().GetResult(), policy), Token),
            _ => Task.Run(
                () => ((PgDataSource)source).ExecuteInTransaction(
                    (connection, transaction) => work(connection, transaction).GetAwaiter().GetResult(), policy),
                Token),
        };

    private static async Task Execute(ProviderDataSource source, string sql)
    {
        await using var command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(Token);
    }

    private static async Task<long> Count(ProviderDataSource source, string table)
    {
        await using var command = source.CreateCommand($"SELECT COUNT(*) FROM {table}");
        return Convert.ToInt64(await command.ExecuteScalarAsync(Token), System.Globalization.CultureInfo.InvariantCulture);
    }
}
