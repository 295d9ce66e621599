using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Soak.Checks;

/// <summary>What happened when: the faults, and the violations, which are told at once.</summary>
internal sealed class Journal(TextWriter output, string prefix)
{
    private const int LongestHistory = 400;
    private const int MostToldViolations = 40;

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
            if (++_violations <= MostToldViolations)
                output.WriteLine($"{prefix}VIOLATION {Timed(text)}");
        }

        Note("VIOLATION " + text);
    }

    public void Say(string text)
    {
        lock (_lock)
            output.WriteLine(prefix + text);
    }

    /// <summary>The faults and violations of the run with their times, the last ones when they are many.</summary>
    public void TellHistory()
    {
        lock (_lock)
        {
            output.WriteLine($"{prefix}what happened (seconds since the begin):");
            foreach (var line in _history)
                output.WriteLine($"{prefix}  {line}");
        }
    }

    private string Timed(string text) => string.Create(CultureInfo.InvariantCulture, $"{Elapsed.TotalSeconds,8:0.000}  {text}");
}
