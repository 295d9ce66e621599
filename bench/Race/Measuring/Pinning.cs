using System.Numerics;
using System.Runtime.InteropServices;

namespace Slipstream.Race.Measuring;

/// <summary>
/// Keeps the thread of a synchronous contestant on one processor. Otherwise the scheduler sometimes puts it next to its server's thread and sometimes away from
/// it, for seconds at a time, and the same work takes 10 or 20 µs of CPU. Threads that are started meanwhile may run on any processor of the process.
/// </summary>
internal static class Pinning
{
    private static readonly byte[]? Mask = LastAllowed();

    /// <summary>The processor's number for programs that pin themselves; −1 if the system does not support it.</summary>
    public static int Processor { get; } = Mask is null ? -1 : Array.FindLastIndex(Mask, bits => bits != 0) * 8 + BitOperations.Log2(Mask.Max());

    /// <summary>Pins this thread for the rest of its life. Does nothing if the system does not support it.</summary>
    public static void PinThisThread()
    {
        if (Mask is not null)
            _ = SetAffinity(0, Mask.Length, Mask);
    }

    /// <summary>
    /// Keeps a server on the same processor, with all its threads and those that they start, until the result is disposed. The time of a small query depends on
    /// whether the two ends of a connection share a processor, and this must not differ between contestants. Does nothing if it is not allowed.
    /// </summary>
    public static IDisposable PinServer(int process)
    {
        if (Mask is null || process <= 0)
            return new Pinned(0, []);
        var before = new byte[Mask.Length];
        var known = GetAffinity(process, before.Length, before) >= 0;
        SetAll(process, Mask);
        return new Pinned(known ? process : 0, before);
    }

    // PostgreSQL has a process for each connection. Children inherit their parent's mask when they are started.
    private static void SetAll(int process, byte[] mask)
    {
        try
        {
            foreach (var thread in Directory.EnumerateDirectories($"/proc/{process}/task"))
                _ = SetAffinity(int.Parse(Path.GetFileName(thread), System.Globalization.CultureInfo.InvariantCulture), mask.Length, mask);
        }
        catch (IOException)
        {
            // The process has ended.
        }
    }

    private sealed class Pinned(int process, byte[] before) : IDisposable
    {
        public void Dispose()
        {
            if (process > 0)
                SetAll(process, before);
        }
    }

    // The last processor that this process may use, because most interrupts go to the first.
    private static byte[]? LastAllowed()
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount == 1)
            return null;
        var allowed = new byte[128];
        if (GetAffinity(0, allowed.Length, allowed) < 0)
            return null;
        var last = Array.FindLastIndex(allowed, bits => bits != 0);
        var mask = new byte[allowed.Length];
        mask[last] = (byte)(1 << BitOperations.Log2(allowed[last]));
        return mask;
    }

    // Process id 0 is the calling thread.
    [DllImport("libc", EntryPoint = "sched_setaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetAffinity(int thread, nint size, byte[] mask);

    [DllImport("libc", EntryPoint = "sched_getaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetAffinity(int thread, nint size, byte[] mask);
}
