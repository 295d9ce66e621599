using System.Globalization;
using System.Runtime.InteropServices;

namespace Slipstream.Bench;

/// <summary>What a process and its descendants have used since their start.</summary>
internal sealed class ProcessUsage
{
    private readonly double _cpu;
    private readonly Dictionary<string, long> _wakeUps;

    /// <param name="cpu">Microseconds of user and system time, of all threads, also of those that have ended.</param>
    /// <param name="wakeUps">The voluntary context switches of each thread that runs.</param>
    internal ProcessUsage(double cpu, Dictionary<string, long> wakeUps) => (_cpu, _wakeUps) = (cpu, wakeUps);

    /// <summary>Reads the figures of a process and its descendants: the same measure for a program in any language.</summary>
    public static ProcessUsage Of(int process)
    {
        var cpu = 0.0;
        var wakeUps = new Dictionary<string, long>();
        foreach (var one in Descendants(process).Prepend(process))
        {
            cpu += CpuOf(one);
            AddWakeUps(one, wakeUps);
        }

        return new(cpu, wakeUps);
    }

    /// <summary>Returns what has been used since an earlier reading.</summary>
    /// <returns>
    /// Microseconds of user and system time; and how often a thread has waited for something: the voluntary context switches of the threads that still run.
    /// </returns>
    public (double Cpu, long WakeUps) Since(ProcessUsage earlier) =>
        (_cpu - earlier._cpu, _wakeUps.Sum(one => one.Value - earlier._wakeUps.GetValueOrDefault(one.Key)));

    /// <summary>Returns the ids of the processes that a process has started, and of those that they have started.</summary>
    public static List<int> Descendants(int process)
    {
        var parents = new List<(int Id, int Parent)>();
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (!int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id))
                continue;
            try
            {
                parents.Add((id, int.Parse(FieldsOf(folder)[1], CultureInfo.InvariantCulture)));
            }
            catch (IOException)
            {
                // It has ended.
            }
        }

        List<int> found = [process];
        for (var at = 0; at < found.Count; at++)
            found.AddRange(from one in parents where one.Parent == found[at] select one.Id);
        return found[1..];
    }

    // The clock of another process: the sum of utime and stime in /proc/PID/stat, which counts in ticks of 10 ms, but in nanoseconds.
    private static double CpuOf(int process)
    {
        if (GetTime((~process << 3) | 2, out var time) == 0)
            return (time.Seconds * 1e6) + (time.Nanoseconds / 1e3);
        try
        {
            const double MicrosecondsPerTick = 10_000;
            var fields = FieldsOf(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}"));
            return (long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture)) * MicrosecondsPerTick;
        }
        catch (IOException)
        {
            return 0;
        }
    }

    private static void AddWakeUps(int process, Dictionary<string, long> wakeUps)
    {
        try
        {
            foreach (var thread in Directory.EnumerateDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/task")))
                wakeUps[thread] = WakeUpsOfThread(thread);
        }
        catch (IOException)
        {
            // The process has ended.
        }
    }

    private static long WakeUpsOfThread(string folder)
    {
        const string Name = "voluntary_ctxt_switches:";
        try
        {
            return File.ReadLines(Path.Combine(folder, "status")).Where(static line => line.StartsWith(Name, StringComparison.Ordinal))
                .Sum(static line => long.Parse(line.AsSpan(Name.Length), CultureInfo.InvariantCulture));
        }
        catch (IOException)
        {
            // The thread has ended.
            return 0;
        }
    }

    // From field 3 of proc(5), the state; the parent follows it. The name of the program, in parentheses, may contain anything.
    private static string[] FieldsOf(string folder)
    {
        var stat = File.ReadAllText(Path.Combine(folder, "stat"));
        return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetTime(int clock, out Time time);

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Time
    {
        public readonly long Seconds;
        public readonly long Nanoseconds;
    }
}
