using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Bench;

/// <summary>Sets the processors that a process may use.</summary>
internal static class Affinity
{
    /// <summary>Sets the processors of a process and its children, as taskset(1) takes them. A server on another machine has no process.</summary>
    public static async Task SetAsync(int process, string processors)
    {
        if (process == 0)
            return;
        // PostgreSQL has a process for each session, which inherits its processors from the first one.
        foreach (var one in ProcessUsage.Descendants(process).Prepend(process))
        {
            using var taskset = Process.Start(
                new ProcessStartInfo("taskset", ["-a", "-p", "-c", processors, one.ToString(CultureInfo.InvariantCulture)])
                {
                    RedirectStandardOutput = true, RedirectStandardError = true,
                })!;
            await taskset.StandardOutput.ReadToEndAsync();
            await taskset.WaitForExitAsync();
        }
    }
}
