using System.Data.Common;
using System.Diagnostics;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.Hostile;

/// <summary>Runs one script against a pooled data source, and then an honest one against the same.</summary>
/// <param name="hostile">What the server does.</param>
/// <param name="asynchronously">Whether the asynchronous methods are used.</param>
public sealed class HostileRun(HostileScript hostile, bool asynchronously)
{
    /// <summary>The deadlines are one second; the rest is a reserve for a busy machine.</summary>
    internal static readonly TimeSpan Hang = TimeSpan.FromSeconds(60);

    /// <summary>Seconds that never pass if something else ends the exchange.</summary>
    private const int Patience = 30;

    private const string Password = "open sesame";

    private FakeServer _server = null!;
    private ProviderDataSource _source = null!;
    private volatile bool _isHonest;

    public HostileScript Script => hostile;

    /// <summary>The exception of the call; null if it succeeded.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Bytes that the application's thread allocated (synchronous methods), or the whole process (asynchronous methods).</summary>
    public long Allocated { get; private set; }

    /// <summary>Runs the script. It throws only if the script itself fails, which is a fault of the test.</summary>
    /// <exception cref="InvalidOperationException">The client hangs, or the script met what it did not expect.</exception>
    public async Task<HostileRun> Run()
    {
        using var server = _server = FakeServer.Start(peer =>
        {
            if (_isHonest)
                HostileCatalogue.BeHonest(hostile.Victim, peer);
            else
            {
                hostile.Script(peer);
                // If the session is kept, it is used again, and the server is then honest.
                if (hostile.KeepsSession || hostile.Outcome == Outcome.Unharmed)
                    HostileCatalogue.GoOnHonestly(hostile.Victim, peer);
            }
        });
        await using var source = _source = Source();
        await Within("the hostile exchange", async () =>
        {
            var before = asynchronously ? GC.GetTotalAllocatedBytes(true) : GC.GetAllocatedBytesForCurrentThread();
            try
            {
                await Behave();
            }
            catch (Exception exception) when (exception is DbException or InvalidOperationException)
            {
                Failure = exception;
            }

            // A script that neither receives nor reads cannot see that the exchange is over.
            foreach (var peer in server.Peers)
                peer.ClientIsDone.Set();
            Allocated = (asynchronously ? GC.GetTotalAllocatedBytes(true) : GC.GetAllocatedBytesForCurrentThread()) - before;
        });
        server.ThrowIfScriptFailed();
        CheckOutcome();
        CheckPool();
        await CheckRecovery();
        return this;
    }

    // ---------------------------------------------------------------- the application

    private ProviderDataSource Source()
    {
        // A silent login ends after one second; a busy machine gets more time for an honest login.
        var connectTimeout = hostile.Outcome == Outcome.ConnectTimeout ? 1 : Patience;
        return hostile.Victim == Victim.MySql
            ? new MySqlDataSource(
                $"Server={_server.Address};Port={_server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection "
                    + $"Timeout={connectTimeout};Pipelining Mode=On;"
                + $"Cancellation Timeout=-1;Maximum Pool Size=2;{hostile.Options}")
            : PgDataSource.Create(
                $"Host={_server.Address};Port={_server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout={connectTimeout};"
                + $"Command Timeout={(hostile.Outcome == Outcome.CommandTimeout ? 1 : Patience)};"
                + $"Cancellation Timeout=-1;Maximum Pool Size=2;{hostile.Options}");
    }

    private async Task Behave()
    {
        if (hostile.Act is Act.SecondLease or Act.LateSecondLease)
        {
            await using var first = _source.CreateConnection();
            await Open(first);
            await ReadAll(first);
            await Close(first);
            if (hostile.Act == Act.LateSecondLease)
            {
                _server.Peers[0].IsIdle.Set();
                _server.Peers[0].HasSpoken.Wait(Hang);
            }
        }

        await using var connection = _source.CreateConnection();
        await Open(connection);
        switch (hostile.Act)
        {
            case Act.Open:
                break;
            case Act.Count:
                using (var command = Command(connection))
                    _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
                break;
            case Act.StopReading:
                await StopReading(connection);
                break;
            case Act.Ping:
                var own = (MySqlConnection)(DbConnection)connection;
                if (!(asynchronously ? await own.PingAsync() : own.Ping()))
                    throw new NoAnswerException();
                break;
            case Act.Warnings:
                ((MySqlConnection)(DbConnection)connection).InfoMessage += static (_, _) => { };
                await ReadAll(connection);
                break;
            case Act.CopyExport or Act.CopyLeave or Act.CopyImport or Act.CopyText:
                await Copy((PgConnection)(DbConnection)connection);
                break;
            case Act.Wait:
                await Wait((PgConnection)(DbConnection)connection, 0);
                break;
            case Act.WaitAndQuery:
                await Wait((PgConnection)(DbConnection)connection, 500);
                await ReadAll(connection);
                break;
            default:
                await ReadAll(connection);
                break;
        }
    }

