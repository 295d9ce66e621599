using System.Collections.Concurrent;
using System.Data;
using System.Data.Common;
using System.Diagnostics;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// Many users of one small pool: they cancel, time out, fail and abandon readers in the middle, over a connection that is cut now and then. No answer may ever
/// belong to another command, and in the end the pool must be intact.
/// </summary>
public class ChaosTests
{
    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(6);

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task Answers_stay_with_their_questions(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        var text = ConnectionStrings.Of(server, $"Port={proxy.Port};Maximum Pool Size=6");
        await using var source = kind.IsPostgreSql() ? (DbDataSource)new PgDataSourceBuilder(text).Build() : new MySqlDataSource(text);
        var wrong = new ConcurrentQueue<string>();
        var (right, failed) = (0, 0);
        var began = Stopwatch.GetTimestamp();
        var users = Enumerable.Range(0, 12)
            .Select(user => Task.Factory.StartNew(() => Use(user), default, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap())
            .ToList();
        users.Add(Task.Run(async () =>
        {
            while (Stopwatch.GetElapsedTime(began) < Duration)
            {
                // The interval between two cuts: long enough for answers, short enough for failures.
                await Task.Delay(700);
                proxy.CutAll();
            }
        }));
        await Task.WhenAll(users).WaitAsync(Duration + TimeSpan.FromSeconds(60));

        Assert.Empty(wrong);
        Assert.True(right > 100, $"only {right} answers came, {failed} failed");
        Assert.True(failed > 10, $"only {failed} failed: nothing was proven");
        var statistics = ((Core.Data.ProviderDataSource)source).Statistics;
        Assert.Equal((0, 0), (statistics.Busy, statistics.Waiting));
        for (var i = 0; i < 10; i++)
        {
            await using var connection = await source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = $"SELECT {i}";
            Assert.Equal(i, Convert.ToInt32(await command.ExecuteScalarAsync()));
        }

        async Task Use(int user)
        {
            var random = new Random(user);
            for (var i = 0; Stopwatch.GetElapsedTime(began) < Duration; i++)
            {
                try
                {
                    if (await Once(random, user * 1_000_000 + i))
                        Interlocked.Increment(ref right);
                    else
                        Interlocked.Increment(ref failed);
                }
                catch (Exception exception) when (exception is DbException or OperationCanceledException)
                {
                    Interlocked.Increment(ref failed);
                }
                catch (Exception exception)
                {
                    wrong.Enqueue(exception.ToString());
                    return;
                }
            }
        }

        async Task<bool> Once(Random random, int question)
        {
            var asynchronous = random.Next(2) == 0;
            using var cancellation = new CancellationTokenSource();
            if (asynchronous && random.Next(3) == 0)
                cancellation.CancelAfter(TimeSpan.FromMicroseconds(random.Next(3000)));
            await using var connection = asynchronous ? await source.OpenConnectionAsync(cancellation.Token) : source.OpenConnection();
            for (var i = random.Next(1, 4); i > 0; i--, question += 100_000)
            {
                await using var command = connection.CreateCommand();
                var parameter = command.CreateParameter();
                (parameter.ParameterName, parameter.Value) = ("@question", question);
                command.Parameters.Add(parameter);
                var kindOfCommand = random.Next(8);
                command.CommandText = kindOfCommand switch
                {
                    0 => "SELECT @question, no_such_column",
                    1 => "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT @question, REPEAT('x', 500) FROM n",
                    _ => "SELECT @question",
                };
                if (kindOfCommand == 2)
                    command.Prepare();
                if (kindOfCommand == 3)
                    _ = Task.Run(command.Cancel);
                DbTransaction? transaction = null;
                if (kindOfCommand == 4)
                    command.Transaction =
                        transaction = asynchronous ? await connection.BeginTransactionAsync(cancellation.Token) : connection.BeginTransaction();

                await using (var reader = asynchronous ? await command.ExecuteReaderAsync(cancellation.Token) : command.ExecuteReader())
                {
                    for (var rows = random.Next(1, 400); rows > 0 && (asynchronous ? await reader.ReadAsync(cancellation.Token) : reader.Read()); rows--)
                        if (Convert.ToInt32(reader.GetValue(0)) is var answer && answer != question)
                            wrong.Enqueue($"{question} was answered with {answer}");
                }

                // Closing a reader throws nothing if the command's cancellation has closed the session: a caller that left before the end sees it in the
                // connection's state.
                if ((kindOfCommand == 3 || cancellation.IsCancellationRequested) && connection.State == ConnectionState.Closed)
                    return false;

                if (transaction is not null)
                    await (random.Next(2) == 0 ? transaction.CommitAsync() : transaction.DisposeAsync().AsTask());
            }

            return true;
        }
    }
}
