using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Contract;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// The operations that <see cref="CancelStormTests"/> does not interrupt: the next result, counts, blocking batches, bulk copies, the beginning and the end of
/// transactions, opening and closing. All of them also run over a slow connection, where the cancellation arrives late. 10,000 interruptions on each server in
/// <c>./test --all</c>.
/// </summary>
public sealed class CancelEverywhereTests
{
    private const int Callers = 8;
    private const int Verbs = 16;

    public static TheoryData<ServerKind, int> Servers => new()
    {
        { ServerKind.MySql, 0 }, { ServerKind.MariaDb, 0 }, { ServerKind.PostgreSql, 0 }, { ServerKind.MySql, 3 }, { ServerKind.MariaDb, 3 },
        { ServerKind.PostgreSql, 3 },
    };

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Sessions_answer_with_their_own_marker_after_any_verb_was_interrupted(ServerKind kind, int latency)
    {
        var server = await LiveServers.GetAsync(kind);
        var number = Storm.Number(latency > 0 ? 320 : 960);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        proxy.Latency = TimeSpan.FromMilliseconds(latency);
        var text = ConnectionStrings.Of(server, $"Maximum Pool Size={Callers};Application Name=everywhere{(latency > 0 ? $";Port={proxy.Port}" : "")}");
        await using var source = DataSources.Create(kind, text);
        var callers = Enumerable.Range(0, Callers).Select(caller => new Caller(source, kind, caller, latency)).ToArray();
        await Task.WhenAll(callers.Select(caller => Task.Run(() => caller.Run(number / Callers)))).WaitAsync(TimeSpan.FromSeconds(Math.Max(300, number / 5)));

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{kind}: {callers.Sum(static caller => caller.Interrupted)} interrupted, {callers.Sum(static caller => caller.Complete)} complete, "
                + $"{callers.Sum(static caller => caller.Broken)} broken. "
                + $"{string.Join(' ', callers.SelectMany(static caller => caller.WhyBroken).Distinct())}");
        Assert.True(callers.Sum(static caller => caller.Interrupted) > number / 20, "Hardly anything was interrupted: the storm did not hit.");
        Assert.True(
            callers.Sum(static caller => caller.Broken) < callers.Sum(static caller => caller.Interrupted + caller.Complete) / 3,
            "Too many sessions were given up.");
        var statistics = source.Statistics;
        Assert.Equal((0, 0), (statistics.Busy, statistics.Waiting));
        Assert.Equal(statistics.Opened - statistics.Closed.Values.Sum(), statistics.Idle);
    }

    private sealed class Caller(ProviderDataSource source, ServerKind kind, int number, int latency)
    {
        private readonly Random _random = new(number);
        private int _marker = (number + 1) * 1_000_000;
        private string _table = "";

        public int Interrupted { get; private set; }

        public int Complete { get; private set; }

        public int Broken { get; private set; }

        public List<string> WhyBroken { get; } = [];

        public async Task Run(int times)
        {
            _table = $"cancelled_{kind}_{latency}_{number}".ToLowerInvariant();
            await using var connection = (ProviderConnection)source.CreateConnection();
            await connection.OpenAsync();
            await Execute(connection, $"DROP TABLE IF EXISTS {_table}");
            await Execute(connection, $"CREATE TABLE {_table} (id int, text varchar(200))");
            // On a busy machine many interruptions come too late: the test continues until enough of them hit.
            for (var i = 0; i < times || (Interrupted <= times / 20 && i < 20 * times); i++)
            {
                if (connection.State == ConnectionState.Closed)
                    await connection.OpenAsync();
                try
                {
                    await Disturbed(connection, i % Verbs);
                    Complete++;
                }
                catch (Exception exception) when (exception is OperationCanceledException or DbException)
                {
                    Interrupted++;
                    if (connection.State == ConnectionState.Closed)
                        WhyBroken.Add($"{i % Verbs}: {exception.GetBaseException().Message}");
                }

                // The session is either in step or broken. A broken one is returned and replaced.
                if (connection.SessionOrNull is { IsBroken: true } broken)
                {
                    WhyBroken.Add($"{i % Verbs}, open: {broken.BrokenBecause}");
                    await connection.CloseAsync();
                }

                if (connection.State == ConnectionState.Closed)
                {
                    if (i % Verbs is not (12 or 13 or 14))
                        Broken++;
                    await connection.OpenAsync();
                }

                // This command is not interrupted: whatever hits it was meant for another one.
                var marker = ++_marker;
                await using var command = Command(connection, Quick(marker));
                Answers(marker, i % 2 == 0 ? command.ExecuteScalar() : await command.ExecuteScalarAsync());
            }

            await Execute(connection, $"DROP TABLE {_table}");
        }

        private async Task Disturbed(ProviderConnection connection, int verb)
        {
            var marker = ++_marker;
            using var patience = new CancellationTokenSource();
            var token = patience.Token;
            switch (verb)
            {
                case 0:
                    await using (var command = Command(connection, $"{Quick(marker)}; {Slow(marker)}; {Quick(marker)}"))
                        await While(() => ReadAll(command, marker, token), patience.Cancel);
                    break;
                case 1:
                    await using (var command = Command(connection, $"{Quick(marker)}; {Slow(marker)}; {Quick(marker)}"))
                        await While(() => ReadAllBlocking(command, marker), command.Cancel);
                    break;
                case 2:
                    await using (var command = Command(connection, Slow(marker)))
                        await While(() => command.ExecuteNonQueryAsync(token), patience.Cancel);
                    break;
                case 3:
                    await using (var command = Command(connection, Slow(marker)))
                        await While(() => command.ExecuteNonQuery(), command.Cancel);
                    break;
                case 4:
                    await using (var command = Command(connection, Slow(marker)))
                        await While(
                            () => ReadAllBlocking(command, marker),
                            () => connection.SessionOrNull?.Interrupt(connection.SessionOrNull?.Operation.Number ?? 0, Interruption.TimedOut));
                    break;
                case 5:
                    await using (var batch = Batch(connection, Quick(marker), Slow(marker), Quick(marker)))
                        await While(() => batch.ExecuteScalar(), batch.Cancel);
                    break;
                case 6:
                    await using (var batch = Batch(connection, Slow(marker), Quick(marker), Slow(marker)))
                    {
                        await While(
                            async () =>
                            {
                                await using var reader = await batch.ExecuteReaderAsync(token);
                                do
                                {
                                    while (await reader.ReadAsync(token))
                                        Answers(marker, reader.GetValue(0));
                                }
                                while (await reader.NextResultAsync(token));
                            },
                            patience.Cancel);
                    }

                    break;
                case 7:
                    await using (var command = Command(connection, Slow(marker)))
                    {
                        await While(
                            async () =>
                            {
                                await command.PrepareAsync(token);
                                Answers(marker, await command.ExecuteScalarAsync(token) ?? marker);
                            },
                            patience.Cancel);
                    }

                    break;
                case 8:
                    await While(() => Bulk(connection, null).Write(Mode.Async, connection, Enumerable.Range(0, 400), WriteRow, token), patience.Cancel);
                    break;
                case 9:
                    await While(
                        () => Bulk(connection, null).Write(Mode.Sync, connection, Enumerable.Range(0, 400), WriteRow),
                        () => connection.SessionOrNull?.Interrupt(connection.SessionOrNull?.Operation.Number ?? 0, Interruption.TimedOut));
                    break;
                case 10:
                    await While(() => Transact(connection, marker, token), patience.Cancel);
                    break;
                case 11:
                    await While(
                        () =>
                        {
                            using var transaction = connection.BeginTransaction();
                            using var command = Command(connection, $"INSERT INTO {_table} VALUES ({marker}, 'x')");
                            command.Transaction = transaction;
                            command.ExecuteNonQuery();
                            transaction.Commit();
                        },
                        () => connection.SessionOrNull?.Interrupt(connection.SessionOrNull?.Operation.Number ?? 0, Interruption.Asked));
                    break;
                case 12:
                    // After the lease of a session that needs a reset, and sometimes of a new session.
                    await connection.CloseAsync();
                    if (_random.Next(4) == 0)
                        source.Clear();
                    await While(
                        async () =>
                        {
                            await connection.OpenAsync(token);
                            await using var command = Command(connection, Quick(marker));
                            Answers(marker, await command.ExecuteScalarAsync(token));
                        },
                        patience.Cancel);
                    break;
                case 13:
                    await using (var command = Command(connection, Rows(marker)))
                    {
                        await using var reader = await command.ExecuteReaderAsync(token);
                        Assert.True(await reader.ReadAsync(token));
                        await While(() => connection.CloseAsync(), patience.Cancel);
                    }

                    break;
                case 14:
                    await using (var command = Command(connection, Rows(marker)))
                    {
                        var reader = command.ExecuteReader();
                        Assert.True(reader.Read());
                        await While(() => connection.Close(), command.Cancel);
                    }

                    break;
                default:
                    // Cancels from two threads at once, and again after the end.
                    await using (var command = Command(connection, Slow(marker)))
                    {
                        await While(
                            async () => Answers(marker, await command.ExecuteScalarAsync(token) ?? marker),
                            () =>
                            {
                                patience.Cancel();
                                command.Cancel();
                                command.Cancel();
                            });
                        command.Cancel();
                    }

                    break;
            }
        }

        private async Task ReadAll(DbCommand command, int marker, CancellationToken token)
        {
            await using var reader = await command.ExecuteReaderAsync(token);
            do
            {
                while (await reader.ReadAsync(token))
                    Answers(marker, reader.GetValue(0));
            }
            while (await reader.NextResultAsync(token));
        }

        private static void ReadAllBlocking(DbCommand command, int marker)
        {
            using var reader = command.ExecuteReader();
            do
            {
                while (reader.Read())
                    Answers(marker, reader.GetValue(0));
            }
            while (reader.NextResult());
        }

        private async Task Transact(ProviderConnection connection, int marker, CancellationToken token)
        {
            await using var transaction = await connection.BeginTransactionAsync(token);
            await using var command = Command(connection, $"INSERT INTO {_table} VALUES ({marker}, 'x')");
            command.Transaction = transaction;
            await command.ExecuteNonQueryAsync(token);
            if (marker % 2 == 0)
                await transaction.CommitAsync(token);
            else
                await transaction.RollbackAsync(token);
        }

        private ContractBulk Bulk(ProviderConnection connection, DbTransaction? transaction)
        {
            var request = new BulkRequest { Table = _table, Transaction = transaction };
            return connection is PgConnection ? LiveBulk.PostgreSql(request) : LiveBulk.MySql(request);
        }

        private static void WriteRow(IContractRow row, int id)
        {
            row.Write(id);
            row.Write(
                "a text of some length, so that not everything fits into one buffer or one send, and the copy has a middle in which it can be interrupted");
        }

        private Task While(Action run, Action disturb) => While(
            () =>
            {
                run();
                return Task.CompletedTask;
            },
            disturb);

        private async Task While(Func<Task> run, Action disturb)
        {
            var disturbing = Disturb(disturb);
            try
            {
                await run();
            }
            finally
            {
                await disturbing;
            }
        }

        private Task Disturb(Action disturb)
        {
            // A separate thread: the callers block those of the pool, so the interruption would come long after the operation.
            var microseconds = _random.Next(2000 + 6000 * latency);
            return OnThread(() =>
            {
                var began = System.Diagnostics.Stopwatch.GetTimestamp();
                // The moment of the disturbance is random, so only time can choose it.
                while (System.Diagnostics.Stopwatch.GetElapsedTime(began).TotalMicroseconds < microseconds)
                    Thread.Sleep(microseconds > 1000 ? 1 : 0);
                disturb();
            });
        }

        private static Task OnThread(Action action) =>
            Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        private static async Task Execute(DbConnection connection, string sql)
        {
            await using var command = Command(connection, sql);
            await command.ExecuteNonQueryAsync();
        }

        private static void Answers(int marker, object? answer) => Assert.Equal(marker, Convert.ToInt32(answer, CultureInfo.InvariantCulture));

        private static DbCommand Command(DbConnection connection, string sql)
        {
            var command = connection.CreateCommand();
            command.CommandText = sql;
            return command;
        }

        private static DbBatch Batch(DbConnection connection, params string[] texts)
        {
            var batch = connection.CreateBatch();
            foreach (var sql in texts)
            {
                var command = batch.CreateBatchCommand();
                command.CommandText = sql;
                batch.BatchCommands.Add(command);
            }

            return batch;
        }

        private static string Quick(int marker) => $"SELECT {marker}";

        // Takes up to 2 ms, and fails if it is stopped.
        private string Slow(int marker)
        {
            var seconds = (_random.Next(5) / 2000.0).ToString(CultureInfo.InvariantCulture);
            return kind.IsPostgreSql()
                ? $"SELECT {marker} FROM pg_sleep({seconds})"
                : $"SELECT {marker} FROM (SELECT 1 AS one) t WHERE SLEEP({seconds}) = 0";
        }

        private static string Rows(int marker) =>
            $"WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000) SELECT {marker} AS marker, number, "
                + "REPEAT('x', 100) FROM numbers";
    }
}
