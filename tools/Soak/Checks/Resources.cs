using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Soak.Checks;

/// <summary>What the process holds at a quiet point, when every pool is empty and every worker waits.</summary>
internal readonly record struct Resources(int Threads, int Handles, long Bytes)
{
    // A runtime's first growth (type loading, pools of its buffers) is no leak, and what leaks grows with the operations, which are tens of thousands by the second quiet point.
    private const int FreeThreads = 8;
    private const int FreeHandles = 24;

    // As the system knows it, which keeps fifteen letters.
    private const string Interruptions = "Slipstream inte";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private const long FreeBytes = 24L << 20;

    public static Resources Now()
    {
        // The driver's threads that asked a server to stop, or closed a connection, stay for half a second after the last time; on a busy machine they take as long to end as it likes.
        for (var patience = Stopwatch.StartNew(); patience.Elapsed < Patience && Names().Contains(Interruptions);)
            Thread.Sleep(100);
        for (var i = 0; i < 3; i++)
        {
            GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        return new Resources(CountThreads(), Directory.GetFileSystemEntries("/proc/self/fd").Length, GC.GetTotalMemory(false));
    }

    /// <summary>What has grown since the first quiet point; empty when nothing has.</summary>
    public IEnumerable<string> GrowthSince(Resources first)
    {
        if (Threads > first.Threads + FreeThreads)
            yield return string.Create(CultureInfo.InvariantCulture, $"threads grew from {first.Threads} to {Threads} ({string.Join(", ", Names().GroupBy(n => n).OrderByDescending(g => g.Count()).Take(6).Select(g => $"{g.Count()} {g.Key}"))})");
        if (Handles > first.Handles + FreeHandles)
            yield return string.Create(CultureInfo.InvariantCulture, $"open handles grew from {first.Handles} to {Handles}");
        if (Bytes > first.Bytes + FreeBytes + (first.Bytes / 2))
            yield return string.Create(CultureInfo.InvariantCulture, $"memory in use grew from {first.Bytes >> 20} to {Bytes >> 20} MiB");
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Threads} threads, {Handles} handles, {Bytes >> 20} MiB");

    /// <summary>What the threads whose names begin so wait for in the kernel: the numbers of their system calls.</summary>
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

    // The thread pool's own come and go as it likes.
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
