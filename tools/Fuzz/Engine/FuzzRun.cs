using System.Collections.Concurrent;
using System.Diagnostics;

namespace Slipstream.Fuzzing.Engine;

/// <summary>The run of several targets under a watchdog, with one thread for each core.</summary>
internal sealed class FuzzRun(FuzzLimits limits)
{
    private readonly ConcurrentDictionary<Campaign, bool> _underWay = new();
    private readonly Lock _reporting = new();

    /// <summary>Called when a target has ended.</summary>
    public Action<TargetResult> Ended { get; init; } = static _ => { };

    /// <summary>Called immediately for each finding.</summary>
    public Action<Finding> Found { get; init; } = static _ => { };

    /// <summary>Called for an execution that does not end. Its thread cannot be stopped, so the process should end.</summary>
    public Action<Finding> Hung { get; init; } = static finding => Environment.FailFast(finding.ToString());

    public IReadOnlyList<TargetResult> Run(IReadOnlyList<IFuzzTarget> targets, CancellationToken stop)
    {
        // The conversations come first: one that begins last would run alone.
        var waiting = new ConcurrentQueue<IFuzzTarget>(targets.OrderByDescending(static target => target.Level));
        var results = new ConcurrentBag<TargetResult>();
        var done = new CancellationTokenSource();
        var watchdog = Start("watchdog", () => Watch(done.Token));
        var workers = new List<Thread>();
        for (var i = 0; i < Math.Min(Environment.ProcessorCount, targets.Count); i++)
        {
            workers.Add(Start($"fuzz {i}", () =>
            {
                while (!stop.IsCancellationRequested && waiting.TryDequeue(out var target))
                {
                    var result = Run(target, stop);
                    results.Add(result);
                    lock (_reporting)
                        Ended(result);
                }
            }));
        }

        foreach (var worker in workers)
            worker.Join();
        done.Cancel();
        watchdog.Join();
        done.Dispose();
        return [.. results.OrderBy(result => targets.Select(static target => target.Name).ToList().IndexOf(result.Target))];
    }

    private TargetResult Run(IFuzzTarget target, CancellationToken stop)
    {
        var campaign = new Campaign(target, limits, Report, stop);
        _underWay[campaign] = true;
        try
        {
            return campaign.Run();
        }
        finally
        {
            _underWay.TryRemove(campaign, out _);
        }
    }

    private void Report(Finding finding)
    {
        lock (_reporting)
            Found(finding);
    }

    private void Watch(CancellationToken done)
    {
        var seen = new Dictionary<Campaign, (long Executions, long Since)>();
        while (!done.WaitHandle.WaitOne(200))
        {
            foreach (var campaign in _underWay.Keys)
            {
                var executions = campaign.Executions;
                if (!seen.TryGetValue(campaign, out var last) || last.Executions != executions)
                    seen[campaign] = (executions, Stopwatch.GetTimestamp());
                else if (executions > 0 && Stopwatch.GetElapsedTime(last.Since) > limits.LongestExecution)
                {
                    var fault =
                        new Fault(FaultKind.Hang, "hang", $"one execution does not end: it has taken {limits.LongestExecution.TotalSeconds:0.#} seconds");
                    Hung(FindingStore.Save(campaign.Target, fault, campaign.Current()));
                    return;
                }
            }
        }
    }

    private static Thread Start(string name, ThreadStart run)
    {
        // The stack has room for decoders that nest up to their limit.
        var thread = new Thread(run, 8 << 20) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }
}
