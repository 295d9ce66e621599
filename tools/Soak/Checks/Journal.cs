using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Soak.Checks;

/// <summary>Records faults and violations with their times. Violations are also printed at once.</summary>
internal sealed class Journal(TextWriter output, string prefix)
{
    private const int LongestHistory = 400;
    private const int MaxPrintedViolations = 40;

    private readonly long _began = Stopwatch.GetTimestamp();
    private readonly Queue<string> _history = new();
    private readonly Lock _lock = new();
    private int _violations;

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_began);

    public int Violations => Volatile.Read(ref _violations);

    public void Note(string text)
    {
        lock (_lock)
        {
            if (_history.Count == LongestHistory)
                _history.Dequeue();
            _history.Enqueue(Timed(text));
        }
    }

    public void Violation(string text)
    {
        lock (_lock)
        {
            if (++_violations <= MaxPrintedViolations)
                output.WriteLine($"{prefix}VIOLATION {Timed(text)}");
        }

        Note("VIOLATION " + text);
    }

    public void Say(string text)
    {
        lock (_lock)
            output.WriteLine(prefix + text);
    }

    /// <summary>Prints the faults and violations of the run with their times; if there are many, the last 400.</summary>
    public void PrintHistory()
    {
        lock (_lock)
        {
            output.WriteLine($"{prefix}events (seconds since the start):");
            foreach (var line in _history)
                output.WriteLine($"{prefix}  {line}");
        }
    }

    private string Timed(string text) => string.Create(CultureInfo.InvariantCulture, $"{Elapsed.TotalSeconds,8:0.000}  {text}");
}
