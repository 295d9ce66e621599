using System.Diagnostics;
using System.Runtime;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>
/// All contestants of one scenario on one server with one kind of settings, interleaved. Every round runs each of them in small slices, in turn, so that
/// changes of the machine's load affect all equally.
/// </summary>
internal sealed class ScenarioRun(IReadOnlyList<Cell> cells, int rounds, CancellationToken stop)
{
    private const int WarmUpSlices = 12;
    private const int CountedWarmUp = 10;

    // The number of operations of each worker after its sessions have been opened again: a statement is prepared at its third use, and the server's thread
    // touches its memory for the first time.
    private const int SettlingOperations = 4;
    private static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan WarmUpSlice = TimeSpan.FromMilliseconds(8);

    // Methods are compiled again with optimisations 100 ms after the last new one was met, on another thread; code that is not optimised yet allocates more. On
    // a busy machine that thread waits for its turn as long as the others of this process, so their processor time must pass, too.
    private static readonly TimeSpan Settled = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan SettledCpu = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan WarmUpLimit = TimeSpan.FromSeconds(5);

    // The time for the server to notice that sessions have ended.
    private static readonly TimeSpan Leaving = TimeSpan.FromMilliseconds(10);

    private readonly Scenario _scenario = cells[0].Scenario;

    private readonly bool _pin = cells[0].IsPinned;

    public void Run()
    {
        using var server = _pin ? Pinning.PinServer(cells[0].Track.ServerProcess) : null;
        try
        {
            foreach (var cell in cells)
                Try(cell, () => Open(cell));
            WarmUp();
            foreach (var cell in cells)
                Try(cell, () => Calibrate(cell));
            Race();
        }
        finally
        {
            foreach (var cell in cells)
                Close(cell);
        }

        foreach (var cell in cells)
            Try(cell, () => CountTraffic(cell), noTraffic: true);
        foreach (var contestant in cells.Select(cell => cell.Contestant).Distinct())
            contestant.ClearPools();
    }

    private bool IsShort => _scenario.Count is null && !_scenario.OwnProcess;

    private void Open(Cell cell)
    {
        cell.Operation = cell.Contestant.Create(_scenario, cell.Track, cell.Mode);
        Block.WithLimit(() =>
        {
            if (cell.Mode is Mode.Async)
                return cell.Operation.OpenAsync();
            cell.Operation.Open();
            return Task.CompletedTask;
        }, cell.Mode, _scenario.Limit);
    }

    // Small slices in turn, so that tiered compilation sees all contestants in their shared code before it decides which paths are likely, until it compiles
    // nothing more.
    private void WarmUp()
    {
        if (!IsShort)
            return;
        foreach (var cell in cells)
            cell.Count = _scenario.Workers;
        var (begun, compiled, since, cpu) = (Stopwatch.GetTimestamp(), -1L, 0L, TimeSpan.Zero);
        for (var slice = 0; slice < WarmUpSlices || IsCompiling(); slice++)
        {
            foreach (var cell in cells)
            {
                Try(cell, () =>
                {
                    var lap = Block.Measure(cell.Operation!, cell.Mode, cell.Count, _scenario.Limit, _pin);
                    var wanted = cell.Count * WarmUpSlice.TotalMicroseconds / Math.Max(lap.Wall, 1);
                    cell.Count = Math.Max(_scenario.Workers, (int)Math.Min(cell.Count * 4.0, wanted));
                });
            }
        }

        bool IsCompiling()
        {
            if (JitInfo.GetCompiledMethodCount() is var count && count != compiled)
                (compiled, since, cpu) = (count, Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);
            var isSettled = Stopwatch.GetElapsedTime(since) >= Settled && Environment.CpuUsage.TotalTime - cpu >= SettledCpu;
            return !isSettled && Stopwatch.GetElapsedTime(begun) < WarmUpLimit;
        }
    }

    // This also runs the round that is discarded.
    private void Calibrate(Cell cell)
    {
        if (_scenario.Count is { } fixedCount)
        {
            cell.Count = fixedCount;
            if (!_scenario.OwnProcess)
                Block.Measure(cell.Operation!, cell.Mode, Math.Min(fixedCount, 200), _scenario.Limit);
            return;
        }

        var target = _scenario.Block.TotalMicroseconds;
        for (var attempt = 0; attempt < 4; attempt++)
        {
            var lap = Block.Measure(cell.Operation!, cell.Mode, cell.Count, _scenario.Limit, _pin);
            cell.Count = (int)Math.Clamp(cell.Count * target / Math.Max(lap.Wall, 1), 1, 2_000_000);
            if (lap.Wall > target / 2)
                break;
        }

        cell.Count = Math.Max(cell.Count, _scenario.Workers);
    }

    private void Race()
    {
        var seatings = Seatings.Of(_scenario, cells.Count);
        var laps = cells.Select(_ => Enumerable.Range(0, rounds).Select(_ => new List<Lap>()).ToArray()).ToArray();
        try
        {
            for (var seating = 0; seating < seatings; seating++)
            {
                if (seating > 0)
                    Assign(seating);
                Rounds(seating, seatings, laps);
            }
        }
        finally
        {
            // This also includes the figures so far if the race is stopped.
            for (var place = 0; place < cells.Count; place++)
            {
                for (var round = 0; round < rounds; round++)
                {
                    if (laps[place][round].Count > 0)
                        cells[place].Samples.Add(Sample.Of(round, laps[place][round]));
                }
            }
        }
    }