    private async Task Copy(PgConnection connection)
    {
        const string export = "COPY t TO STDOUT (FORMAT binary)";
        switch (hostile.Act)
        {
            case Act.CopyImport when asynchronously:
                await using (var importer = await connection.BeginBinaryImportAsync("COPY t FROM STDIN (FORMAT binary)"))
                {
                    for (var i = 0; i < 2; i++)
                        await importer.WriteRowAsync(default, i);
                    await importer.CompleteAsync();
                }

                break;
            case Act.CopyImport:
                using (var importer = connection.BeginBinaryImport("COPY t FROM STDIN (FORMAT binary)"))
                {
                    for (var i = 0; i < 2; i++)
                        importer.WriteRow(i);
                    importer.Complete();
                }

                break;
            case Act.CopyText when asynchronously:
                using (var reader = await connection.BeginTextExportAsync("COPY t TO STDOUT"))
                {
                    while (await reader.ReadAsync(new char[1000]) > 0)
                        continue;
                }

                break;
            case Act.CopyText:
                using (var reader = connection.BeginTextExport("COPY t TO STDOUT"))
                {
                    while (reader.Read(new char[1000]) > 0)
                        continue;
                }

                break;
            case var act when asynchronously:
                await using (var exporter = await connection.BeginBinaryExportAsync(export))
                {
                    while (await exporter.StartRowAsync() > 0)
                    {
                        _ = await exporter.ReadAsync<int>();
                        if (act == Act.CopyLeave)
                            break;
                    }
                }

                break;
            case var act:
                using (var exporter = connection.BeginBinaryExport(export))
                {
                    while (exporter.StartRow() > 0)
                    {
                        _ = exporter.Read<int>();
                        if (act == Act.CopyLeave)
                            break;
                    }
                }

                break;
        }
    }

    private async Task Wait(PgConnection connection, int milliseconds)
    {
        if (asynchronously)
            await connection.WaitAsync(milliseconds);
        else
            connection.Wait(milliseconds);
    }

    private Task Open(DbConnection connection)
    {
        if (asynchronously)
            return connection.OpenAsync();
        connection.Open();
        return Task.CompletedTask;
    }

    private Task Close(DbConnection connection)
    {
        if (asynchronously)
            return connection.CloseAsync();
        connection.Close();
        return Task.CompletedTask;
    }

    // One second if this deadline ends the command; otherwise it must never be reached.
    private DbCommand Command(DbConnection connection)
    {
        var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        if (hostile.Act == Act.LargeQuery && !_isHonest)
        {
            command.CommandText = "SELECT @value";
            var value = command.CreateParameter();
            (value.ParameterName, value.Value) = ("@value", Large.Value);
            command.Parameters.Add(value);
        }

        command.CommandTimeout = hostile.Outcome == Outcome.CommandTimeout && !_isHonest ? 1 : Patience;
        return command;
    }

    private async Task<List<object>> ReadAll(DbConnection connection)
    {
        List<object> values = [];
        using var command = Command(connection);
        if (hostile.Act == Act.Prepared && !_isHonest)
        {
            if (asynchronously)
                await command.PrepareAsync();
            else
                command.Prepare();
        }

        if (asynchronously)
        {
            await using var reader = await command.ExecuteReaderAsync();
            do
            {
                while (await reader.ReadAsync())
                    Keep(values, reader);
            }
            while (await reader.NextResultAsync());
        }
        else
        {
            using var reader = command.ExecuteReader();
            do
            {
                while (reader.Read())
                    Keep(values, reader);
            }
            while (reader.NextResult());
        }

        return values;
    }

    // Reads every value, and keeps a few.
    private static void Keep(List<object> values, DbDataReader reader)
    {
        for (var i = 0; i < reader.FieldCount; i++)
            if (reader.GetValue(i) is var value && values.Count < 8)
                values.Add(value);
    }

    private async Task StopReading(DbConnection connection)
    {
        using var command = Command(connection);
        if (asynchronously)
        {
            var reader = await command.ExecuteReaderAsync();
            await reader.ReadAsync();
            await reader.CloseAsync();
        }
        else
        {
            var reader = command.ExecuteReader();
            reader.Read();
            reader.Close();
        }
    }

    // ---------------------------------------------------------------- checks

    private void CheckOutcome()
    {
        var all = string.Join(" <- ", Chain(Failure).Select(static exception => $"{exception.GetType().Name}: {exception.Message}"));
        Assert.DoesNotContain(Password, Failure?.ToString() ?? "");
        Assert.DoesNotContain(Failure?.Message ?? "", static character => char.IsControl(character) && character is not ('\n' or '\r' or '\t'));
        Assert.InRange(Failure?.Message.Length ?? 0, 0, 1 << 20);
        Assert.True(IsExpected(), $"{hostile.Outcome} was expected, {(all.Length > 0 ? all : "nothing")} came.");
        Assert.Contains(hostile.Says, all, StringComparison.OrdinalIgnoreCase);
        if (hostile.Act == Act.Open && hostile.Outcome != Outcome.ServerError)
            Assert.Contains($"{_server.Address}:{_server.Port}", Failure!.Message);
    }

