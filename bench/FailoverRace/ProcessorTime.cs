using System.Globalization;

namespace Slipstream.FailoverRace;

/// <summary>The processor time of processes, as Linux tells it (proc_pid_stat(5)).</summary>
internal static class ProcessorTime
{
    // In clock ticks, which are a hundredth of a second on all of today's systems.
    private const int TicksPerSecond = 100;

    // Positions after the name, which may contain spaces: parent, then user and system time, its own and that of children that have ended.
    private const int Parent = 1;
    private const int FirstTime = 11;
    private const int Times = 4;

    /// <summary>Returns the time of a process, of its children, and of their children.</summary>
    public static TimeSpan OfTree(int root)
    {
        Dictionary<int, (int Parent, long Ticks)> all = [];
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
            if (int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var id) && Read(folder) is { } read)
                all[id] = read;
        return TimeSpan.FromSeconds((double)all.Where(one => IsWithin(one.Key)).Sum(static one => one.Value.Ticks) / TicksPerSecond);

        bool IsWithin(int id)
        {
            while (id != root && all.TryGetValue(id, out var one))
                id = one.Parent;
            return id == root;
        }
    }

    private static (int Parent, long Ticks)? Read(string folder)
    {
        try
        {
            var text = File.ReadAllText(Path.Combine(folder, "stat"));
            var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            return (int.Parse(fields[Parent], CultureInfo.InvariantCulture),
                fields.AsSpan(FirstTime, Times).ToArray().Sum(static field => long.Parse(field, CultureInfo.InvariantCulture)));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended.
            return null;
        }
    }
}
