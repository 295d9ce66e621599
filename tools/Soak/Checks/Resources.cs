using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Soak.Checks;

/// <summary>The resources of the process at a quiet point, when all pools are empty and all workers wait.</summary>
internal readonly record struct Resources(int Threads, int Handles, long Bytes)
{
    // The initial growth of a runtime (type loading, its pools of buffers) is not a leak. A leak grows with the operations, which are tens of thousands by the
    // second quiet point.
    private const int FreeThreads = 8;
    private const int FreeHandles = 24;

    // The system truncates a thread's name to 15 characters.
    private const string Interruptions = "Slipstream inte";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private const long FreeBytes = 24L << 20;

    public static Resources Now()
    {
        // The driver's threads that cancel commands or close connections stay for half a second after their last work, on a busy machine longer.
        for (var patience = Stopwatch.StartNew(); patience.Elapsed < Patience && Names().Contains(Interruptions);)
            Thread.Sleep(100);
        for (var i = 0; i < 3; i++)
        {
            GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        return new Resources(CountThreads(), Directory.GetFileSystemEntries("/proc/self/fd").Length, GC.GetTotalMemory(false));
    }

    /// <summary>Returns what has grown since the first quiet point; empty if nothing has.</summary>
    public IEnumerable<string> GrowthSince(Resources first)
    {
        if (Threads > first.Threads + FreeThreads)
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"threads grew from {first.Threads} to {Threads} "
                    + $"({string.Join(", ", Names().GroupBy(n => n).OrderByDescending(g => g.Count()).Take(6).Select(g => $"{g.Count()} {g.Key}"))})");
        if (Handles > first.Handles + FreeHandles)
            yield return string.Create(CultureInfo.InvariantCulture, $"open handles grew from {first.Handles} to {Handles}");
        if (Bytes > first.Bytes + FreeBytes + (first.Bytes / 2))
            yield return string.Create(CultureInfo.InvariantCulture, $"memory in use grew from {first.Bytes >> 20} to {Bytes >> 20} MiB");
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Threads} threads, {Handles} handles, {Bytes >> 20} MiB");

    /// <summary>Returns the system calls, by number, in which the threads with this prefix of their name wait.</summary>
    public static string ThreadsNamed(string name)
    {
        var calls = new List<string>();
        foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            try
            {
                if (File.ReadAllText(Path.Combine(task, "comm")).StartsWith(name, StringComparison.Ordinal))
                    calls.Add(string.Join(' ', File.ReadAllText(Path.Combine(task, "syscall")).Split(' ')[..2]));
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // It ended meanwhile.
            }
        }

        return calls.Count == 0 ? "none" : string.Join(", ", calls.GroupBy(static call => call).Select(static group => $"{group.Count()} in {group.Key}"));
    }

    // Without the threads of the thread pool, whose number varies.
    private static int CountThreads() => Names().Count(static name => !name.StartsWith(".NET TP", StringComparison.Ordinal));

    private static IEnumerable<string> Names()
    {
        foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            string name;
            try
            {
                name = File.ReadAllText(Path.Combine(task, "comm")).Trim();
            }
            catch (IOException)
            {
                // It ended meanwhile.
                continue;
            }

            yield return name;
        }
    }
}
