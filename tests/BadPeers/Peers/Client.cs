using System.Data.Common;
using System.Diagnostics;
using Slipstream.Core.Data;
using Xunit.v3;

namespace Slipstream.BadPeers.Peers;

/// <summary>
/// A client of a fake server. Each method here checks four things: the call ends within its deadline with an exception, it allocates a bounded amount of
/// memory, the connection is closed, and the pool keeps nothing of it.
/// </summary>
/// <param name="source">A data source for this server only.</param>
/// <param name="server">The bad peer.</param>
/// <param name="asynchronously">Whether the asynchronous methods are used.</param>
public sealed class Client(ProviderDataSource source, FakeServer server, bool asynchronously)
{
    /// <summary>No test here needs a tenth of it, and every deadline of its own is shorter; without it, a hang would block the whole run.</summary>
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    /// <summary>What a failing call may allocate, in bytes: buffers, exceptions, TLS; not a wrong announced length.</summary>
    public const long MemoryBound = 8 << 20;

    /// <summary>The duration of the first call, for tests of timeouts.</summary>
    public TimeSpan Took { get; private set; }

    /// <summary>Returns the exception of Open.</summary>
    public Task<Exception> OpenFails() => Fails(async connection => await Open(connection));

    /// <summary>Returns the exception of executing a query and reading all of its results, after an Open that succeeds.</summary>
    /// <param name="sql">The query.</param>
    /// <param name="prepare">Whether to prepare it first.</param>
    /// <param name="commandTimeout">In seconds.</param>
    /// <param name="memoryIsBounded">False if the answer itself is larger than what a failing call may allocate.</param>
    /// <param name="memoryBound">What the failing call may allocate, if not <see cref="MemoryBound"/>.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    public Task<Exception> QueryFails(
        string sql = "SELECT 1", bool prepare = false, int commandTimeout = 30, bool memoryIsBounded = true, long memoryBound = MemoryBound,
        CancellationToken cancellationToken = default) =>
            Fails(async connection =>
        {
            await Open(connection);
            await ReadAll(connection, sql, prepare, commandTimeout, cancellationToken);
        }, memoryIsBounded ? memoryBound : long.MaxValue);

    /// <summary>Returns the exception of closing the reader after the given number of rows, which has to skip the rest.</summary>
    public Task<Exception> ClosingFails(int rows, int commandTimeout) => Fails(async connection =>
    {
        await Open(connection);
        using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        command.CommandTimeout = commandTimeout;
        var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        while (rows-- > 0 && (asynchronously ? await reader.ReadAsync() : reader.Read()))
        {
        }

        if (asynchronously)
            await reader.CloseAsync();
        else
            reader.Close();
    });

    /// <summary>Returns the exception of the caller's own calls on an open connection.</summary>
    public Task<Exception> UseFails(Func<DbConnection, Task> use) => Fails(async connection =>
    {
        await Open(connection);
        await use(connection);
    });

    /// <summary>Executes a query that must succeed within the deadline, and returns the first value of each row.</summary>
    public async Task<List<object>> Query(string sql = "SELECT 1")
    {
        List<object> values = [];
        await Within(async () =>
        {
            await using var connection = source.CreateConnection();
            await Open(connection);
            values = await ReadAll(connection, sql, false, 30, default);
        });
        server.ThrowIfScriptFailed();
        return values;
    }

    /// <summary>Runs the caller's own calls on an open connection, which must succeed.</summary>
    public async Task Uses(Func<DbConnection, Task> use)
    {
        await Within(async () =>
        {
            await using var connection = source.CreateConnection();
            await Open(connection);
            await use(connection);
        });
        server.ThrowIfScriptFailed();
    }

    /// <summary>Opens and closes a connection, which must succeed.</summary>
    public async Task Opens()
    {
        await Within(async () =>
        {
            await using var connection = source.CreateConnection();
            await Open(connection);
        });
        server.ThrowIfScriptFailed();
    }

    private async Task<Exception> Fails(Func<DbConnection, Task> action, long memoryBound = MemoryBound)
    {
        var connection = source.CreateConnection();
        Exception? failure = null;
        var allocated = 0L;
        try
        {
            await Within(async () =>
            {
                var before = Allocated();
                try
                {
                    await action(connection);
                }
                finally
                {
                    allocated = Allocated() - before;
                }
            });
        }
        catch (DeadlineException)
        {
            throw;
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        await Within(async () => await connection.DisposeAsync());
        server.ThrowIfScriptFailed();
        Assert.True(failure is not null, "The client did not notice anything.");
        Assert.InRange(allocated, 0, memoryBound);
        Assert.Equal(0, source.Statistics.Idle);
        Assert.Equal(0, source.Statistics.Busy);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)), "The client left a connection open.");
        return failure;
    }

    // For the whole process if the test runs alone. In parallel runs, only the blocking methods' own thread counts, because the others cannot be distinguished
    // there.
    private long Allocated() =>
        TestContext.Current.TestCollection is IXunitTestCollection { DisableParallelization: true } ? GC.GetTotalAllocatedBytes(true)
        : asynchronously ? 0
        : GC.GetAllocatedBytesForCurrentThread();

    private async Task Open(DbConnection connection)
    {
        if (asynchronously)
            await connection.OpenAsync();
        else
            connection.Open();
    }

    private async Task<List<object>> ReadAll(DbConnection connection, string sql, bool prepare, int commandTimeout, CancellationToken cancellationToken)
    {
        List<object> values = [];
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.CommandTimeout = commandTimeout;
        if (asynchronously)
        {
            if (prepare)
                await command.PrepareAsync(cancellationToken);
            await using var reader = await command.ExecuteReaderAsync(cancellationToken);
            do
            {
                while (await reader.ReadAsync(cancellationToken))
                    values.Add(FirstOf(reader));
            }
            while (await reader.NextResultAsync(cancellationToken));
        }
        else
        {
            if (prepare)
                command.Prepare();
            using var reader = command.ExecuteReader();
            do
            {
                while (reader.Read())
                    values.Add(FirstOf(reader));
            }
            while (reader.NextResult());
        }

        return values;
    }

    private static object FirstOf(DbDataReader reader)
    {
        var row = new object[reader.FieldCount];
        reader.GetValues(row);
        return row[0];
    }

    // The synchronous methods block, so they run on a thread that the test can abandon if they hang.
    private async Task Within(Func<Task> action)
    {
        var clock = Stopwatch.StartNew();
        var running =
            asynchronously
                ? Task.Run(action)
                : Task.Factory.StartNew(
                    () => action().GetAwaiter().GetResult(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (await Task.WhenAny(running, Task.Delay(Deadline)) != running)
            throw new DeadlineException($"The client hangs: nothing happened within {Deadline.TotalSeconds} s.");
        if (Took == default)
            Took = clock.Elapsed;
        await running;
    }

    private sealed class DeadlineException(string message) : Exception(message);
}
