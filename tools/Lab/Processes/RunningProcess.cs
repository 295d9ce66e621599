using System.Globalization;
using System.Runtime.InteropServices;

namespace Slipstream.Lab;

/// <summary>A process identified by its ID and start time, so that another process with a reused ID is not confused with it.</summary>
internal readonly record struct RunningProcess(int Id, long StartTime)
{
    public bool IsAlive => Id > 0 && ReadStat(Id) is { } now && now.StartTime == StartTime && now.State != 'Z';

    /// <summary>Gets whether the process was stopped with SIGSTOP.</summary>
    public bool IsStopped => Id > 0 && ReadStat(Id) is { State: 'T' } now && now.StartTime == StartTime;

    /// <summary>Returns the process that has this ID now, or a dead one.</summary>
    public static RunningProcess Of(int id) => ReadStat(id) is { } stat ? new RunningProcess(id, stat.StartTime) : default;

    public static RunningProcess Parse(string text)
    {
        var parts = text.Split(' ', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return parts.Length == 2 && int.TryParse(parts[0], CultureInfo.InvariantCulture, out var id)
               && long.TryParse(parts[1], CultureInfo.InvariantCulture, out var start)
            ? new RunningProcess(id, start)
            : default;
    }

    public static int ParentOf(int id) => ReadStat(id)?.Parent ?? 0;

    public static string NameOf(int id)
    {
        try
        {
            return File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/comm")).Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "?";
        }
    }

    /// <summary>Returns the processes that have a file open, if this user may inspect them.</summary>
    public static IEnumerable<int> HoldersOf(string path)
    {
        foreach (var id in All())
        {
            string[] open;
            try
            {
                open = Directory.GetFiles(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/fd"));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                continue;
            }

            if (open.Any(link => LinkTarget(link) == path))
                yield return id;
        }
    }

    private static string? LinkTarget(string link)
    {
        try
        {
            return new FileInfo(link).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static IEnumerable<int> All()
    {
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var id))
                yield return id;
        }
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Id} {StartTime}");

    public void Signal(Signal signal)
    {
        if (IsAlive)
            _ = Kill(Id, (int)signal);
    }

    /// <summary>Signals this process and all its descendants. PostgreSQL serves each connection with a process of its own.</summary>
    public void SignalTree(Signal signal)
    {
        if (!IsAlive)
            return;
        _ = Kill(Id, (int)signal);
        foreach (var child in ChildrenOf(Id))
            Of(child).SignalTree(signal);
    }

    private static List<int> ChildrenOf(int parent)
    {
        var children = new List<int>();
        foreach (var id in All())
        {
            if (ParentOf(id) == parent)
                children.Add(id);
        }

        return children;
    }

    // proc(5): pid (comm) state ppid … starttime is field 22. The name may contain spaces and parentheses, so the fields are counted after the last
    // parenthesis.
    private static (char State, int Parent, long StartTime)? ReadStat(int id)
    {
        try
        {
            var text = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/stat"));
            var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            return (fields[0][0], int.Parse(fields[1], CultureInfo.InvariantCulture), long.Parse(fields[19], CultureInfo.InvariantCulture));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int id, int signal);
}

/// <summary>The signal numbers of Linux, signal(7).</summary>
internal enum Signal
{
    Hangup = 1,
    Interrupt = 2,
    Quit = 3,
    Kill = 9,
    User1 = 10,
    Terminate = 15,
    Continue = 18,
    Stop = 19,
}
