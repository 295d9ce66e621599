using Slipstream.Core.Errors;

namespace Slipstream.Core.Time;

/// <summary>
/// Threads of the driver's own. A process that has reached its limit of threads, or of descriptors, cannot start any: who needs one is told so, instead of
/// meeting an exception of the runtime on a thread that nobody watches.
/// </summary>
internal static class OwnThread
{
    /// <summary>Starts one; false when the system has no room for it.</summary>
    /// <param name="work">What it throws ends the process: nothing may leave it.</param>
    /// <param name="name">The thread's name; a system may show its first fifteen letters only.</param>
    public static bool TryStart(ThreadStart work, string name) => TryStart(work, name, 0);

    /// <summary>Starts one with a stack of so many bytes; 0 for the usual.</summary>
    public static bool TryStart(ThreadStart work, string name, int stackSize)
    {
        try
        {
            // Without the context of who needs it first: the thread serves others, too.
            new Thread(work, stackSize) { IsBackground = true, Name = name }.UnsafeStart();
            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }

    /// <summary>For who cannot go on without.</summary>
    public static WireException NotStarted() => new(
        WireFailure.Unreachable,
        "No thread could be started, and a connection needs one: the process or its container has reached a limit of threads, descriptors or memory. Raise that limit, or use fewer of them.")
    { RetrySafety = RetrySafety.NotSent };
}