    // Runs the slices of all rounds in this seating.
    private void Rounds(int seating, int seatings, List<Lap>[][] laps)
    {
        var sizes = cells.Select(cell => _scenario.Count is null
            ? Slices.Of(Seatings.CountOf(cell.Count, seatings, _scenario.Workers), Seatings.SlicesOf(_scenario.Slices, seatings), _scenario.Workers)
            : [cell.Count]).ToArray();
        var slices = sizes.Max(size => size.Length);
        for (var round = 0; round < rounds; round++)
        {
            for (var slice = 0; slice < slices; slice++)
            {
                for (var turn = 0; turn < cells.Count; turn++)
                {
                    var place = Slices.Contestant(round + seating, slice, turn, cells.Count);
                    if (slice < sizes[place].Length)
                        Try(cells[place], () => laps[place][round].Add(Slice(cells[place], sizes[place][slice], first: slice == 0)));
                }
            }
        }
    }

    // All contestants close their sessions, in seat order, before the first opens new ones, because servers reuse the threads of ended sessions.
    private void Assign(int seating)
    {
        foreach (var cell in InSeats(seating - 1))
        {
            Close(cell);
            cell.Contestant.ClearPools();
        }

        Thread.Sleep(Leaving);
        foreach (var cell in InSeats(seating))
            Try(cell, () => Open(cell));
        foreach (var cell in InSeats(seating))
            Try(cell, () => Block.Measure(cell.Operation!, cell.Mode, SettlingOperations * _scenario.Workers, _scenario.Limit, _pin));
    }

    private IEnumerable<Cell> InSeats(int seating) => Enumerable.Range(0, cells.Count).Select(seat => cells[Seatings.Contestant(seating, seat, cells.Count)]);

    // Every contestant begins a round with an empty heap and pays for the collections that its own allocations cause. A collection of the oldest generation may
    // continue on another thread after its slice. The method waits for it, because otherwise the next contestant would pay.
    private Lap Slice(Cell cell, int count, bool first)
    {
        if (first)
            GC.Collect();
        var oldest = GC.CollectionCount(2);
        var limit = _scenario.Limit + (_scenario.Count is null ? TimeSpan.Zero : TimeSpan.FromMilliseconds((double)count));
        var lap = Block.Measure(cell.Operation!, cell.Mode, count, limit, _pin);
        if (GC.CollectionCount(2) != oldest)
            GC.Collect();
        return lap;
    }

    /// <summary>Counts traffic through the counting proxy, without measuring time: ten operations of warm-up, then a hundred counted ones.</summary>
    private void CountTraffic(Cell cell)
    {
        if (_scenario.Counted == 0)
            return;

        var proxy = LabProxy.Start(cell.Track.Host, cell.Track.Port);
        try
        {
            using var operation = cell.Contestant.Create(_scenario, cell.Track with { Port = proxy.Port }, cell.Mode);
            Block.WithLimit(async () =>
            {
                if (cell.Mode is Mode.Async)
                    await operation.OpenAsync();
                else
                    operation.Open();
                await operation.BeforeAsync(cell.Mode, _scenario.Counted);
                await RunAsync(operation, cell.Mode, Math.Min(CountedWarmUp, _scenario.Counted));
                proxy.Counters.Reset();
                await RunAsync(operation, cell.Mode, _scenario.Counted);
                double count = _scenario.Counted;
                cell.Traffic = new Traffic(proxy.Counters.RoundTrips / count, proxy.Counters.BytesSent / count, proxy.Counters.BytesReceived / count);
                await operation.AfterAsync(cell.Mode);
            }, cell.Mode, _scenario.Limit);
        }
        finally
        {
            cell.Contestant.ClearPools();
            proxy.DisposeAsync().AsTask().Wait(TimeSpan.FromSeconds(5));
        }
    }

    private static Task RunAsync(Operation operation, Mode mode, int count)
    {
        if (mode is Mode.Async)
            return operation.RunAsync(count);
        operation.Run(count);
        return Task.CompletedTask;
    }

    /// <summary>Runs an action. A contestant that fails leaves the heat, and its row contains the reason.</summary>
    private void Try(Cell cell, Action action, bool noTraffic = false)
    {
        stop.ThrowIfCancellationRequested();
        if (cell.Error is not null)
            return;
        try
        {
            action();
        }
        catch (Exception exception) when (exception is not OperationCanceledException || !stop.IsCancellationRequested)
        {
            cell.Error = (noTraffic ? "counting round trips: " : "") + Describe(exception);
            // The contestant is closed immediately, because its transaction may hold locks for which the others would wait.
            Close(cell);
        }
    }

    // Servers and other providers contribute to this text, and it is written to the console and to files, so none of its characters may be a command.
    internal static string Describe(Exception exception)
    {
        var text = exception.GetType().Name + ": " + exception.Message.ReplaceLineEndings(" ");
        if (exception.InnerException is { } inner && !exception.Message.Contains(inner.Message, StringComparison.Ordinal))
            text = $"{text} ({inner.GetType().Name}: {inner.Message.ReplaceLineEndings(" ")})";
        return ServerText.OneLine(text, 2000);
    }

    private static void Close(Cell cell)
    {
        try
        {
            // A contestant that hangs is not closed, because closing would wait for the same answer.
            if (cell.Error is null || !cell.Error.StartsWith(nameof(TimeoutException), StringComparison.Ordinal))
                Block.WithLimit(() =>
                {
                    cell.Operation?.Dispose();
                    return Task.CompletedTask;
                }, Mode.Sync, CloseLimit);
        }
        catch (Exception exception)
        {
            cell.Error ??= "closing: " + Describe(exception);
        }

        cell.Operation = null;
    }
}
