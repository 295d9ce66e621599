using System.Diagnostics;

namespace Slipstream.Race.Scenarios;

internal readonly record struct Fortune(int Id, string Message);

/// <summary>Open, twelve rows into a list, close: the database half of the TechEmpower test, by one worker or by many at once.</summary>
internal sealed class Fortunes(Seat seat, int workers, bool prepare) : Operation
{
    private long[] _latencies = [];
    private int _remaining;
    private int _recorded;

    public override ReadOnlySpan<long> Latencies => _latencies.AsSpan(0, _recorded);

    public override void Open() => One();

    public override Task OpenAsync() => LoopAsync(1);

    public override Task BeforeAsync(Mode mode, int count)
    {
        if (workers > 1 && _latencies.Length < count)
            _latencies = new long[count];
        _recorded = 0;
        return Task.CompletedTask;
    }

    public override void Run(int count)
    {
        if (workers == 1)
        {
            for (var i = 0; i < count; i++)
                One();
            return;
        }

        _remaining = count;
        Exception? failure = null;
        var threads = new Thread[workers];
        for (var i = 0; i < workers; i++)
        {
            threads[i] = new Thread(() =>
            {
                try
                {
                    while (Interlocked.Decrement(ref _remaining) >= 0)
                    {
                        var start = Stopwatch.GetTimestamp();
                        One();
                        Record(Stopwatch.GetTimestamp() - start);
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
        if (workers == 1)
            return LoopAsync(count);

        _remaining = count;
        var tasks = new Task[workers];
        for (var i = 0; i < workers; i++)
            tasks[i] = Task.Run(WorkerAsync);
        return Task.WhenAll(tasks);
    }

    private void One()
    {
        var fortunes = new List<Fortune>(Statements.FortuneCount);
        using var connection = seat.NewConnection();
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = Statements.Fortunes;
        if (prepare)
            command.Prepare();
        using var reader = command.ExecuteReader();
        while (reader.Read())
            fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
        Check.Equal(Statements.FortuneCount, fortunes.Count);
    }

    private async Task LoopAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var fortunes = new List<Fortune>(Statements.FortuneCount);
            await using var connection = seat.NewConnection();
            await connection.OpenAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = Statements.Fortunes;
            if (prepare)
                await command.PrepareAsync();
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
                fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
            Check.Equal(Statements.FortuneCount, fortunes.Count);
        }
    }

    // The same body again with the clock inside: a method per operation would put one more state machine into every figure.
    private async Task WorkerAsync()
    {
        while (Interlocked.Decrement(ref _remaining) >= 0)
        {
            var start = Stopwatch.GetTimestamp();
            var fortunes = new List<Fortune>(Statements.FortuneCount);
            await using (var connection = seat.NewConnection())
            {
                await connection.OpenAsync();
                await using var command = connection.CreateCommand();
                command.CommandText = Statements.Fortunes;
                await using var reader = await command.ExecuteReaderAsync();
                while (await reader.ReadAsync())
                    fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
            }

            Check.Equal(Statements.FortuneCount, fortunes.Count);
            Record(Stopwatch.GetTimestamp() - start);
        }
    }

    private void Record(long ticks) => _latencies[Interlocked.Increment(ref _recorded) - 1] = ticks;
}
