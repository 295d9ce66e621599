using System.Data.Common;
using System.Diagnostics;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    // A cancelled query of ten seconds must end long before that, however busy the machine is.
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(9);

    /// <summary>The ways to interrupt a command, and the method that executes it.</summary>
    public static TheoryData<string, string> Interruptions =>
        new(from cause in new[] { "time-out", "token", "Cancel" } from verb in new[] { "scalar", "count", "reader" } select (cause, verb));

    [Fact]
    public async Task A_token_that_is_cancelled_already_sends_nothing()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        var token = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteNonQueryAsync(token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteReaderAsync(token));
        await StillUsable(connection);
    }

    [Theory]
    [InlineData("scalar")]
    [InlineData("count")]
    [InlineData("reader")]
    public async Task A_token_stops_a_long_query_and_the_connection_goes_on(string verb)
    {
        await using var connection = await Open();
        await using var command = Command(connection, Server.TenSeconds);
        using var source = new CancellationTokenSource(200);
        var began = Stopwatch.GetTimestamp();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => verb switch
        {
            "scalar" => command.ExecuteScalarAsync(source.Token),
            "count" => command.ExecuteNonQueryAsync(source.Token),
            _ => command.ExecuteReaderAsync(source.Token),
        });
        Assert.Equal(source.Token, error.CancellationToken);
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, Soon);
        await StillUsable(connection);
    }

    // The BEGIN travels with the command. An interruption must reach the command nevertheless.
    [Theory]
    [MemberData(nameof(Interruptions))]
    public async Task The_first_command_of_a_transaction_is_interrupted_like_any_other(string cause, string verb)
    {
        await using var connection = await Open();
        await using (var transaction = await connection.BeginTransactionAsync())
        {
            await using var command = Command(connection, Server.TenSeconds);
            command.Transaction = transaction;
            command.CommandTimeout = cause == "time-out" ? 1 : 60;
            using var source = new CancellationTokenSource();
            if (cause == "token")
            {
                // A blocking call has no token.
                if (!Mode.IsAsync)
                    return;
                source.CancelAfter(300);
            }

            using var timer = cause == "Cancel" ? new Timer(_ => command.Cancel(), null, 300, Timeout.Infinite) : null;
            var error = await Assert.ThrowsAnyAsync<Exception>(async () =>
            {
                if (verb == "scalar")
                    await Mode.Scalar(command, source.Token);
                else if (verb == "count")
                    await Mode.NonQuery(command, source.Token);
                else
                    await (await Mode.Reader(command, token: source.Token)).DisposeAsync();
            });
            Assert.DoesNotContain("lost", error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("closed", error.Message, StringComparison.Ordinal);
            if (cause == "token")
                Assert.IsType<OperationCanceledException>(error, exactMatch: false);
            Assert.Equal(System.Data.ConnectionState.Open, connection.State);
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task Cancel_from_another_thread_stops_a_long_query()
    {
        await using var connection = await Open();
        await using var command = Command(connection, Server.TenSeconds);
        var began = Stopwatch.GetTimestamp();
        using var timer = new Timer(_ => command.Cancel(), null, 200, Timeout.Infinite);
        await Assert.ThrowsAnyAsync<Exception>(() => Mode.Scalar(command));
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, Soon);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Cancel_of_a_command_that_does_not_run_does_nothing()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        command.Cancel();
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
        command.Cancel();
        await StillUsable(connection);
        using var orphan = Server.Factory.CreateCommand()!;
        orphan.Cancel();
    }

    [Fact]
    public async Task A_late_Cancel_of_one_command_leaves_another_that_runs_by_now_alone()
    {
        await using var connection = await Open();
        await using var ended = Command(connection, "SELECT 1");
        await Mode.Scalar(ended);
        await using var running = Command(connection, Server.TenSeconds);
        using var source = new CancellationTokenSource();
        var answer = running.ExecuteScalarAsync(source.Token);
        // In 200 ms, a cancellation that hits the running command ends it.
        for (var i = 0; i < 20; i++)
        {
            ended.Cancel();
            await Task.Delay(10);
        }

        Assert.False(answer.IsCompleted, "It was stopped in place of a command that had ended long before.");
        source.Cancel();
        Assert.Equal(source.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => answer)).CancellationToken);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_late_Cancel_of_a_batch_leaves_a_command_that_runs_by_now_alone()
    {
        await using var connection = await Open();
        await using var ended = connection.CreateBatch();
        var command = ended.CreateBatchCommand();
        command.CommandText = "SELECT 1";
        ended.BatchCommands.Add(command);
        await ended.ExecuteScalarAsync();
        await using var running = Command(connection, Server.TenSeconds);
        using var source = new CancellationTokenSource();
        var answer = running.ExecuteScalarAsync(source.Token);
        // In 200 ms, a cancellation that hits the running command ends it.
        for (var i = 0; i < 20; i++)
        {
            ended.Cancel();
            await Task.Delay(10);
        }

        Assert.False(answer.IsCompleted, "It was stopped in place of a batch that had ended long before.");
        source.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => answer);
        await StillUsable(connection);
    }

    [Fact]
    public async Task The_time_out_stops_a_long_query_and_the_connection_goes_on()
    {
        await using var connection = await Open();
        await using var command = Command(connection, Server.TenSeconds);
        command.CommandTimeout = 1;
        var began = Stopwatch.GetTimestamp();
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Mode.Scalar(command));
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.FromSeconds(0.9), Soon);
        Assert.Contains("time", error.Message, StringComparison.OrdinalIgnoreCase);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_short_query_does_not_mind_its_time_out()
    {
        await using var connection = await Open();
        for (var i = 0; i < 50; i++)
        {
            await using var command = Command(connection, "SELECT 1");
            // The test does not check how much less time a query needs on a busy machine.
            command.CommandTimeout = 20;
            using var source = new CancellationTokenSource();
            await Mode.Scalar(command, source.Token);
            source.Cancel();
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task Cancelling_at_any_moment_leaves_answers_and_questions_together()
    {
        await using var connection = await Open();
        var random = new Random(7);
        for (var i = 0; i < 40; i++)
        {
            using var source = new CancellationTokenSource();
            await using var command = Command(connection, $"SELECT {i}");
            source.CancelAfter(TimeSpan.FromMicroseconds(random.Next(0, 600)));
            try
            {
                Assert.Equal(i, Convert.ToInt32(await command.ExecuteScalarAsync(source.Token)));
            }
            catch (OperationCanceledException)
            {
                // The cancellation may come before, during or after the query. Only the answer to the next query counts.
            }

            Assert.Equal(1000 + i, await Number(connection, $"SELECT {1000 + i}"));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task A_token_stops_reading_a_long_result()
    {
        await using var connection = await Open();
        await using var command =
            Command(connection, ThousandRows.Replace("SELECT number FROM", "SELECT a.number, REPEAT('x', 100) FROM numbers a CROSS JOIN"));
        using var source = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await using var reader = await command.ExecuteReaderAsync(source.Token);
            for (var row = 0; await reader.ReadAsync(source.Token); row++)
                if (row == 100)
                    source.Cancel();
        });
        await StillUsable(connection);
    }

    [Theory]
    [InlineData("row")]
    [InlineData("result")]
    [InlineData("null")]
    [InlineData("value")]
    [InlineData("schema")]
    [InlineData("stream")]
    public async Task A_token_cancelled_between_two_rows_stops_a_result_that_never_ends(string verb)
    {
        await using var connection = await Open();
        await using var command = Command(connection, $"{(verb == "stream" ? LargeRows + " UNION ALL " : "")}{TrillionRows}; SELECT 'behind'");
        // Without a time-out, only the cancellation can end it.
        command.CommandTimeout = 0;
        using var source = new CancellationTokenSource();
        var behavior = verb == "stream" ? System.Data.CommandBehavior.SequentialAccess : System.Data.CommandBehavior.Default;
        await using (var reader = await command.ExecuteReaderAsync(behavior, source.Token))
        {
            for (var row = 0; row < 3; row++)
                Assert.True(await reader.ReadAsync(source.Token));
            using var stream = reader.GetStream(1);
            await source.CancelAsync();
            var asked = verb switch
            {
                "row" => reader.ReadAsync(source.Token),
                "result" => reader.NextResultAsync(source.Token),
                "null" => reader.IsDBNullAsync(0, source.Token),
                "value" => reader.GetFieldValueAsync<int>(0, source.Token),
                "schema" => reader.GetColumnSchemaAsync(source.Token),
                _ => (Task)stream.ReadAsync(new byte[100], source.Token).AsTask(),
            };
            var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked);
            Assert.Equal(source.Token, error.CancellationToken);
            if (verb != "stream")
            {
                Assert.False(await reader.ReadAsync());
                Assert.False(await reader.NextResultAsync());
            }
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task Cancel_between_two_rows_lets_the_reader_be_closed_at_once()
    {
        await using var connection = await Open();
        await using var command = Command(connection, TrillionRows);
        command.CommandTimeout = 0;
        var reader = await Mode.Reader(command);
        for (var row = 0; row < 10; row++)
            Assert.True(await Mode.Read(reader));
        command.Cancel();
        await Mode.Close(reader);
        await StillUsable(connection);
    }

    private const string Ten = "(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL "
        + "SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";

    // Not all rows are large: after a KILL, MariaDB continues to compute large rows without sending them (seen on 10.11 and 11.8).
    private const string LargeRows = $"SELECT t.n, REPEAT('x', 3000000) FROM {Ten} AS t";

    // 10^12 rows of two columns: no test reads the last one. The hint prevents MySQL from building hash tables of them on disk.
    private static string TrillionRows =>
        $"SELECT /*+ NO_BNL() */ t0.n, REPEAT('x', 100) FROM {string.Join(", ", Enumerable.Range(0, 12).Select(static number => $"{Ten} AS t{number}"))}";

    [Fact]
    public async Task A_second_command_beside_a_running_one_is_refused_and_harms_neither()
    {
        await using var connection = await Open();
        await using var command = Command(connection, Server.TenSeconds);
        using var source = new CancellationTokenSource();
        var running = command.ExecuteScalarAsync(source.Token);
        await using var second = Command(connection, "SELECT 1");
        for (var i = 0; i < 3; i++)
            await ThrowsBusy(() => Mode.Scalar(second));
        await ThrowsBusy(() => Mode.Begin(connection));
        Assert.False(running.IsCompleted);
        source.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Closing_under_a_running_command_ends_it_and_its_session()
    {
        await using var connection = await Open();
        var session = await Number(connection, Server.SessionId);
        await using var command = Command(connection, Server.TenSeconds);
        var began = Stopwatch.GetTimestamp();
        var running = command.ExecuteScalarAsync();
        // Usually enough for the command to reach the server; the result must be the same if it is not.
        await Task.Delay(50);
        await Mode.Close(connection);
        await Assert.ThrowsAnyAsync<DbException>(() => running.WaitAsync(Soon));
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, Soon);
        await Mode.Open(connection);
        Assert.NotEqual(session, await Number(connection, Server.SessionId));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_prepared_command_can_be_cancelled_and_run_again()
    {
        await using var connection = await Open();
        await using var command = Command(connection, Server.TenSeconds);
        await Mode.Prepare(command);
        for (var i = 0; i < 2; i++)
        {
            using var source = new CancellationTokenSource(200);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(source.Token));
            await StillUsable(connection);
        }
    }

    [Fact]
    public async Task A_cancelled_command_in_a_transaction_leaves_it_to_be_rolled_back()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        await using (var transaction = await Mode.Begin(connection))
        {
            await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
            await using var command = Command(connection, Server.TenSeconds);
            command.Transaction = transaction;
            using var source = new CancellationTokenSource(200);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(source.Token));
            await Mode.Rollback(transaction);
        }

        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }
}
