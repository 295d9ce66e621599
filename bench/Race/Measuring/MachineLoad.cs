using System.Globalization;

namespace Slipstream.Race.Measuring;

/// <summary>
/// The share of the processors that other programs use during the race: all except the race, the processes it starts, and its servers. Other programs make
/// times longer and ratios unsteady, so a race on a busy machine warns about them.
/// </summary>
internal sealed class MachineLoad
{
    /// <summary>The share of all processors above which the race warns.</summary>
    public const double Much = 0.15;

    private readonly IReadOnlyList<int> _roots;
    private readonly Reading _begin;

    private MachineLoad(IReadOnlyList<int> roots, Reading begin) => (_roots, _begin) = (roots, begin);

    /// <summary>Begins a measurement. Returns null if the system does not provide the figures.</summary>
    /// <param name="servers">The servers' process ids; 0 means none.</param>
    public static MachineLoad? Begin(IEnumerable<int> servers)
    {
        int[] roots = [Environment.ProcessId, .. servers.Where(static process => process > 0)];
        return Read(roots) is { } begin ? new MachineLoad(roots, begin) : null;
    }

    /// <summary>Returns the share of all processors that other programs have used since <see cref="Begin"/>.</summary>
    public double? Others() => Read(_roots) is { } end ? Share(_begin, end) : null;

    /// <summary>Returns the current load.</summary>
    public static double? Now()
    {
        var load = Begin([]);
        Thread.Sleep(500);
        return load?.Others();
    }

    public static double Share(Reading begin, Reading end) =>
        end.Total > begin.Total ? Math.Clamp((double)(end.Busy - begin.Busy - (end.Own - begin.Own)) / (end.Total - begin.Total), 0, 1) : 0;

    /// <summary>Returns the warning; null if none is necessary.</summary>
    /// <param name="others">The share of other programs.</param>
    /// <param name="isOver">True if the share is that of the whole race, which has ended.</param>
    public static string? Warning(double? others, bool isOver)
    {
        if (others is not > Much)
            return null;
        var share = string.Create(CultureInfo.InvariantCulture, $"{others:P0} of the {Environment.ProcessorCount} processors");
        return isOver
            ? $"WARNING: during the race other programs used {share}. Times are too long and ratios unsteady: "
              + "run it again on a quiet machine before you draw conclusions."
            : $"WARNING: other programs use {share}{Average()}. Times will be too long and ratios unsteady: end those programs first.";
    }

    /// <summary>
    /// Reads the processors' ticks from the first line of <c>/proc/stat</c>. Only the total includes waiting. Returns null for another text.
    /// </summary>
    public static (long Busy, long Total)? Processors(string line)
    {
        // cpu user nice system idle iowait irq softirq steal …; user already includes the use of guests (proc(5)).
        var fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (fields.Length < 9 || fields[0] != "cpu")
            return null;
        var ticks = fields[1..9].Select(static field => long.Parse(field, CultureInfo.InvariantCulture)).ToArray();
        var total = ticks.Sum();
        return (total - ticks[3] - ticks[4], total);
    }

    /// <summary>Reads a process's parent, and the ticks of the process and its ended children, from its <c>/proc/…/stat</c>.</summary>
    public static (int Parent, long Ticks) OfProcess(string stat)
    {
        // The name in parentheses may contain spaces, so the fields are counted after it, from field 3. 14 to 17 are utime, stime, cutime and cstime.
        var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return (int.Parse(fields[1], CultureInfo.InvariantCulture), fields[11..15].Sum(static field => long.Parse(field, CultureInfo.InvariantCulture)));
    }

    private static Reading? Read(IReadOnlyList<int> roots)
    {
        if (!OperatingSystem.IsLinux() || Processors(File.ReadLines("/proc/stat").First()) is not { } processors)
            return null;
        var all = new Dictionary<int, (int Parent, long Ticks)>();
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (!int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var id))
                continue;
            try
            {
                all[id] = OfProcess(File.ReadAllText(Path.Combine(folder, "stat")));
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // The process has ended, or is hidden.
            }
        }

        return new Reading(processors.Busy, processors.Total, all.Keys.Where(BelongsToARoot).Sum(id => all[id].Ticks));

        bool BelongsToARoot(int id)
        {
            // A process that ended between two readings may leave a gap, but never a cycle.
            for (var one = id; all.TryGetValue(one, out var process); one = process.Parent)
            {
                if (roots.Contains(one))
                    return true;
            }

            return false;
        }
    }

    private static string Average()
    {
        try
        {
            return $" (load average {File.ReadAllText("/proc/loadavg").Split(' ')[0]})";
        }
        catch (IOException)
        {
            return "";
        }
    }

    /// <summary>The ticks of busy processors, of all processors, and of the race with its servers.</summary>
    internal readonly record struct Reading(long Busy, long Total, long Own);
}
