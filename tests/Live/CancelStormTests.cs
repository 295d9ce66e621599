using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// Interruptions at any moment, of everything that can be interrupted. Afterwards each session answers its own command or is broken, and no cancellation has
/// hit another caller's command. 2,000 in <c>./test</c>, 10,000 on each server in <c>./test --all</c>.
/// </summary>
public sealed class CancelStormTests
{
    private const int Callers = 16;

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    // PostgreSQL starts a server process for each cancellation, so it gets fewer of them.
    private static int NumberOf(ServerKind kind) => Storm.Number(kind.IsPostgreSql() ? 320 : 840);

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Sessions_answer_with_their_own_marker_after_any_interruption(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var number = NumberOf(kind);
        var text = ConnectionStrings.Of(server, "Maximum Pool Size=16;Application Name=storm");
        await using var source = DataSources.Create(kind, text);
        var callers = Enumerable.Range(0, Callers).Select(caller => new Caller(source, kind, caller)).ToArray();
        await Task.WhenAll(callers.Select(caller => Task.Run(() => caller.Run(number / Callers))));

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{kind}: {callers.Sum(static caller => caller.Interrupted)} interrupted, {callers.Sum(static caller => caller.Complete)} complete, "
                + $"{callers.Sum(static caller => caller.Broken)} broken. {string.Join(' ', callers.Select(static caller => caller.WhyBroken).Distinct())}");
        Assert.True(callers.Sum(static caller => caller.Interrupted) > number / 20, "Hardly anything was interrupted: the storm did not hit.");
        Assert.True(
            callers.Sum(static caller => caller.Broken) < callers.Sum(static caller => caller.Interrupted + caller.Complete) / 4,
            "Too many sessions were given up.");
        Assert.Equal(0, source.Statistics.Busy);
    }

    private sealed class Caller(ProviderDataSource source, ServerKind kind, int number)
    {
        private readonly Random _random = new(number);
        private int _marker = (number + 1) * 1_000_000;

        public int Interrupted { get; private set; }

        public int Complete { get; private set; }

        public int Broken { get; private set; }

        public string? WhyBroken { get; private set; }

        public async Task Run(int times)
        {
            await using var connection = (ProviderConnection)source.CreateConnection();
            // On a busy machine many interruptions come too late: the test continues until enough of them hit.
            for (var i = 0; i < times || (Interrupted <= times / 20 && i < 20 * times); i++)
            {
                if (connection.State == ConnectionState.Closed)
                    connection.Open();
                else if (_random.Next(10) == 0)
                {
                    await connection.CloseAsync();
                    await connection.OpenAsync();
                }

                try
                {
                    await Disturbed(connection, _random.Next(9));
                    Complete++;
                }
                catch (Exception exception) when (exception is OperationCanceledException or DbException)
                {
                    Interrupted++;
                    if (connection.State == ConnectionState.Closed)
                        WhyBroken = exception.GetBaseException().Message;
                }

                if (connection.State == ConnectionState.Closed)
                {
                    Broken++;
                    connection.Open();
                }

                // This command is not interrupted: whatever hits it was meant for another one.
                var marker = ++_marker;
                await using var command = Command(connection, Quick(marker));
                Answers(marker, i % 2 == 0 ? command.ExecuteScalar() : await command.ExecuteScalarAsync());
            }
        }

        private async Task Disturbed(ProviderConnection connection, int way)
        {
            var marker = ++_marker;
            using var source = new CancellationTokenSource();
            switch (way)
            {
                case 0:
                    await using (var command = Command(connection, Slow(marker)))
                    {
                        // A SLEEP that is stopped in its condition may end in an ordinary result without a row. After Cancel, the driver returns what the
                        // server answers (decision 3).
                        await While(() => command.ExecuteScalar() ?? marker, command.Cancel, marker);
                    }

                    break;
                case 1:
                    await using (var command = Command(connection, Slow(marker)))
                        await While(command.ExecuteScalarAsync(source.Token), source.Cancel, marker);
                    break;
                case 2:
                    await using (var command = Command(connection, Slow(marker)))
                    {
                        var session = connection.Session;
                        // As the sweeper does after a timeout; a real timeout of one second would allow too few interruptions.
                        await While(() => command.ExecuteScalar(), () => session.Interrupt(session.Operation.Number, Interruption.TimedOut), marker);
                    }

                    break;
                case 3:
                    await using (var command = Command(connection, Rows(marker)))
                        await WhileReading(command, source.Cancel, marker, source.Token);
                    break;
                case 4:
                    await using (var command = Command(connection, Rows(marker)))
                        await WhileReading(command, command.Cancel, marker, default);
                    break;
                case 5:
                    await using (var command = Command(connection, Slow(marker)))
                    {
                        await command.PrepareAsync(CancellationToken.None);
                        await While(command.ExecuteScalarAsync(source.Token), source.Cancel, marker);
                    }

                    break;
                case 6:
                    await using (var batch = connection.CreateBatch())
                    {
                        foreach (var sql in new[] { Quick(marker), Slow(marker), Quick(marker) })
                        {
                            var command = batch.CreateBatchCommand();
                            command.CommandText = sql;
                            batch.BatchCommands.Add(command);
                        }

                        await While(batch.ExecuteScalarAsync(source.Token), source.Cancel, marker);
                    }

                    break;
                case 7:
                    await using (var transaction = await connection.BeginTransactionAsync())
                    await using (var command = Command(connection, Slow(marker)))
                    {
                        command.Transaction = transaction;
                        await While(command.ExecuteScalarAsync(source.Token), source.Cancel, marker);
                    }

                    break;
                default:
                    await using (var command = Command(connection, Quick(marker)))
                    {
                        source.CancelAfter(TimeSpan.FromMicroseconds(_random.Next(300)));
                        Answers(marker, await command.ExecuteScalarAsync(source.Token));
                    }

                    break;
            }
        }

        private async Task While(Func<object?> run, Action disturb, int marker)
        {
            var disturbing = Disturb(disturb);
            try
            {
                Answers(marker, run());
            }
            finally
            {
                await disturbing;
            }
        }

        private async Task While(Task<object?> running, Action disturb, int marker)
        {
            var disturbing = Disturb(disturb);
            try
            {
                Answers(marker, await running);
            }
            finally
            {
                await disturbing;
            }
        }

        private async Task WhileReading(DbCommand command, Action disturb, int marker, CancellationToken token)
        {
            var at = _random.Next(1200);
            await using var reader = token.CanBeCanceled ? await command.ExecuteReaderAsync(token) : command.ExecuteReader();
            for (var row = 0; token.CanBeCanceled ? await reader.ReadAsync(token) : reader.Read(); row++)
            {
                Assert.Equal(marker, reader.GetInt32(0));
                if (row == at)
                    disturb();
            }
        }

        private Task Disturb(Action disturb)
        {
            var microseconds = _random.Next(2000);
            return Task.Run(() =>
            {
                var began = System.Diagnostics.Stopwatch.GetTimestamp();
                // The moment of the disturbance is random, so only time can choose it.
                while (System.Diagnostics.Stopwatch.GetElapsedTime(began).TotalMicroseconds < microseconds)
                    Thread.Sleep(microseconds > 1000 ? 1 : 0);
                disturb();
            });
        }

        private static void Answers(int marker, object? answer) => Assert.Equal(marker, Convert.ToInt32(answer, CultureInfo.InvariantCulture));

        private static DbCommand Command(DbConnection connection, string sql)
        {
            var command = connection.CreateCommand();
            command.CommandText = sql;
            return command;
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
