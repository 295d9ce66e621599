using System.Diagnostics;
using Slipstream.Race.Measuring;
using Spectre.Console;

namespace Slipstream.Race.Report;

/// <summary>Shows the progress: a bar in a terminal, a line per heat elsewhere.</summary>
internal sealed class RaceProgress : IDisposable
{
    private readonly int _heats;
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly TaskCompletionSource _done = new();
    private ProgressTask? _task;
    private Task? _bar;
    private Action _refresh = () => { };
    private int _finished;

    private RaceProgress(int heats) => _heats = heats;

    public static RaceProgress Start(int heats)
    {
        var progress = new RaceProgress(heats);
        if (Console.IsOutputRedirected || !AnsiConsole.Profile.Capabilities.Interactive)
            return progress;

        var begun = new TaskCompletionSource();
        // The bar is redrawn only between heats, because it runs in the measured process and its time would count.
        progress._bar = AnsiConsole.Progress()
            .AutoRefresh(false)
            .Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn())
            .StartAsync(async context =>
            {
                progress._task = context.AddTask("starting", maxValue: heats);
                progress._refresh = context.Refresh;
                begun.SetResult();
                await progress._done.Task;
            });
        begun.Task.Wait();
        return progress;
    }

    public void Begin(Cell cell)
    {
        if (_task is null)
            return;
        _task.Description = Markup.Escape(Describe(cell));
        _refresh();
    }

    public void End(IReadOnlyList<Cell> cells)
    {
        _finished++;
        if (_task is not null)
        {
            _task.Increment(1);
            _refresh();
            return;
        }

        var failed = cells.Count(cell => cell.Error is not null);
        Console.WriteLine($"[{_finished}/{_heats}] {_clock.Elapsed.TotalSeconds,5:F0} s  {Describe(cells[0])}" + (failed > 0 ? $": {failed} failed" : ""));
    }

    public void Dispose()
    {
        _done.TrySetResult();
        _bar?.Wait();
    }

    private static string Describe(Cell cell) => $"{cell.Track.ServerName}, {cell.Track.Settings.ToString().ToLowerInvariant()} settings, {cell.Scenario.Name}";
}