    private bool IsExpected() => hostile.Outcome switch
    {
        Outcome.Unharmed => Failure is null,
        Outcome.NoAnswer => Failure is NoAnswerException,
        Outcome.CannotConnect =>
            IsProviders(Failure)
                && (Failure is not MySqlException mine || mine.ErrorCode == MySqlErrorCode.UnableToConnectToHost)
                && Wire is not WireFailure.TimedOut,
        Outcome.ConnectTimeout =>
            IsProviders(Failure)
                && Wire == WireFailure.TimedOut
                && (Failure is not MySqlException timed || timed.ErrorCode == MySqlErrorCode.UnableToConnectToHost),
        Outcome.Forbidden => IsProviders(Failure) && Wire == WireFailure.Forbidden,
        Outcome.BrokenProtocol => Failure is MySqlProtocolException || (Failure is PgException && Failure.InnerException is ProtocolException),
        Outcome.Lost => IsProviders(Failure) && Wire == WireFailure.Lost,
        Outcome.LostOnLargeCommand => IsProviders(Failure) && Wire == WireFailure.LostOnLargeRequest && Failure is DbException { IsTransient: false },
        Outcome.CommandTimeout =>
            IsProviders(Failure)
                && (
                    Failure is MySqlException { ErrorCode: MySqlErrorCode.CommandTimeoutExpired }
                        || (Failure is PgException && Chain(Failure).Any(static one => one is TimeoutException))),
        Outcome.ServerError => Failure is MySqlException { Number: > 1000 and not 1042 } || Failure is PgException { SqlState.Length: > 0 },
        _ => throw new InvalidOperationException($"{hostile.Outcome} is no outcome."),
    };

    private WireFailure? Wire => Failure is null ? null : PoolTests.CauseOf(Failure);

    private static bool IsProviders(Exception? exception) => exception is MySqlException or PgException;

    private static IEnumerable<Exception> Chain(Exception? exception)
    {
        for (; exception is not null; exception = exception.InnerException)
            yield return exception;
    }

    private void CheckPool()
    {
        var statistics = _source.Statistics;
        Assert.Equal(0, statistics.Busy);
        Assert.Equal(0, statistics.Waiting);
        if (hostile.Act == Act.Open)
        {
            Assert.Equal(0, statistics.Opened);
            Assert.InRange(statistics.OpenFailures, 1, long.MaxValue);
        }

        if (hostile.KeepsSession || hostile.Outcome == Outcome.Unharmed)
            return;
        Assert.Equal(0, statistics.Idle);
        Assert.Equal(statistics.Opened, statistics.Closed.Values.Sum());
        Assert.True(_server.AllClosedWithin(Hang), "The client left a connection to the hostile server open.");
    }

    // The same data source, with a server that is honest now.
    private async Task CheckRecovery()
    {
        var bad = _server.Peers.Count;
        _isHonest = true;
        List<object> values = [];
        await Within("the honest exchange", async () =>
        {
            for (var clock = Stopwatch.StartNew(); ;)
            {
                try
                {
                    await using var connection = _source.CreateConnection();
                    await Open(connection);
                    values = await ReadAll(connection);
                    return;
                }
                catch (DbException) when (hostile.Outcome == Outcome.ConnectTimeout && clock.Elapsed < Hang)
                {
                    // The deadline that ended the hostile exchange is short for a busy machine.
                }
            }
        });
        _server.ThrowIfScriptFailed();
        Assert.Equal("42", Assert.Single(values).ToString());
        Assert.Equal(1, _source.Statistics.Idle);
        if (hostile.Outcome == Outcome.ConnectTimeout)
            return;
        var isKept = hostile.Outcome == Outcome.Unharmed || hostile.KeepsSession;
        Assert.InRange(_server.Peers.Count, isKept ? bad : bad + 1, bad + 1);
    }

    // The synchronous methods block, so they run on a thread that the test can abandon if they hang.
    private async Task Within(string what, Func<Task> action)
    {
        var running = asynchronously
            ? Task.Run(action)
            : Task.Factory.StartNew(() => action().GetAwaiter().GetResult(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (await Task.WhenAny(running, Task.Delay(Hang)) != running)
            throw new InvalidOperationException($"{hostile.Name}: the client hangs in {what}: nothing happened within {Hang.TotalSeconds} s.");
        await running;
    }

    // A separate class, so that only the scripts that send the value create it, and the others do not count its memory.
    private static class Large
    {
        // The system buffers up to 10 MiB between two of its own sockets.
        public static readonly byte[] Value = [.. Enumerable.Repeat((byte)'x', 24 << 20)];
    }

    private sealed class NoAnswerException() : InvalidOperationException("The ping said no.");
}
