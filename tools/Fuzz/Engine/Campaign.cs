using System.Diagnostics;

namespace Slipstream.Fuzzing.Engine;

/// <summary>The run of one target. It uses one thread. With the same seed and number of executions, it is always the same.</summary>
internal sealed class Campaign(IFuzzTarget target, FuzzLimits limits, Action<Finding> report, CancellationToken stop)
{
    // After this many different findings, the target has clearly failed.
    private const int MostFindings = 8;
    private const int MostRepeats = 1000;

    private readonly HashSet<string> _signatures = [];
    private readonly List<Finding> _findings = [];
    private GuardedMemory? _memory;
    private long _executions;
    private int _repeats;

    public IFuzzTarget Target => target;

    /// <summary>Gets the number of executions that began, so that the watchdog sees progress.</summary>
    public long Executions => Volatile.Read(ref _executions);

    /// <summary>Returns a copy of the current input, for a watchdog that finds that its execution does not end.</summary>
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
        // Reading the clock costs a tenth of the shortest execution.
        var between = target.Level == FuzzLevel.Bytes ? 64 : 1;
        while (_executions < limits.Executions
            && _findings.Count < MostFindings
            && _repeats < MostRepeats
            && !stop.IsCancellationRequested
            && clock.Elapsed < limits.Duration)
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

    // FNV-1a: each target has its own random numbers, independently of the other targets.
    private static ulong Hash(string name)
    {
        var hash = 0xCBF29CE484222325;
        foreach (var letter in name)
            hash = (hash ^ letter) * 0x100000001B3;
        return hash;
    }

    // Removes pieces while the fault stays the same, from halves down to single bytes.
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
