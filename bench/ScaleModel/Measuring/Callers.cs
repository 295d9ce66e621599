using System.Data;
using System.Data.Common;
using System.Diagnostics;
using Slipstream.Race.Scenarios;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>The asynchronous callers that the model describes, over a pool of the driver.</summary>
internal sealed class Callers : IAsyncDisposable
{
    private readonly DbDataSource _source;
    private readonly Histogram[] _times;
    private volatile bool _isOver;

    private Callers(DbDataSource source, int callers)
    {
        _source = source;
        _times = [.. Enumerable.Range(0, callers).Select(static _ => new Histogram())];
    }

    /// <summary>Fills the pool.</summary>
    public static async Task<Callers> OpenAsync(DbProviderFactory factory, string connectionString, int callers, int pool)
    {
        var all = new Callers(factory.CreateDataSource($"{connectionString};Maximum Pool Size={pool}"), callers);
        var connections = await Task.WhenAll(Enumerable.Range(0, Math.Min(callers, pool)).Select(_ => all._source.OpenConnectionAsync().AsTask()));
        foreach (var connection in connections)
            await connection.DisposeAsync();
        return all;
    }

    /// <summary>Runs a block.</summary>
    public async Task<Block> RunAsync(TimeSpan time)
    {
        _isOver = false;
        foreach (var histogram in _times)
            histogram.Clear();
        var (collections, paused, bytes) = (GC.CollectionCount(0), GC.GetTotalPauseDuration(), GC.GetTotalAllocatedBytes());
        var start = Stopwatch.GetTimestamp();
        var callers = Task.WhenAll(_times.Select(histogram => Task.Run(() => WorkAsync(histogram))));
        await Task.Delay(time);
        _isOver = true;
        await callers;
        var elapsed = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        var sum = new Histogram();
        foreach (var histogram in _times)
            sum.Add(histogram);
        return new(sum.Count, elapsed, sum.At(0.5), sum.At(0.99), GC.CollectionCount(0) - collections,
            (GC.GetTotalPauseDuration() - paused).TotalMicroseconds, GC.GetTotalAllocatedBytes() - bytes);
    }

    public ValueTask DisposeAsync() => _source.DisposeAsync();

    private async Task WorkAsync(Histogram times)
    {
        while (!_isOver)
        {
            var start = Stopwatch.GetTimestamp();
            await using (var connection = await _source.OpenConnectionAsync())
            {
                await using var command = connection.CreateCommand();
                command.CommandText = Statements.WorldById;
                var parameter = command.CreateParameter();
                (parameter.ParameterName, parameter.DbType, parameter.Value) = ("@id", DbType.Int32, Random.Shared.Next(1, 10_001));
                command.Parameters.Add(parameter);
                await using var reader = await command.ExecuteReaderAsync();
                if (!await reader.ReadAsync() || reader.GetInt32(1) == 0)
                    throw new InvalidOperationException("The row is missing.");
            }

            times.Add(Stopwatch.GetElapsedTime(start).Ticks);
        }
    }
}

/// <summary>What the callers have measured in a block.</summary>
internal sealed record Block(long Operations, double Microseconds, double Median, double P99, int Collections, double Paused, long Bytes);
