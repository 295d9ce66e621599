using System.Data.Common;
using System.Diagnostics;

namespace Slipstream.Race.Scenarios;

/// <summary>One operation by many workers at once, tasks or threads, over the pool. Each worker records the durations of its operations.</summary>
internal abstract class Load(int workers) : Operation
{
    private long[] _latencies = [];
    private int _remaining;
    private int _recorded;

    public override ReadOnlySpan<long> Latencies => _latencies.AsSpan(0, _recorded);

    public override void Open() => One(0);

    public override Task OpenAsync()
    {
        _remaining = 1;
        _latencies = new long[1];
        return WorkerAsync();
    }

    public override Task BeforeAsync(Mode mode, int count)
    {
        if (_latencies.Length < count)
            _latencies = new long[count];
        _recorded = 0;
        return Task.CompletedTask;
    }

    public override void Run(int count)
    {
        _remaining = count;
        Exception? failure = null;
        var threads = new Thread[workers];
        for (var i = 0; i < workers; i++)
        {
            var worker = i;
            threads[i] = new Thread(() =>
            {
                try
                {
                    while (Take())
                    {
                        var start = Stopwatch.GetTimestamp();
                        One(worker);
                        Record(start);
                    }
                }
                catch (Exception exception)
                {
                    failure = exception;
                    Volatile.Write(ref _remaining, 0);
                }
            }) { IsBackground = true };
            threads[i].Start();
        }

        foreach (var thread in threads)
            thread.Join();
        if (failure is not null)
            throw new InvalidOperationException(failure.Message, failure);
    }

    public override Task RunAsync(int count)
    {
        _remaining = count;
        var tasks = new Task[workers];
        for (var i = 0; i < workers; i++)
            tasks[i] = Task.Run(WorkerAsync);
        return Task.WhenAll(tasks);
    }

    /// <summary>Runs one operation on one of the threads.</summary>
    protected abstract void One(int worker);

    /// <summary>
    /// Runs the operation while <see cref="Take"/> returns true, with the clock inside. A method per operation would add a state machine to every figure.
    /// </summary>
    protected abstract Task WorkerAsync();

    protected bool Take() => Interlocked.Decrement(ref _remaining) >= 0;

    protected void Record(long start) => _latencies[Interlocked.Increment(ref _recorded) - 1] = Stopwatch.GetTimestamp() - start;
}

/// <summary><see cref="Fortunes"/> by many workers.</summary>
internal sealed class FortunesLoad(Assignment seat, int workers, bool prepare = false) : Load(workers)
{
    protected override void One(int worker) => Fortunes.One(seat, prepare);

    protected override async Task WorkerAsync()
    {
        while (Take())
        {
            var start = Stopwatch.GetTimestamp();
            var fortunes = new List<Fortune>(Statements.FortuneCount);
            await using (var connection = seat.NewConnection())
            {
                await connection.OpenAsync();
                await using var command = connection.CreateCommand();
                command.CommandText = Statements.Fortunes;
                if (prepare)
                    await command.PrepareAsync();
                await using var reader = await command.ExecuteReaderAsync();
                while (await reader.ReadAsync())
                    fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
            }

            Check.Equal(Statements.FortuneCount, fortunes.Count);
            Record(start);
        }
    }
}

/// <summary><see cref="OpenQueryClose"/> by many workers.</summary>
internal sealed class OpenQueryCloseLoad(Assignment seat, int workers, bool prepare = false) : Load(workers)
{
    protected override void One(int worker)
    {
        using var connection = seat.NewConnection();
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = Statements.Scalar;
        if (prepare)
            command.Prepare();
        Check.Maximum(command.ExecuteScalar());
    }

    protected override async Task WorkerAsync()
    {
        while (Take())
        {
            var start = Stopwatch.GetTimestamp();
            await using (var connection = seat.NewConnection())
            {
                await connection.OpenAsync();
                await using var command = connection.CreateCommand();
                command.CommandText = Statements.Scalar;
                if (prepare)
                    await command.PrepareAsync();
                Check.Maximum(await command.ExecuteScalarAsync());
            }

            Record(start);
        }
    }
}

/// <summary>A scalar by a command of the data source, by many workers, without an explicit connection.</summary>
internal sealed class SourceScalarLoad(Assignment seat, int workers) : Load(workers)
{
    private readonly DbDataSource _source = seat.Factory.CreateDataSource(seat.ConnectionString);

    protected override void One(int worker)
    {
        using var command = _source.CreateCommand(Statements.Scalar);
        Check.Maximum(command.ExecuteScalar());
    }

    protected override async Task WorkerAsync()
    {
        while (Take())
        {
            var start = Stopwatch.GetTimestamp();
            await using (var command = _source.CreateCommand(Statements.Scalar))
                Check.Maximum(await command.ExecuteScalarAsync());
            Record(start);
        }
    }

    protected override void Close() => _source.Dispose();
}

/// <summary><see cref="Fortunes"/> by commands of the data source, by many workers.</summary>
internal sealed class SourceFortunesLoad(Assignment seat, int workers) : Load(workers)
{
    private readonly DbDataSource _source = seat.Factory.CreateDataSource(seat.ConnectionString);

    protected override void One(int worker)
    {
        var fortunes = new List<Fortune>(Statements.FortuneCount);
        using var command = _source.CreateCommand(Statements.Fortunes);
        using var reader = command.ExecuteReader();
        while (reader.Read())
            fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
        Check.Equal(Statements.FortuneCount, fortunes.Count);
    }

    protected override async Task WorkerAsync()
    {
        while (Take())
        {
            var start = Stopwatch.GetTimestamp();
            var fortunes = new List<Fortune>(Statements.FortuneCount);
            await using (var command = _source.CreateCommand(Statements.Fortunes))
            {
                await using var reader = await command.ExecuteReaderAsync();
                while (await reader.ReadAsync())
                    fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
            }

            Check.Equal(Statements.FortuneCount, fortunes.Count);
            Record(start);
        }
    }

    protected override void Close() => _source.Dispose();
}
