namespace Slipstream.MySql.Statements;

/// <summary>
/// Whether a statement that could run on a shared session does so: it must have run by itself before, and be small and quick, because everybody else's
/// answers wait behind its own. Approximate under concurrency, which is enough.
/// </summary>
internal sealed class SharingMemory
{
    /// <summary>So many executions of a statement that was slow, large or failed have sessions of their own before it is shared again.</summary>
    public const int Pause = 256;

    /// <summary>More than this is not held for others; see <see cref="Ran"/>.</summary>
    public const int LargestResult = 64 * 1024;

    /// <summary>
    /// A statement of which the server takes longer, on average, is not shared: two sessions would serve fewer callers than the server's processors could.
    /// </summary>
    public const long SlowMicroseconds = 1_000;

    // Once is enough.
    private const long VerySlowMicroseconds = 100_000;

    // On a session of its own the wait for a processor of this machine is measured too.
    private const long SlowAloneMicroseconds = 100_000;

    private const int FewestRuns = 2;

    // Fewer say nothing: the machine may have had something else to do.
    private const int FewestForAverage = 16;

    // Slow on purpose, about the session they run in, or never small and quick.
    private static readonly string[] Words = ["SLEEP", "BENCHMARK", "SQL_CALC_FOUND_ROWS", "CONNECTION_ID", "IS_FREE_LOCK", "IS_USED_LOCK", "PERFORMANCE_SCHEMA", "INFORMATION_SCHEMA"];

    private int _runs;
    private int _pause;
    private long _average;
    private int _averaged;

    /// <summary>False when the text has a word in it, be it in a string, that asks for the session it runs in.</summary>
    public static bool IsIndependent(string sql) =>
        !Array.Exists(Words, word => sql.Contains(word, StringComparison.OrdinalIgnoreCase)) && !sql.Contains("@@", StringComparison.Ordinal)
        && !sql.Contains("@`", StringComparison.Ordinal) && !sql.Contains("@'", StringComparison.Ordinal) && !sql.Contains("@\"", StringComparison.Ordinal);

    /// <summary>Asked once for each execution.</summary>
    public bool IsQuick
    {
        get
        {
            if (_runs < FewestRuns)
                return false;
            if (_pause > 0)
                _pause--;
            return _pause == 0;
        }
    }

    /// <summary>It has run.</summary>
    /// <param name="wasShared">False when it had a session of its own.</param>
    /// <param name="microseconds">How long it took.</param>
    /// <param name="bytes">How much was answered.</param>
    /// <param name="failed">Whatever the reason.</param>
    public void Ran(bool wasShared, long microseconds, long bytes, bool failed)
    {
        if (_runs < FewestRuns)
            _runs++;
        if (wasShared)
        {
            _average += (microseconds - _average) / 8;
            _averaged++;
        }

        if (failed || bytes > LargestResult || microseconds > (wasShared ? VerySlowMicroseconds : SlowAloneMicroseconds) || (_averaged >= FewestForAverage && _average > SlowMicroseconds))
        {
            _pause = Pause;
            _average = 0;
            _averaged = 0;
        }
    }
}
