using System.Diagnostics;
using System.Globalization;

namespace Slipstream.WebRace;

/// <summary>Sets the processors that a server may use.</summary>
internal static class Affinity
{
    /// <summary>Sets the processors of a process and its children, as taskset(1) takes them. A server on another machine has no process.</summary>
    public static async Task SetAsync(int process, string processors)
    {
        if (process == 0)
            return;
        foreach (var one in Descendants(process).Prepend(process))
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

    // PostgreSQL has a process for each session, which inherits its processors from the first one.
    private static List<int> Descendants(int process)
    {
        List<int> found = [];
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (!int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id))
                continue;
            try
            {
                var stat = File.ReadAllText(Path.Combine(folder, "stat"));
                // The name of the program, in parentheses, may contain anything; the state and the parent follow it.
                if (int.Parse(stat[(stat.LastIndexOf(')') + 4)..].Split(' ')[0], CultureInfo.InvariantCulture) == process)
                    found.Add(id);
            }
            catch (IOException)
            {
                // It has ended.
            }
        }

        return [.. found, .. found.SelectMany(Descendants)];
    }
}
