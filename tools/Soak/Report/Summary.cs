using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Core.Pooling;
using Slipstream.Lab;
using Slipstream.Soak.Work;

namespace Slipstream.Soak.Report;

/// <summary>The report at the end of a run. The last line contains all results.</summary>
internal sealed class Summary(Scene scene, IReadOnlyList<(string Name, ProviderDataSource Source)> sources, SoakOptions options)
{
    public void Print()
    {
        var (journal, tally, ledger) = (scene.Journal, scene.Tally, scene.WorkLog);
        if (journal.Violations > 0)
            journal.PrintHistory();
        journal.Say("failures that callers saw:");
        foreach (var (sort, count) in tally.Failures.OrderByDescending(static pair => pair.Value))
            journal.Say(string.Create(CultureInfo.InvariantCulture, $"{count,8}  {sort}"));
        journal.Say("operations: " + List(tally.ByOperation));
        foreach (var (name, source) in sources)
        {
            var pool = source.Statistics;
            journal.Say(string.Create(CultureInfo.InvariantCulture,
                $"pool '{name}': {pool.Opened} opened, {pool.OpenFailures} failed to open, {pool.WaitTimeouts} waits timed out, closed: "
                    + $"{List(pool.Closed.Where(static c => c.Value > 0).Select(static c => new KeyValuePair<CloseReason, long>(c.Key, c.Value)))}"));
        }

        journal.Say(string.Create(CultureInfo.InvariantCulture,
            $"changes: {ledger.Acknowledged} acknowledged, {ledger.Refused} refused, {ledger.NotSent} not sent, {ledger.Unknown} unknown"));
        var reconnects = sources.Sum(static s => s.Source.Statistics.Opened);
        journal.Say(string.Create(CultureInfo.InvariantCulture,
            $"soak {options.Name}: {tally.Operations} operations, {tally.Failed} failed; {tally.Faults.Values.Sum()} faults ({List(tally.Faults)}); "
                + $"{reconnects} connects, {tally.Lost} lost; "
                + $"{ledger.Unknown} unknown commits ({ledger.UnknownThatHappened} committed); "
                + $"{(options.Cluster is null ? "" : ledger.LostByReplication + " lost by asynchronous replication; ")}"
                + $"{tally.Transient} transient, {tally.Retried} of them succeeded later; "
                + $"worst wait {tally.WorstWait.Time.TotalSeconds:0.0} s ({tally.WorstWait.What}); {journal.Violations} violations; seed {options.Seed}"));
    }

    private static string List<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> counts) =>
        string.Join(
            ", ", counts.OrderBy(static pair => pair.Key).Select(static pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key} {pair.Value}")));
}
