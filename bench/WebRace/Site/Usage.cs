using System.Globalization;

namespace Slipstream.WebRace.Site;

/// <summary>What the process has used since its start.</summary>
/// <param name="Cpu">Microseconds of user and system time.</param>
/// <param name="Bytes">Bytes allocated.</param>
/// <param name="WakeUps">How often a thread that runs now has waited for something: its voluntary context switches.</param>
internal sealed record Usage(double Cpu, long Bytes, long WakeUps)
{
    public static Usage Now()
    {
        long wakeUps = 0;
        foreach (var thread in Directory.EnumerateDirectories("/proc/self/task"))
        {
            try
            {
                foreach (var line in File.ReadLines(Path.Combine(thread, "status")))
                    if (line.StartsWith("voluntary_ctxt_switches:", StringComparison.Ordinal))
                        wakeUps += long.Parse(line.AsSpan(line.IndexOf(':', StringComparison.Ordinal) + 1), CultureInfo.InvariantCulture);
            }
            catch (IOException)
            {
                // The thread has ended.
            }
        }

        return new(Environment.CpuUsage.TotalTime.TotalMicroseconds, GC.GetTotalAllocatedBytes(), wakeUps);
    }
}
