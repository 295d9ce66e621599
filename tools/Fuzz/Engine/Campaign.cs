using System.Diagnostics;

namespace Slipstream.Fuzzing.Engine;

/// <summary>The run of one target: on one thread, and with the same seed and number of executions always the same.</summary>
internal sealed class Campaign(IFuzzTarget target, FuzzLimits limits, Action<Finding> report, CancellationToken stop)
{
    // After so many different findings it is clear that the target fails.
    private const int MostFindings = 8;
    private const int MostRepeats = 1000;

    private readonly HashSet<string> _signatures = [];
    private readonly List<Finding> _findings = [];
    private GuardedMemory? _memory;
    private long _executions;
    private int _repeats;

    public IFuzzTarget Target => target;

    /// <summary>How many executions were begun: the watchdog sees whether it goes on.</summary>
    public long Executions => Volatile.Read(ref _executions);

    /// <summary>The input that is under way, for a watchdog that found that it does not end.</summary>
    public byte[] Current() => _memory!.Copy();

    public TargetResult Run()
    {
        var clock = Stopwatch.StartNew();
        var seeds = target.Seeds();
        var pool = new InputPool([.. seeds, .. FindingStore.Corpus(target.Name).Select(static found => found.Input)]);
        var mutator = new Mutator(target, pool, limits.Seed ^ Hash(target.Name));
        using var memory = new GuardedMemory(FindingStore.Running, target.Name);
        _memory = memory;
        var executor = new Executor(target, memory);
        foreach (var seed in seeds)
            Execute(executor, seed, twice: true);
        // A look at the clock costs as much as a tenth of the smallest execution.
        var between = target.Level == FuzzLevel.Bytes ? 64 : 1;
        while (_executions < limits.Executions && _findings.Count < MostFindings && _repeats < MostRepeats && !stop.IsCancellationRequested && clock.Elapsed < limits.Duration)
        {
            for (var i = 0; i < between; i++)
            {
                if (Execute(executor, mutator.Next(), twice: (_executions & 15) == 0))
                    mutator.Keep();
            }
        }

        return new(target.Name, target.Level, _executions, executor.States.Count, seeds.Count, clock.Elapsed, _findings);
    }

    private bool Execute(Executor executor, ReadOnlySpan<byte> input, bool twice)
    {
        Volatile.Write(ref _executions, _executions + 1);
        if (executor.Execute(input, twice) is not { } fault)
            return executor.IsNew;
        if (_signatures.Add(fault.Signature))
        {
            var finding = FindingStore.Save(target, fault, Smaller(executor, fault, input.ToArray()));
            _findings.Add(finding);
            report(finding);
        }
        else
            _repeats++;
        return false;
    }

    // FNV-1a: each target has its own numbers, whichever others run.
    private static ulong Hash(string name)
    {
        var hash = 0xCBF29CE484222325;
        foreach (var letter in name)
            hash = (hash ^ letter) * 0x100000001B3;
        return hash;
    }

    // Pieces are left out while the fault stays the same: from halves down to single bytes.
    private static byte[] Smaller(Executor executor, Fault fault, byte[] input)
    {
        var tries = 2000;
        for (var piece = Math.Max(1, input.Length / 2); piece > 0; piece /= 2)
        {
            for (var at = 0; at + piece <= input.Length && tries > 0; tries--)
            {
                byte[] without = [.. input.AsSpan(0, at), .. input.AsSpan(at + piece)];
                if (executor.Execute(without, twice: fault.Kind == FaultKind.Overread)?.Signature == fault.Signature)
                    input = without;
                else
                    at += piece;
            }
        }

        return input;
    }
}
